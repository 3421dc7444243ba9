//! Buffers: memory of the CPU device that outlives its runs, so that nothing is copied to be bound or mapped.

use std::cell::RefCell;
use std::fmt::{self, Write};
use std::sync::Arc;

use seawall_core::device;
use wgpu::hal;

use crate::pool::Memory;

/// Cheap to clone; the memory is freed with the last clone, also where wgpu has let go of it earlier.
#[derive(Clone)]
pub(crate) struct Buffer(Arc<Inner>);

struct Inner {
    name: String,
    memory: Memory,
    /// Whether it is a texture's.
    texels: bool,
}

/// Some bytes of a buffer.
#[derive(Debug, Clone)]
pub(crate) struct Range {
    pub(crate) buffer: Buffer,
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
}

impl Range {
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.buffer.id() == other.buffer.id()
            && self.offset < other.offset + other.bytes
            && other.offset < self.offset + self.bytes
    }
}

impl Buffer {
    pub(crate) fn new(name: &str, memory: Memory) -> Self {
        Self(Arc::new(Inner { name: name.to_owned(), memory, texels: false }))
    }

    /// That of a texture.
    pub(crate) fn texels(name: &str, memory: Memory) -> Self {
        Self(Arc::new(Inner { name: name.to_owned(), memory, texels: true }))
    }

    pub(crate) fn is_texels(&self) -> bool {
        self.0.texels
    }

    /// What to call it in messages.
    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    pub(crate) fn memory(&self) -> &device::Buffer {
        &self.0.memory.buffer
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.memory().bytes
    }

    /// What tells it from all others that there are.
    pub(crate) fn id(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    pub(crate) fn range(&self, offset: u64, bytes: u64) -> Range {
        Range { buffer: self.clone(), offset, bytes }
    }
}

thread_local! {
    /// The buffer that was printed last, while [`bound`] looks for one.
    static PRINTED: RefCell<Option<Option<Buffer>>> = const { RefCell::new(None) };
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PRINTED.with_borrow_mut(|printed| {
            if let Some(last) = printed {
                *last = Some(self.clone());
            }
        });
        write!(f, "Buffer({:?}, {} bytes)", self.name(), self.bytes())
    }
}

/// What a binding shows of its buffer. wgpu 30 keeps the field to itself and gives no other way to it than `Debug`,
/// which asks the buffer to print itself: the buffer notes that here. wgpu 31 has an accessor.
pub(crate) fn bound(binding: &hal::BufferBinding<'_, Buffer>) -> Range {
    PRINTED.set(Some(None));
    write!(Nowhere, "{binding:?}").expect("invariant nowhere: it takes everything");
    let buffer = PRINTED.take().flatten().expect("invariant binding-debug: a binding prints its buffer");
    let bytes = binding.size.map_or(buffer.bytes().saturating_sub(binding.offset), wgpu::BufferSize::get);
    Range { buffer, offset: binding.offset, bytes }
}

struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(name: &str, bytes: u64) -> Buffer {
        Buffer::new(name, device::Buffer::new(Arc::new(()), bytes).into())
    }

    #[test]
    fn a_binding_shows_its_own_buffer() {
        let buffers = [buffer("one", 64), buffer("two", 64)];
        for own in &buffers {
            let found = bound(&hal::BufferBinding::new_unchecked(own, 16, None));
            assert_eq!((found.buffer.id(), found.offset, found.bytes), (own.id(), 16, 48));
            let found = bound(&hal::BufferBinding::new_unchecked(own, 16, wgpu::BufferSize::new(8)));
            assert_eq!((found.buffer.id(), found.bytes), (own.id(), 8));
        }
    }

    #[test]
    fn printing_keeps_nothing_alive() {
        let own = buffer("one", 4);
        assert_eq!(format!("{own:?}"), "Buffer(\"one\", 4 bytes)");
        assert_eq!(Arc::strong_count(&own.0), 1);
    }
}
