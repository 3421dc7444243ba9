//! A workgroup: what runs once for all of it, around the pieces between barriers.

use std::collections::BTreeSet;

use super::Walk;
use super::control::{Flow, Target};
use super::fission::{self, Part};
use crate::emit::Emit;
use crate::ir::{Binary, End, Node, Region, Ty, Value};

impl<E: Emit> Walk<'_, E> {
    pub(super) fn workgroup_body(&mut self) {
        self.poll(None);
        self.clean();
        let body = &self.f.body;
        if body.has_barrier() {
            let body = body.clone();
            self.outer_body(&body);
        } else {
            self.piece(&body.nodes, &End::Fall(Vec::new()));
        }
    }

    /// Scratch memory as a workgroup should find it.
    pub(super) fn clean(&mut self) {
        if self.frame.zeroed_bytes > 0 {
            self.zero(0, self.frame.zeroed_bytes);
        }
        for area in self.frame.gone.values().copied().collect::<Vec<_>>() {
            self.zero(area.start, area.group_stride * u64::from(self.frame.groups));
        }
    }

    /// The body, or a part of it that ends where the next begins.
    pub(super) fn outer_body(&mut self, body: &Region) {
        if self.outer(body, &[]) == Flow::Closed {
            let nowhere = self.e.block();
            self.e.enter(nowhere);
        }
    }

    /// A region that runs once for the workgroup; `results` are where it falls to.
    fn outer(&mut self, region: &Region, results: &[Value]) -> Flow {
        let parts = fission::parts(region, &self.frame.outer, self.shapes);
        for part in parts {
            let flow = self.with_cells(|this| match part {
                Part::Piece(range) => {
                    this.piece(&region.nodes[range], &End::default());
                    Flow::On
                }
                Part::Whole(i) => {
                    this.follow();
                    this.whole(&region.nodes[i])
                }
            });
            if flow == Flow::Closed {
                return flow;
            }
        }
        match &region.end {
            End::Fall(args) => {
                self.copy(results, args);
                Flow::On
            }
            End::Jump(label, args) => {
                let Some(Target::Direct { block, .. }) = self.targets.get(label).cloned() else {
                    unreachable!("invariant fission: {label} is a label of the workgroup")
                };
                let params = self.params[label].clone();
                self.copy(&params, args);
                self.e.jump(block);
                Flow::Closed
            }
            End::Unreachable => Flow::Idle,
        }
    }

    fn whole(&mut self, node: &Node) -> Flow {
        match node {
            Node::Let(_) | Node::Store { .. } => unreachable!("invariant fission: plain nodes are in pieces"),
            // One worker runs the whole workgroup, so that whoever comes later sees all.
            Node::Barrier => {
                self.fetch_next();
                Flow::On
            }
            Node::If { condition, accept, reject, results } => {
                let condition = self.uniform(*condition);
                let [a, b, on] = [self.e.block(), self.e.block(), self.e.block()];
                self.e.branch(condition, a, b);
                let mut flow = Flow::Closed;
                for (block, arm) in [(a, accept), (b, reject)] {
                    self.e.enter(block);
                    if self.outer(arm, results) != Flow::Closed {
                        self.e.jump(on);
                        flow = Flow::On;
                    }
                }
                if flow != Flow::Closed {
                    self.e.enter(on);
                }
                flow
            }
            Node::Block { label, body, results } => {
                let on = self.e.block();
                self.targets.insert(*label, Target::Direct { block: on, params: Vec::new(), mask: None });
                self.around.push(*label);
                if self.outer(body, results) != Flow::Closed {
                    self.e.jump(on);
                }
                self.around.pop();
                self.targets.remove(label);
                self.e.enter(on);
                self.welcome(*label);
                Flow::On
            }
            Node::Loop { label, params, init, body } => {
                self.copy(params, init);
                let (head, back) = (self.e.block(), self.e.block());
                self.e.jump(head);
                self.e.enter(head);
                self.targets.insert(*label, Target::Direct { block: back, params: Vec::new(), mask: None });
                // What comes later in the body has happened before in the next turn.
                let later = self.frame.gone.keys().filter(|&&to| fission::jumps_to(node, &BTreeSet::from([to])));
                self.left.extend(later);
                self.around.push(*label);
                let flow = self.outer(body, &[]);
                self.around.pop();
                self.targets.remove(label);
                debug_assert!(flow == Flow::Closed, "invariant loops: a body does not fall");
                self.e.enter(back);
                self.welcome(*label);
                self.poll(Some(*label));
                self.e.jump(head);
                Flow::Closed
            }
        }
    }

    /// At a barrier, asks for what the next workgroup reads.
    pub(super) fn fetch_next(&mut self) {
        for row in self.next.remove(&self.barrier).unwrap_or_default() {
            let (group, step) = (self.widen(self.workgroup[0]), self.u64(row.step));
            let offset = self.binary(Binary::Mul, Ty::U64, group, step);
            let (start, ahead) = (self.start(row.memory), self.u64(row.step + row.start));
            let at = self.add64(start, offset);
            let at = self.add64(at, ahead);
            self.e.fetch(at, row.bytes);
        }
        self.barrier += 1;
    }
}
