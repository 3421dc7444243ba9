//! What a code generator must offer: scalars, values of one number per lane, memory,
//! branches. The walk over the vector form is written once against this; nothing outside an
//! emitter knows how wide a machine vector is.

pub(crate) mod interleave;

use crate::ir::{Atomic, Binary, Helper, Ty, Unary};

/// An operation on numbers, as in [`crate::ir::Op`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Prim {
    Unary(Unary),
    Binary(Binary),
    /// condition, then, else
    Select,
    /// From this type to the result's.
    Convert(Ty),
    Bitcast(Ty),
    Call(Helper),
}

/// An operand of a lane operation: the same number in every lane, or one in each.
#[derive(Debug, Clone)]
pub(crate) enum Lanes<S, V> {
    Same(S),
    Each(V),
}

/// The largest value that an integer type and a float type both have.
pub(crate) fn largest(from: Ty, to: Ty) -> f64 {
    match (from, to) {
        (Ty::F64, Ty::I32) => 2_147_483_647.0,
        (Ty::F64, Ty::U32) => 4_294_967_295.0,
        (Ty::F64, Ty::I64) => 9_223_372_036_854_774_784.0,
        (Ty::F64, _) => 18_446_744_073_709_549_568.0,
        (_, Ty::I32) => 2_147_483_520.0,
        (_, Ty::U32) => 4_294_967_040.0,
        (_, Ty::I64) => 9_223_371_487_098_961_920.0,
        _ => 18_446_742_974_197_923_840.0,
    }
}

/// A code generator for one function `fn(context: *const Context, first: u64, count: u64)`.
pub(crate) trait Emit {
    /// One number. Pointers are `u64` numbers, booleans are 0 or 1.
    type S: Copy + std::fmt::Debug;
    /// One number for each lane.
    type V: Clone + std::fmt::Debug;
    type Block: Copy + std::fmt::Debug;
    /// A mutable [`Self::S`] or [`Self::V`].
    type Cell: Clone + std::fmt::Debug;

    /// Lanes of a group.
    fn width(&self) -> u32;
    /// The function's arguments.
    fn argument(&mut self, index: usize) -> Self::S;

    fn constant(&mut self, ty: Ty, bits: u64) -> Self::S;
    /// The result has type `ty`; operands of comparisons and the like have type `of`.
    fn scalar(&mut self, prim: Prim, ty: Ty, of: Ty, args: &[Self::S]) -> Self::S;
    fn vector(&mut self, prim: Prim, ty: Ty, of: Ty, args: &[Lanes<Self::S, Self::V>]) -> Self::V;

    fn splat(&mut self, ty: Ty, value: Self::S) -> Self::V;
    /// `base + lane * stride`, for 32-bit integers.
    fn ramp(&mut self, ty: Ty, base: Self::S, stride: i64) -> Self::V;
    fn lane(&mut self, ty: Ty, value: &Self::V, lane: u32) -> Self::S;
    fn pack(&mut self, ty: Ty, lanes: &[Self::S]) -> Self::V;
    /// Whether any lane of a boolean holds.
    fn any(&mut self, mask: &Self::V) -> Self::S;
    /// Whether all lanes of a boolean hold.
    fn all(&mut self, mask: &Self::V) -> Self::S;

    /// 32 lanes of a boolean as the bits of a word, from lane 32 times `word` on.
    fn bits(&mut self, mask: &Self::V, word: u32) -> Self::S;
    /// 32-bit integers, each with all before it added to it, where the machine has a faster way than permutations.
    fn prefix_sums(&mut self, value: &Self::V) -> Option<Self::V>;
    /// In each lane another's value, by its number, or zero.
    fn permute(&mut self, ty: Ty, value: &Self::V, from: &[Option<u32>]) -> Self::V;

    /// Whether what has no effect is computed once more for each block that wants it, unless it is pinned.
    fn recomputes(&self) -> bool;
    /// Has a value computed here, rather than wherever it is wanted; where [`Emit::recomputes`].
    fn pin(&mut self, value: &Self::V);

    fn load(&mut self, ty: Ty, pointer: Self::S) -> Self::S;
    /// Two words side by side.
    fn pair(&mut self, pointer: Self::S) -> [Self::S; 2];
    /// A byte that another thread may change at any time, read anew: zero or not.
    fn flag(&mut self, pointer: Self::S) -> Self::S;
    fn store(&mut self, ty: Ty, pointer: Self::S, value: Self::S);
    /// Lanes side by side in memory.
    fn load_lanes(&mut self, ty: Ty, pointer: Self::S) -> Self::V;
    /// The same from memory that nobody writes while the kernel runs, and that can be read wherever
    /// the pointer is known.
    fn load_fixed(&mut self, ty: Ty, pointer: Self::S) -> Self::V;
    fn store_lanes(&mut self, ty: Ty, pointer: Self::S, value: &Self::V);
    /// Bytes of which pointers are multiples where lanes of so many bytes each can be stored past the caches.
    fn streams(&self, ty: Ty) -> Option<u64>;
    /// The same past the caches. Only where [`Emit::streams`]; others see it after [`Emit::fence`].
    fn stream_lanes(&mut self, ty: Ty, pointer: Self::S, value: &Self::V);
    /// What was stored past the caches is seen before anything that is stored from now on.
    fn fence(&mut self);
    /// Whether lanes are loaded from many places at once, and stored.
    fn gathers(&self) -> bool;
    /// Words of 32 bits, so many bytes (64-bit lanes) from a place each, in lanes of the mask; zero in others. Only
    /// where [`Emit::gathers`].
    fn gather(&mut self, ty: Ty, base: Self::S, offsets: &Self::V, mask: Option<&Self::V>) -> Self::V;
    /// The same, written, from the first lane to the last.
    fn scatter(&mut self, ty: Ty, base: Self::S, offsets: &Self::V, mask: Option<&Self::V>, value: &Self::V);
    /// Whether lanes of a mask are packed.
    fn compresses(&self) -> bool;
    /// Lanes of the mask, of 32 or 64 bits each, side by side in memory, and nothing else. Only where
    /// [`Emit::compresses`].
    fn compress(&mut self, ty: Ty, pointer: Self::S, mask: &Self::V, value: &Self::V);
    /// Lanes of the mask, of 32 bits each, in memory that nobody else touches.
    fn store_over(&mut self, ty: Ty, pointer: Self::S, mask: &Self::V, value: &Self::V);
    /// Words of 32 bits in each lane's element, by their bytes from its first. Elements lie `step`
    /// bytes apart, which is more than a word and no less than the words of one reach over. Whatever
    /// lies between the first lane's first word and the last lane's last may be read too.
    fn load_words(&mut self, pointer: Self::S, step: u32, words: &[(u32, Ty)]) -> Vec<Self::V>;
    /// The same, written: each word once, and nothing else.
    fn store_words(&mut self, pointer: Self::S, step: u32, words: &[(u32, Ty)], values: &[Self::V]);
    fn atomic(&mut self, fun: Atomic, ty: Ty, pointer: Self::S, value: Self::S, compare: Option<Self::S>) -> Self::S;
    /// Asks for memory that will be read soon, wherever it is: nothing comes of it but time.
    fn fetch(&mut self, pointer: Self::S, bytes: u64);
    /// Fills a line of memory with zeros.
    fn zero(&mut self, pointer: Self::S);

    fn block(&mut self) -> Self::Block;
    /// A block that is rarely entered.
    fn cold_block(&mut self) -> Self::Block;
    /// Whether blocks from now on are rarely entered, all of them.
    fn rare(&mut self, rare: bool);
    fn jump(&mut self, to: Self::Block);
    fn branch(&mut self, condition: Self::S, accept: Self::Block, reject: Self::Block);
    /// Goes on writing in `block`.
    fn enter(&mut self, block: Self::Block);
    fn ret(&mut self);
    /// Ends a function that is called, with a number for its caller.
    fn give(&mut self, status: Self::S);
    /// Calls a function `fn(context: *const Context, scratch: *mut u8, first: u64) -> u64` by its
    /// number; gives what that gives.
    fn run(&mut self, number: u32, args: [Self::S; 3]) -> Self::S;

    /// Holds zero until it is set.
    fn cell(&mut self, ty: Ty, lanes: bool) -> Self::Cell;
    /// A mark to which cells can be given up.
    fn cells(&self) -> usize;
    /// Gives up the cells that were made since then: nobody gets them any more.
    fn give_up(&mut self, since: usize);
    fn set(&mut self, cell: &Self::Cell, value: &Lanes<Self::S, Self::V>);
    fn get(&mut self, cell: &Self::Cell) -> Lanes<Self::S, Self::V>;
}

impl Prim {
    /// The type of an operand; the result has type `ty`, those of comparisons and the like have type `of`.
    fn operand(self, ty: Ty, of: Ty, index: usize) -> Ty {
        match self {
            Self::Select if index == 0 => Ty::Bool,
            Self::Select => ty,
            Self::Binary(Binary::Shl | Binary::Shr) if index == 1 => Ty::U32,
            Self::Call(helper) => helper.signature().0[index].ty(),
            Self::Convert(from) | Self::Bitcast(from) => from,
            Self::Unary(_) | Self::Binary(_) => of,
        }
    }
}

/// The sum of the products of four bytes each, by operations on words.
pub(crate) fn dot_number<E: Emit>(e: &mut E, ty: Ty, a: E::S, b: E::S) -> E::S {
    dot(e, &a, &b, |e, n| e.constant(Ty::U32, n.into()), |e, op, a, b| e.scalar(Prim::Binary(op), ty, ty, &[a, b]))
}

/// The same in each lane, where the machine has nothing for it.
#[cfg(cranelift)]
pub(crate) fn dot_lanes<E: Emit>(e: &mut E, ty: Ty, given: &[Lanes<E::S, E::V>]) -> Lanes<E::S, E::V> {
    let literal = |e: &mut E, n: u32| Lanes::Same(e.constant(Ty::U32, n.into()));
    dot(e, &given[0], &given[1], literal, |e, op, a, b| Lanes::Each(e.vector(Prim::Binary(op), ty, ty, &[a, b])))
}

fn dot<E: Emit, T: Clone>(
    e: &mut E,
    a: &T,
    b: &T,
    literal: impl Fn(&mut E, u32) -> T,
    op: impl Fn(&mut E, Binary, T, T) -> T,
) -> T {
    const TOP: u32 = 24;
    let byte = |e: &mut E, word: &T, shift: u32| {
        let (up, down) = (literal(e, TOP - shift), literal(e, TOP));
        let placed = op(e, Binary::Shl, word.clone(), up);
        op(e, Binary::Shr, placed, down)
    };
    let product = |e: &mut E, shift: u32| {
        let (x, y) = (byte(e, a, shift), byte(e, b, shift));
        op(e, Binary::Mul, x, y)
    };
    let first = product(e, 0);
    [8, 16, TOP].into_iter().fold(first, |sum, shift| {
        let product = product(e, shift);
        op(e, Binary::Add, sum, product)
    })
}

/// What has no vector form, one lane after the other.
pub(crate) fn lane_by_lane<E: Emit>(e: &mut E, prim: Prim, ty: Ty, of: Ty, given: &[Lanes<E::S, E::V>]) -> E::V {
    let lanes: Vec<E::S> = (0..e.width())
        .map(|lane| {
            let number = |(i, operand): (usize, &Lanes<E::S, E::V>)| match operand {
                Lanes::Same(scalar) => *scalar,
                Lanes::Each(each) => e.lane(prim.operand(ty, of, i), each, lane),
            };
            let numbers: Vec<E::S> = given.iter().enumerate().map(number).collect();
            e.scalar(prim, ty, of, &numbers)
        })
        .collect();
    e.pack(ty, &lanes)
}
