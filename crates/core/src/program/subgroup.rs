//! Subgroups in WGSL's text: the line that allows them, `subgroupElect`, which naga does not know,
//! where control flow may be split at them, and lanes that are named by an `i32`.

use std::borrow::Cow;
use std::ops::Range;

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    Arena, Barrier, Block, CollectiveOperation, Direction, Expression, Function, GatherMode, Handle, Literal, Module,
    ScalarKind, Span as NagaSpan, Statement, SubgroupOperation,
};

use super::{grid, guard, walk};
use crate::diag::{Diagnostic, Span};

const EXTENSION: &str = "subgroups";
const RULE: &str = "subgroup_uniformity";
const ELECT: &str = "subgroupElect";
const BUILTINS: [&str; 4] = ["num_subgroups", "subgroup_id", "subgroup_size", "subgroup_invocation_id"];

/// Lanes that a subgroup can have at most.
const LANES_MAX: u32 = 128;
const QUAD_LANES: u32 = 4;

/// The text without `subgroups` among the extensions that it enables, and whether it was there. No
/// byte changes its place.
pub(super) fn enable(text: &str) -> (Cow<'_, str>, bool) {
    let tokens: Vec<_> =
        guard::tokens(text).take_while(|token| !matches!(token.text, "fn" | "var" | "struct")).collect();
    let mut gone: Vec<Range<usize>> = Vec::new();
    for (at, first) in tokens.iter().enumerate().filter(|(_, token)| token.text == "enable") {
        let Some(length) = tokens[at..].iter().position(|token| token.text == ";") else { break };
        let names = &tokens[at + 1..at + length];
        let others = names.iter().filter(|token| token.is_word() && token.text != EXTENSION).count();
        for (place, name) in names.iter().enumerate().filter(|(_, token)| token.text == EXTENSION) {
            // With a comma, so that a list remains.
            let before = place.checked_sub(1).map(|place| names[place]).filter(|token| token.text == ",");
            let comma = before.or(names.get(place + 1).copied().filter(|token| token.text == ","));
            gone.extend([Some(*name), comma].into_iter().flatten().map(|token| token.start..token.end()));
        }
        if others == 0 && !gone.is_empty() {
            gone.push(first.start..tokens[at + length].end());
        }
    }
    if gone.is_empty() {
        return (Cow::Borrowed(text), false);
    }
    let mut bytes = text.as_bytes().to_vec();
    for at in gone.into_iter().flatten() {
        // What lies between the tokens, comments with their characters included, may go as well.
        if !matches!(bytes[at], b'\n' | b'\r') {
            bytes[at] = b' ';
        }
    }
    (String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned), true)
}

/// The text, with what naga lacks declared at its end: one invocation is elected, the first of those
/// that are here.
pub(super) fn declare(text: Cow<'_, str>) -> Cow<'_, str> {
    if grid::only_called(&text, ELECT) {
        return Cow::Owned(format!("{text}\nfn {ELECT}() -> bool {{ return subgroupExclusiveAdd(1u) == 0u; }}"));
    }
    text
}

/// The first use of a subgroup in a text that does not allow any.
pub(super) fn unasked(module: &Module, text: &str) -> Option<Diagnostic> {
    let functions = module.functions.iter().map(|(_, function)| function);
    let functions = functions.chain(module.entry_points.iter().map(|point| &point.function));
    let mut statements = functions.flat_map(|function| walk::statements(&function.body));
    let operation = statements.find_map(|(statement, span)| Some((name(statement)?, Span::of(span))));
    let input = || {
        let token = guard::tokens(text).find(|token| BUILTINS.contains(&token.text))?;
        has_input(module).then(|| (token.text, Some(token.span())))
    };
    let (what, span) = operation.or_else(input)?;
    // What is declared above is not in the text.
    let elect = || guard::tokens(text).find(|token| token.text == ELECT).map(guard::Token::span);
    let span = span.filter(|span| (span.end as usize) <= text.len()).or_else(elect);
    Some(
        Diagnostic::error("extension", format!("`{what}` is part of an extension that the program does not enable"))
            .at(span, "subgroups are used here")
            .help("put `enable subgroups;` at the top"),
    )
}

fn has_input(module: &Module) -> bool {
    module.entry_points.iter().any(|point| super::needs::subgroup_input(module, point))
}

/// What a statement is called, if it is an operation of subgroups.
pub(super) fn name(statement: &Statement) -> Option<&'static str> {
    Some(match statement {
        Statement::SubgroupBallot { .. } => "subgroupBallot",
        Statement::ControlBarrier(kind) if *kind == Barrier::SUB_GROUP => "subgroupBarrier",
        Statement::SubgroupGather { mode, .. } => match mode {
            GatherMode::BroadcastFirst => "subgroupBroadcastFirst",
            GatherMode::Broadcast(_) => "subgroupBroadcast",
            GatherMode::Shuffle(_) => "subgroupShuffle",
            GatherMode::ShuffleDown(_) => "subgroupShuffleDown",
            GatherMode::ShuffleUp(_) => "subgroupShuffleUp",
            GatherMode::ShuffleXor(_) => "subgroupShuffleXor",
            GatherMode::QuadBroadcast(_) => "quadBroadcast",
            GatherMode::QuadSwap(Direction::X) => "quadSwapX",
            GatherMode::QuadSwap(Direction::Y) => "quadSwapY",
            GatherMode::QuadSwap(Direction::Diagonal) => "quadSwapDiagonal",
        },
        Statement::SubgroupCollectiveOperation { op, collective_op, .. } => match (collective_op, op) {
            (CollectiveOperation::InclusiveScan, SubgroupOperation::Mul) => "subgroupInclusiveMul",
            (CollectiveOperation::InclusiveScan, _) => "subgroupInclusiveAdd",
            (CollectiveOperation::ExclusiveScan, SubgroupOperation::Mul) => "subgroupExclusiveMul",
            (CollectiveOperation::ExclusiveScan, _) => "subgroupExclusiveAdd",
            (CollectiveOperation::Reduce, SubgroupOperation::All) => "subgroupAll",
            (CollectiveOperation::Reduce, SubgroupOperation::Any) => "subgroupAny",
            (CollectiveOperation::Reduce, SubgroupOperation::Add) => "subgroupAdd",
            (CollectiveOperation::Reduce, SubgroupOperation::Mul) => "subgroupMul",
            (CollectiveOperation::Reduce, SubgroupOperation::Min) => "subgroupMin",
            (CollectiveOperation::Reduce, SubgroupOperation::Max) => "subgroupMax",
            (CollectiveOperation::Reduce, SubgroupOperation::And) => "subgroupAnd",
            (CollectiveOperation::Reduce, SubgroupOperation::Or) => "subgroupOr",
            (CollectiveOperation::Reduce, SubgroupOperation::Xor) => "subgroupXor",
        },
        Statement::Emit(_)
        | Statement::Block(_)
        | Statement::If { .. }
        | Statement::Switch { .. }
        | Statement::Loop { .. }
        | Statement::Break
        | Statement::Continue
        | Statement::Return { .. }
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::Store { .. }
        | Statement::ImageStore { .. }
        | Statement::Atomic { .. }
        | Statement::ImageAtomic { .. }
        | Statement::WorkGroupUniformLoad { .. }
        | Statement::Call { .. }
        | Statement::RayQuery { .. }
        | Statement::RayPipelineFunction(_)
        | Statement::CooperativeStore { .. } => return None,
    })
}

/// Whether all of a subgroup that are at an operation get the same of it.
pub(super) fn is_shared(statement: &Statement) -> bool {
    match statement {
        Statement::SubgroupBallot { .. } => true,
        Statement::SubgroupCollectiveOperation { collective_op, .. } => *collective_op == CollectiveOperation::Reduce,
        Statement::SubgroupGather { mode, .. } => {
            matches!(mode, GatherMode::BroadcastFirst | GatherMode::Broadcast(_))
        }
        _ => false,
    }
}

/// Where WGSL's rule `subgroup_uniformity` lets subgroups be split.
#[derive(Debug, Clone, Default)]
pub(super) struct Rule {
    /// Parts of the text, the smallest first, and whether the rule is mild there.
    parts: Vec<(Range<u32>, bool)>,
}

impl Rule {
    /// Where that is no error: in all of a text, or in what an attribute stands before.
    pub(super) fn errors(text: &str) -> Self {
        Self::of(text, &["off", "info", "warning"])
    }

    /// Where nobody wants to hear of it.
    pub(super) fn warnings(text: &str) -> Self {
        Self::of(text, &["off", "info"])
    }

    fn of(text: &str, mild: &[&str]) -> Self {
        let tokens: Vec<_> = guard::tokens(text).collect();
        let mut parts: Vec<(Range<u32>, bool)> = Vec::new();
        for (at, window) in tokens.windows(5).enumerate() {
            let [word, open, severity, comma, rule] = window else { continue };
            if word.text != "diagnostic" || open.text != "(" || comma.text != "," || rule.text != RULE {
                continue;
            }
            let is_attribute = at > 0 && tokens[at - 1].text == "@";
            let range = if is_attribute { braces(&tokens[at..]) } else { Some(0..u32::MAX) };
            parts.extend(range.map(|range| (range, mild.contains(&severity.text))));
        }
        parts.sort_by_key(|(range, _)| range.len());
        Self { parts }
    }

    /// Whether it is mild at a place: the innermost part around it decides.
    pub(super) fn is_mild(&self, place: Span) -> bool {
        self.parts.iter().find(|(range, _)| range.contains(&place.start)).is_some_and(|(_, mild)| *mild)
    }
}

/// From the first brace of these tokens to the one that closes it.
fn braces(tokens: &[guard::Token<'_>]) -> Option<Range<u32>> {
    let mut depth = 0_u32;
    let mut start = None;
    for token in tokens {
        match token.text {
            "{" => {
                start.get_or_insert(token.start as u32);
                depth += 1;
            }
            "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(start?..token.end() as u32);
                }
            }
            _ => {}
        }
    }
    None
}

/// Lanes may be named by an `i32` and by constants without a type, but naga wants a `u32`. Those that
/// no subgroup has are refused. What is declared here has no place in the text.
pub(super) fn mend(module: &mut Module) -> Result<(), Diagnostic> {
    let signed = |function: &Function| signed(module, function);
    let inside = module.functions.iter().map(|(_, function)| signed(function)).collect::<Result<Vec<_>, _>>()?;
    let points = module.entry_points.iter().map(|point| signed(&point.function)).collect::<Result<Vec<_>, _>>()?;
    let functions = module.functions.iter_mut().map(|(_, function)| function).zip(inside);
    let points = module.entry_points.iter_mut().map(|point| &mut point.function).zip(points);
    for (function, signed) in functions.chain(points) {
        let is_elect = function.name.as_deref() == Some(ELECT);
        if is_elect || !signed.is_empty() {
            Mend { expressions: &mut function.expressions, signed, is_elect }.block(&mut function.body);
        }
    }
    Ok(())
}

/// The expressions of a function that name lanes by an `i32`, or the first that names none.
fn signed(module: &Module, function: &Function) -> Result<Vec<Handle<Expression>>, Diagnostic> {
    let (mut signed, mut types) = (Vec::new(), Typifier::new());
    let context = ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
    for (statement, _) in walk::statements(&function.body) {
        let Statement::SubgroupGather { mut mode, .. } = *statement else { continue };
        let most = if let GatherMode::QuadBroadcast(_) = mode { QUAD_LANES } else { LANES_MAX };
        let Some(&mut at) = lane(&mut mode) else { continue };
        let known = match function.expressions[at] {
            Expression::Literal(Literal::I32(number)) => Some(i64::from(number)),
            Expression::Literal(Literal::U32(number)) => Some(number.into()),
            _ => None,
        };
        if let Some(number) = known.filter(|number| !(0..most.into()).contains(number)) {
            let what = name(statement).unwrap_or(EXTENSION);
            let span = Span::of(function.expressions.get_span(at));
            return Err(Diagnostic::error("invalid", format!("`{what}` cannot take {number}"))
                .at(span, format!("this has to be from 0 to {}", most - 1)));
        }
        // Numbers of lanes may be signed, distances only as literals that had no type; what cannot be typed
        // is naga's to refuse.
        let is_lane = matches!(mode, GatherMode::Broadcast(_) | GatherMode::Shuffle(_) | GatherMode::QuadBroadcast(_));
        let typed = types.grow(at, &function.expressions, &context).is_ok();
        if typed && types.get(at, &module.types).scalar() == Some(naga::Scalar::I32) && (is_lane || known.is_some()) {
            signed.push(at);
        }
    }
    Ok(signed)
}

/// The lane that is named, or how far away it is.
fn lane(mode: &mut GatherMode) -> Option<&mut Handle<Expression>> {
    match mode {
        GatherMode::Broadcast(at)
        | GatherMode::Shuffle(at)
        | GatherMode::ShuffleDown(at)
        | GatherMode::ShuffleUp(at)
        | GatherMode::ShuffleXor(at)
        | GatherMode::QuadBroadcast(at) => Some(at),
        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => None,
    }
}

struct Mend<'a> {
    expressions: &'a mut Arena<Expression>,
    signed: Vec<Handle<Expression>>,
    is_elect: bool,
}

impl Mend<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut mended = Block::with_capacity(block.len());
        for (mut statement, span) in std::mem::take(block).span_into_iter() {
            match &mut statement {
                Statement::Block(inner) => self.block(inner),
                Statement::If { accept, reject, .. } => {
                    self.block(accept);
                    self.block(reject);
                }
                Statement::Switch { cases, .. } => cases.iter_mut().for_each(|case| self.block(&mut case.body)),
                Statement::Loop { body, continuing, .. } => {
                    self.block(body);
                    self.block(continuing);
                }
                Statement::SubgroupGather { mode, .. } => {
                    if let Some(at) = lane(mode).filter(|at| self.signed.contains(at)) {
                        mended.extend(self.unsigned(at).map(|emit| (emit, span)));
                    }
                }
                Statement::SubgroupBallot { .. }
                | Statement::SubgroupCollectiveOperation { .. }
                | Statement::Emit(_)
                | Statement::Break
                | Statement::Continue
                | Statement::Return { .. }
                | Statement::Kill
                | Statement::ControlBarrier(_)
                | Statement::MemoryBarrier(_)
                | Statement::Store { .. }
                | Statement::ImageStore { .. }
                | Statement::Atomic { .. }
                | Statement::ImageAtomic { .. }
                | Statement::WorkGroupUniformLoad { .. }
                | Statement::Call { .. }
                | Statement::RayQuery { .. }
                | Statement::RayPipelineFunction(_)
                | Statement::CooperativeStore { .. } => {}
            }
            mended.push(statement, if self.is_elect { NagaSpan::UNDEFINED } else { span });
        }
        *block = mended;
    }

    /// The same number as a `u32`; one that is computed is so by the statement that comes back.
    fn unsigned(&mut self, at: &mut Handle<Expression>) -> Option<Statement> {
        let (span, old) = (self.expressions.get_span(*at), self.expressions.len());
        if let Expression::Literal(Literal::I32(number)) = self.expressions[*at] {
            *at = self.expressions.append(Expression::Literal(Literal::U32(number as u32)), span);
            return None;
        }
        let cast = Expression::As { expr: *at, kind: ScalarKind::Uint, convert: Some(4) };
        *at = self.expressions.append(cast, span);
        Some(Statement::Emit(self.expressions.range_from(old)))
    }
}
