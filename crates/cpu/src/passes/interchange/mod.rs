//! Loop interchange: the loop over the invocations of a workgroup goes inside a loop of the kernel, so that every turn is
//! taken by all of them before the next.
//!
//! A lane group that runs such a loop to its end by itself reads a few bytes in each turn and then
//! jumps ahead, far beyond what the other lane groups read: of no use to prefetchers, and a line
//! is gone again before its other half is wanted. Interchanged, each turn reads a row of memory. Between
//! barriers invocations may run in any order, so a barrier at the start of each turn is all it
//! takes: the cut at barriers (`fission`) then does the rest.
//!
//! Where the whole workgroup leaves at once, the barrier goes into the loop as it stands. Where
//! each invocation leaves when its own index passes a bound, a copy of the loop goes first, which
//! takes turns as long as all of them stay; the loop itself does what is left. All stay if the
//! first and the last do and their indices have not wrapped, for the index grows evenly along the
//! workgroup. That makes it a number of the workgroup and one that never changes, so that a lane
//! group has nothing to carry from turn to turn for it. The last is the last lane, which need not
//! exist: who fills up a lane group loads too.

mod counted;
mod interchanged;

use super::induction::Induction;
use super::unroll;
use crate::cost;
use crate::divergence::{self, Shape};
use crate::fold::Literals;
use crate::ir::remark::{At, Because};
use crate::ir::{self, Back, Function, Label, Mem, Node, Region, Value};

const NAME: &str = "interchange";

/// Interchanges the loops over turns and over invocations where that pays.
pub(super) fn interchange(f: &mut Function, body: &mut Region) {
    let invocations = f.invocations();
    if invocations < cost::INTERCHANGE_INVOCATIONS {
        if body.loops() > 0 {
            f.missed(NAME, At::Function, format!("a workgroup has only {invocations} invocations"));
        }
        return;
    }
    f.body = std::mem::take(body);
    let shapes = divergence::analyse(f, 1);
    *body = std::mem::take(&mut f.body);
    let uniform = (0..f.values.len() as u32).map(|i| shapes.of(Value(i)) == Shape::Uniform).collect();
    Interchange { literals: Literals::of(f), f, uniform }.region(body);
}

struct Interchange<'a> {
    f: &'a mut Function,
    literals: Literals,
    /// Whether a value is one for the workgroup; by value.
    uniform: Vec<bool>,
}

impl Interchange<'_> {
    /// A region that the whole workgroup runs together.
    fn region(&mut self, region: &mut Region) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            let has_barrier = node.has_barrier();
            match &mut node {
                Node::If { accept, reject, .. } if has_barrier => {
                    [accept, reject].into_iter().for_each(|arm| self.region(arm));
                }
                Node::Block { body, .. } | Node::Loop { body, .. } if has_barrier => self.region(body),
                Node::Block { label, body, .. } => nodes.extend(self.block(*label, body)),
                Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| self.passed(arm)),
                Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) | Node::Loop { .. } => {}
            }
            nodes.push(node);
        }
        region.nodes = nodes;
    }

    /// A region that some of the workgroup may not come to.
    fn passed(&self, region: &Region) {
        for node in &region.nodes {
            match node {
                Node::Loop { label, .. } => {
                    self.f.missed(NAME, *label, "it is in a branch, which some of the workgroup may not take");
                }
                node => node.regions().for_each(|region| self.passed(region)),
            }
        }
    }

    /// A block without barriers; gives what goes before it.
    fn block(&mut self, exit: Label, block: &mut Region) -> Vec<Node> {
        let Some(Node::Loop { label, .. }) = block.nodes.last() else { return Vec::new() };
        let label = *label;
        match self.pays(block).and_then(|memory| self.split(exit, block, memory).map(|nodes| (memory, nodes))) {
            Ok((memory, nodes)) => {
                let row = format!("each turn takes another row of {}", self.f.called(memory));
                self.f.done(NAME, label, row);
                nodes
            }
            Err(because) => {
                self.f.missed(NAME, label, because);
                Vec::new()
            }
        }
    }

    /// Interchanges the loop that a block ends in; gives what goes before the block.
    fn split(&mut self, exit: Label, block: &mut Region, memory: Mem) -> Result<Vec<Node>, Because> {
        let together = block.nodes.iter().all(|node| match node {
            Node::Loop { body, .. } => body.nodes.iter().all(|node| self.keeps_together(node)),
            node => self.keeps_together(node),
        });
        if together {
            let Some(Node::Loop { label, body, .. }) = block.nodes.last_mut() else {
                unreachable!("invariant interchange: the block ends in a loop")
            };
            body.nodes.insert(0, Node::Barrier);
            self.f.interchanged.push(ir::Interchange { label: *label, rest: None, memory, row: None });
            return Ok(Vec::new());
        }
        self.ahead(exit, block, memory).map_err(Into::into)
    }

    /// The memory whose rows make it worth while, if the block ends in a loop for which it is.
    fn pays(&self, block: &Region) -> Result<Mem, Because> {
        let Some(Node::Loop { label, params, init, body }) = block.nodes.last() else {
            return Err("nothing repeats".into());
        };
        let Back::End(next) = body.back(*label) else { return Err("it goes back from several places".into()) };
        if body.loops() > 0 {
            return Err("there is a loop in it".into());
        }
        if unroll::is_short(self.f, *label, (params, init), body) {
            return Err("it is short enough to be unrolled".into());
        }
        let induction = Induction::of(self.f, &self.uniform, (params, init), body, next);
        let memory = induction.rows(body)?;
        let (carried, most) = (induction.carried(params, body), cost::INTERCHANGE_CARRIED);
        if carried > most {
            let because = format!("each lane would keep {carried} numbers from turn to turn, and {most} is the most");
            return Err(because.into());
        }
        Ok(memory)
    }

    /// Whether all of the workgroup, or nobody, leaves the node for a label around it.
    fn keeps_together(&self, node: &Node) -> bool {
        match node {
            Node::If { condition, accept, reject, .. } if self.uniform[condition.index()] => {
                [accept, reject].into_iter().flat_map(|arm| &arm.nodes).all(|node| self.keeps_together(node))
            }
            node => !node.leaves(),
        }
    }
}
