//! Loops that lanes leave at one place, where an index that grows along the workgroup passes a
//! bound that is the same for all of it; tested before the loop as in it.

use std::collections::HashSet;

use crate::cost;
use crate::ir::{Back, Binary, End, Function, Label, Node, Op, Region, Turns, Ty, Value};
use crate::passes::induction::{Induction, integer};

/// Such a loop.
pub(super) struct Counted {
    pub(super) label: Label,
    pub(super) params: Vec<Value>,
    pub(super) init: Vec<Value>,
    /// The parameters of the next turn.
    pub(super) next: Vec<Value>,
    /// The body without the test at its end.
    pub(super) body: Vec<Node>,
    pub(super) exit: Exit,
    /// Which parameters of the next turn leave the loop, the extra ones counted on.
    pub(super) gives: Vec<usize>,
    /// What leaves the loop besides: without a turn, and after one.
    pub(super) extra: Vec<[Value; 2]>,
    /// What the condition is made of, beyond what the next turn gets.
    pub(super) cone: Vec<Node>,
    /// What each turn adds to a parameter, if that is one number for the workgroup and all turns.
    pub(super) added: Vec<Option<Value>>,
    /// Which parameters index which buffers, growing along the workgroup.
    pub(super) indexed: Vec<(usize, u32)>,
    /// Whether the test asks for nothing else of a turn.
    pub(super) foreseen: bool,
    pub(super) turns: Turns,
    /// What stands in the block before the test and the loop.
    pub(super) first: Vec<Node>,
}

/// Where lanes leave.
pub(super) struct Exit {
    pub(super) label: Label,
    pub(super) condition: Value,
    /// Whether lanes leave where the condition holds, or where it does not.
    pub(super) holds: bool,
    /// The comparison that holds for those who stay, of these two.
    pub(super) stays: Binary,
    pub(super) sides: [Value; 2],
    /// Which side is the index.
    pub(super) index: usize,
}

impl Counted {
    /// A block as such a loop, or why it is none.
    pub(super) fn of(f: &Function, uniform: &[bool], exit: Label, block: &Region) -> Result<Self, &'static str> {
        const OTHER: &str = "it is not left by one test, before it as at its end";
        let [first @ .., test, Node::Loop { label, params, init, body }] = block.nodes.as_slice() else {
            return Err(OTHER);
        };
        let (End::Unreachable, Back::End(next)) = (&block.end, body.back(*label)) else { return Err(OTHER) };
        let (leave, rest) = body.nodes.split_last().ok_or(OTHER)?;
        if rest.iter().chain(first).any(Node::leaves) {
            return Err("lanes leave it in several places");
        }
        let induction = Induction::of(f, uniform, (params, init), body, next);
        let (condition, holds, args) = leaves(leave, exit).ok_or(OTHER)?;
        let (tested, same, untaken) = leaves(test, exit).ok_or(OTHER)?;
        let exit = self::exit(f, &induction, exit, condition, holds)?;
        let turns = &induction.turns;
        let cone = turns.cone(f, condition, &|value| next.contains(&value), &Op::is_arithmetic);
        let cone = cone.ok_or("whether it ends depends on what a turn does")?;
        let before = Before { f, turns, next, init };
        if same != holds || !before.is(tested, condition) {
            return Err(OTHER);
        }
        let fixed = |value: Value| turns.cone(f, value, &|_| false, &Op::is_arithmetic).is_some();
        let added = |param: &Value| induction.moves.get(param).map(|(_, added)| *added).filter(|&added| fixed(added));
        let added: Vec<Option<Value>> = params.iter().map(added).collect();
        let asks = |i: usize| {
            let next = next[i];
            let mut asks = next == condition;
            cone.iter().for_each(|&value| f.op(value).each(|operand| asks |= operand == next));
            asks
        };
        let foreseen = (0..params.len()).all(|i| added[i].is_some() || !asks(i));
        // What it asks of the index must be known for the whole workgroup.
        let known = |i: usize| added[i].is_some() || induction.is_uniform(params[i]) || !asks(i);
        if !(0..params.len()).all(known) {
            return Err("the index that it tests moves by other steps in each lane");
        }
        let mut extra: Vec<[Value; 2]> = Vec::new();
        let gives = args.iter().zip(untaken).map(|(&arg, &first)| {
            let carried = (0..next.len()).find(|&i| next[i] == arg && init[i] == first);
            carried.unwrap_or_else(|| {
                extra.push([first, arg]);
                next.len() + extra.len() - 1
            })
        });
        let gives = gives.collect();
        let grows = |i: &usize| added[*i].is_some() && f.ty(params[*i]) == Ty::U32 && grows(f, &induction, params[*i]);
        let rows_of = |i: usize| crate::passes::shown::indexed(f, body, params[i]).into_iter().map(move |row| (i, row));
        let indexed = (0..params.len()).filter(grows).flat_map(rows_of).collect();
        let cone: HashSet<Value> = cone.into_iter().collect();
        let cone = rest.iter().filter(|node| matches!(node, Node::Let(value) if cone.contains(value)));
        Ok(Self {
            label: *label,
            params: params.clone(),
            init: init.clone(),
            next: next.to_vec(),
            body: rest.to_vec(),
            exit,
            gives,
            extra,
            cone: cone.cloned().collect(),
            added,
            indexed,
            foreseen,
            first: first.to_vec(),
            turns: induction.turns,
        })
    }
}

/// The condition of a branch that does nothing but leave for a label, whether lanes leave where
/// it holds, and with what.
fn leaves(node: &Node, exit: Label) -> Option<(Value, bool, &[Value])> {
    let found = node.exit().filter(|found| found.arm.nodes.is_empty())?;
    match &found.arm.end {
        End::Jump(to, args) if *to == exit => Some((found.condition, found.holds, args)),
        End::Jump(..) | End::Fall(_) | End::Unreachable => None,
    }
}

fn exit(
    f: &Function,
    induction: &Induction<'_>,
    label: Label,
    condition: Value,
    holds: bool,
) -> Result<Exit, &'static str> {
    const NEITHER: &str = "it is not left where an index passes a bound";
    const VARIES: &str = "the loop's bound differs between lanes";
    let (stays, [a, b]) = f.compares(condition, !holds).ok_or(NEITHER)?;
    if matches!(stays, Binary::Eq | Binary::Ne) || !integer(f.ty(a)) {
        return Err(NEITHER);
    }
    let slopes = [induction.slope(a).ok_or(VARIES)?, induction.slope(b).ok_or(VARIES)?];
    let index = usize::from(slopes[0] == 0);
    let exit = Exit { label, condition, holds, stays, sides: [a, b], index };
    if slopes[1 - index] != 0 {
        return Err(VARIES);
    }
    if !grows(f, induction, exit.sides[index]) {
        return Err("the index that it tests does not grow along the workgroup");
    }
    Ok(exit)
}

/// Lanes of a workgroup at any width: those that fill up its last lane group included, for they run
/// with the others and read what their indices say.
pub(super) fn lanes(f: &Function) -> u32 {
    f.invocations().next_multiple_of(cost::WIDTH_MOST)
}

/// Whether a number grows along the workgroup, so that it has wrapped no more than once at its end.
fn grows(f: &Function, induction: &Induction<'_>, value: Value) -> bool {
    let span = i64::from(lanes(f) - 1);
    let fits = |slope: i64| slope > 0 && slope.checked_mul(span).is_some_and(|span| i32::try_from(span).is_ok());
    induction.slope(value).is_some_and(fits)
}

/// Compares what stands before a loop with what stands in it.
struct Before<'a> {
    f: &'a Function,
    turns: &'a Turns,
    next: &'a [Value],
    init: &'a [Value],
}

impl Before<'_> {
    /// Whether `before` is to the first turn what `value` is to the next.
    fn is(&self, before: Value, value: Value) -> bool {
        if let Some(i) = self.next.iter().position(|&next| next == value) {
            return self.init[i] == before;
        }
        if !self.turns.make(value) {
            return before == value;
        }
        let (mut before, mut value) = (self.f.values[before.index()].clone(), self.f.values[value.index()].clone());
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        before.op.each(|operand| ours.push(operand));
        value.op.each(|operand| theirs.push(operand));
        let nothing = Value(0);
        before.op.rename(|_| nothing);
        value.op.rename(|_| nothing);
        before == value && ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(a, b)| self.is(*a, *b))
    }
}
