//! Workgroups that go through a loop together, so that what they read is one long row.
//!
//! A workgroup that strides over a buffer abreast reads a row in each turn, and then jumps far
//! ahead; the row beside it is the next workgroup's, and comes much later. Memory gives few long
//! rows sooner than many short ones. So some workgroups along x take each turn one after the
//! other, each with scratch memory of its own, where everything is kept that it has made. A turn is
//! taken if all of them can: whoever could go on has the rest of its turns done by the loop that
//! follows, as a workgroup has that not all of its invocations stay in.

use std::ops::Range;

use super::{Walk, count};
use crate::affine;
use crate::cost;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Address, Binary, End, Function, Label, Memory, Node, Op, Region, Ty, Value};

const NAME: &str = "together";

/// What goes together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// How many workgroups at most.
    pub(crate) count: u32,
    /// Which nodes of the body are the loops.
    loops: Range<usize>,
}

/// A loop that workgroups may leave after any turn, for another does the rest.
struct Turns<'a> {
    label: Label,
    params: &'a [Value],
    init: &'a [Value],
    results: &'a [Value],
    /// What the condition to stay is made of.
    test: &'a [Node],
    stays: Value,
    /// What those who leave bring.
    left: &'a [Value],
    rest: &'a [Node],
    next: &'a [Value],
}

/// Finds the loops that a kernel's workgroups should go through together.
pub(crate) fn plan(f: &Function) -> Option<Plan> {
    let interchanged = f.interchanged.iter().find(|at| at.rest.is_some())?;
    match found(f) {
        Ok(plan) => {
            let because = format!("{} workgroups side by side, as what they read", plan.count);
            f.done(NAME, interchanged.label, because);
            Some(plan)
        }
        Err(because) => {
            f.missed(NAME, interchanged.label, because);
            None
        }
    }
}

fn found(f: &Function) -> Result<Plan, &'static str> {
    if !f.calls.is_empty() {
        return Err("functions are called");
    }
    if f.memories.iter().any(|memory| matches!(memory, Memory::Private { .. })) {
        return Err("invocations have memory of their own");
    }
    let nodes = &f.body.nodes;
    let first =
        nodes.iter().position(|node| turns(f, node).is_some()).ok_or("there are branches or loops around it")?;
    let plain = |node: &Node| *node == Node::Barrier || !node.has_barrier() && !node.leaves();
    let count = nodes[first..].iter().take_while(|node| turns(f, node).is_some()).count();
    let loops = first..first + count;
    let rows = nodes[loops.clone()].iter().filter_map(|node| turns(f, node)).filter_map(|turns| row(f, &turns));
    let row = rows.max().ok_or("what the next workgroup reads does not lie beside it")?;
    let room = cost::TOGETHER_SCRATCH_BYTES / f.workgroup_bytes.max(1);
    let count = (cost::TOGETHER_ROW_BYTES / row.max(1))
        .min(cost::TOGETHER_WORKGROUPS)
        .min(u32::try_from(room).unwrap_or(cost::TOGETHER_WORKGROUPS));
    if count <= 1 {
        return Err("one workgroup reads or keeps enough");
    }
    if !nodes[..first].iter().all(plain) {
        return Err("there is a branch or loop with barriers, or an early exit, before it");
    }
    Ok(Plan { count, loops })
}

/// A node as such a loop.
fn turns<'a>(f: &Function, node: &'a Node) -> Option<Turns<'a>> {
    let Node::Block { label: out, body, results } = node else { return None };
    let [Node::Loop { label, params, init, body }] = body.nodes.as_slice() else { return None };
    let rest = f.interchanged.iter().any(|at| at.label == *label && at.rest.is_some());
    let at = body.nodes.iter().position(|node| *node == Node::Barrier)?;
    let (head, [_, rest_nodes @ ..]) = body.nodes.split_at(at) else { return None };
    let (Node::If { condition, accept, reject, .. }, test) = head.split_last()? else { return None };
    let (End::Jump(to, left), End::Jump(_, next)) = (&reject.end, &body.end) else { return None };
    let stays = *accept == Region::default() && reject.nodes.is_empty() && to == out;
    let plain = |node: &Node| !node.has_barrier() && !node.leaves();
    let whole = rest && stays && test.iter().all(|node| matches!(node, Node::Let(_))) && rest_nodes.iter().all(plain);
    whole.then_some(Turns {
        label: *label,
        params,
        init,
        results,
        test,
        stays: *condition,
        left,
        rest: rest_nodes,
        next,
    })
}

/// Bytes that a workgroup reads in a row, if the next workgroup's lie beside them.
fn row(f: &Function, turns: &Turns<'_>) -> Option<u32> {
    let invocations: u32 = f.workgroup_size.iter().product();
    let beside = |at: &Address, ty: Ty| {
        let [term] = at.terms.as_slice() else { return None };
        let Op::Binary(Binary::Add, a, b) = *f.op(term.index) else { return None };
        let dense = |value: Value| {
            affine::sum(f, value).is_some_and(|[local, group, _]| {
                local * u64::from(term.stride) == ty.bytes().into() && group == local * u64::from(invocations)
            })
        };
        (dense(a) || dense(b)).then(|| ty.bytes() * invocations)
    };
    let loaded = |node: &Node| match node {
        Node::Let(value) => match f.op(*value) {
            Op::Load { at, .. } => beside(at, f.ty(*value)),
            _ => None,
        },
        Node::Store { at, value } => beside(at, f.ty(*value)),
        Node::Barrier | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => None,
    };
    turns.rest.iter().filter_map(loaded).max()
}

/// Workgroups that are under way: scratch and x of the first, and how many they are.
#[derive(Clone, Copy)]
struct Batch<S> {
    scratch: S,
    x: S,
    count: S,
}

impl<E: Emit> Walk<'_, E> {
    /// The workgroups from the current one on, of so many that are left; gives how many were done.
    pub(super) fn together(&mut self, plan: &Plan, left: E::S) -> E::S {
        self.poll(None);
        let (x, width) = (self.workgroup[0], self.grid[0]);
        let here = self.binary(Binary::Sub, Ty::U32, width, x);
        let (here, most) = (self.widen(here), self.u64(plan.count.into()));
        let count = self.binary(Binary::Min, Ty::U64, left, here);
        let count = self.binary(Binary::Min, Ty::U64, count, most);
        let count = self.e.scalar(Prim::Convert(Ty::U64), Ty::U32, Ty::U64, &[count]);
        let batch = Batch { scratch: self.scratch, x, count };
        let body = self.f.body.clone();
        let (before, after) = (&body.nodes[..plan.loops.start], &body.nodes[plan.loops.end..]);
        let before = Region { nodes: before.to_vec(), end: End::default() };
        self.each_workgroup(batch, |this| {
            this.clean();
            this.outer_body(&before);
        });
        for node in &body.nodes[plan.loops.clone()] {
            if let Some(turns) = turns(self.f, node) {
                self.turns(batch, &turns);
            }
        }
        let after = Region { nodes: after.to_vec(), end: body.end };
        self.each_workgroup(batch, |this| this.outer_body(&after));
        count
    }

    fn turns(&mut self, batch: Batch<E::S>, of: &Turns<'_>) {
        self.each_workgroup(batch, |this| this.copy(of.params, of.init));
        let [head, go, away] = [(); 3].map(|()| self.e.block());
        self.e.jump(head);
        self.e.enter(head);
        let (all, yes) = (self.e.cell(Ty::Bool, false), self.e.constant(Ty::Bool, 1));
        self.e.set(&all, &Lanes::Same(yes));
        self.each_workgroup(batch, |this| {
            this.piece(of.test, &End::default());
            let (stays, others) = (this.uniform(of.stays), this.get_same(&all));
            let stay = this.binary(Binary::And, Ty::Bool, stays, others);
            this.e.set(&all, &Lanes::Same(stay));
        });
        let all = self.get_same(&all);
        self.e.branch(all, go, away);
        self.e.enter(go);
        self.fetch_next();
        self.each_workgroup(batch, |this| {
            this.piece(of.rest, &End::default());
            this.copy(of.params, of.next);
        });
        self.poll(Some(of.label));
        self.e.jump(head);
        self.e.enter(away);
        self.each_workgroup(batch, |this| this.copy(of.results, of.left));
    }

    /// The same for every workgroup under way, in its own scratch memory.
    fn each_workgroup(&mut self, batch: Batch<E::S>, body: impl FnOnce(&mut Self)) {
        self.forget();
        let zero = self.u32(0);
        self.count(Ty::U32, zero..batch.count, count::Turns::Some, |this, nth| {
            let (wide, stride) = (this.widen(nth), this.u64(this.frame.stride));
            let offset = this.binary(Binary::Mul, Ty::U64, wide, stride);
            this.scratch = this.add64(batch.scratch, offset);
            this.workgroup[0] = this.binary(Binary::Add, Ty::U32, batch.x, nth);
            body(this);
            this.u32(1)
        });
        (self.scratch, self.workgroup[0]) = (batch.scratch, batch.x);
        self.forget();
    }
}
