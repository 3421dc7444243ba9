//! A function with what its pointers point to written into it.

use naga::{Arena, Block, Expression, Function, FunctionArgument, Handle, Literal, Range, Span, Statement};

use super::super::{operands, walk};
use super::{Place, Root, Step};

/// The function with some of its arguments fixed to these places. What is found at run time on the
/// ways there are its last arguments.
pub(super) fn at(old: &Function, places: &[Option<Place>]) -> Function {
    let mut function = Function { expressions: Arena::new(), body: Block::new(), arguments: Vec::new(), ..old.clone() };
    let mut stands: Vec<Option<Handle<Expression>>> = Vec::new();
    for (argument, place) in old.arguments.iter().zip(places) {
        let stays = place.is_none().then(|| take(&mut function, argument.clone()));
        stands.push(stays);
    }
    let fixed: Vec<&Place> = places.iter().flatten().collect();
    let mut pointers = pointers(&mut function, &fixed).into_iter();
    stands.iter_mut().filter(|it| it.is_none()).for_each(|it| *it = pointers.next());
    let shift = function.expressions.len() as u32;
    let mut now: Vec<Handle<Expression>> = Vec::with_capacity(old.expressions.len());
    for (handle, expression) in old.expressions.iter() {
        let mut expression = expression.clone();
        operands::of_expression(&mut expression, &mut |operand| *operand = now[operand.index()]);
        let mut argument = None;
        if let Expression::FunctionArgument(at) = expression {
            // Something has to be in its place, so that ranges of expressions stay as long as they are.
            expression = Expression::Literal(Literal::Bool(false));
            argument = stands[at as usize];
        }
        let here = function.expressions.append(expression, old.expressions.get_span(handle));
        now.push(argument.unwrap_or(here));
    }
    function
        .local_variables
        .iter_mut()
        .filter_map(|(_, var)| var.init.as_mut())
        .for_each(|init| *init = now[init.index()]);
    let named = std::mem::take(&mut function.named_expressions).into_iter();
    function.named_expressions = named.map(|(handle, name)| (now[handle.index()], name)).collect();
    let body = Renumber { now: &now, shift, expressions: &function.expressions }.block(&old.body);
    function.body.extend_block(body);
    function
}

/// One argument more, and the expression that it is.
fn take(function: &mut Function, argument: FunctionArgument) -> Handle<Expression> {
    let number = function.arguments.len() as u32;
    function.arguments.push(argument);
    function.expressions.append(Expression::FunctionArgument(number), Span::UNDEFINED)
}

/// Expressions that point to the places; they are emitted where the function begins.
fn pointers(function: &mut Function, places: &[&Place]) -> Vec<Handle<Expression>> {
    let given = |function: &mut Function, ty| take(function, FunctionArgument { name: None, ty, binding: None });
    // None of these need to be emitted, so that all after them can be, in one range.
    let mut ways = Vec::new();
    for place in places {
        let root = match place.root {
            Root::Global(root) => function.expressions.append(Expression::GlobalVariable(root), Span::UNDEFINED),
            Root::Given(ty) => given(function, ty),
        };
        let step = |step: &Step| match *step {
            Step::Fixed(index) => Ok(index),
            Step::Given(ty) => Err(given(function, ty)),
        };
        let way: Vec<Result<u32, Handle<Expression>>> = place.way.iter().map(step).collect();
        ways.push((root, way));
    }
    let first = function.expressions.len();
    let mut found = Vec::new();
    for (root, way) in ways {
        found.push(way.into_iter().fold(root, |base, step| {
            let next = match step {
                Ok(index) => Expression::AccessIndex { base, index },
                Err(index) => Expression::Access { base, index },
            };
            function.expressions.append(next, Span::UNDEFINED)
        }));
    }
    if function.expressions.len() > first {
        function.body.push(Statement::Emit(function.expressions.range_from(first)), Span::UNDEFINED);
    }
    found
}

/// Statements about expressions that have other numbers now.
struct Renumber<'a> {
    now: &'a [Handle<Expression>],
    /// How far all but arguments have moved.
    shift: u32,
    expressions: &'a Arena<Expression>,
}

impl Renumber<'_> {
    /// As deep as the text is nested, which is bounded.
    fn block(&self, old: &Block) -> Block {
        let mut block = Block::with_capacity(old.len());
        for (statement, span) in old.span_iter() {
            block.push(self.statement(statement), *span);
        }
        block
    }

    fn statement(&self, old: &Statement) -> Statement {
        let mut statement = operands::shallow(old);
        operands::of_statement(&mut statement, &mut |operand| *operand = self.now[operand.index()]);
        if let Some(result) = operands::result(&mut statement) {
            *result = self.now[result.index()];
        }
        if let Statement::Emit(range) = &mut statement {
            let old = range.index_range();
            *range = Range::from_index_range(old.start + self.shift..old.end + self.shift, self.expressions);
        }
        for (block, old) in walk::blocks_mut(&mut statement).into_iter().zip(walk::blocks(old)) {
            *block = self.block(old);
        }
        statement
    }
}
