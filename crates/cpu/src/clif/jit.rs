//! The memory of a kernel's code: one piece, freed when dropped.
//!
//! Functions of a kernel call each other by distances of 32 bits. Taken from the system one by one,
//! they may lie further apart in a process that has much memory, so room for all of them is set
//! aside first. Only what is used of it is ever touched.

use std::ops::{Deref, DerefMut};

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};

/// Machine code of one of the code generator's instructions, at the most and on average: a tenth of
/// it is what kernels come to.
const INSTRUCTION_BYTES_MAX: usize = 256;

/// Besides: pages that are not full, and small kernels whose average is another.
const ROOM_BYTES_MIN: usize = 1 << 20;

/// Where code is written, and lives.
pub(crate) struct Jit(Option<JITModule>);

impl Jit {
    /// With room for so many instructions; says why if there is none.
    pub(crate) fn new(isa: &OwnedTargetIsa, instructions: usize) -> Result<Self, String> {
        let room = instructions.saturating_mul(INSTRUCTION_BYTES_MAX);
        let room = ArenaMemoryProvider::new_with_size(room.saturating_add(ROOM_BYTES_MIN));
        let mut builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
        builder.memory_provider(Box::new(room.map_err(|error| error.to_string())?));
        Ok(Self(Some(JITModule::new(builder))))
    }
}

impl Deref for Jit {
    type Target = JITModule;

    fn deref(&self) -> &JITModule {
        self.0.as_ref().unwrap_or_else(|| unreachable!("invariant jit: it is there until it is dropped"))
    }
}

impl DerefMut for Jit {
    fn deref_mut(&mut self) -> &mut JITModule {
        self.0.as_mut().unwrap_or_else(|| unreachable!("invariant jit: it is there until it is dropped"))
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // SAFETY: whoever has a pointer into it has this too, and drops both at once (`Code`).
            unsafe { module.free_memory() };
        }
    }
}
