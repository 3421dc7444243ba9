//! Machine code for [`Leaf`] loops in vectors of 256 bits, which Cranelift does not have.
//!
//! The function takes a pointer to a block of memory with the loop's pointers, then what each lane
//! carries, then the inputs; it leaves what each lane carries there when it is done. What a lane
//! carries stays in registers; so do inputs while there is room. Temporaries take what is left, and
//! a loop for which that is not enough is refused.

mod asm;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;
mod writer;

use std::collections::HashMap;

use crate::ir::{Label, Value};
use crate::leaf::Leaf;
use writer::Writer;

/// Lanes of one vector.
const PART: u32 = 8;

/// A loop's machine code.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) label: Label,
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: String,
}

/// Where a loop's block of memory holds what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pointers: u32,
    width: u32,
}

impl Block {
    pub(crate) fn of(leaf: &Leaf, width: u32) -> Self {
        Self { pointers: leaf.pointers.len() as u32, width }
    }

    pub(crate) fn pointer(self, i: usize) -> i32 {
        i as i32 * 8
    }

    /// What lanes carry, then the inputs.
    pub(crate) fn lanes(self, i: usize) -> i32 {
        (self.pointers * 8).next_multiple_of(asm::BYTES as u32) as i32 + i as i32 * self.width as i32 * 4
    }

    pub(crate) fn bytes(self, leaf: &Leaf) -> u32 {
        self.lanes(leaf.carried.len() + leaf.inputs.len()) as u32
    }
}

/// The code of a loop for lane groups of this width, if there is one.
pub(crate) fn write(leaf: &Leaf, width: u32) -> Option<Code> {
    if !width.is_multiple_of(PART) || leaf.pointers.len() > asm::POINTERS.len() {
        return None;
    }
    let last: HashMap<Value, usize> =
        leaf.steps.iter().enumerate().flat_map(|(i, step)| step.operands().map(move |operand| (operand, i))).collect();
    (0..=leaf.inputs.len()).rev().find_map(|held| Writer::new(leaf, width, &last, held)?.write())
}
