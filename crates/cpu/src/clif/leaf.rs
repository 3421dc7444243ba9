//! Loops in wider vectors than Cranelift has, as functions that [`wide`] writes.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    AbiParam, ExtFuncData, ExternalName, InstBuilder, Signature, StackSlotData, StackSlotKind, UserExternalName, Value,
};
use cranelift_codegen::isa::CallConv;

use super::{Clif, PART, part_type, plain};
use crate::leaf::Leaf;
use crate::wide::{self, Block};

/// Blocks lie where a vector register of the code around fits.
const ALIGN_SHIFT: u8 = 4;

/// What a loop's function looks like to its caller, on every system.
pub(crate) fn signature() -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.push(AbiParam::new(I64));
    signature
}

impl Clif<'_> {
    pub(super) fn call_leaf(
        &mut self,
        leaf: &Leaf,
        pointers: &[Value],
        lanes: &[Vec<Value>],
    ) -> Option<Vec<Vec<Value>>> {
        let code = wide::write(leaf, self.width).filter(|_| self.machine.wide)?;
        let block = Block::of(leaf, self.width);
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, block.bytes(leaf), ALIGN_SHIFT);
        let slot = self.b.create_sized_stack_slot(data);
        let at = self.b.ins().stack_addr(I64, slot, 0);
        for (i, &pointer) in pointers.iter().enumerate() {
            self.b.ins().store(plain(), pointer, at, block.pointer(i));
        }
        for (i, parts) in lanes.iter().enumerate() {
            for (part, &value) in parts.iter().enumerate() {
                self.b.ins().store(plain(), value, at, block.lanes(i) + part as i32 * 16);
            }
        }
        let signature = self.b.import_signature(signature());
        let index = self.leaves.len() as u32;
        let name = self.b.func.declare_imported_user_function(UserExternalName::new(0, index));
        let name = ExternalName::user(name);
        let function = self.b.import_function(ExtFuncData { name, signature, colocated: false, patchable: false });
        self.leaves.push(code);
        self.b.ins().call(function, &[at]);
        let results = leaf.init.iter().enumerate().map(|(i, &(_, ty))| {
            let part = |part: u32| self.b.ins().load(part_type(ty), plain(), at, block.lanes(i) + part as i32 * 16);
            (0..self.width / PART).map(part).collect()
        });
        Some(results.collect())
    }
}
