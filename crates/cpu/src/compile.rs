//! From a kernel to machine code that can be called.

use std::sync::Arc;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Linkage, Module};
use seawall_core::device::SubgroupSize;
use seawall_core::diag::Span;
use seawall_core::program::Kernel;

use crate::clif::{Clif, Features};
use crate::context::{Context, Entry};
use crate::emit::LINE;
use crate::exec::memory::{self, Edge, Memory};
use crate::exec::stack::{self, Stack};
use crate::jit::Jit;
use crate::passes::{Log, Pipeline};
use crate::range::Ranges;
use crate::shape::Shapes;
use crate::target::{Effort, Target};
use crate::walk::frame::Frame;
use crate::width::Lanes;
use crate::{build, clif, ir, range, shape, walk, wide, width};

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
    /// It is too large, or nested too deeply.
    #[error(transparent)]
    Excess(#[from] build::Excess),
    /// There is no thread to compile on.
    #[error("no thread to compile on: {reason}")]
    Thread {
        /// As the system says.
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
/// What a call takes of the stack besides the frame: where to go back to, in code and on the stack.
const CALL_BYTES: u64 = 16;

/// The code generator's instructions for one kernel: what takes it two seconds, and 500 MiB.
pub(crate) const INSTRUCTIONS_MAX: usize = 1 << 20;

/// The same for a kernel of many loops, which take it longer.
const LOOPS_INSTRUCTIONS_MAX: usize = 1 << 18;

/// How large a kernel has become on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Functions, the kernel itself included: those that are called, not those that are written out.
    pub functions: usize,
    /// Nodes of the SPMD form.
    pub nodes: usize,
    /// The code generator's instructions, before it has optimised them.
    pub instructions: usize,
    /// Machine code.
    pub bytes: usize,
    /// The frames of all functions, of which no more than one each is ever on the stack.
    pub stack_bytes: u64,
}

impl Count {
    fn add(&mut self, (bytes, stack_bytes): (usize, u64)) {
        self.bytes += bytes;
        self.stack_bytes += stack_bytes;
    }
}

/// Compiled code, freed when dropped.
pub(crate) struct Code {
    /// Where `entry` points, the only pointer into it.
    _module: Jit,
    entry: Entry,
    pub(crate) frame: Frame,
    stack: Stack,
    /// The tables in memory with an edge, where it is to have one.
    guarded: Option<Memory>,
    /// Spans of loops by label.
    loops: Vec<(ir::Label, Option<Span>)>,
    /// Operations of one invocation, roughly.
    pub(crate) cost: u64,
    /// Whether it has loops of which nobody knows before how many turns they take.
    pub(crate) open_ended: bool,
    pub(crate) count: Count,
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
    /// Invocations of a subgroup.
    pub(crate) subgroup: SubgroupSize,
    /// Whether products and sums may be fused.
    pub(crate) contract: bool,
    /// How hard the code generator tries; by the size of each kernel if `None`.
    pub(crate) effort: Option<Effort>,
    /// What memory is to have, for tests.
    pub(crate) edge: Option<Edge>,
}

/// A function with all that its code depends on.
pub(crate) struct Part {
    pub(crate) function: ir::Function,
    pub(crate) shapes: Shapes,
    pub(crate) ranges: Ranges,
}

/// A kernel with all that its code depends on.
pub(crate) struct Analysed {
    pub(crate) part: Part,
    /// Why it has the width of these shapes.
    pub(crate) because: width::Because,
    /// The functions that it calls, by their numbers.
    pub(crate) callees: Vec<Part>,
    /// What the passes gave, where it was asked for.
    pub(crate) log: Log,
}

/// Compiles a kernel for this machine, as long as it is to go on. The caller's thread has a stack of
/// [`STACK_BYTES`].
pub(crate) fn compile(
    target: &Target,
    kernel: &Arc<Kernel>,
    options: Options,
    go_on: &dyn Fn() -> bool,
) -> Result<Code, Error> {
    let Analysed { part, callees, .. } = analyse(target, kernel, options, Log::default())?;
    if !go_on() {
        return Err(Error::GivenUp);
    }
    let mut code = generate(target, part, &callees, options.effort)?;
    if let Some(edge) = options.edge {
        code.guard(edge).map_err(|error| Error::Memory { reason: error.to_string() })?;
    }
    Ok(code)
}

/// Runs code that goes as deep as a kernel is nested, whatever stack the caller has.
pub(crate) fn on_own_stack<T: Send>(code: impl FnOnce() -> T + Send) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("seawall-compile".to_owned()).stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, code).map_err(|error| Error::Thread { reason: error.to_string() })?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// All that comes before the writing of code.
pub(crate) fn analyse(target: &Target, kernel: &Arc<Kernel>, options: Options, log: Log) -> Result<Analysed, Error> {
    let fused = Features::of(&**target.any()).fused;
    let mut pipeline = Pipeline { contract: options.contract && fused, log };
    let build::Built { kernel: function, callees } = build::build(kernel, options.subgroup.get(), &mut pipeline)?;
    let (shapes, because) = width::choose(&function, options.lanes);
    let width = shapes.width;
    let mut part = |mut function: ir::Function, mut shapes: Shapes| {
        pipeline.lanes(&mut function, &mut shapes);
        let ranges = range::analyse(&function, &shapes);
        Part { function, shapes, ranges }
    };
    let callees = callees.into_iter().map(|callee| {
        let shapes = shape::analyse(&callee, width);
        part(callee, shapes)
    });
    let callees = callees.collect();
    let part = part(function, shapes);
    Ok(Analysed { part, because, callees, log: pipeline.log })
}

/// Writes the code of a function whose values have these shapes and ranges.
pub(crate) fn generate(target: &Target, part: Part, callees: &[Part], effort: Option<Effort>) -> Result<Code, Error> {
    let frame = Frame::new(&part.function, &part.shapes);
    let mut contexts = Vec::with_capacity(callees.len());
    for callee in callees {
        let mut context = cranelift_codegen::Context::new();
        write(target, callee, &frame.for_callee(), &mut context, None);
        contexts.push(context);
    }
    let mut context = cranelift_codegen::Context::new();
    let leaves = write(target, &part, &frame, &mut context, Some(callees.len() as u32));
    let all = contexts.iter().chain([&context]).map(|context| context.func.dfg.num_insts());
    let mut count = Count { functions: callees.len() + 1, instructions: all.clone().sum(), ..Count::default() };
    count.nodes = callees.iter().chain([&part]).map(|part| nodes(&part.function)).sum();
    let mut loops = 0;
    for part in callees.iter().chain([&part]) {
        let here = part.function.body.loops();
        if here > build::LOOPS_MAX {
            return Err(build::Excess::Loops { function: part.function.name.clone(), loops: here }.into());
        }
        loops += here;
    }
    let instructions_max = if loops > Effort::LOOPS_MANY { LOOPS_INSTRUCTIONS_MAX } else { INSTRUCTIONS_MAX };
    if count.instructions > instructions_max {
        let mut parts: Vec<(usize, &Part)> = all.clone().zip(callees.iter().chain([&part])).collect();
        parts.sort_by_key(|&(instructions, _)| std::cmp::Reverse(instructions));
        let function = parts[0].1.function.name.clone();
        return Err(build::Excess::Instructions { function, instructions: count.instructions }.into());
    }
    // One code generator for all: the one that the largest of them wants.
    let bodies = callees.iter().chain([&part]).map(|part| &part.function.body);
    let wanted = all.zip(bodies).map(|(instructions, body)| Effort::of(instructions, body.nesting(), body.loops()));
    let isa = target.isa(effort.or(wanted.max()).unwrap_or(Effort::Most));
    let bytes = leaves.iter().map(|leaf| leaf.bytes.len()).sum();
    let mut module = Jit::new(isa, count.instructions, bytes).map_err(|reason| Error::Memory { reason })?;
    let refuse = |error: cranelift_module::ModuleError| Error::Codegen { reason: error.to_string() };
    let define = |module: &mut Jit, id: FuncId, mut context: cranelift_codegen::Context| {
        context.func.name = UserFuncName::user(0, id.as_u32());
        let failed = |error: cranelift_module::ModuleError| Error::Codegen { reason: format!("{error:?}") };
        module.define_function(id, &mut context).map_err(failed)?;
        let Some(code) = context.compiled_code() else { unreachable!("invariant code: it was just written") };
        let Some(layout) = code.buffer.frame_layout() else {
            unreachable!("invariant frames: the code generator knows its own")
        };
        Ok::<(usize, u64), Error>((code.code_buffer().len(), u64::from(layout.frame_to_fp_offset) + CALL_BYTES))
    };
    // Calls go by number, so that these come first, and in this order.
    let mut ids = Vec::with_capacity(callees.len());
    for context in &contexts {
        ids.push(module.declare_anonymous_function(&context.func.signature).map_err(refuse)?);
    }
    for leaf in &leaves {
        let id = module.declare_anonymous_function(&clif::leaf_signature()).map_err(refuse)?;
        module.define_function_bytes(id, 32, &leaf.bytes, &[]).map_err(refuse)?;
    }
    let id = module.declare_function("kernel", Linkage::Local, &context.func.signature).map_err(refuse)?;
    for (id, context) in ids.into_iter().zip(contexts) {
        count.add(define(&mut module, id, context)?);
    }
    count.add(define(&mut module, id, context)?);
    module.finalize_definitions().map_err(refuse)?;
    let pointer = module.get_finalized_function(id);
    // SAFETY: it was declared and written with this signature, and lives as long as `module`.
    let entry = unsafe { std::mem::transmute::<*const u8, Entry>(pointer) };
    let mut costs = Vec::with_capacity(callees.len());
    for callee in callees {
        costs.push(cost(&callee.function, &costs, &callee.function.body, 1));
    }
    let cost = cost(&part.function, &costs, &part.function.body, 1);
    let open_ended = part.function.loops.iter().any(|(label, _)| !part.function.bounded.contains(label));
    let loops = part.function.loops;
    let bytes = count.stack_bytes;
    let stack = Stack::of(bytes).ok_or(Error::Frame { bytes })?;
    let code = Code { _module: module, entry, frame, stack, guarded: None, loops, cost, open_ended, count };
    if code.scratch_bytes() > SCRATCH_BYTES_MAX {
        return Err(Error::Scratch { bytes: code.scratch_bytes() });
    }
    Ok(code)
}

/// Writes the code generator's form of a function into an empty context; gives the code of the
/// functions that it calls, by their numbers.
pub(crate) fn write(
    target: &Target,
    Part { function, shapes, ranges }: &Part,
    frame: &Frame,
    context: &mut cranelift_codegen::Context,
    first_leaf: Option<u32>,
) -> Vec<wide::Code> {
    let isa = target.any();
    let config = isa.frontend_config();
    let convention = config.default_call_conv;
    if function.is_callee {
        context.func.signature = clif::callee_signature(convention);
    } else {
        context.func.signature = Signature::new(convention);
        context.func.signature.params.extend([AbiParam::new(I64); 3]);
    }
    let mut scratch = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
    let clif = Clif::new(builder, shapes.width, convention, Features::of(&**isa), first_leaf);
    let write = if function.is_callee { walk::callee } else { walk::walk };
    write(function, shapes, ranges, frame, clif).finish(config)
}

fn nodes(function: &ir::Function) -> usize {
    let mut nodes = 0;
    function.body.visit(&mut |region| nodes += region.nodes.len());
    nodes
}

/// Operations of one invocation, taking ten turns for each loop; `callees` are those of functions.
fn cost(f: &ir::Function, callees: &[u64], region: &ir::Region, weight: u64) -> u64 {
    let node = |node: &ir::Node| match node {
        ir::Node::Let(value) => match f.op(*value) {
            ir::Op::Run(callee) => weight.saturating_mul(callees[*callee as usize]),
            _ => weight,
        },
        ir::Node::Store { .. } | ir::Node::Barrier => weight,
        ir::Node::If { accept, reject, .. } => {
            cost(f, callees, accept, weight).saturating_add(cost(f, callees, reject, weight))
        }
        ir::Node::Block { body, .. } => cost(f, callees, body, weight),
        ir::Node::Loop { body, .. } => cost(f, callees, body, weight.saturating_mul(10)),
    };
    region.nodes.iter().map(node).fold(0, u64::saturating_add)
}
