//! A kernel made ready for the machine: each function's nested statements laid out as a
//! flat list of operations with jumps, so that an invocation is a program counter and
//! can pause anywhere; and everything that has a fixed place gets it here.

use naga::{AddressSpace, BuiltIn, Expression, Function as Source, Handle, Module};

use super::eval::{is_pure, operands};
use super::flatten::{self, Body, Kind, Op};
use super::pointer::{Place, Pointer};
use super::types::{TypeId, Types};
use crate::layout::Type;
use crate::program::Kernel;
use crate::program::walk::{self, Link};

/// Every variable starts at a multiple of this, the largest alignment of the language.
const VARIABLE_ALIGN: usize = 16;

/// Bytes of one value at most: arrays this long belong behind pointers, where they
/// take their bytes and no more.
const VALUE_BYTES_MAX: usize = 1 << 22;

/// Private and function variables of one invocation at most, all calls together: two
/// thousand times what WGSL promises.
const VARIABLE_BYTES_MAX: u64 = 1 << 24;

/// A kernel as the machine sees it.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) types: Types,
    /// Those of the module by handle, then the entry point.
    pub(super) functions: Vec<Function>,
    /// What the entry point's arguments are made of.
    pub(super) inputs: Vec<Input>,
    /// Of the module's private variables; initialisers are in [`Code::initialised`].
    pub(super) private_bytes: usize,
    pub(super) workgroup_bytes: usize,
    /// Private variables with an initialiser among the module's constants.
    pub(super) initialised: Vec<(Pointer, Handle<Expression>)>,
    /// Where each of the module's variables is.
    pub(super) globals: Vec<Pointer>,
    /// Whether its invocations exchange values with their subgroups.
    pub(super) subgroups: bool,
}

/// One function: what to do and what it needs. One that is never called stays empty.
#[derive(Debug, Default)]
pub(super) struct Function {
    pub(super) body: Body,
    /// Of each expression.
    pub(super) kinds: Vec<Kind>,
    /// Expressions that are an argument, and which.
    pub(super) arguments: Vec<(u32, u32)>,
    /// Expressions that point to a global variable.
    pub(super) globals: Vec<(u32, Pointer)>,
    /// Expressions that point to a local variable, relative to the function's own memory.
    pub(super) locals: Vec<(u32, Pointer)>,
    /// Local variables with an initialiser.
    pub(super) initialised: Vec<(Pointer, Handle<Expression>)>,
    /// What one call needs.
    pub(super) own: Room,
    /// What one call and all calls inside it need at most.
    pub(super) deep: Room,
}

/// Space on an invocation's stack.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Room {
    pub(super) frames: usize,
    pub(super) operands: usize,
    pub(super) bytes: usize,
    /// Those that count their turns.
    pub(super) loops: usize,
}

/// An argument of the entry point.
#[derive(Debug)]
pub(super) enum Input {
    One(BuiltIn),
    Struct(Box<[BuiltIn]>),
}

impl Code {
    pub(super) fn new(kernel: &Kernel) -> Self {
        let module = kernel.module();
        let types = Types::new(module);
        let mut code = Self {
            types,
            functions: Vec::with_capacity(module.functions.len() + 1),
            inputs: Vec::new(),
            private_bytes: 0,
            workgroup_bytes: 0,
            initialised: Vec::new(),
            globals: Vec::new(),
            subgroups: kernel.needs.subgroup.is_some(),
        };
        code.globals = code.place_globals(kernel);
        let entry = &kernel.entry().function;
        code.inputs = entry.arguments.iter().map(|argument| input(module, argument)).collect();
        code.functions.resize_with(module.functions.len(), Function::default);
        code.functions.push(code.function(module, entry));
        // Callees come before their callers: backwards, only what is called need be looked at,
        // and forwards, the depth of what is called is known.
        for (handle, source) in module.functions.iter().rev() {
            if code.functions.iter().any(|caller| caller.calls().any(|callee| callee == handle.index())) {
                code.functions[handle.index()] = code.function(module, source);
            }
        }
        for caller in 0..code.functions.len() {
            code.functions[caller].deep = code.depth(caller);
        }
        code
    }

    /// The entry point.
    pub(super) fn entry(&self) -> usize {
        self.functions.len() - 1
    }

    /// What of the kernel is too large to be interpreted, and its bytes.
    pub(super) fn oversized(&self, kernel: &Kernel) -> Option<(String, u64)> {
        let bytes = self.private_bytes.saturating_add(self.functions[self.entry()].deep.bytes) as u64;
        if bytes > VARIABLE_BYTES_MAX {
            return Some((format!("the variables of an invocation of `{}`", kernel.name), bytes));
        }
        let (module, info) = (kernel.module(), kernel.info());
        let constants = module.global_expressions.iter().map(|(handle, _)| &info[handle]);
        let called = module.functions.iter().filter(|(handle, _)| !self.functions[handle.index()].body.ops.is_empty());
        let functions = called.map(|(handle, source)| (source, &info[handle]));
        let functions = functions.chain([(&kernel.entry().function, info.get_entry_point(0))]);
        let locals = functions.flat_map(|(source, info)| source.expressions.iter().map(|(handle, _)| &info[handle].ty));
        let mut types = constants.chain(locals).filter_map(naga::proc::TypeResolution::handle);
        let handle = types.find(|&handle| self.types.bytes(handle.into()) > VALUE_BYTES_MAX)?;
        let ty = Type::of(module, handle).expect("invariant data-only: values of compute kernels have bytes");
        Some((format!("a value of type `{ty}` in `{}`", kernel.name), self.types.bytes(handle.into()) as u64))
    }

    fn place_globals(&mut self, kernel: &Kernel) -> Vec<Pointer> {
        let mut pointers = Vec::new();
        for (_, variable) in kernel.module().global_variables.iter() {
            let ty = TypeId::from(variable.ty);
            let bytes = self.types.bytes(ty);
            let (place, offset) = match variable.space {
                AddressSpace::Private => (Place::Own, reserve(&mut self.private_bytes, bytes)),
                AddressSpace::WorkGroup => (Place::Workgroup, reserve(&mut self.workgroup_bytes, bytes)),
                AddressSpace::Uniform | AddressSpace::Storage { .. } => {
                    let bound = variable.binding.as_ref().and_then(|at| {
                        kernel.buffers.iter().position(|row| (row.group, row.binding) == (at.group, at.binding))
                    });
                    // The entry point never touches a buffer that its table leaves out.
                    (bound.map_or(Place::Nowhere, |row| Place::Buffer(row as u32)), 0)
                }
                AddressSpace::Function
                | AddressSpace::Handle
                | AddressSpace::Immediate
                | AddressSpace::TaskPayload
                | AddressSpace::RayPayload
                | AddressSpace::IncomingRayPayload => (Place::Nowhere, 0),
            };
            let pointer = Pointer::new(place, offset, ty);
            if let (Some(init), Place::Own) = (variable.init, place) {
                self.initialised.push((pointer, init));
            }
            pointers.push(pointer);
        }
        pointers
    }

    fn function(&self, module: &Module, source: &Source) -> Function {
        let mut bytes = 0;
        let mut variables = Vec::new();
        let mut function = Function { kinds: kinds(module, source), ..Function::default() };
        for (_, variable) in source.local_variables.iter() {
            let ty = TypeId::from(variable.ty);
            let offset = reserve(&mut bytes, self.types.bytes(ty));
            let pointer = Pointer::new(Place::Own, offset, ty);
            function.initialised.extend(variable.init.map(|init| (pointer, init)));
            variables.push(pointer);
        }
        for (handle, expression) in source.expressions.iter() {
            let slot = handle.index() as u32;
            match walk::link(expression) {
                Link::Argument(which) => function.arguments.push((slot, which)),
                Link::Global(which) => function.globals.push((slot, self.globals[which.index()])),
                Link::Local(which) => function.locals.push((slot, variables[which.index()])),
                Link::Element { .. } | Link::Member { .. } | Link::Value => {}
            }
        }
        function.body = flatten::body(module, source, &function.kinds, self.subgroups);
        let loops = function.body.turns.len();
        function.own = Room { frames: 1, operands: source.expressions.len(), bytes, loops };
        function
    }

    fn depth(&self, caller: usize) -> Room {
        let own = self.functions[caller].own;
        self.functions[caller].calls().map(|callee| self.functions[callee].deep).fold(own, |deep, callee| Room {
            frames: deep.frames.max(own.frames + callee.frames),
            operands: deep.operands.max(own.operands + callee.operands),
            bytes: deep.bytes.max(own.bytes + callee.bytes),
            loops: deep.loops.max(own.loops + callee.loops),
        })
    }
}

impl Function {
    fn calls(&self) -> impl Iterator<Item = usize> {
        self.body.ops.iter().filter_map(|op| match op {
            Op::Call { function, .. } => Some(function.index()),
            _ => None,
        })
    }
}

/// Puts `bytes` at the end of a region and returns where.
fn reserve(region_bytes: &mut usize, bytes: usize) -> usize {
    let offset = *region_bytes;
    *region_bytes = (offset + bytes).next_multiple_of(VARIABLE_ALIGN);
    offset
}

/// Operands come before the expressions that use them, so one pass decides.
fn kinds(module: &Module, source: &Source) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::with_capacity(source.expressions.len());
    for (_, expression) in source.expressions.iter() {
        let mut constant = is_pure(expression) || matches!(expression, Expression::Constant(_));
        operands(expression, &mut |operand| constant &= kinds[operand.index()] == Kind::Constant);
        let pointer = match walk::link(expression) {
            Link::Global(_) | Link::Local(_) => true,
            Link::Argument(which) => module.types[source.arguments[which as usize].ty].inner.pointer_space().is_some(),
            Link::Element { base, .. } | Link::Member { base, .. } => kinds[base.index()] == Kind::Pointer,
            Link::Value => false,
        };
        kinds.push(match (constant, pointer) {
            (true, _) => Kind::Constant,
            (false, true) => Kind::Pointer,
            (false, false) => Kind::Value,
        });
    }
    kinds
}

fn input(module: &Module, argument: &naga::FunctionArgument) -> Input {
    let builtin = |binding: &Option<naga::Binding>| match binding {
        Some(naga::Binding::BuiltIn(builtin)) => *builtin,
        Some(naga::Binding::Location { .. }) | None => {
            unreachable!("invariant compute-inputs: compute entry points take builtins only")
        }
    };
    if let naga::TypeInner::Struct { members, .. } = &module.types[argument.ty].inner {
        Input::Struct(members.iter().map(|member| builtin(&member.binding)).collect())
    } else {
        Input::One(builtin(&argument.binding))
    }
}
