//! From a kernel to machine code that can be called.

use std::any::Any;
use std::sync::Arc;

use seawall_core::device::SubgroupSize;
use seawall_core::diag::Span;
use seawall_core::program::Kernel;

#[cfg(cranelift)]
use crate::clif;
use crate::context::{Context, Entry};
use crate::divergence::Shapes;
use crate::effort::Effort;
use crate::exec::memory::{self, Edge, Memory};
use crate::exec::stack::{self, Stack};
use crate::helpers::LINE;
use crate::passes::{Log, Pipeline};
use crate::target::{Backend, Target};
use crate::walk::Part;
use crate::walk::frame::Frame;
use crate::width::Lanes;
#[cfg(x64)]
use crate::x64::{self, X64};
use crate::{build, cost, divergence, ir, range, width};

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
    /// Its Cranelift IR is asked for, and Cranelift does not write its code.
    #[error(
        "Cranelift does not write this code; SEAWALL_BACKEND=cranelift has it do so, and `asm` shows the machine code"
    )]
    NotCranelift,
    /// Nobody waits for it any more, and others wait for its thread.
    #[error("it was given up")]
    GivenUp,
}

/// Memory of a worker for one kernel: for workgroup variables, private ones, values that live across
/// barriers and frames that are too large for a stack.
const SCRATCH_BYTES_MAX: u64 = 1 << 30;

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
    _held: Held,
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
            Stack::Separate(_) => unsafe {
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

/// The code generator for this processor, by this back end if one is asked for.
pub(crate) fn target(backend: Option<Backend>) -> Result<Target, Error> {
    Target::native(backend).map_err(|reason| Error::Target { reason })
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
    let contract = options.contract && target.fuses();
    let mut pipeline = Pipeline { contract, vector: target.lanes(), gathers: target.gathers(), log };
    let build::Built { kernel: function, callees } = build::build(kernel, options.subgroup.get(), &mut pipeline)?;
    let (shapes, because) = width::choose(&function, options.lanes, target.lanes());
    let width = shapes.width;
    let lanes = if width == 1 { "lane" } else { "lanes" };
    function.done("width", ir::remark::At::Function, format!("{width} {lanes}, because {because}"));
    let mut part = |mut function: ir::Function, mut shapes: Shapes| {
        pipeline.lanes(&mut function, &mut shapes);
        let ranges = range::analyse(&function, &shapes);
        Part { function, shapes, ranges }
    };
    let callees = callees.into_iter().map(|callee| {
        let shapes = divergence::analyse(&callee, width);
        part(callee, shapes)
    });
    let callees = callees.collect();
    let part = part(function, shapes);
    Ok(Analysed { part, because, callees, log: pipeline.log })
}

/// A function on its way to machine code.
pub(crate) enum Written {
    #[cfg(cranelift)]
    Cranelift(Box<cranelift_codegen::Context>),
    #[cfg(x64)]
    X64(Box<X64>),
}

impl Written {
    pub(crate) fn new(target: &Target, part: &Part, frame: &Frame) -> Self {
        match target {
            #[cfg(cranelift)]
            Target::Cranelift(target) => Self::Cranelift(Box::new(target.write(part, frame))),
            #[cfg(x64)]
            Target::X64(isa) => Self::X64(Box::new(x64::write(*isa, part, frame))),
        }
    }

    /// The code generator's instructions, before it has optimised them.
    fn instructions(&self) -> usize {
        match self {
            #[cfg(cranelift)]
            Self::Cranelift(context) => context.func.dfg.num_insts(),
            #[cfg(x64)]
            Self::X64(x64) => x64.operations(),
        }
    }
}

/// The memory that code lives in, whoever wrote it.
type Held = Box<dyn Any>;

/// Writes the code of a function whose values have these shapes and ranges.
pub(crate) fn generate(target: &Target, part: Part, callees: &[Part], effort: Option<Effort>) -> Result<Code, Error> {
    let frame = Frame::new(&part.function, &part.shapes);
    let mut written: Vec<Written> = Vec::with_capacity(callees.len() + 1);
    for function in callees.iter().chain([&part]) {
        let frame = if function.function.is_callee { &frame.for_callee() } else { &frame };
        written.push(Written::new(target, function, frame));
    }
    let all = written.iter().map(Written::instructions);
    let mut count = Count { functions: written.len(), instructions: all.clone().sum(), ..Count::default() };
    count.nodes = callees.iter().chain([&part]).map(|part| part.function.body.size()).sum();
    let mut loops = 0;
    for part in callees.iter().chain([&part]) {
        let here = part.function.body.loops();
        if here > build::LOOPS_MAX {
            return Err(build::Excess::Loops { function: part.function.name.clone(), loops: here }.into());
        }
        loops += here;
    }
    let instructions_max = if loops > cost::LOOPS_MANY { LOOPS_INSTRUCTIONS_MAX } else { INSTRUCTIONS_MAX };
    if count.instructions > instructions_max {
        let mut parts: Vec<(usize, &Part)> = all.clone().zip(callees.iter().chain([&part])).collect();
        parts.sort_by_key(|&(instructions, _)| std::cmp::Reverse(instructions));
        let function = parts[0].1.function.name.clone();
        return Err(build::Excess::Instructions { function, instructions: count.instructions }.into());
    }
    // One effort for all: the one that the largest of them wants.
    let bodies = callees.iter().chain([&part]).map(|part| &part.function.body);
    let wanted = all.zip(bodies).map(|(instructions, body)| Effort::of(instructions, body.nesting(), body.loops()));
    let effort = effort.or(wanted.max()).unwrap_or(Effort::Most);
    let (held, entry) = link(target, effort, written, &mut count)?;
    let mut costs = Vec::with_capacity(callees.len());
    for callee in callees {
        costs.push(cost::operations(&callee.function, &costs, &callee.function.body, 1));
    }
    let cost = cost::operations(&part.function, &costs, &part.function.body, 1);
    let open_ended = part.function.loops.iter().any(|(label, _)| !part.function.bounded.contains(label));
    let loops = part.function.loops;
    let bytes = count.stack_bytes;
    let stack = Stack::of(bytes).ok_or(Error::Frame { bytes })?;
    let code = Code { _held: held, entry, frame, stack, guarded: None, loops, cost, open_ended, count };
    if code.scratch_bytes() > SCRATCH_BYTES_MAX {
        return Err(Error::Scratch { bytes: code.scratch_bytes() });
    }
    Ok(code)
}

/// Machine code in memory, of functions by their numbers, the kernel last.
fn link(target: &Target, effort: Effort, written: Vec<Written>, count: &mut Count) -> Result<(Held, Entry), Error> {
    match target {
        #[cfg(cranelift)]
        Target::Cranelift(target) => {
            let contexts = written.into_iter().filter_map(|written| match written {
                Written::Cranelift(context) => Some(*context),
                #[cfg(x64)]
                Written::X64(_) => None,
            });
            let clif::Linked { jit, entry, sizes } =
                target.link(contexts.collect(), effort).map_err(|error| match error {
                    clif::Error::Codegen { reason } => Error::Codegen { reason },
                    clif::Error::Memory { reason } => Error::Memory { reason },
                })?;
            sizes.into_iter().for_each(|size| count.add(size));
            Ok((Box::new(jit), entry))
        }
        #[cfg(x64)]
        Target::X64(_) => {
            let mut codes = Vec::with_capacity(written.len());
            for written in written {
                match written {
                    Written::X64(x64) => {
                        let code = x64.finish(effort).map_err(|error| Error::Codegen { reason: error.to_string() })?;
                        count.add((code.bytes.len(), code.stack_bytes));
                        codes.push(code);
                    }
                    #[cfg(cranelift)]
                    Written::Cranelift(_) => {}
                }
            }
            let pages = x64::Pages::link(&codes).map_err(|error| Error::Memory { reason: error.to_string() })?;
            let entry = pages.entry();
            Ok((Box::new(pages), entry))
        }
    }
}
