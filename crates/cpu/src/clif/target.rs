//! Cranelift for this processor, one for each effort: from functions to machine code in memory.

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Linkage, Module, ModuleError};

use super::{Clif, Features, Jit, callee_signature};
use crate::context::Entry;
use crate::effort::Effort;
use crate::walk::frame::Frame;
use crate::walk::{self, Part};

/// What a call takes of the stack besides the frame: where to go back to, in code and on the stack.
const CALL_BYTES: u64 = 16;

/// Functions in memory.
pub(crate) struct Linked {
    pub(crate) jit: Jit,
    pub(crate) entry: Entry,
    /// The bytes of each, and what it takes of the stack.
    pub(crate) sizes: Vec<(usize, u64)>,
}

/// What goes wrong.
#[derive(Debug)]
pub(crate) enum Error {
    /// The code generator gave up.
    Codegen { reason: String },
    /// There is no memory for code.
    Memory { reason: String },
}

pub(crate) struct Target {
    most: OwnedTargetIsa,
    less: OwnedTargetIsa,
    least: OwnedTargetIsa,
}

impl Target {
    /// For the processor that this runs on; says why if there is none.
    pub(crate) fn native() -> Result<Self, String> {
        Ok(Self { most: isa(Effort::Most)?, less: isa(Effort::Less)?, least: isa(Effort::Least)? })
    }

    fn isa(&self, effort: Effort) -> &OwnedTargetIsa {
        match effort {
            Effort::Most => &self.most,
            Effort::Less => &self.less,
            Effort::Least => &self.least,
        }
    }

    pub(crate) fn features(&self) -> Features {
        Features::of(&*self.most)
    }

    pub(crate) fn name(&self) -> &'static str {
        self.most.name()
    }

    /// Cranelift's form of a function.
    pub(crate) fn write(&self, Part { function, shapes, ranges }: &Part, frame: &Frame) -> Context {
        let mut context = Context::new();
        let config = self.most.frontend_config();
        let convention = config.default_call_conv;
        if function.is_callee {
            context.func.signature = callee_signature(convention);
        } else {
            context.func.signature = Signature::new(convention);
            context.func.signature.params.extend([AbiParam::new(I64); 3]);
        }
        let mut scratch = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
        let clif = Clif::new(builder, shapes.width, convention, self.features());
        let write = if function.is_callee { walk::callee } else { walk::walk };
        write(function, shapes, ranges, frame, clif).finish(config);
        context
    }

    /// Machine code in memory: functions by their numbers, the kernel last.
    pub(crate) fn link(&self, mut contexts: Vec<Context>, effort: Effort) -> Result<Linked, Error> {
        let refuse = |error: ModuleError| Error::Codegen { reason: error.to_string() };
        let instructions = contexts.iter().map(|context| context.func.dfg.num_insts()).sum();
        let mut module = Jit::new(self.isa(effort), instructions).map_err(|reason| Error::Memory { reason })?;
        let Some(kernel) = contexts.pop() else { unreachable!("invariant code: there is a kernel") };
        // Calls go by number, so that functions come first, and in this order.
        let mut ids = Vec::with_capacity(contexts.len());
        for context in &contexts {
            ids.push(module.declare_anonymous_function(&context.func.signature).map_err(refuse)?);
        }
        let id = module.declare_function("kernel", Linkage::Local, &kernel.func.signature).map_err(refuse)?;
        let mut sizes = Vec::with_capacity(contexts.len() + 1);
        for (id, context) in ids.into_iter().zip(contexts).chain([(id, kernel)]) {
            sizes.push(define(&mut module, id, context)?);
        }
        module.finalize_definitions().map_err(refuse)?;
        let pointer = module.get_finalized_function(id);
        // SAFETY: it was declared and written with this signature, and lives as long as `module`.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(pointer) };
        Ok(Linked { jit: module, entry, sizes })
    }

    /// The machine code of a function as text.
    pub(crate) fn asm(&self, mut context: Context, effort: Effort) -> Result<String, Error> {
        context.set_disasm(true);
        let code = context
            .compile(&**self.isa(effort), &mut ControlPlane::default())
            .map_err(|error| Error::Codegen { reason: format!("{:?}", error.inner) })?;
        Ok(code.vcode.clone().unwrap_or_else(|| unreachable!("invariant disasm: it was asked for")))
    }
}

/// Compiles a function in its place; its bytes and what it takes of the stack.
fn define(module: &mut Jit, id: FuncId, mut context: Context) -> Result<(usize, u64), Error> {
    context.func.name = UserFuncName::user(0, id.as_u32());
    let failed = |error: ModuleError| Error::Codegen { reason: format!("{error:?}") };
    module.define_function(id, &mut context).map_err(failed)?;
    let Some(code) = context.compiled_code() else { unreachable!("invariant code: it was just written") };
    let Some(layout) = code.buffer.frame_layout() else {
        unreachable!("invariant frames: the code generator knows its own")
    };
    Ok((code.code_buffer().len(), u64::from(layout.frame_to_fp_offset) + CALL_BYTES))
}

/// What the code generator is told to do.
fn flags(effort: Effort) -> [(&'static str, &'static str); 2] {
    let (optimise, registers) = match effort {
        Effort::Most => ("speed", "backtracking"),
        Effort::Less => ("none", "backtracking"),
        Effort::Least => ("none", "single_pass"),
    };
    [("opt_level", optimise), ("regalloc_algorithm", registers)]
}

fn isa(effort: Effort) -> Result<OwnedTargetIsa, String> {
    let mut all = settings::builder();
    let fixed = [
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        // A frame larger than a page must not step over the page that ends a stack.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
    ];
    for (key, value) in fixed.into_iter().chain(flags(effort)) {
        all.set(key, value).map_err(|error| error.to_string())?;
    }
    let builder = cranelift_native::builder().map_err(str::to_owned)?;
    builder.finish(settings::Flags::new(all)).map_err(|error| error.to_string())
}
