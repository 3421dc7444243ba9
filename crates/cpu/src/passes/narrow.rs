//! Narrowing of loops over lane groups: where all that a loop does stands under one condition on the local index, it
//! runs only for the lane groups in which that holds somewhere. Compilers of loops split their bounds so, at a guard on
//! the counter (index set splitting).
//!
//! The guard is `local < bound`, `local >= bound` or `local == bound`, of a bound that is known before the loop. In the
//! lane groups that are left out it holds in no lane, so that nothing would have been done there. Those that are left in
//! still ask, unless the bound falls between two lane groups.

use super::outside::{Outside, each_loop, settle};
use crate::affine;
use crate::divergence::{Shape, Shapes};
use crate::fold::Literals;
use crate::ir::{Binary, Each, Function, Group, Node, Op, Span, Ty, Value};

const NAME: &str = "narrow";

/// Bounds loops by the guards of their bodies.
pub(super) fn narrow(f: &mut Function, shapes: &Shapes) -> bool {
    let size = f.invocations();
    if f.is_callee || size <= shapes.width {
        return false;
    }
    let (outside, mut literals) = (Outside::of(f, shapes), Literals::of(f));
    let (mut changed, mut known) = (false, false);
    each_loop(f, &mut |f, mut each, nodes| {
        if let Some(guard) = guard(f, shapes, &outside, &each) {
            f.done(NAME, guard.condition, "only lane groups run in which this holds somewhere");
            each.span = Some(span(f, &mut literals, &guard, (size, shapes.width), nodes));
            if guard.whole {
                known = true;
                let yes = literals.value(f, Ty::Bool, 1);
                if let Some(Node::If { condition, .. }) = each.body.nodes.last_mut() {
                    *condition = yes;
                }
            }
            changed = true;
        }
        nodes.push(Node::Group(Group::Each(each)));
    });
    if known {
        settle(f);
    }
    changed
}

/// A comparison of the local index with a bound, under which all of a loop stands.
struct Guard {
    condition: Value,
    op: Binary,
    bound: Value,
    /// Whether it holds in all lanes of those groups in which it does in one.
    whole: bool,
}

fn guard(f: &Function, shapes: &Shapes, outside: &Outside, each: &Each) -> Option<Guard> {
    let (last, first) = each.body.nodes.split_last()?;
    let nothing = |node: &Node| matches!(node, Node::Let(value) if !f.op(*value).has_effect());
    let &Node::If { condition, ref reject, ref results, .. } = last else { return None };
    if each.span.is_some() || !results.is_empty() || !reject.is_idle() || !first.iter().all(nothing) {
        return None;
    }
    let (op, bound) = local(f, condition)?;
    if shapes.of(bound) != Shape::Uniform || !outside.has(f, bound) {
        f.missed(
            NAME,
            condition,
            "what the local index is compared with is not known before the loop over lane groups",
        );
        return None;
    }
    let even = f.constant(bound).is_some_and(|bound| bound.is_multiple_of(shapes.width.into()));
    Some(Guard { condition, op, bound, whole: even && op != Binary::Eq })
}

/// How a condition compares the local index, and with what.
fn local(f: &Function, condition: Value) -> Option<(Binary, Value)> {
    let is_local = |value: Value| affine::is_local_index(f, value);
    let below = |holds: bool| f.below(condition, holds).filter(|(index, _)| is_local(*index));
    if let Some((_, bound)) = below(true) {
        return Some((Binary::Lt, bound));
    }
    if let Some((_, bound)) = below(false) {
        return Some((Binary::Ge, bound));
    }
    match f.compares(condition, true)? {
        (Binary::Eq, [a, b]) if is_local(a) => Some((Binary::Eq, b)),
        (Binary::Eq, [a, b]) if is_local(b) => Some((Binary::Eq, a)),
        _ => None,
    }
}

/// The lane groups for which a guard lets somebody through.
fn span(
    f: &mut Function,
    literals: &mut Literals,
    guard: &Guard,
    (size, width): (u32, u32),
    nodes: &mut Vec<Node>,
) -> Span {
    let some = (!guard.whole).then_some(guard.condition);
    let mut binary = |f: &mut Function, op: Binary, a: Value, b: u32| {
        let b = literals.value(f, Ty::U32, b.into());
        literals.emit(f, Ty::U32, Op::Binary(op, a, b), nodes)
    };
    let bound = binary(f, Binary::Min, guard.bound, size);
    // Widths are powers of two.
    let from = binary(f, Binary::And, bound, !(width - 1));
    let end = match guard.op {
        Binary::Eq => {
            let next = binary(f, Binary::Add, bound, 1);
            Some(binary(f, Binary::Min, next, size))
        }
        _ => None,
    };
    let [zero, all] = [0, size].map(|n| literals.value(f, Ty::U32, n.into()));
    match guard.op {
        Binary::Lt => Span { from: zero, to: bound, some },
        _ => Span { from, to: end.unwrap_or(all), some },
    }
}
