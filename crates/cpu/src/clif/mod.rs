//! The first emitter: Cranelift, with 128-bit vectors.
//!
//! A lane value of 32 bits is `width / 4` machine vectors, one of 64 bits twice as many.
//! Booleans are all-ones masks in lanes and 0 or 1 in scalars. Half floats are the `f32` of
//! the same value. What Cranelift has no vector form for is done lane by lane.

mod cell;
mod scalar;
mod known;
mod convert;
mod lanes;
mod pack;
mod permute;
mod interleave;
mod atomic;
mod emit;
mod jit;
mod target;

pub(crate) use jit::Jit;
pub(crate) use target::{Error, Linked, Target};

use std::collections::HashMap;

use cranelift_codegen::ir::types::{F32, F32X4, F64, F64X2, I8, I32, I32X4, I64, I64X2};
use cranelift_codegen::ir::{
    AbiParam, ConstantData, Endianness, ExtFuncData, ExternalName, FuncRef, InstBuilder, MemFlagsData, Signature, Type,
    UserExternalName, Value,
};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::FunctionBuilder;

use crate::helpers::{Helper, Machine};
use crate::ir::Ty;
use cell::Variables;

/// Lanes of one machine vector of 32-bit numbers.
const PART: u32 = 4;

/// Lanes of one machine vector of these numbers.
fn lanes_of(ty: Ty) -> u32 {
    if ty.bytes() == 8 { PART / 2 } else { PART }
}

pub(crate) struct Clif<'b> {
    b: FunctionBuilder<'b>,
    width: u32,
    arguments: Vec<Value>,
    convention: CallConv,
    machine: Features,
    variables: Variables,
    /// Words as they stand in registers: with zeros before them.
    words: HashMap<Value, Value>,
    /// Masks of four lanes that were made from wide ones, and those.
    wide_masks: HashMap<Value, [Value; 2]>,
    /// Values that are written down for the sake of it.
    pins: u32,
    /// Whether blocks are rarely entered.
    rare: bool,
    /// Functions that are called, by their numbers.
    callees: HashMap<u32, FuncRef>,
}

/// What this processor can do beyond the least of its kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Features {
    /// Fused multiply-add.
    pub(crate) fused: bool,
    /// Choosing lanes by a mask in one instruction.
    pub(crate) blends: bool,
}

impl Features {
    pub(crate) fn of(isa: &dyn TargetIsa) -> Self {
        let has = |name: &str| isa.isa_flags().iter().any(|flag| flag.name == name && flag.as_bool() == Some(true));
        Self { fused: has("has_fma"), blends: has("has_sse41") }
    }
}

impl<'b> Clif<'b> {
    pub(crate) fn new(mut b: FunctionBuilder<'b>, width: u32, convention: CallConv, machine: Features) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let arguments = b.block_params(entry).to_vec();
        let (variables, words, callees) = (Variables::default(), HashMap::new(), HashMap::new());
        let wide_masks = HashMap::new();
        Self { b, width, arguments, convention, machine, variables, words, wide_masks, pins: 0, rare: false, callees }
    }

    fn callee(&mut self, number: u32) -> FuncRef {
        if let Some(&function) = self.callees.get(&number) {
            return function;
        }
        let signature = self.b.import_signature(callee_signature(self.convention));
        let name = self.b.func.declare_imported_user_function(UserExternalName::new(0, number));
        let data = ExtFuncData { name: ExternalName::user(name), signature, colocated: true, patchable: false };
        let function = self.b.import_function(data);
        self.callees.insert(number, function);
        function
    }

    /// Ends the function.
    pub(crate) fn finish(mut self, config: cranelift_codegen::isa::TargetFrontendConfig) {
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    fn parts(&self, ty: Ty) -> u32 {
        self.width / lanes_of(ty)
    }

    fn int(&mut self, ty: Type, n: i64) -> Value {
        self.b.ins().iconst(ty, n)
    }

    fn vector_constant(&mut self, words: [u32; 4]) -> Value {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let constant = self.b.func.dfg.constants.insert(ConstantData::from(bytes));
        self.b.ins().vconst(I32X4, constant)
    }

    fn as_type(&mut self, ty: Type, value: Value) -> Value {
        if self.b.func.dfg.value_type(value) == ty {
            return value;
        }
        self.b.ins().bitcast(ty, MemFlagsData::new().with_endianness(Endianness::Little), value)
    }

    fn call(&mut self, helper: Helper, args: &[Value]) -> Value {
        let machine = |machine: Machine| match machine {
            Machine::u32 | Machine::i32 => I32,
            Machine::i64 => I64,
            Machine::f32 => F32,
            Machine::f64 => F64,
        };
        let (params, result) = helper.signature();
        let mut signature = Signature::new(self.convention);
        signature.params.extend(params.iter().map(|&param| AbiParam::new(machine(param))));
        signature.returns.push(AbiParam::new(machine(result)));
        let signature = self.b.import_signature(signature);
        let address = self.int(I64, helper.address() as i64);
        let call = self.b.ins().call_indirect(signature, address, args);
        self.b.inst_results(call)[0]
    }
}

/// What a function that is called looks like to its callers.
fn callee_signature(convention: CallConv) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.extend([AbiParam::new(I64); 3]);
    signature.returns.push(AbiParam::new(I64));
    signature
}

/// The machine type of a scalar.
fn scalar_type(ty: Ty) -> Type {
    match ty {
        Ty::Bool => I8,
        Ty::I32 | Ty::U32 => I32,
        Ty::F32 | Ty::F16 => F32,
        Ty::I64 | Ty::U64 => I64,
        Ty::F64 => F64,
    }
}

/// The machine type of a part of a lane value.
fn part_type(ty: Ty) -> Type {
    match ty {
        Ty::Bool | Ty::I32 | Ty::U32 => I32X4,
        Ty::F32 | Ty::F16 => F32X4,
        Ty::I64 | Ty::U64 => I64X2,
        Ty::F64 => F64X2,
    }
}

/// The integer type that holds a scalar's bits.
fn bits_type(ty: Ty) -> Type {
    if ty.bytes() == 8 { I64 } else { I32 }
}

fn plain() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}
