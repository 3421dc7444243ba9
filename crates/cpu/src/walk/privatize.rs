//! Privatization of buffers that a kernel only counts in: small ones, which it touches by atomics of one kind whose
//! results nobody wants. A call counts in scratch, where no other thread comes, and adds what it
//! has to the buffer at its end: one locked operation for each word instead of one for each
//! invocation, and no cache line that goes to and fro between threads.
//!
//! Nobody can tell: while the kernel runs nobody reads the buffer, and integers that are added,
//! or joined by `and`, `or`, `xor`, `min` or `max`, give the same in any order and in any groups.

use std::collections::{BTreeMap, BTreeSet};

use super::{Walk, count, fission};
use crate::cost;
use crate::emit::Emit;
use crate::ir::{Address, Atomic, Binary, Bound, Function, Mem, Memory, Node, Op, Ty, Value};

const NAME: &str = "privatize";

/// What is counted in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Private {
    /// How what was counted joins what is there.
    fun: Atomic,
    ty: Ty,
    /// From the buffer's start to the end of what is touched.
    pub(crate) bytes: u64,
}

impl Private {
    /// What changes nothing.
    fn neutral(self) -> u64 {
        let (least, most) = if self.ty == Ty::I32 { (i32::MIN as u32, i32::MAX as u32) } else { (0, u32::MAX) };
        match self.fun {
            Atomic::Add | Atomic::Or | Atomic::Xor => 0,
            Atomic::And => u32::MAX.into(),
            Atomic::Min => most.into(),
            Atomic::Max => least.into(),
            Atomic::Sub | Atomic::Exchange | Atomic::CompareExchange => {
                unreachable!("invariant privates: {:?} joins nothing", self.fun)
            }
        }
    }

    /// Both, if they are of one kind.
    fn join(self, other: Self) -> Option<Self> {
        let alike = self.fun == other.fun && self.ty == other.ty;
        alike.then_some(Self { bytes: self.bytes.max(other.bytes), ..self })
    }
}

/// The buffers of a kernel that can be counted in.
pub(crate) fn found(f: &Function) -> BTreeMap<Mem, Private> {
    // Functions that are called may do other things with them.
    if !f.calls.is_empty() {
        return BTreeMap::new();
    }
    let used = fission::used(f);
    let mut found: BTreeMap<Mem, Result<Private, &'static str>> = BTreeMap::new();
    let mut counted = BTreeSet::new();
    let mut touch = |memory: Mem, new: Result<Private, &'static str>| {
        let private = found.entry(memory).or_insert(new);
        *private = private.and_then(|private| private.join(new?).ok_or("it is updated in several ways"));
    };
    const OTHERWISE: &str = "it is read or written in other ways too";
    f.body.visit(&mut |region| {
        for node in &region.nodes {
            match node {
                Node::Let(value) => match f.op(*value) {
                    Op::Load { at, .. } => touch(at.memory, Err(OTHERWISE)),
                    Op::Atomic { at, fun, .. } => {
                        counted.insert(at.memory);
                        touch(at.memory, private(f, &used, *value, at, *fun));
                    }
                    _ => {}
                },
                Node::Store { at, .. } => touch(at.memory, Err(OTHERWISE)),
                Node::Barrier | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => {}
            }
        }
    });
    for &memory in counted.iter().filter(|memory| matches!(f.memories[memory.index()], Memory::Buffer { .. })) {
        match &found[&memory] {
            Ok(private) => f.done(NAME, memory, format!("each thread counts in {} bytes of its own", private.bytes)),
            Err(because) => f.missed(NAME, memory, *because),
        }
    }
    found.into_iter().filter_map(|(memory, private)| Some((memory, private.ok()?))).collect()
}

/// What an atomic counts, if it does nothing else.
fn private(
    f: &Function,
    used: &BTreeSet<Value>,
    result: Value,
    at: &Address,
    fun: Atomic,
) -> Result<Private, &'static str> {
    let ty = f.ty(result);
    if !matches!(f.memories[at.memory.index()], Memory::Buffer { aliased: false, .. }) {
        return Err("it may be the memory of another buffer");
    }
    if used.contains(&result) {
        return Err("results of its updates are used");
    }
    if !matches!(ty, Ty::I32 | Ty::U32) {
        return Err("only integers of 32 bits give the same in any order");
    }
    let fun = match fun {
        Atomic::Add | Atomic::Sub => Atomic::Add,
        Atomic::And | Atomic::Or | Atomic::Xor | Atomic::Min | Atomic::Max => fun,
        Atomic::Exchange | Atomic::CompareExchange => return Err("the order of its updates matters"),
    };
    let mut bytes = u64::from(at.offset) + u64::from(ty.bytes());
    for term in &at.terms {
        let Bound::Const(length) = term.bound else { return Err("its size is not known before it runs") };
        bytes += u64::from(length.saturating_sub(1)) * u64::from(term.stride);
    }
    if bytes > cost::PRIVATE_BYTES {
        return Err("it is so large that adding it up would take longer");
    }
    Ok(Private { fun, ty, bytes })
}

impl<E: Emit> Walk<'_, E> {
    /// Whether no other thread comes to a memory.
    pub(super) fn is_own(&self, memory: Mem) -> bool {
        match self.f.memories[memory.index()] {
            Memory::Buffer { .. } => self.frame.privates.contains_key(&memory),
            Memory::Workgroup { .. } | Memory::Private { .. } | Memory::Constants { .. } => true,
        }
    }

    /// Before the first workgroup of a call.
    pub(super) fn begin_privates(&mut self) {
        for (start, private) in self.frame.privates.values().copied().collect::<Vec<_>>() {
            self.each_word(private.bytes, |this, offset| {
                let (start, neutral) = (this.in_scratch(start), this.e.constant(private.ty, private.neutral()));
                let at = this.add64(start, offset);
                this.e.store(private.ty, at, neutral);
            });
        }
    }

    /// After the last.
    pub(super) fn end_privates(&mut self) {
        for (memory, (start, private)) in self.frame.privates.clone() {
            let Memory::Buffer { row, .. } = self.f.memories[memory.index()] else {
                unreachable!("invariant privates: they belong to buffers")
            };
            let Private { fun, ty, bytes } = private;
            self.each_word(bytes, |this, offset| {
                let start = this.in_scratch(start);
                let (from, to) = (this.add64(start, offset), this.add64(this.buffers[&row].0, offset));
                let (word, neutral) = (this.e.load(ty, from), this.e.constant(ty, private.neutral()));
                let (add, on) = (this.e.block(), this.e.block());
                let counted = this.binary(Binary::Ne, ty, word, neutral);
                this.e.branch(counted, add, on);
                this.e.enter(add);
                this.e.atomic(fun, ty, to, word, None);
                this.e.jump(on);
                this.e.enter(on);
            });
        }
    }

    /// A loop over words of memory, by their offsets.
    fn each_word(&mut self, bytes: u64, body: impl FnOnce(&mut Self, E::S)) {
        let (zero, end) = (self.u64(0), self.u64(bytes));
        self.count(Ty::U64, zero..end, count::Turns::Some, |this, offset| {
            body(this, offset);
            this.u64(Ty::U32.bytes().into())
        });
    }
}
