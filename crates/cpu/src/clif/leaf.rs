//! Loops in wider vectors than Cranelift has, as functions that [`wide`] writes.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    AbiParam, ExtFuncData, ExternalName, FuncRef, InstBuilder, Signature, StackSlot, StackSlotData, StackSlotKind,
    UserExternalName, Value,
};
use cranelift_codegen::isa::CallConv;

use super::{Clif, PART, part_type, plain};
use crate::leaf::Leaf;
use crate::wide::{self, Block, Code};

/// Blocks lie where a vector register of the code around fits.
const ALIGN_SHIFT: u8 = 4;

/// What a loop's function looks like to its caller, on every system.
pub(crate) fn signature() -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.push(AbiParam::new(I64));
    signature
}

/// Functions that a kernel calls, by their numbers.
pub(super) struct Leaves {
    /// The number of the first, if there may be any.
    first: Option<u32>,
    pub(super) codes: Vec<Code>,
    /// Where their blocks are, one after the other.
    slot: Option<StackSlot>,
}

impl Leaves {
    pub(super) fn new(first: Option<u32>) -> Self {
        Self { first, codes: Vec::new(), slot: None }
    }
}

impl Clif<'_> {
    /// Room for one block of this size on the stack, the same for all.
    fn room(&mut self, bytes: u32) -> Value {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, ALIGN_SHIFT);
        let slot = *self.leaves.slot.get_or_insert_with(|| self.b.create_sized_stack_slot(data));
        let size = &mut self.b.func.sized_stack_slots[slot].size;
        *size = bytes.max(*size);
        self.b.ins().stack_addr(I64, slot, 0)
    }

    fn leaf_function(&mut self, first: u32, code: Code) -> FuncRef {
        let signature = self.b.import_signature(signature());
        let number = UserExternalName::new(0, first + self.leaves.codes.len() as u32);
        let name = ExternalName::user(self.b.func.declare_imported_user_function(number));
        self.leaves.codes.push(code);
        self.b.import_function(ExtFuncData { name, signature, colocated: false, patchable: false })
    }

    pub(super) fn call_leaf(
        &mut self,
        leaf: &Leaf,
        pointers: &[Value],
        lanes: &[Vec<Value>],
    ) -> Option<Vec<Vec<Value>>> {
        let first = self.leaves.first?;
        let can = self.machine.wide && (self.machine.fused || !leaf.fuses());
        let code = wide::write(leaf, self.width).filter(|_| can)?;
        let block = Block::of(leaf, self.width);
        let at = self.room(block.bytes(leaf));
        for (i, &pointer) in pointers.iter().enumerate() {
            self.b.ins().store(plain(), pointer, at, block.pointer(i));
        }
        for (i, parts) in lanes.iter().enumerate() {
            for (part, &value) in parts.iter().enumerate() {
                self.b.ins().store(plain(), value, at, block.lanes(i) + part as i32 * 16);
            }
        }
        let function = self.leaf_function(first, code);
        self.b.ins().call(function, &[at]);
        let results = leaf.init.iter().enumerate().map(|(i, &(_, ty))| {
            let part = |part: u32| self.b.ins().load(part_type(ty), plain(), at, block.lanes(i) + part as i32 * 16);
            (0..self.width / PART).map(part).collect()
        });
        Some(results.collect())
    }
}

#[cfg(test)]
mod tests {

    use cranelift_codegen::Context;
    use seawall_core::program::{Overrides, Program};

    use crate::compile::{self, Analysed, Options};
    use crate::passes::Log;
    use crate::walk::frame::Frame;

    #[test]
    fn many_loops_take_one_block_of_the_stack() {
        let turns = "for (var k = 0u; k < 40u; k++) { sum += shared_[k] * sum; } sum ^= 5u;\n".repeat(50);
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
            var<workgroup> shared_: array<u32, 64>;
            @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {{
                shared_[i] = v[i];
                workgroupBarrier();
                var sum = i;
                {turns}
                v[i] = sum;
            }}"
        );
        let kernel = Program::wgsl(&text).unwrap().kernel("main", &Overrides::new()).unwrap();
        let target = compile::target().unwrap();
        let Analysed { part, .. } = compile::analyse(&target, &kernel, Options::default(), Log::default()).unwrap();
        let mut context = Context::new();
        let frame = Frame::new(&part.function, &part.shapes);
        let leaves = compile::write(&target, &part, &frame, &mut context, Some(0));
        let wide = super::super::Features::of(&**target.any()).wide;
        assert_eq!(leaves.len(), if wide { 50 } else { 0 });
        assert_eq!(context.func.sized_stack_slots.len(), usize::from(wide));
    }
}
