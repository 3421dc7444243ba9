//! Nested statements to a flat list of operations. Jumps forward are written first
//! without a target and patched when it is known.

use std::ops::Range;

use naga::{
    AtomicFunction, Barrier, Block, CollectiveOperation, Expression, Function, GatherMode, Handle, Module, Statement,
    SubgroupOperation, SwitchCase, SwitchValue,
};

use crate::diag::Span;
use crate::program::grid;

/// One thing for an invocation to do. Targets are indices into the list.
#[derive(Debug)]
pub(super) enum Op {
    /// Evaluates a pure expression, the one with this index.
    Eval(u32, Expression),
    /// Makes the expression with this index a pointer into what `base` points at.
    Point {
        into: u32,
        base: Handle<Expression>,
        index: Index,
    },
    Load {
        into: u32,
        pointer: Handle<Expression>,
    },
    /// Of a runtime-sized array.
    Length {
        into: u32,
        array: Handle<Expression>,
    },
    Jump(u32),
    /// Jumps if the condition is false.
    Unless(Handle<Expression>, u32),
    Switch {
        selector: Handle<Expression>,
        targets: Vec<(SwitchValue, u32)>,
        otherwise: u32,
    },
    Store {
        pointer: Handle<Expression>,
        value: Handle<Expression>,
    },
    Atomic {
        pointer: Handle<Expression>,
        fun: AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
    },
    /// Waits for the rest of the workgroup. Which memory it orders, the sanitizer asks.
    Barrier(Barrier),
    /// Waits for the rest of the grid.
    GridBarrier,
    /// Waits for those of the subgroup that come here too, and exchanges values with them.
    Subgroup(Exchange),
    /// A loop inside so many others begins, and its turns are counted from here on.
    Enter(u32),
    /// One turn of it does.
    Turn(u32),
    Call {
        function: Handle<Function>,
        arguments: Box<[Handle<Expression>]>,
        result: Option<Handle<Expression>>,
    },
    Return(Option<Handle<Expression>>),
}

/// What the invocations of a subgroup do together.
#[derive(Debug, Clone, Copy)]
pub(super) enum Exchange {
    /// They wait for each other.
    Nothing,
    Ballot {
        predicate: Option<Handle<Expression>>,
        result: Handle<Expression>,
    },
    Gather {
        mode: GatherMode,
        argument: Handle<Expression>,
        result: Handle<Expression>,
    },
    Fold {
        op: SubgroupOperation,
        all: CollectiveOperation,
        argument: Handle<Expression>,
        result: Handle<Expression>,
    },
}

/// Which part of a composite.
#[derive(Debug, Clone, Copy)]
pub(super) enum Index {
    Fixed(u32),
    Computed(Handle<Expression>),
}

/// What an expression is, known before anything runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A value that is the same in every invocation.
    Constant,
    Value,
    Pointer,
}

/// A function's body.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) ops: Vec<Op>,
    /// For each operation, the innermost loop around it, if any.
    pub(super) loops: Vec<Option<Span>>,
    /// The operations of each loop whose turns are counted, by where they begin.
    pub(super) turns: Vec<Range<u32>>,
}

/// The operations of a function's body. Its loops count their turns if `counted`.
pub(super) fn body(module: &Module, function: &Function, kinds: &[Kind], counted: bool) -> Body {
    let (body, inside, exits) = (Body::default(), Vec::new(), Vec::new());
    let mut list = List { module, function, kinds, counted, body, inside, exits, ordered: Barrier::empty() };
    list.block(&function.body);
    list.push(Op::Return(None));
    list.body
}

/// A loop or switch that `break` and `continue` leave: the jumps to patch at its end.
struct Exit {
    breaks: Vec<usize>,
    /// `None` in a switch: `continue` means the loop around it.
    continues: Option<Vec<usize>>,
}

struct List<'a> {
    module: &'a Module,
    function: &'a Function,
    kinds: &'a [Kind],
    counted: bool,
    body: Body,
    inside: Vec<Option<Span>>,
    exits: Vec<Exit>,
    /// What memory barriers before the next barrier order.
    ordered: Barrier,
}

impl List<'_> {
    fn push(&mut self, op: Op) -> usize {
        self.body.ops.push(op);
        self.body.loops.push(self.inside.last().copied().flatten());
        self.body.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.body.ops.len() as u32
    }

    /// Makes the jump at `from` land at what comes next.
    fn land(&mut self, from: usize) {
        let here = self.here();
        match &mut self.body.ops[from] {
            Op::Jump(target) | Op::Unless(_, target) => *target = here,
            op => unreachable!("invariant patch-jumps: {op:?} does not jump"),
        }
    }

    fn block(&mut self, block: &Block) {
        for (statement, span) in block.span_iter() {
            self.statement(statement, *span);
        }
    }

    fn statement(&mut self, statement: &Statement, span: naga::Span) {
        match *statement {
            Statement::Emit(ref range) => {
                for handle in range.clone().filter(|handle| self.kinds[handle.index()] != Kind::Constant) {
                    self.expression(handle);
                }
            }
            Statement::Block(ref inner) => self.block(inner),
            Statement::If { condition, ref accept, ref reject } => {
                let skip = self.push(Op::Unless(condition, 0));
                self.block(accept);
                if reject.is_empty() {
                    self.land(skip);
                } else {
                    let end = self.push(Op::Jump(0));
                    self.land(skip);
                    self.block(reject);
                    self.land(end);
                }
            }
            Statement::Switch { selector, ref cases } => self.switch(selector, cases),
            Statement::Loop { ref body, ref continuing, break_if } => {
                self.inside.push(Span::of(span));
                self.repeat(body, continuing, break_if);
                self.inside.pop();
            }
            Statement::Break => {
                let jump = self.push(Op::Jump(0));
                self.exits.last_mut().expect("invariant break-inside: validated").breaks.push(jump);
            }
            Statement::Continue => {
                let jump = self.push(Op::Jump(0));
                let continues = self.exits.iter_mut().rev().find_map(|exit| exit.continues.as_mut());
                continues.expect("invariant continue-inside: validated").push(jump);
            }
            Statement::Return { value } => {
                self.push(Op::Return(value));
            }
            Statement::Store { pointer, value } => {
                self.push(Op::Store { pointer, value });
            }
            Statement::Atomic { pointer, fun, value, result } => {
                self.push(Op::Atomic { pointer, fun, value, result });
            }
            Statement::ControlBarrier(barrier) if barrier == Barrier::SUB_GROUP => {
                self.push(Op::Subgroup(Exchange::Nothing));
            }
            Statement::ControlBarrier(barrier) => {
                let ordered = std::mem::replace(&mut self.ordered, Barrier::empty());
                self.push(Op::Barrier(barrier | ordered));
            }
            // Memory is one and the same for all, in the order of the accesses.
            Statement::MemoryBarrier(barrier) => self.ordered |= barrier,
            Statement::WorkGroupUniformLoad { pointer, result } => {
                self.push(Op::Barrier(Barrier::WORK_GROUP));
                self.push(Op::Load { into: result.index() as u32, pointer });
                self.push(Op::Barrier(Barrier::WORK_GROUP));
            }
            Statement::Call { function, .. } if grid::is_barrier(&self.module.functions[function]) => {
                self.push(Op::GridBarrier);
            }
            Statement::Call { function, ref arguments, result } => {
                self.push(Op::Call { function, arguments: arguments.as_slice().into(), result });
            }
            Statement::Kill
            | Statement::ImageStore { .. }
            | Statement::ImageAtomic { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::CooperativeStore { .. } => {
                unreachable!("invariant compute-buffers: {statement:?} is not for compute over buffers")
            }
            Statement::SubgroupBallot { predicate, result } => {
                self.push(Op::Subgroup(Exchange::Ballot { predicate, result }));
            }
            Statement::SubgroupGather { mode, argument, result } => {
                self.push(Op::Subgroup(Exchange::Gather { mode, argument, result }));
            }
            Statement::SubgroupCollectiveOperation { op, collective_op, argument, result } => {
                self.push(Op::Subgroup(Exchange::Fold { op, all: collective_op, argument, result }));
            }
        }
    }

    fn expression(&mut self, handle: Handle<Expression>) {
        let into = handle.index() as u32;
        let points = |base: Handle<Expression>| self.kinds[base.index()] == Kind::Pointer;
        let op = match self.function.expressions[handle] {
            Expression::Load { pointer } => Op::Load { into, pointer },
            Expression::ArrayLength(array) => Op::Length { into, array },
            Expression::Access { base, index } if points(base) => {
                Op::Point { into, base, index: Index::Computed(index) }
            }
            Expression::AccessIndex { base, index } if points(base) => {
                Op::Point { into, base, index: Index::Fixed(index) }
            }
            ref pure @ (Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::Override(_)
            | Expression::ZeroValue(_)
            | Expression::Compose { .. }
            | Expression::Access { .. }
            | Expression::AccessIndex { .. }
            | Expression::Splat { .. }
            | Expression::Swizzle { .. }
            | Expression::FunctionArgument(_)
            | Expression::GlobalVariable(_)
            | Expression::LocalVariable(_)
            | Expression::ImageSample { .. }
            | Expression::ImageLoad { .. }
            | Expression::ImageQuery { .. }
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Select { .. }
            | Expression::Derivative { .. }
            | Expression::Relational { .. }
            | Expression::Math { .. }
            | Expression::As { .. }
            | Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryProceedResult
            | Expression::RayQueryGetIntersection { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. }
            | Expression::CooperativeLoad { .. }
            | Expression::CooperativeMultiplyAdd { .. }) => Op::Eval(into, pure.clone()),
        };
        self.push(op);
    }

    fn repeat(&mut self, body: &Block, continuing: &Block, break_if: Option<Handle<Expression>>) {
        let depth = self.inside.len() as u32 - 1;
        if self.counted {
            self.push(Op::Enter(depth));
        }
        let (start, at) = (self.here(), self.body.turns.len());
        if self.counted {
            self.push(Op::Turn(depth));
            self.body.turns.push(start..start);
        }
        self.exits.push(Exit { breaks: Vec::new(), continues: Some(Vec::new()) });
        self.block(body);
        let continues = self.exits.last_mut().and_then(|exit| exit.continues.take());
        continues.into_iter().flatten().for_each(|jump| self.land(jump));
        self.block(continuing);
        self.push(match break_if {
            Some(condition) => Op::Unless(condition, start),
            None => Op::Jump(start),
        });
        let end = self.here();
        self.body.turns.get_mut(at).into_iter().for_each(|turns| turns.end = end);
        self.leave();
    }

    fn switch(&mut self, selector: Handle<Expression>, cases: &[SwitchCase]) {
        let at = self.push(Op::Switch { selector, targets: Vec::new(), otherwise: 0 });
        self.exits.push(Exit { breaks: Vec::new(), continues: None });
        let (mut targets, mut otherwise) = (Vec::new(), None);
        for case in cases {
            let here = self.here();
            match case.value {
                SwitchValue::Default => otherwise = Some(here),
                SwitchValue::I32(_) | SwitchValue::U32(_) => targets.push((case.value, here)),
            }
            self.block(&case.body);
            if !case.fall_through {
                let jump = self.push(Op::Jump(0));
                self.exits.last_mut().expect("invariant switch-exit: pushed above").breaks.push(jump);
            }
        }
        let otherwise = otherwise.unwrap_or_else(|| self.here());
        self.body.ops[at] = Op::Switch { selector, targets, otherwise };
        self.leave();
    }

    fn leave(&mut self) {
        let exit = self.exits.pop().expect("invariant exits-nest: pushed by the same statement");
        exit.breaks.into_iter().for_each(|jump| self.land(jump));
    }
}
