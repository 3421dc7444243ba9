//! Subgroups in WGSL's text: the line that allows them, `subgroupElect`, which naga does not know,
//! where control flow may be split at them ([`rule`]), and lanes that are named by an `i32` ([`lanes`]).

mod lanes;
mod rule;

use std::borrow::Cow;

use naga::{Barrier, CollectiveOperation, Direction, GatherMode, Module, Statement, SubgroupOperation};

use super::{directives, grid, guard, walk};
use crate::diag::{Diagnostic, Span};

pub(super) use lanes::mend;
pub(super) use rule::Rule;

const EXTENSION: &str = "subgroups";
const ELECT: &str = "subgroupElect";
const BUILTINS: [&str; 4] = ["num_subgroups", "subgroup_id", "subgroup_size", "subgroup_invocation_id"];

/// The text without `subgroups` among the extensions that it enables, and whether it was there. No
/// byte changes its place.
pub(super) fn enable(text: &str) -> (Cow<'_, str>, bool) {
    let (mut rest, mut enabled) = (Cow::Borrowed(text), false);
    for enable in directives::all(text).filter(|directive| directive.word.text == "enable") {
        let Some(names) = enable.list() else { continue };
        let asked = |name: &&guard::Token<'_>| name.text == EXTENSION;
        if names.iter().all(|name| asked(&name)) {
            directives::blank(rest.to_mut(), enable.whole);
            enabled = true;
            continue;
        }
        for name in names.iter().filter(asked) {
            directives::blank(rest.to_mut(), enable.item(name));
            enabled = true;
        }
    }
    (rest, enabled)
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
    matches!(
        statement,
        Statement::SubgroupBallot { .. }
            | Statement::SubgroupCollectiveOperation { collective_op: CollectiveOperation::Reduce, .. }
            | Statement::SubgroupGather { mode: GatherMode::BroadcastFirst | GatherMode::Broadcast(_), .. }
    )
}
