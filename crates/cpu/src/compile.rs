//! From a kernel to machine code that can be called.

use std::sync::Arc;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module};
use seawall_core::diag::Span;
use seawall_core::program::Kernel;

use crate::clif::{Clif, Features};
use crate::context::{Context, Entry};
use crate::emit::LINE;
use crate::exec::memory::{self, Edge, Memory};
use crate::exec::stack::{self, Stack};
use crate::ir::verify;
use crate::range::Ranges;
use crate::shape::Shapes;
use crate::target::{Effort, Target};
use crate::walk::frame::Frame;
use crate::width::Lanes;
use crate::{asked, beside, build, clif, ir, range, shape, walk, wide, width};

/// Stack of the threads that compile. It is only address space until it is touched.
pub const STACK_BYTES: usize = 64 << 20;

/// What goes wrong when a kernel is compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// This processor has no code generator.
    #[error("no code generator for this processor: {reason}")]
    Target {
        /// As the code generator says.
        reason: String,
    },
    /// The code generator gave up, on a function too large for it.
    #[error("the code generator failed: {reason}")]
    Codegen {
        /// As the code generator says.
        reason: String,
    },
    /// Its values take more memory than a worker has for them.
    #[error("its values take {bytes} bytes of each worker's memory, and there are {SCRATCH_BYTES_MAX}")]
    Scratch {
        /// As much as there would have to be.
        bytes: u64,
    },
    /// Its frame is too large for a thread's stack, and this system has no other place for it.
    #[error("its values take {bytes} bytes of the stack, and there are {}", stack::OWN_MAX)]
    Frame {
        /// As much as there would have to be.
        bytes: u64,
    },
    /// There is no memory for its tables.
    #[error("{reason}")]
    Memory {
        /// As the system says.
        reason: String,
    },
    /// Nobody waits for it any more, and others wait for its thread.
    #[error("it was given up")]
    GivenUp,
}

/// Memory of a worker for one kernel: for workgroup variables, private ones, values that live across
/// barriers and frames that are too large for a stack.
const SCRATCH_BYTES_MAX: u64 = 1 << 30;

/// Compiled code, freed when dropped.
pub(crate) struct Code {
    module: Option<JITModule>,
    entry: Entry,
    pub(crate) frame: Frame,
    stack: Stack,
    /// The tables in memory with an edge, where it is to have one.
    guarded: Option<Memory>,
    /// Spans of loops by label.
    loops: Vec<(ir::Label, Option<Span>)>,
    /// Operations of one invocation, roughly.
    pub(crate) cost: u64,
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("scratch_bytes", &self.frame.bytes).finish_non_exhaustive()
    }
}

// SAFETY: the code is not written after `compile`, and holds no thread-bound state.
unsafe impl Send for Code {}
// SAFETY: as above; calling it from several threads is what it is for.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: `entry` is the only pointer into it, and goes with `self`.
            unsafe { module.free_memory() };
        }
    }
}

impl Code {
    /// Runs workgroups `first..first + count`.
    ///
    /// # Safety
    /// `context` has a buffer for each row of the kernel's table, at least as large as the row
    /// asks for and writable where the kernel writes, with the length of its tail; scratch of
    /// [`Self::scratch_bytes`]; and this code's constants.
    pub(crate) unsafe fn run(&self, context: &mut Context, first: u64, count: u64) {
        match self.stack {
            // SAFETY: as the caller promises; every access lies inside those by construction.
            Stack::Own => unsafe { (self.entry)(context, first, count) },
            // SAFETY: the same, and the end of scratch is the stack's.
            Stack::Apart(_) => unsafe {
                let top = context.scratch.add(self.scratch_bytes() as usize);
                stack::call_on(top, self.entry, context, first, count);
            },
        }
    }

    /// What a worker needs besides buffers: a multiple of a cache line.
    pub(crate) fn scratch_bytes(&self) -> u64 {
        self.frame.bytes.next_multiple_of(LINE) + self.stack.bytes()
    }

    pub(crate) fn constants(&self) -> *const u8 {
        match &self.guarded {
            Some(memory) => memory.as_ptr(),
            None => self.frame.constants.as_ptr(),
        }
    }

    /// Puts the tables where they can be neither written nor passed.
    fn guard(&mut self, edge: Edge) -> Result<(), memory::Error> {
        let memory = Memory::with_edge(self.frame.constants.len() as u64, Some(edge))?;
        memory.lock().write(0, &self.frame.constants)?;
        memory.protect(true);
        self.guarded = Some(memory);
        Ok(())
    }

    /// Where the loop with this label stands in the source.
    pub(crate) fn loop_span(&self, label: u32) -> Option<Span> {
        self.loops.iter().find(|(at, _)| at.0 == label).and_then(|(_, span)| *span)
    }
}

/// The native code generator.
pub(crate) fn target() -> Result<Target, Error> {
    Target::native().map_err(|reason| Error::Target { reason })
}

/// What a caller may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Options {
    /// Invocations that run together; decided for each kernel if `None`.
    pub(crate) lanes: Option<Lanes>,
    /// Whether products and sums may be fused.
    pub(crate) contract: bool,
    /// How hard the code generator tries; by the size of each kernel if `None`.
    pub(crate) effort: Option<Effort>,
    /// What memory is to have, for tests.
    pub(crate) edge: Option<Edge>,
}

/// A kernel with all that its code depends on.
pub(crate) struct Analysed {
    pub(crate) function: ir::Function,
    pub(crate) shapes: Shapes,
    /// Why it has the width of these shapes.
    pub(crate) because: width::Because,
    pub(crate) ranges: Ranges,
}

/// Compiles a kernel for this machine, as long as it is to go on.
pub(crate) fn compile(
    target: &Target,
    kernel: &Arc<Kernel>,
    options: Options,
    go_on: &dyn Fn() -> bool,
) -> Result<Code, Error> {
    let Analysed { function, shapes, ranges, .. } = analyse(target, kernel, options);
    if !go_on() {
        return Err(Error::GivenUp);
    }
    let mut code = generate(target, function, &shapes, &ranges, options.effort)?;
    if let Some(edge) = options.edge {
        code.guard(edge).map_err(|error| Error::Memory { reason: error.to_string() })?;
    }
    Ok(code)
}

/// All that comes before the writing of code.
pub(crate) fn analyse(target: &Target, kernel: &Arc<Kernel>, options: Options) -> Analysed {
    let mut function = build::build(kernel);
    if options.contract && Features::of(&**target.any()).fused {
        build::contract(&mut function);
    }
    verified(&function);
    let (mut shapes, because) = width::choose(&function, options.lanes);
    if asked::ask(&mut function, &shapes) {
        shapes = shape::analyse(&function, shapes.width);
    }
    beside::bring(&mut function, &shapes);
    verified(&function);
    let ranges = range::analyse(&function, &shapes);
    Analysed { function, shapes, because, ranges }
}

fn verified(function: &ir::Function) {
    if cfg!(debug_assertions)
        && let Err(error) = verify::verify(function)
    {
        unreachable!("invariant spmd-form: {error}\n{}", function.text(&|_| String::new()));
    }
}

/// Writes the code of a function whose values have these shapes and ranges.
pub(crate) fn generate(
    target: &Target,
    function: ir::Function,
    shapes: &Shapes,
    ranges: &Ranges,
    effort: Option<Effort>,
) -> Result<Code, Error> {
    let frame = Frame::new(&function, shapes);
    let mut context = cranelift_codegen::Context::new();
    let leaves = write(target, &function, shapes, ranges, &frame, &mut context);
    let isa = target.isa(effort.unwrap_or_else(|| Effort::of(context.func.dfg.num_insts())));
    let mut module = JITModule::new(JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names()));
    let refuse = |error: cranelift_module::ModuleError| Error::Codegen { reason: error.to_string() };
    // Calls go by number, so that these come first.
    for leaf in &leaves {
        let id = module.declare_anonymous_function(&clif::leaf_signature()).map_err(refuse)?;
        module.define_function_bytes(id, 32, &leaf.bytes, &[]).map_err(refuse)?;
    }
    let id = module.declare_function("kernel", Linkage::Local, &context.func.signature).map_err(refuse)?;
    context.func.name = UserFuncName::user(0, id.as_u32());
    module.define_function(id, &mut context).map_err(|error| Error::Codegen { reason: format!("{error:?}") })?;
    let layout = context.compiled_code().and_then(|code| code.buffer.frame_layout());
    let bytes = layout.map(|layout| u64::from(layout.frame_to_fp_offset));
    let bytes = bytes.unwrap_or_else(|| unreachable!("invariant frames: the code generator knows its own"));
    module.clear_context(&mut context);
    module.finalize_definitions().map_err(refuse)?;
    let pointer = module.get_finalized_function(id);
    // SAFETY: it was declared and written with this signature, and lives as long as `module`.
    let entry = unsafe { std::mem::transmute::<*const u8, Entry>(pointer) };
    let cost = cost(&function.body, 1);
    let loops = function.loops;
    let mut code = Code { module: Some(module), entry, frame, stack: Stack::Own, guarded: None, loops, cost };
    code.stack = Stack::of(bytes).ok_or(Error::Frame { bytes })?;
    if code.scratch_bytes() > SCRATCH_BYTES_MAX {
        return Err(Error::Scratch { bytes: code.scratch_bytes() });
    }
    Ok(code)
}

/// Writes the code generator's form of a function into an empty context; gives the code of the
/// functions that it calls, by their numbers.
pub(crate) fn write(
    target: &Target,
    function: &ir::Function,
    shapes: &Shapes,
    ranges: &Ranges,
    frame: &Frame,
    context: &mut cranelift_codegen::Context,
) -> Vec<wide::Code> {
    let isa = target.any();
    let config = isa.frontend_config();
    context.func.signature = Signature::new(config.default_call_conv);
    context.func.signature.params.extend([AbiParam::new(I64); 3]);
    let mut scratch = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
    let clif = Clif::new(builder, shapes.width, config.default_call_conv, Features::of(&**isa));
    walk::walk(function, shapes, ranges, frame, clif).finish(config)
}

/// Operations of one invocation, taking ten turns for each loop.
fn cost(region: &ir::Region, weight: u64) -> u64 {
    let node = |node: &ir::Node| match node {
        ir::Node::Let(_) | ir::Node::Store { .. } | ir::Node::Barrier => weight,
        ir::Node::If { accept, reject, .. } => cost(accept, weight).saturating_add(cost(reject, weight)),
        ir::Node::Block { body, .. } => cost(body, weight),
        ir::Node::Loop { body, .. } => cost(body, weight.saturating_mul(10)),
    };
    region.nodes.iter().map(node).fold(0, u64::saturating_add)
}
