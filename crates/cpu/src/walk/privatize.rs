//! Buffers that a kernel only counts in, for each call by itself: begun with what changes nothing, and added up at its
//! end.

use super::{Walk, count};
use crate::emit::Emit;
use crate::ir::{Binary, Mem, Memory, Private, Ty};

/// What changes nothing.
fn neutral(private: Private) -> u64 {
    private.fun.joins().expect("invariant privates: they are counted in").neutral(private.ty)
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
                let (start, neutral) = (this.in_scratch(start), this.e.constant(private.ty, neutral(private)));
                let at = this.add64(start, offset);
                this.e.store(private.ty, at, neutral);
            });
        }
    }

    /// After the last.
    pub(super) fn end_privates(&mut self) {
        for (memory, (start, private)) in self.frame.privates.clone() {
            let Memory::Buffer { buffer, .. } = self.f.memories[memory.index()] else {
                unreachable!("invariant privates: they belong to buffers")
            };
            let Private { fun, ty, bytes } = private;
            self.each_word(bytes, |this, offset| {
                let start = this.in_scratch(start);
                let (from, to) = (this.add64(start, offset), this.add64(this.buffers[&buffer].0, offset));
                let (word, neutral) = (this.e.load(ty, from), this.e.constant(ty, neutral(private)));
                let counted = this.binary(Binary::Ne, ty, word, neutral);
                this.only_if(counted, |this| _ = this.e.atomic(fun, ty, to, word, None));
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
