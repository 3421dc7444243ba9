//! From naga's expression trees to the SPMD form: inlining, scalarisation and SSA in one walk.
//!
//! Locals that are never indexed dynamically live in `env`, one value for each scalar in
//! them; every join takes as parameters what may have been [`written`] on the ways to it, and
//! the passes ([`crate::passes`]) then drop those that turn out to be the same on every way in. Early exits are
//! jumps to labels, so the values on a `break` stay apart from those on the next iteration.

mod bits;
mod call;
mod expr;
mod keep;
mod math;
mod matrix;
mod place;
mod plan;
mod statement;
mod subgroup;
mod types;
mod uses;
mod written;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use naga::{AddressSpace, Binding, BuiltIn, Handle};
use seawall_core::diag::Span;
use seawall_core::program::{Access, Kernel, Uniform};

use crate::cost;
use crate::ir::{self, Builtin, Def, End, Function, Label, LabelKind, Mem, Memory, Node, Op, Region, Ty, Value};
use crate::passes::Pipeline;
use call::Callee;
use place::{Place, Root};
use plan::Plan;

pub use plan::Excess;

/// Regions inside one another at the most: what is nested deeper through calls is called.
pub(crate) const NESTING_MAX: u32 = 2048;

/// Loops of one function: the code generator's time grows with the square of their number.
pub(crate) const LOOPS_MAX: usize = 1024;

/// Values of a function, whatever the plan foresaw.
const VALUES_MAX: usize = 4 * plan::OPERATIONS_MAX as usize;

/// A kernel, and the functions that it calls: each calls only those before it.
pub(crate) struct Built {
    pub(crate) kernel: Function,
    pub(crate) callees: Vec<Function>,
}

/// The kernel in SPMD form, for subgroups of so many lanes, after the passes that come before a width
/// is chosen.
pub(crate) fn build(kernel: &Kernel, subgroup: u32, pipeline: &mut Pipeline) -> Result<Built, Excess> {
    let mut builder = Builder::new(kernel, Plan::new(kernel)?, subgroup, pipeline);
    builder.kernel_body();
    if let Some(excess) = builder.excess {
        return Err(excess);
    }
    let Builder { f: mut kernel, functions: callees, pipeline, .. } = builder;
    pipeline.scalar(&mut kernel);
    Ok(Built { kernel, callees })
}

/// What an expression stands for.
#[derive(Debug, Clone)]
enum Expr {
    /// The scalars of a value, in order.
    Values(Vec<Value>),
    /// A large value, at a place that is known while code is written and is not written to again.
    Kept(Place),
    /// A pointer.
    Place(Place),
}

impl Expr {
    /// The scalars of a value that is not large.
    fn into_values(self) -> Vec<Value> {
        match self {
            Self::Values(values) => values,
            Self::Kept(place) => unreachable!("invariant values: {place:?} is not taken apart"),
            Self::Place(place) => unreachable!("invariant values: {place:?} is a pointer"),
        }
    }

    fn as_place(&self) -> Option<&Place> {
        match self {
            Self::Values(_) | Self::Kept(_) => None,
            Self::Place(place) => Some(place),
        }
    }
}

struct Builder<'a> {
    kernel: &'a Kernel,
    module: &'a naga::Module,
    /// Lanes of a subgroup.
    subgroup: u32,
    /// What functions go through when they are built.
    pipeline: &'a mut Pipeline,
    f: Function,
    /// Current values of the locals that are in registers.
    env: Vec<Value>,
    globals: HashMap<Handle<naga::GlobalVariable>, Root>,
    constants: HashMap<(Ty, u64), Value>,
    builtins: HashMap<(u8, u8), Value>,
    lengths: HashMap<u32, Value>,
    /// Nodes of the regions that are being built, outermost first.
    open: Vec<Vec<Node>>,
    /// Nothing can reach the current place.
    dead: bool,
    /// The jump that made it so.
    pending: Option<End>,
    /// Labels that something jumps to.
    jumped: HashSet<Label>,
    plan: Plan,
    /// The functions that are called, by their numbers; and how.
    functions: Vec<Function>,
    callees: HashMap<Handle<naga::Function>, Callee>,
    /// What core knows to be the same for all invocations of a workgroup, once somebody has asked.
    uniform: OnceCell<Uniform>,
    /// What is being built, in the source.
    span: Option<Span>,
    /// Set when there is too much to go on.
    excess: Option<Excess>,
}

/// What belongs to one function while it is built.
#[derive(Default)]
struct Scope {
    values: Vec<Def>,
    spans: Vec<Option<Span>>,
    env: Vec<Value>,
    constants: HashMap<(Ty, u64), Value>,
    builtins: HashMap<(u8, u8), Value>,
    lengths: HashMap<u32, Value>,
    open: Vec<Vec<Node>>,
    dead: bool,
    pending: Option<End>,
}

impl Scope {
    fn new() -> Self {
        Self { open: vec![Vec::new()], ..Self::default() }
    }
}

/// One function being inlined.
struct Frame<'a> {
    /// Which, unless it is the entry point.
    id: Option<Handle<naga::Function>>,
    fun: &'a naga::Function,
    info: &'a naga::valid::FunctionInfo,
    exprs: Vec<Option<Expr>>,
    locals: Vec<Root>,
    args: Vec<Expr>,
    exit: Join,
    /// Where a result goes that is too large for the exit's parameters.
    result: Option<Place>,
    /// Where `break` goes.
    breaks: Vec<Join>,
    /// Where `continue` goes.
    continues: Vec<Join>,
    /// Expressions of loop bodies that their `continuing` needs: where their scalars stand in `env`.
    carried: HashMap<Handle<naga::Expression>, Range<usize>>,
}

/// A label, and what arrives there.
#[derive(Debug, Clone)]
struct Join {
    label: Label,
    /// How much of `env` there is.
    env: usize,
    /// Which of it the parameters stand for: all that can differ from way to way.
    vars: Rc<[usize]>,
}

impl<'a> Builder<'a> {
    fn new(kernel: &'a Kernel, plan: Plan, subgroup: u32, pipeline: &'a mut Pipeline) -> Self {
        let subgroups = kernel.needs.subgroup.is_some().then_some(subgroup);
        let f = Function { subgroup: subgroups, ..Function::new(&kernel.name, kernel.workgroup_size) };
        Self {
            kernel,
            module: kernel.module(),
            subgroup,
            pipeline,
            f,
            env: Vec::new(),
            globals: HashMap::new(),
            constants: HashMap::new(),
            builtins: HashMap::new(),
            lengths: HashMap::new(),
            open: vec![Vec::new()],
            dead: false,
            pending: None,
            jumped: HashSet::new(),
            plan,
            functions: Vec::new(),
            callees: HashMap::new(),
            uniform: OnceCell::new(),
            span: None,
            excess: None,
        }
    }

    /// Goes on with another function; gives what belongs to the one before.
    fn begin(&mut self, scope: Scope) -> Scope {
        use std::mem::replace;
        Scope {
            values: replace(&mut self.f.values, scope.values),
            spans: replace(&mut self.f.origins.values, scope.spans),
            env: replace(&mut self.env, scope.env),
            constants: replace(&mut self.constants, scope.constants),
            builtins: replace(&mut self.builtins, scope.builtins),
            lengths: replace(&mut self.lengths, scope.lengths),
            open: replace(&mut self.open, scope.open),
            dead: replace(&mut self.dead, scope.dead),
            pending: replace(&mut self.pending, scope.pending),
        }
    }

    fn kernel_body(&mut self) {
        self.declare_globals();
        for handle in self.plan.called(self.kernel) {
            self.callee(handle);
        }
        let entry = self.kernel.entry();
        let args = entry.function.arguments.iter().map(|arg| Expr::Values(self.entry_argument(arg))).collect();
        let info = self.kernel.info().get_entry_point(0);
        self.inline(None, (&entry.function, info), args);
        let nodes = self.open.pop().expect("invariant build-open: the body is open");
        self.f.body = Region { nodes, end: End::Fall(Vec::new()) };
    }

    /// Buffers, workgroup memory, and private variables with their initial values.
    fn declare_globals(&mut self) {
        let indexed = place::indexed_globals(self.module);
        let mut workgroup_bytes = 0u32;
        for (handle, var) in self.module.global_variables.iter() {
            let root = match var.space {
                AddressSpace::Storage { .. } | AddressSpace::Uniform => {
                    let Some(at) = &var.binding else { continue };
                    let buffer =
                        self.kernel.buffers.iter().position(|b| (b.group, b.binding) == (at.group, at.binding));
                    let Some(buffer) = buffer else { continue };
                    let access = self.kernel.buffers[buffer].access;
                    let aliased = self.kernel.is_aliased() && access != Access::Uniform;
                    let read_only = access != Access::ReadWrite && !aliased;
                    Root::Memory(self.memory(Memory::Buffer { buffer: buffer as u32, read_only, aliased }))
                }
                AddressSpace::WorkGroup => {
                    let (bytes, align) = types::size(self.module, &self.module.types[var.ty].inner);
                    let start = workgroup_bytes.next_multiple_of(align);
                    workgroup_bytes = start + bytes;
                    Root::Memory(self.memory(Memory::Workgroup { start }))
                }
                AddressSpace::Private => {
                    let init = var.init.filter(|&init| !is_zero(&self.module.global_expressions[init]));
                    let indexed = indexed.contains(&handle) || self.is_found_by_callees(handle);
                    match init {
                        Some(init) => {
                            let init = self.global_expression(init);
                            self.declare(init, indexed)
                        }
                        None => self.declare_zero(&self.module.types[var.ty].inner, indexed),
                    }
                }
                AddressSpace::Function
                | AddressSpace::Handle
                | AddressSpace::Immediate
                | AddressSpace::TaskPayload
                | AddressSpace::RayPayload
                | AddressSpace::IncomingRayPayload => continue,
            };
            if let (Root::Memory(memory), Some(name)) = (root, &var.name) {
                let span = Span::of(self.module.global_variables.get_span(handle));
                self.f.origins.memories.push((memory, name.clone(), span));
            }
            self.globals.insert(handle, root);
        }
        self.f.workgroup_bytes = workgroup_bytes.into();
    }

    /// A variable of one invocation, in registers or (if it is indexed) in memory.
    fn declare(&mut self, init: Vec<Value>, indexed: bool) -> Root {
        if !indexed && init.len() <= cost::STORES_IN_A_ROW {
            let start = self.env.len();
            self.env.extend(init);
            return Root::Register { start, len: self.env.len() - start };
        }
        let wide = init.iter().any(|&value| self.f.ty(value).bytes() == 8);
        let slot_bytes = if wide { 8 } else { 4 };
        let memory = self.memory(Memory::Private { slots: init.len() as u32, slot_bytes });
        let table = if init.len() > cost::STORES_IN_A_ROW { self.constant_table(&init) } else { None };
        match table {
            Some(table) => self.fill(memory, init.len() as u32, self.f.ty(init[0]), Some(table)),
            None => self.put_all(memory, &init),
        }
        Root::Memory(memory)
    }

    /// A variable that starts as zero.
    fn declare_zero(&mut self, inner: &naga::TypeInner, indexed: bool) -> Root {
        let slots = types::count(self.module, inner);
        if slots <= cost::STORES_IN_A_ROW {
            let zeros = self.zeros(inner);
            return self.declare(zeros, indexed);
        }
        let ty = if types::is_wide(self.module, inner) { Ty::U64 } else { Ty::U32 };
        let memory = self.memory(Memory::Private { slots: slots as u32, slot_bytes: ty.bytes() });
        self.fill(memory, slots as u32, ty, None);
        Root::Memory(memory)
    }

    fn entry_argument(&mut self, arg: &naga::FunctionArgument) -> Vec<Value> {
        let one = |this: &mut Self, binding: &Option<Binding>| match binding {
            Some(Binding::BuiltIn(builtin)) => this.builtin_argument(*builtin),
            other => unreachable!("invariant entry-arguments: {other:?} in a compute entry point"),
        };
        if let naga::TypeInner::Struct { members, .. } = &self.module.types[arg.ty].inner {
            members.iter().flat_map(|m| one(self, &m.binding)).collect()
        } else {
            one(self, &arg.binding)
        }
    }

    fn builtin_argument(&mut self, builtin: BuiltIn) -> Vec<Value> {
        let three = |this: &mut Self, f: fn(u8) -> Builtin| (0..3).map(|d| this.builtin(f(d))).collect();
        match builtin {
            BuiltIn::LocalInvocationIndex => vec![self.builtin(Builtin::LocalIndex)],
            BuiltIn::LocalInvocationId => three(self, Builtin::LocalId),
            BuiltIn::WorkGroupId => three(self, Builtin::WorkgroupId),
            BuiltIn::NumWorkGroups => three(self, Builtin::NumWorkgroups),
            BuiltIn::SubgroupSize => vec![self.u32(self.subgroup)],
            BuiltIn::NumSubgroups => {
                let invocations: u32 = self.kernel.workgroup_size.iter().product();
                vec![self.u32(invocations.div_ceil(self.subgroup))]
            }
            BuiltIn::SubgroupId => {
                let (index, bits) = (self.builtin(Builtin::LocalIndex), self.u32(self.subgroup.ilog2()));
                vec![self.binary(ir::Binary::Shr, index, bits)]
            }
            BuiltIn::SubgroupInvocationId => {
                let (index, mask) = (self.builtin(Builtin::LocalIndex), self.u32(self.subgroup - 1));
                vec![self.binary(ir::Binary::And, index, mask)]
            }
            BuiltIn::WorkGroupSize => self.kernel.workgroup_size.map(|n| self.u32(n)).to_vec(),
            BuiltIn::GlobalInvocationId => (0..3)
                .map(|d| {
                    let size = self.u32(self.kernel.workgroup_size[d as usize]);
                    let group = self.builtin(Builtin::WorkgroupId(d));
                    let first = self.binary(ir::Binary::Mul, group, size);
                    let local = self.builtin(Builtin::LocalId(d));
                    self.binary(ir::Binary::Add, first, local)
                })
                .collect(),
            other => unreachable!("invariant needs: {other:?} is refused before compilation"),
        }
    }

    /// Whether all invocations of the workgroup come together to an expression, and find the same.
    fn is_uniform(&self, function: Option<Handle<naga::Function>>, expression: Handle<naga::Expression>) -> bool {
        self.uniform.get_or_init(|| self.kernel.uniform()).has(function, expression)
    }

    /// Runs a function's body in place; gives its result, or no scalars if it has none.
    fn inline(
        &mut self,
        id: Option<Handle<naga::Function>>,
        (fun, info): (&'a naga::Function, &'a naga::valid::FunctionInfo),
        args: Vec<Expr>,
    ) -> Expr {
        let env = self.env.len();
        let inner = fun.result.as_ref().map(|result| &self.module.types[result.ty].inner);
        let result = inner.filter(|inner| self.is_large(inner)).map(|inner| self.room(inner));
        if self.f.values.len() > VALUES_MAX {
            // The plan foresaw less.
            let function = fun.name.clone().unwrap_or_default();
            self.excess.get_or_insert(Excess::Operations { function, span: None });
            return match (result, inner) {
                (Some(place), _) => Expr::Kept(place),
                (None, inner) => Expr::Values(inner.map_or_else(Vec::new, |inner| self.zeros(inner))),
            };
        }
        let exit = self.meeting(LabelKind::Block, Vec::new());
        let result_tys = match (&result, inner) {
            (None, Some(inner)) => types::leaves(self.module, inner),
            _ => Vec::new(),
        };
        self.open.push(Vec::new());
        let mut frame = Frame {
            id,
            fun,
            info,
            exprs: vec![None; fun.expressions.len()],
            locals: Vec::new(),
            args,
            exit,
            result,
            breaks: Vec::new(),
            continues: Vec::new(),
            carried: HashMap::new(),
        };
        let indexed = place::indexed_locals(self.module, fun);
        for (handle, var) in fun.local_variables.iter() {
            let indexed = indexed.contains(&handle);
            let root = match var.init.filter(|&init| !is_zero(&fun.expressions[init])) {
                Some(init) => match self.expr(&mut frame, init) {
                    Expr::Values(init) => self.declare(init, indexed),
                    Expr::Kept(kept) => self.declare_kept(&kept),
                    Expr::Place(place) => unreachable!("invariant values: {place:?} is a pointer"),
                },
                None => self.declare_zero(&self.module.types[var.ty].inner, indexed),
            };
            frame.locals.push(root);
        }
        let mut vars = self.written(&frame, &fun.body);
        vars.retain(|&at| at < env);
        frame.exit.vars = vars.into();
        self.block(&mut frame, &fun.body);
        let (exit, result) = (frame.exit, frame.result);
        let end = self.finish(|this| End::Fall(this.arguments(&exit)));
        let values = self.close_block(&exit, end, &result_tys);
        result.map_or(Expr::Values(values), Expr::Kept)
    }

    /// Ends the block of a join; gives its results beyond those that go back into `env`.
    fn close_block(&mut self, join: &Join, end: End, extra: &[Ty]) -> Vec<Value> {
        let nodes = self.open.pop().expect("invariant build-open: the block is open");
        let end = match end {
            // Falling off a function that returns something cannot happen: naga ends it by a return.
            End::Fall(args) if !extra.is_empty() => unreachable!("invariant returns: fell off with {args:?}"),
            end => end,
        };
        self.env.truncate(join.env);
        let mut results = self.params(join);
        let extras: Vec<Value> = extra.iter().map(|&ty| self.define(ty, Op::Param)).collect();
        results.extend(&extras);
        self.dead = !matches!(end, End::Fall(_)) && !self.jumped.contains(&join.label);
        self.push(Node::Block { label: join.label, body: Region { nodes, end }, results });
        extras
    }

    /// A place to jump to with `env` as long as it is now.
    fn meeting(&mut self, kind: LabelKind, vars: Vec<usize>) -> Join {
        Join { label: self.label(kind), env: self.env.len(), vars: vars.into() }
    }

    /// Fresh parameters, which are the current values from here on.
    fn params(&mut self, join: &Join) -> Vec<Value> {
        let fresh = |&at: &usize| {
            let ty = self.f.ty(self.env[at]);
            self.env[at] = self.define(ty, Op::Param);
            self.env[at]
        };
        join.vars.iter().map(fresh).collect()
    }

    /// What goes to a join's parameters from here.
    fn arguments(&self, join: &Join) -> Vec<Value> {
        join.vars.iter().map(|&at| self.env[at]).collect()
    }

    fn jump(&self, join: &Join) -> End {
        End::Jump(join.label, self.arguments(join))
    }

    fn label(&mut self, kind: LabelKind) -> Label {
        self.f.label(kind)
    }

    fn memory(&mut self, memory: Memory) -> Mem {
        self.f.memories.push(memory);
        Mem(self.f.memories.len() as u32 - 1)
    }

    fn push(&mut self, node: Node) {
        self.open.last_mut().expect("invariant build-open: a region is open").push(node);
    }

    fn define(&mut self, ty: Ty, op: Op) -> Value {
        let value = self.f.define(ty, op);
        self.f.origins.values.push(self.span);
        value
    }

    /// A value that is the same wherever it is wanted.
    fn input(&mut self, ty: Ty, op: Op) -> Value {
        let value = self.f.define(ty, op);
        self.f.origins.values.push(None);
        value
    }

    /// A value evaluated here.
    fn emit(&mut self, ty: Ty, op: Op) -> Value {
        let value = self.define(ty, op);
        self.push(Node::Let(value));
        value
    }

    fn constant(&mut self, ty: Ty, bits: u64) -> Value {
        if let Some(&value) = self.constants.get(&(ty, bits)) {
            return value;
        }
        let value = self.input(ty, Op::Const(bits));
        self.constants.insert((ty, bits), value);
        value
    }

    fn u32(&mut self, n: u32) -> Value {
        self.constant(Ty::U32, n.into())
    }

    fn builtin(&mut self, builtin: Builtin) -> Value {
        let key = match builtin {
            Builtin::LocalIndex => (0, 0),
            Builtin::LocalId(d) => (1, d),
            Builtin::WorkgroupId(d) => (2, d),
            Builtin::NumWorkgroups(d) => (3, d),
        };
        if let Some(&value) = self.builtins.get(&key) {
            return value;
        }
        let value = self.input(Ty::U32, Op::Builtin(builtin));
        self.builtins.insert(key, value);
        value
    }

    fn length(&mut self, buffer: u32) -> Value {
        if let Some(&value) = self.lengths.get(&buffer) {
            return value;
        }
        let value = self.input(Ty::U32, Op::Length { buffer });
        self.lengths.insert(buffer, value);
        value
    }

    fn zero(&mut self, ty: Ty) -> Value {
        self.constant(ty, 0)
    }

    fn zeros(&mut self, inner: &naga::TypeInner) -> Vec<Value> {
        types::leaves(self.module, inner).into_iter().map(|ty| self.zero(ty)).collect()
    }

    fn unary(&mut self, op: ir::Unary, a: Value) -> Value {
        if op == ir::Unary::Not
            && let Op::Binary(compares, x, y) = *self.f.op(a)
            && let Some(opposite) = compares.opposite(self.f.ty(x))
        {
            return self.binary(opposite, x, y);
        }
        self.emit(self.f.ty(a), Op::Unary(op, a))
    }

    fn binary(&mut self, op: ir::Binary, a: Value, b: Value) -> Value {
        let ty = if op.compares() { Ty::Bool } else { self.f.ty(a) };
        if let (Some(x), Some(y)) = (self.f.constant(a), self.f.constant(b))
            && let Some(holds) = op.decide(self.f.ty(a), x, y)
        {
            return self.constant(Ty::Bool, holds.into());
        }
        // Vectors have no division.
        if let (ir::Binary::Div | ir::Binary::Rem, Ty::U32, Some(by)) = (op, ty, self.f.constant(b))
            && by.is_power_of_two()
        {
            let (op, by) = match op {
                ir::Binary::Div => (ir::Binary::Shr, by.trailing_zeros()),
                _ => (ir::Binary::And, by as u32 - 1),
            };
            let by = self.u32(by);
            return self.emit(ty, Op::Binary(op, a, by));
        }
        self.emit(ty, Op::Binary(op, a, b))
    }

    fn select(&mut self, condition: Value, accept: Value, reject: Value) -> Value {
        if accept == reject {
            return accept;
        }
        self.emit(self.f.ty(accept), Op::Select(condition, accept, reject))
    }

    fn convert(&mut self, value: Value, to: Ty) -> Value {
        match (self.f.ty(value), to) {
            (from, to) if from == to => value,
            // The largest half float bounds what comes of one, infinity too.
            (Ty::F16, Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64) => {
                let [low, high] = [-65504.0, 65504.0].map(|bound| self.float(Ty::F32, bound));
                let value = self.emit(Ty::F32, Op::Convert(value));
                let value = self.clamp(value, low, high);
                self.emit(to, Op::Convert(value))
            }
            _ => self.emit(to, Op::Convert(value)),
        }
    }

    fn bitcast(&mut self, value: Value, to: Ty) -> Value {
        if self.f.ty(value) == to { value } else { self.emit(to, Op::Bitcast(value)) }
    }
}

/// Whether an expression says zero.
fn is_zero(expression: &naga::Expression) -> bool {
    matches!(expression, naga::Expression::ZeroValue(_))
}
