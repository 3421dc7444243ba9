//! Gathers and scatters: lanes at any place, by one instruction where the machine has it ([`Emit::gathers`]).
//!
//! Bytes are counted with 64 bits, so that no index comes back into its memory by wrapping around.

use super::Walk;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Address, Binary, Bound, Memory, Ty, Value};

impl<E: Emit> Walk<'_, E> {
    /// All lanes at once; those outside are masked.
    pub(super) fn gathered(&mut self, at: &Address, ty: Ty) -> E::V {
        let (base, offsets, mask) = self.places(at, ty);
        self.e.gather(ty, base, &offsets, mask.as_ref())
    }

    /// The same, written: of lanes that go to one place the last is left, as it is one by one.
    pub(super) fn scattered(&mut self, at: &Address, value: Value, when: Option<Value>) {
        let ty = self.f.ty(value);
        let (base, offsets, inside) = self.places(at, ty);
        let acts = match (inside, self.mask(when)) {
            (Some(inside), mask) => Some(self.and(mask.as_ref(), inside)),
            (None, mask) => mask,
        };
        let each = self.each(value);
        self.e.scatter(ty, base, &offsets, acts.as_ref(), &each);
    }

    /// Where lanes go that lie anywhere: a pointer, how many bytes from it each is, and which are inside, if not all.
    fn places(&mut self, at: &Address, ty: Ty) -> (E::S, E::V, Option<E::V>) {
        let unit = self.unit(at);
        let (mut offsets, mut inside): (Option<E::V>, Option<E::V>) = (None, None);
        let offset = self.u64(u64::from(at.offset) * unit);
        let mut base = self.start(at.memory);
        base = self.add64(base, offset);
        for term in &at.terms {
            let stride = u64::from(term.stride) * unit;
            let index = match self.lanes(term.index) {
                Lanes::Same(scalar) => {
                    let (index, stride) = (self.widen(scalar), self.u64(stride));
                    let bytes = self.binary(Binary::Mul, Ty::U64, index, stride);
                    base = self.add64(base, bytes);
                    Lanes::Same(index)
                }
                each @ Lanes::Each(_) => {
                    let index = Lanes::Each(self.e.vector(Prim::Convert(Ty::U32), Ty::U64, Ty::U32, &[each]));
                    let bytes = self.multiple(index.clone(), stride);
                    offsets = Some(match offsets {
                        Some(others) => self.sum(others, bytes),
                        None => bytes,
                    });
                    index
                }
            };
            let bound = match term.bound {
                _ if self.is_within(term) => continue,
                Bound::Const(n) => self.u64(n.into()),
                Bound::Length { buffer } => self.buffers[&buffer].1,
            };
            let within = match index {
                Lanes::Same(index) => {
                    let within = self.binary(Binary::Lt, Ty::U64, index, bound);
                    self.e.splat(Ty::Bool, within)
                }
                each @ Lanes::Each(_) => {
                    let less = Prim::Binary(Binary::Lt);
                    self.e.vector(less, Ty::Bool, Ty::U64, &[each, Lanes::Same(bound)])
                }
            };
            inside = Some(self.and(inside.as_ref(), within));
        }
        if matches!(self.f.memories[at.memory.index()], Memory::Private { .. }) {
            let zero = self.u32(0);
            let lanes = Lanes::Each(self.e.ramp(Ty::U32, zero, ty.bytes().into()));
            let lanes = self.e.vector(Prim::Convert(Ty::U32), Ty::U64, Ty::U32, &[lanes]);
            offsets = offsets.map(|offsets| self.sum(offsets, lanes));
        }
        let Some(offsets) = offsets else { unreachable!("invariant gathers: an index varies") };
        (base, offsets, inside)
    }

    fn sum(&mut self, a: E::V, b: E::V) -> E::V {
        self.e.vector(Prim::Binary(Binary::Add), Ty::U64, Ty::U64, &[Lanes::Each(a), Lanes::Each(b)])
    }

    /// Indices times a literal.
    fn multiple(&mut self, index: Lanes<E::S, E::V>, stride: u64) -> E::V {
        let (op, by) = if stride.is_power_of_two() {
            (Binary::Shl, self.u32(stride.trailing_zeros()))
        } else {
            (Binary::Mul, self.u64(stride))
        };
        self.e.vector(Prim::Binary(op), Ty::U64, Ty::U64, &[index, Lanes::Same(by)])
    }
}
