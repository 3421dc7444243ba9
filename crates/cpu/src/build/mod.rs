//! From naga's expression trees to the SPMD form: inlining, scalarisation and SSA in one walk.
//!
//! Locals that are never indexed dynamically live in `env`, one value for each scalar in
//! them; every join takes as parameters what may have been [`written`] on the ways to it, and
//! the passes ([`crate::passes`]) then drop those that turn out to be the same on every way in. Early exits are
//! jumps to labels, so the values on a `break` stay apart from those on the next iteration.

mod types;
mod plan;
mod emit;
mod place;
mod keep;
mod globals;
mod bits;
mod matrix;
mod expr;
mod math;
mod subgroup;
mod written;
mod join;
mod uses;
mod switch;
mod loops;
mod statement;
mod call;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use naga::Handle;
use seawall_core::diag::Span;
use seawall_core::program::{Kernel, Uniform};

use crate::ir::{Def, End, Function, Label, LabelKind, Node, Region, Ty, Value};
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
}

/// Whether an expression says zero.
fn is_zero(expression: &naga::Expression) -> bool {
    matches!(expression, naga::Expression::ZeroValue(_))
}
