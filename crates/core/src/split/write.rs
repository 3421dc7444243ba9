//! A segment as a function of its own, in the expressions that it needs.
//!
//! A value that another segment, or another scope, has made is made again if that is cheap and gives
//! the same: arithmetic on constants and inputs, and what is loaded from memory that no invocation can
//! write. Any other is put into a variable where it is made and loaded where it is used; whether that
//! variable is kept across a cut is decided with those of the program.

use std::collections::{HashMap, HashSet};

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    AddressSpace, BinaryOperator, Block, Expression, Function, Handle, LocalVariable, MathFunction, Module, Range,
    Span, Statement, StorageAccess,
};

use super::lift::Draft;
use super::tree::Tree;
use crate::program::operands;
use crate::program::walk::{self, Link};

/// Operations that a value may cost to be made again, rather than kept.
const REMAKE_MAX: u32 = 8;

/// Values of the tree that are used outside of where they are made.
pub(super) struct Values {
    /// What it costs to make each again, if that gives the same.
    costs: Vec<Option<u32>>,
    /// Those that a statement makes; others are constants, made wherever they are used.
    made: HashSet<Handle<Expression>>,
    /// The variables that hold those which are not made again.
    held: HashMap<Handle<Expression>, Handle<LocalVariable>>,
}

/// A segment: its function, and the conditions of its words of control.
pub(super) struct Segment {
    pub(super) function: Function,
    pub(super) words: Vec<(u32, Handle<Expression>)>,
}

/// Writes all segments.
pub(super) fn segments(
    module: &mut Module,
    tree: Parts,
    costs: Vec<Option<u32>>,
    drafts: &[Draft],
) -> (Vec<Segment>, Parts) {
    let Parts { mut function, results } = tree;
    let mut types = Typifier::new();
    if let Some((last, _)) = function.expressions.iter().last() {
        let context = ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
        let typed = types.grow(last, &function.expressions, &context);
        typed.unwrap_or_else(|error| unreachable!("invariant split-typed: {error}"));
    }
    let mut made = HashSet::new();
    for draft in drafts {
        note_made(&draft.body, &mut made);
    }
    let mut values = Values { costs, made, held: results.clone() };
    // What has to be held is known when all of them have been written once.
    loop {
        let mut missing = Vec::new();
        let written: Vec<Segment> =
            drafts.iter().map(|draft| Writer::write(&function, &values, draft, &mut missing)).collect();
        if missing.is_empty() {
            return (written, Parts { function, results });
        }
        for handle in missing {
            let ty = types.register_type(handle, &mut module.types);
            let name = function.named_expressions.get(&handle).cloned();
            let variable = LocalVariable { name, ty, init: None };
            let span = function.expressions.get_span(handle);
            let variable = function.local_variables.append(variable, span);
            values.held.insert(handle, variable);
        }
    }
}

/// What stays of a [`Tree`].
pub(super) struct Parts {
    pub(super) function: Function,
    results: HashMap<Handle<Expression>, Handle<LocalVariable>>,
}

impl From<Tree<'_>> for Parts {
    fn from(tree: Tree<'_>) -> Self {
        Self { function: tree.function, results: tree.results }
    }
}

fn note_made(block: &Block, made: &mut HashSet<Handle<Expression>>) {
    for (statement, _) in crate::program::walk::statements(block) {
        let mut statement = statement.clone();
        if let Statement::Emit(range) = &statement {
            made.extend(range.clone());
        }
        made.extend(operands::result(&mut statement).copied());
    }
}

/// Whether a pointer leads to memory that nobody writes while the kernel runs.
fn is_frozen(module: &Module, function: &Function, pointer: Handle<Expression>) -> bool {
    let Link::Global(variable) = walk::root(function, pointer) else { return false };
    match module.global_variables[variable].space {
        AddressSpace::Uniform => true,
        AddressSpace::Storage { access } => !access.contains(StorageAccess::STORE),
        AddressSpace::Function
        | AddressSpace::Private
        | AddressSpace::WorkGroup
        | AddressSpace::Handle
        | AddressSpace::Immediate
        | AddressSpace::TaskPayload
        | AddressSpace::RayPayload
        | AddressSpace::IncomingRayPayload => false,
    }
}

fn is_pointer(function: &Function, handle: Handle<Expression>) -> bool {
    matches!(walk::root(function, handle), Link::Global(_) | Link::Local(_))
}

/// By expression: what it costs to make it again.
pub(super) fn costs(module: &Module, function: &Function) -> Vec<Option<u32>> {
    let mut costs: Vec<Option<u32>> = Vec::with_capacity(function.expressions.len());
    for (_, expression) in function.expressions.iter() {
        let own = match expression {
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::ZeroValue(_)
            | Expression::FunctionArgument(_)
            | Expression::GlobalVariable(_)
            | Expression::LocalVariable(_)
            | Expression::AccessIndex { .. }
            | Expression::Swizzle { .. }
            | Expression::Splat { .. }
            | Expression::Compose { .. }
            | Expression::ArrayLength(_) => Some(0),
            Expression::Binary { op: BinaryOperator::Divide | BinaryOperator::Modulo, right, .. } => {
                let known = matches!(function.expressions[*right], Expression::Literal(_) | Expression::Constant(_));
                // By what is known, compilers multiply.
                Some(if known { 2 } else { REMAKE_MAX })
            }
            Expression::Binary { .. }
            | Expression::Access { .. }
            | Expression::Unary { .. }
            | Expression::Select { .. }
            | Expression::Relational { .. }
            | Expression::As { .. } => Some(1),
            Expression::Math { fun, .. } => {
                matches!(fun, MathFunction::Min | MathFunction::Max | MathFunction::Abs | MathFunction::Clamp)
                    .then_some(1)
            }
            Expression::Load { pointer } => is_frozen(module, function, *pointer).then_some(1),
            Expression::Override(_)
            | Expression::ImageSample { .. }
            | Expression::ImageLoad { .. }
            | Expression::ImageQuery { .. }
            | Expression::Derivative { .. }
            | Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryProceedResult
            | Expression::RayQueryGetIntersection { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. }
            | Expression::CooperativeLoad { .. }
            | Expression::CooperativeMultiplyAdd { .. } => None,
        };
        let (mut copy, mut sum) = (expression.clone(), own);
        operands::of_expression(&mut copy, &mut |operand| {
            sum = sum.zip(costs[operand.index()]).map(|(sum, cost)| sum.saturating_add(cost));
        });
        costs.push(sum.filter(|&sum| sum <= REMAKE_MAX));
    }
    costs
}

struct Writer<'a> {
    source: &'a Function,
    values: &'a Values,
    function: Function,
    /// Where expressions of the source are, innermost scope last.
    scopes: Vec<HashMap<Handle<Expression>, Handle<Expression>>>,
    missing: &'a mut Vec<Handle<Expression>>,
}

impl<'a> Writer<'a> {
    fn write(
        source: &'a Function,
        values: &'a Values,
        draft: &Draft,
        missing: &'a mut Vec<Handle<Expression>>,
    ) -> Segment {
        let function = Function {
            name: source.name.clone(),
            arguments: source.arguments.clone(),
            local_variables: source.local_variables.clone(),
            ..Function::default()
        };
        let mut writer = Self { source, values, function, scopes: vec![HashMap::new()], missing };
        let mut body = Block::new();
        writer.statements(&draft.body, &mut body);
        let words = draft.words.iter().map(|&(word, condition)| (word, writer.value(condition, &mut body))).collect();
        writer.function.body = body;
        Segment { function: writer.function, words }
    }

    fn append(&mut self, expression: Expression, span: Span) -> Handle<Expression> {
        self.function.expressions.append(expression, span)
    }

    fn emit(&mut self, expression: Expression, span: Span, out: &mut Block) -> Handle<Expression> {
        let bare = expression.needs_pre_emit();
        let handle = self.append(expression, span);
        if !bare {
            out.push(Statement::Emit(Range::new_from_bounds(handle, handle)), span);
        }
        handle
    }

    fn found(&self, handle: Handle<Expression>) -> Option<Handle<Expression>> {
        self.scopes.iter().rev().find_map(|scope| scope.get(&handle)).copied()
    }

    fn bind(&mut self, handle: Handle<Expression>, own: Handle<Expression>) {
        let scope = self.scopes.last_mut();
        scope.unwrap_or_else(|| unreachable!("invariant scopes: the function's is there")).insert(handle, own);
    }

    /// An expression where it is used.
    fn value(&mut self, handle: Handle<Expression>, out: &mut Block) -> Handle<Expression> {
        if let Some(own) = self.found(handle) {
            return own;
        }
        let span = self.source.expressions.get_span(handle);
        let expression = &self.source.expressions[handle];
        if expression.needs_pre_emit() {
            let own = self.append(expression.clone(), span);
            self.scopes[0].insert(handle, own);
            return own;
        }
        if let Some(&variable) = self.values.held.get(&handle) {
            let pointer = self.append(Expression::LocalVariable(variable), span);
            return self.emit(Expression::Load { pointer }, span, out);
        }
        let again = !self.values.made.contains(&handle)
            || self.values.costs[handle.index()].is_some()
            || is_pointer(self.source, handle);
        if again {
            return self.make(handle, out);
        }
        if !self.missing.contains(&handle) {
            self.missing.push(handle);
        }
        // Anything will do: it is written once more.
        self.append(expression.clone(), span)
    }

    /// Makes an expression, of what it needs.
    fn make(&mut self, handle: Handle<Expression>, out: &mut Block) -> Handle<Expression> {
        let mut copy = self.source.expressions[handle].clone();
        operands::of_expression(&mut copy, &mut |operand| *operand = self.value(*operand, out));
        self.emit(copy, self.source.expressions.get_span(handle), out)
    }

    /// Keeps what was just made, if it is used elsewhere.
    fn hold(&mut self, handle: Handle<Expression>, own: Handle<Expression>, out: &mut Block) {
        self.bind(handle, own);
        if let Some(&variable) = self.values.held.get(&handle) {
            let span = self.source.expressions.get_span(handle);
            let pointer = self.append(Expression::LocalVariable(variable), span);
            out.push(Statement::Store { pointer, value: own }, span);
        }
    }

    fn block(&mut self, block: &Block) -> Block {
        self.scopes.push(HashMap::new());
        let mut out = Block::new();
        self.statements(block, &mut out);
        self.scopes.pop();
        out
    }

    fn statements(&mut self, block: &Block, out: &mut Block) {
        for (statement, span) in block.span_iter() {
            self.statement(statement, *span, out);
        }
    }

    fn statement(&mut self, statement: &Statement, span: Span, out: &mut Block) {
        if let Statement::Emit(range) = statement {
            for handle in range.clone() {
                let own = self.make(handle, out);
                self.hold(handle, own, out);
            }
            return;
        }
        if let Statement::Loop { body, continuing, break_if } = statement {
            self.scopes.push(HashMap::new());
            let mut turn = Block::new();
            self.statements(body, &mut turn);
            self.scopes.push(HashMap::new());
            let mut next = Block::new();
            self.statements(continuing, &mut next);
            let break_if = break_if.map(|condition| self.value(condition, &mut next));
            self.scopes.truncate(self.scopes.len() - 2);
            out.push(Statement::Loop { body: turn, continuing: next, break_if }, span);
            return;
        }
        let mut copy = operands::shallow(statement);
        operands::of_statement(&mut copy, &mut |operand| *operand = self.value(*operand, out));
        for (copy, block) in walk::blocks_mut(&mut copy).into_iter().zip(walk::blocks(statement)) {
            *copy = self.block(block);
        }
        let made = operands::result(&mut copy).map(|result| {
            let (handle, place) = (*result, self.source.expressions.get_span(*result));
            *result = self.function.expressions.append(self.source.expressions[handle].clone(), place);
            (handle, *result)
        });
        out.push(copy, span);
        if let Some((handle, own)) = made {
            self.hold(handle, own, out);
        }
    }
}
