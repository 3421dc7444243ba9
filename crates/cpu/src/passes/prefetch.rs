//! Software prefetching: which memory the next workgroup reads, to be asked for while this one is busy
//! with its own.
//!
//! What a workgroup loads before a barrier comes from memory, and what it does after it mostly from
//! its own: a tree of sums, say, during which nothing would be on its way. The processor foresees
//! loads that go on and on, but not beyond a page, and not where the next workgroup begins. So a
//! barrier is where the extents of the next workgroup are asked for: those of loads whose index is a
//! literal, the local index and the workgroup's number along x, each times a literal. It need not
//! be right, for asking changes nothing: where x starts again, the wrong extents are asked for.

use std::collections::BTreeMap;

use crate::divergence::Shapes;
use crate::ir::{Access, Address, Extent, Function, Group, Kind, Memory, Node, Region, Ty};
use crate::{affine, cost};

const NAME: &str = "prefetch";

/// No buffer is so long, and places in one can be added up.
const FAR_BYTES: u64 = 1 << 48;

/// Asks for extents of the next workgroup at barriers.
pub(super) fn prefetch(f: &mut Function, _: &Shapes) -> bool {
    let mut found = Found {
        f,
        barriers: 0,
        once: Vec::new(),
        open: Vec::new(),
        left: cost::PREFETCH_BYTES,
        extents: BTreeMap::new(),
    };
    found.region(&f.body, true);
    let mut extents = spread(found.extents, &found.once);
    for (barrier, extent) in
        extents.iter().flat_map(|(barrier, extents)| extents.iter().map(move |extent| (barrier, extent)))
    {
        f.done(NAME, extent.memory, format!("{} bytes for the next workgroup, at barrier {barrier}", extent.bytes));
    }
    if !extents.is_empty() {
        insert(&mut f.body, &mut 0, &mut extents);
    }
    false
}

/// Puts what is to be asked for behind the barriers, which are counted in the same order.
fn insert(region: &mut Region, barriers: &mut u32, extents: &mut BTreeMap<u32, Vec<Extent>>) {
    let mut nodes = Vec::with_capacity(region.nodes.len());
    for mut node in std::mem::take(&mut region.nodes) {
        let barrier = node == Node::Barrier;
        match &mut node {
            Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
            Node::If { accept, reject, .. } => {
                [accept, reject].into_iter().for_each(|arm| insert(arm, barriers, extents));
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => insert(body, barriers, extents),
        }
        nodes.push(node);
        if barrier {
            let asked = extents.remove(barriers).unwrap_or_default();
            nodes.extend(asked.into_iter().map(|extent| Node::Group(Group::Prefetch(extent))));
            *barriers += 1;
        }
    }
    region.nodes = nodes;
}

struct Found<'a> {
    f: &'a Function,
    barriers: u32,
    /// Barriers that a workgroup comes to once.
    once: Vec<u32>,
    /// Loaded since the last barrier.
    open: Vec<Extent>,
    /// Bytes that may still be asked for.
    left: u64,
    extents: BTreeMap<u32, Vec<Extent>>,
}

impl Found<'_> {
    /// `once`: whether a workgroup comes here no more than once.
    fn region(&mut self, region: &Region, once: bool) {
        for node in &region.nodes {
            let load = node.access(self.f).filter(|access| once && access.kind == Kind::Load);
            self.open.extend(load.and_then(|Access { at, ty, .. }| extent(self.f, at, ty)));
            match node {
                Node::Let(_) | Node::Store { .. } | Node::Group(_) => {}
                Node::Barrier => {
                    if once {
                        self.close();
                        self.once.push(self.barriers);
                    }
                    self.barriers += 1;
                }
                Node::If { .. } | Node::Block { .. } => node.regions().for_each(|inner| self.region(inner, once)),
                Node::Loop { body, .. } => self.region(body, false),
            }
        }
    }

    /// What was loaded before a barrier is asked for there, as far as there is room.
    fn close(&mut self) {
        let mut extents = Vec::new();
        for extent in merged(std::mem::take(&mut self.open)) {
            if extent.bytes > self.left {
                let most = cost::PREFETCH_BYTES;
                self.f.missed(NAME, extent.memory, format!("{} bytes are more than is left of {most}", extent.bytes));
                continue;
            }
            self.left -= extent.bytes;
            extents.push(extent);
        }
        if !extents.is_empty() {
            self.extents.insert(self.barriers, extents);
        }
    }
}

/// Gives parts of what a barrier should ask for to those that follow.
fn spread(extents: BTreeMap<u32, Vec<Extent>>, once: &[u32]) -> BTreeMap<u32, Vec<Extent>> {
    let mut all: BTreeMap<u32, Vec<Extent>> = BTreeMap::new();
    for (first, extents) in extents {
        let mut barriers = once.iter().copied().filter(|&barrier| barrier > first);
        let (mut barrier, mut left) = (first, cost::PREFETCH_SHARE);
        for mut extent in extents {
            while extent.bytes > 0 {
                if left == 0 {
                    (barrier, left) = barriers.next().map_or((barrier, u64::MAX), |next| (next, cost::PREFETCH_SHARE));
                }
                let bytes = extent.bytes.min(left);
                all.entry(barrier).or_default().push(Extent { bytes, ..extent });
                (extent.start, extent.bytes, left) = (extent.start + bytes, extent.bytes - bytes, left - bytes);
            }
        }
    }
    all
}

/// Rows that overlap or touch become one.
fn merged(mut extents: Vec<Extent>) -> Vec<Extent> {
    extents.sort_unstable();
    let mut all: Vec<Extent> = Vec::new();
    for extent in extents {
        match all.last_mut() {
            Some(last)
                if (last.memory, last.step) == (extent.memory, extent.step)
                    && extent.start <= last.start + last.bytes =>
            {
                last.bytes = last.bytes.max(extent.start + extent.bytes - last.start);
            }
            _ => all.push(extent),
        }
    }
    all
}

/// The extent that a workgroup loads from a place, if it is one.
fn extent(f: &Function, at: &Address, ty: Ty) -> Option<Extent> {
    let (Memory::Buffer { .. }, [term]) = (&f.memories[at.memory.index()], at.terms.as_slice()) else { return None };
    let [local, group, rest] = affine::sum(f, term.index)?.map(|number| number.checked_mul(term.stride.into()));
    let (local, step, start) = (local?, group?, rest?.checked_add(at.offset.into())?);
    let invocations = u64::from(f.invocations());
    let bytes = local.checked_mul(invocations - 1)?.checked_add(ty.bytes().into())?;
    let near = (1..=cost::PREFETCH_STEP).contains(&local) && step.max(start) <= FAR_BYTES;
    (near && step >= bytes).then_some(Extent { memory: at.memory, step, start, bytes })
}
