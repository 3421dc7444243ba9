//! Stores past the caches, into memory that is larger than these.

use super::Walk;
use super::choice::Second;
use crate::cost;
use crate::emit::{Emit, Prim};
use crate::ir::{Binary, Mem, Memory, Ty};

impl<E: Emit> Walk<'_, E> {
    /// Asks once how large memory is that could be written past the caches.
    pub(super) fn begin_streams(&mut self) {
        let Some(align) = self.e.streams(Ty::U32) else { return };
        for &memory in &self.f.nontemporal {
            let Memory::Buffer { buffer, .. } = self.f.memories[memory.index()] else { continue };
            // Elements have a word at least.
            let (length, least) = (self.buffers[&buffer].1, self.u64(cost::STREAM_BYTES / u64::from(Ty::U32.bytes())));
            let large = self.binary(Binary::Ge, Ty::U64, length, least);
            let (low, all) = (self.u64(align - 1), self.u64(u64::MAX));
            let without = self.e.scalar(Prim::Select, Ty::U64, Ty::Bool, &[large, low, all]);
            self.streamed.insert(memory, without);
        }
    }

    /// Lanes side by side, past the caches if that is allowed there and the pointer is even enough.
    pub(super) fn store_streamed(&mut self, memory: Mem, ty: Ty, pointer: E::S, each: &E::V) {
        let without = match self.streamed.get(&memory) {
            Some(&without) if self.e.streams(ty).is_some() => without,
            _ => return self.e.store_lanes(ty, pointer, each),
        };
        let (rest, zero) = (self.binary(Binary::And, Ty::U64, pointer, without), self.u64(0));
        let even = self.binary(Binary::Eq, Ty::U64, rest, zero);
        let past = |this: &mut Self| this.e.stream_lanes(ty, pointer, each);
        self.either(even, Second::Often, past, |this| this.e.store_lanes(ty, pointer, each));
    }
}
