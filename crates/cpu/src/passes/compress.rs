//! Compress stores: what the lanes of a subgroup append is written side by side at once.
//!
//! In `let rank = subgroupExclusiveAdd(u32(keep)); if keep { list[base + rank] = value; }` the lanes that come to the
//! store are those of which `rank` counts the ones before each: the `n`-th of them goes to `base + n`. So all that is
//! left to know is the first place, and machines have an instruction that packs the lanes of a mask. Where ranks are
//! counted with their own lane (`subgroupInclusiveAdd`), the first place is one further.
//!
//! The lanes are the same only as long as none leaves in between, so both the sum and the branch stand in one region,
//! and the store right in the branch. A sum of ones counts whoever is active, and is for stores beside it.

use std::collections::BTreeMap;

use super::dce::dce;
use crate::affine;
use crate::divergence::Shapes;
use crate::ir::{Address, Binary, Function, Group, Memory, Node, Op, Reach, Region, Subgroup, Term, Ty, Value};

const NAME: &str = "compress";

/// Which lane this is of those that a condition holds for.
#[derive(Debug, Clone, Copy)]
struct Rank {
    value: Value,
    /// Of all that are active, if `None`.
    of: Option<Value>,
    /// Whether its own lane counts.
    counts_itself: bool,
}

/// Turns stores at ranks of lanes into ones that pack them.
pub(super) fn compress(f: &mut Function, shapes: &Shapes) -> bool {
    if f.subgroup.is_none() {
        return false;
    }
    let mut body = std::mem::take(&mut f.body);
    let mut compress = Compress { f, shapes, ranks: BTreeMap::new() };
    compress.region(&mut body, Vec::new());
    let ranks = compress.ranks;
    let changed = ranks.values().any(|&packs| packs);
    for (&rank, _) in ranks.iter().filter(|(_, packs)| !**packs) {
        f.missed(
            NAME,
            rank,
            "nothing is stored at this number and what is the same for all, in a branch of those it counts",
        );
    }
    if changed {
        dce(f, &mut body);
    }
    f.body = body;
    changed
}

struct Compress<'a> {
    f: &'a mut Function,
    shapes: &'a Shapes,
    /// Which lane one is of those that something holds for, and whether something is stored there.
    ranks: BTreeMap<Value, bool>,
}

impl Compress<'_> {
    /// A region that is entered by the lanes of which `ranks` count all that come.
    fn region(&mut self, region: &mut Region, mut ranks: Vec<Rank>) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            match &mut node {
                Node::Let(value) => {
                    if let Some(rank) = self.rank(*value) {
                        self.ranks.insert(*value, false);
                        ranks.push(rank);
                    }
                }
                Node::Store { at, value, when: None } => {
                    if let Some(at) = self.packed(at, *value, &ranks, &mut nodes) {
                        nodes.push(Node::Group(Group::Compress { at, value: *value, when: None }));
                        continue;
                    }
                }
                Node::Store { when: Some(_), .. } | Node::Barrier => {}
                Node::If { condition, accept, reject, .. } => {
                    let [yes, no] = [true, false].map(|holds| self.taken(*condition, holds, &ranks));
                    self.region(accept, yes);
                    self.region(reject, no);
                }
                Node::Block { body, .. } | Node::Loop { body, .. } => self.region(body, Vec::new()),
                Node::Group(group) => group.region_mut().into_iter().for_each(|body| self.region(body, Vec::new())),
            }
            if node.leaves() {
                ranks.clear();
            }
            nodes.push(node);
        }
        region.nodes = nodes;
    }

    fn rank(&self, value: Value) -> Option<Rank> {
        let Op::Subgroup(Subgroup::Fold(Binary::Add, reach), args) = self.f.op(value) else { return None };
        let counts_itself = match reach {
            Reach::All => return None,
            Reach::UpTo => true,
            Reach::Before => false,
        };
        let of = match self.f.constant(args[0]) {
            Some(1) => None,
            _ => Some(self.f.condition_of(args[0])?),
        };
        (self.f.ty(value) == Ty::U32).then_some(Rank { value, of, counts_itself })
    }

    /// Ranks that count all who take a branch.
    fn taken(&self, condition: Value, holds: bool, ranks: &[Rank]) -> Vec<Rank> {
        let counted = |of: Value| of == condition && holds || self.is_not(of, condition) && !holds;
        let all = ranks.iter().filter(|rank| rank.of.is_some_and(counted));
        all.map(|rank| Rank { of: None, ..*rank }).collect()
    }

    fn is_not(&self, a: Value, b: Value) -> bool {
        let not = |a: Value, b: Value| matches!(self.f.op(a), Op::Unary(crate::ir::Unary::Not, of) if *of == b);
        not(a, b) || not(b, a)
    }

    /// The place of the first lane, if lanes follow one another by one of their ranks.
    fn packed(&mut self, at: &Address, value: Value, ranks: &[Rank], nodes: &mut Vec<Node>) -> Option<Address> {
        let [term] = at.terms[..] else { return None };
        let ty = self.f.ty(value);
        let shared = matches!(self.f.memories[at.memory.index()], Memory::Buffer { .. } | Memory::Workgroup { .. });
        if !shared || !matches!(ty.bytes(), 4 | 8) || term.stride != ty.bytes() {
            return None;
        }
        let mut rest = Vec::new();
        let rank = self.without_rank(term.index, ranks, &mut rest)?;
        let mut first = self.f.define(Ty::U32, Op::Const(rank.counts_itself.into()));
        for (op, part) in rest.into_iter().rev() {
            first = match (op, self.f.constant(first)) {
                (Binary::Add, Some(0)) => part,
                _ => self.f.emit(Ty::U32, Op::Binary(op, first, part), nodes),
            };
        }
        self.f.done(NAME, value, "the lanes that keep it store it side by side at once");
        self.ranks.insert(rank.value, true);
        Some(Address { terms: vec![Term { index: first, shown: None, ..term }], ..at.clone() })
    }

    /// The rank in a sum, and what else there is of it, the last first; all of it the same for the lanes.
    fn without_rank(&self, sum: Value, ranks: &[Rank], rest: &mut Vec<(Binary, Value)>) -> Option<Rank> {
        let mut sum = sum;
        loop {
            if let Some(rank) = ranks.iter().find(|rank| rank.value == sum && rank.of.is_none()) {
                return Some(*rank);
            }
            let same = |value: Value| self.shapes.of(value).is_scalar();
            let (op, part);
            (op, part, sum) = affine::peel(self.f, sum, &same)?;
            rest.push((op, part));
        }
    }
}
