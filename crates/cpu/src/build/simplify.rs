//! Drops what construction put in to be safe: parameters that are the same on every way in,
//! blocks that nothing jumps out of, branches that always go one way, and values that nobody
//! uses.

use std::collections::{HashMap, HashSet};

use super::abreast::abreast;
use super::join::{Arrivals, Renames, prune, rename, resolve};
use super::pair::pair;
use super::{recall, unroll};
use crate::ir::{Def, End, Function, Label, Node, Op, Region, Unary, Value};

pub(super) fn simplify(f: &mut Function) {
    let mut body = std::mem::take(&mut f.body);
    turn_negations(f, &mut body);
    tail_jumps(f, &mut body, None);
    settle(f, &mut body);
    settings_first(f, &mut body);
    // What one side of a branch loaded is now known before it, and may be all that arrives after it.
    settle(f, &mut body);
    dead_code(f, &mut body);
    // Both look at all that a workgroup does.
    if f.calls.is_empty() && !f.is_callee && f.subgroup.is_none() {
        abreast(f, &mut body);
        pair(f, &mut body);
        dead_code(f, &mut body);
    }
    write_out(f, &mut body);
    let renames = recall::recall(f, &mut body);
    rename(f, &mut body, &renames);
    dead_code(f, &mut body);
    unroll::mark_bounded(f, &body);
    f.body = body;
}

/// Short loops turn by turn.
fn write_out(f: &mut Function, body: &mut Region) {
    let mut left = unroll::Budget::default();
    while left.rounds > 0 && unroll::unroll(f, body, &mut left) {
        // Decided tests first: only then does the last turn end in a jump.
        settle(f, body);
        tail_jumps(f, body, None);
        settle(f, body);
        dead_code(f, body);
        left.rounds -= 1;
    }
}

/// Drops parameters and blocks until none is left to drop.
fn settle(f: &mut Function, body: &mut Region) {
    loop {
        let renamed = same_params(f, body);
        let flattened = flatten(f, body);
        if !renamed && !flattened {
            break;
        }
    }
}

/// Loads what has a fixed place in memory that nobody writes, such as the members of a uniform
/// buffer, once and before everything else: it is the same for all invocations and at all times.
fn settings_first(f: &mut Function, body: &mut Region) {
    let mut first: Vec<Value> = Vec::new();
    let mut renames = Renames::new();
    take_settings(f, body, &mut first, &mut renames);
    rename(f, body, &renames);
    let rest = std::mem::take(&mut body.nodes);
    body.nodes = first.into_iter().map(Node::Let).chain(rest).collect();
}

fn take_settings(f: &Function, region: &mut Region, first: &mut Vec<Value>, renames: &mut Renames) {
    let fixed = |value: Value| match f.op(value) {
        Op::Load { at, uniform: false } => at.terms.is_empty() && !f.memories[at.memory.index()].is_written(),
        _ => false,
    };
    region.nodes.retain_mut(|node| {
        match node {
            Node::Let(value) if fixed(*value) => {
                let same = |&&other: &&Value| f.op(other) == f.op(*value) && f.ty(other) == f.ty(*value);
                if let Some(&other) = first.iter().find(same) {
                    renames.insert(*value, other);
                } else {
                    first.push(*value);
                }
                return false;
            }
            Node::Let(_) | Node::Store { .. } | Node::Barrier => {}
            Node::If { accept, reject, .. } => {
                [accept, reject].into_iter().for_each(|arm| take_settings(f, arm, first, renames));
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => take_settings(f, body, first, renames),
        }
        true
    });
}

/// Turns a branch on a negation around.
fn turn_negations(f: &Function, region: &mut Region) {
    for node in &mut region.nodes {
        match node {
            Node::Let(_) | Node::Store { .. } | Node::Barrier => {}
            Node::If { condition, accept, reject, .. } => {
                while let Op::Unary(Unary::Not, positive) = f.op(*condition) {
                    *condition = *positive;
                    std::mem::swap(accept, reject);
                }
                [accept, reject].into_iter().for_each(|arm| turn_negations(f, arm));
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => turn_negations(f, body),
        }
    }
}

/// A jump to the label of a block, at the very end of the block's body, falls out of it; also from
/// the sides of a branch at that end.
fn tail_jumps(f: &mut Function, region: &mut Region, tail: Option<Label>) {
    match &mut region.end {
        End::Jump(label, args) if Some(*label) == tail => region.end = End::Fall(std::mem::take(args)),
        End::Unreachable => branch_falls(f, region, tail),
        End::Jump(..) | End::Fall(_) => {}
    }
    for node in &mut region.nodes {
        match node {
            Node::Let(_) | Node::Store { .. } | Node::Barrier => {}
            Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| tail_jumps(f, arm, None)),
            Node::Block { label, body, .. } => tail_jumps(f, body, Some(*label)),
            Node::Loop { body, .. } => tail_jumps(f, body, None),
        }
    }
}

/// If the last node of a region is a branch whose sides leave for `tail`, they fall instead.
fn branch_falls(f: &mut Function, region: &mut Region, tail: Option<Label>) {
    let Some(Node::If { accept, reject, results, .. }) = region.nodes.last_mut() else { return };
    for arm in [&mut *accept, &mut *reject] {
        match &mut arm.end {
            End::Jump(label, args) if Some(*label) == tail => arm.end = End::Fall(std::mem::take(args)),
            End::Unreachable => branch_falls(f, arm, tail),
            End::Jump(..) | End::Fall(_) => {}
        }
    }
    let falls = [accept, reject].into_iter().find_map(|arm| match &arm.end {
        End::Fall(args) => Some(args.clone()),
        End::Jump(..) | End::Unreachable => None,
    });
    let Some(args) = falls else { return };
    debug_assert!(results.is_empty(), "invariant build: a branch that never falls has no results");
    for arg in args {
        f.values.push(Def { ty: f.ty(arg), op: Op::Param });
        results.push(Value(f.values.len() as u32 - 1));
    }
    region.end = End::Fall(results.clone());
}

/// Replaces parameters that are one and the same value on every way in.
fn same_params(f: &mut Function, body: &mut Region) -> bool {
    let Arrivals { args, scope, .. } = Arrivals::of(body);
    let mut params: Vec<Value> = args.keys().copied().collect();
    params.sort();
    let mut same = Renames::new();
    let mut changed = true;
    while changed {
        changed = false;
        for &param in &params {
            if same.contains_key(&param) {
                continue;
            }
            let mut only = None;
            let one = args[&param].iter().all(|&arg| {
                let arg = resolve(&same, arg);
                arg == param || *only.get_or_insert(arg) == arg
            });
            let (true, Some(only)) = (one, only) else { continue };
            // It must be in scope where the join is; constants and inputs always are.
            if scope.get(&only).is_none_or(|at| scope[&param].starts_with(at)) {
                same.insert(param, only);
                changed = true;
            }
        }
    }
    if same.is_empty() {
        return false;
    }
    prune(body, &|param| !same.contains_key(&param));
    rename(f, body, &same);
    true
}

/// Puts the nodes of blocks that nothing jumps out of, and of the only way through a branch,
/// into the region around them.
fn flatten(f: &mut Function, body: &mut Region) -> bool {
    let jumps = Arrivals::of(body).jumps;
    let mut flat = Flatten { f, jumps, renames: Renames::new(), changed: false };
    flat.region(body);
    let Flatten { renames, changed, .. } = flat;
    rename(f, body, &renames);
    changed
}

struct Flatten<'a> {
    f: &'a Function,
    jumps: HashMap<Label, u32>,
    renames: Renames,
    changed: bool,
}

impl Flatten<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            let only = match &mut node {
                Node::Let(_) | Node::Store { .. } | Node::Barrier => None,
                Node::If { condition, accept, reject, results } => {
                    self.region(accept);
                    self.region(reject);
                    let way = self.f.constant(resolve(&self.renames, *condition));
                    way.map(|holds| (if holds == 0 { reject } else { accept }, results))
                }
                Node::Loop { body, .. } => {
                    self.region(body);
                    None
                }
                Node::Block { label, body, results } => {
                    self.region(body);
                    (!self.jumps.contains_key(label)).then_some((body, results))
                }
            };
            let Some((only, results)) = only else {
                nodes.push(node);
                continue;
            };
            self.changed = true;
            nodes.append(&mut only.nodes);
            match &only.end {
                End::Fall(args) => self.renames.extend(results.iter().copied().zip(args.iter().copied())),
                // What follows cannot be reached.
                end => {
                    region.end = end.clone();
                    break;
                }
            }
        }
        region.nodes = nodes;
    }
}

/// Drops values and parameters that nothing depends on.
fn dead_code(f: &Function, body: &mut Region) {
    let arrivals = Arrivals::of(body);
    let mut live: HashSet<Value> = HashSet::new();
    let mut work: Vec<Value> = Vec::new();
    body.visit(&mut |region| {
        for node in &region.nodes {
            match node {
                Node::Let(value) if f.op(*value).has_effect() => work.push(*value),
                Node::Let(_) | Node::Barrier | Node::Block { .. } | Node::Loop { .. } => {}
                Node::Store { at, value } => {
                    at.each(|index| work.push(index));
                    work.push(*value);
                }
                Node::If { condition, .. } => work.push(*condition),
            }
        }
    });
    while let Some(value) = work.pop() {
        if live.insert(value) {
            f.op(value).each(|operand| work.push(operand));
            work.extend(arrivals.args.get(&value).into_iter().flatten());
        }
    }
    prune(body, &|param| live.contains(&param));
    sweep(body, &live);
}

fn sweep(region: &mut Region, live: &HashSet<Value>) {
    region.nodes.retain_mut(|node| match node {
        Node::Let(value) => live.contains(value),
        Node::Store { .. } | Node::Barrier => true,
        Node::If { accept, reject, results, .. } => {
            sweep(accept, live);
            sweep(reject, live);
            let idle = |arm: &Region| arm.nodes.is_empty() && matches!(arm.end, End::Fall(_));
            !(results.is_empty() && idle(accept) && idle(reject))
        }
        Node::Block { body, .. } | Node::Loop { body, .. } => {
            sweep(body, live);
            true
        }
    });
}
