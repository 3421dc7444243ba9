//! Software prefetching: which memory the next workgroup reads, to be asked for while this one is busy
//! with its own.
//!
//! What a workgroup loads before a barrier comes from memory, and what it does after it mostly from
//! its own: a tree of sums, say, during which nothing would be on its way. The processor foresees
//! loads that go on and on, but not beyond a page, and not where the next workgroup begins. So a
//! barrier is where the rows of the next workgroup are asked for: those of loads whose index is a
//! literal, the local index and the workgroup's number along x, each times a literal. It need not
//! be right, for asking changes nothing: where x starts again, the wrong rows are asked for.

use std::collections::BTreeMap;

use crate::divergence::Shapes;
use crate::ir::{Address, Function, Group, Memory, Node, Op, Region, Row, Ty};
use crate::{affine, cost};

const NAME: &str = "prefetch";

/// Asks for rows of the next workgroup at barriers.
pub(super) fn prefetch(f: &mut Function, _: &Shapes) -> bool {
    let mut found =
        Found { f, barriers: 0, once: Vec::new(), open: Vec::new(), left: cost::PREFETCH_BYTES, rows: BTreeMap::new() };
    found.region(&f.body, true);
    let mut rows = spread(found.rows, &found.once);
    for (barrier, row) in rows.iter().flat_map(|(barrier, rows)| rows.iter().map(move |row| (barrier, row))) {
        f.done(NAME, row.memory, format!("{} bytes for the next workgroup, at barrier {barrier}", row.bytes));
    }
    if !rows.is_empty() {
        insert(&mut f.body, &mut 0, &mut rows);
    }
    false
}

/// Puts what is to be asked for behind the barriers, which are counted in the same order.
fn insert(region: &mut Region, barriers: &mut u32, rows: &mut BTreeMap<u32, Vec<Row>>) {
    let mut nodes = Vec::with_capacity(region.nodes.len());
    for mut node in std::mem::take(&mut region.nodes) {
        let barrier = node == Node::Barrier;
        match &mut node {
            Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
            Node::If { accept, reject, .. } => {
                [accept, reject].into_iter().for_each(|arm| insert(arm, barriers, rows));
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => insert(body, barriers, rows),
        }
        nodes.push(node);
        if barrier {
            let asked = rows.remove(barriers).unwrap_or_default();
            nodes.extend(asked.into_iter().map(|row| Node::Group(Group::Prefetch(row))));
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
    open: Vec<Row>,
    /// Bytes that may still be asked for.
    left: u64,
    rows: BTreeMap<u32, Vec<Row>>,
}

impl Found<'_> {
    /// `once`: whether a workgroup comes here no more than once.
    fn region(&mut self, region: &Region, once: bool) {
        for node in &region.nodes {
            match node {
                Node::Let(value) => {
                    if let (true, Op::Load { at, .. }) = (once, self.f.op(*value)) {
                        self.open.extend(row(self.f, at, self.f.ty(*value)));
                    }
                }
                Node::Store { .. } | Node::Group(_) => {}
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
        let mut rows = Vec::new();
        for row in merged(std::mem::take(&mut self.open)) {
            if row.bytes <= self.left {
                self.left -= row.bytes;
                rows.push(row);
            }
        }
        if !rows.is_empty() {
            self.rows.insert(self.barriers, rows);
        }
    }
}

/// Gives parts of what a barrier should ask for to those that follow.
fn spread(rows: BTreeMap<u32, Vec<Row>>, once: &[u32]) -> BTreeMap<u32, Vec<Row>> {
    let mut all: BTreeMap<u32, Vec<Row>> = BTreeMap::new();
    for (first, rows) in rows {
        let mut barriers = once.iter().copied().filter(|&barrier| barrier > first);
        let (mut barrier, mut left) = (first, cost::PREFETCH_SHARE);
        for mut row in rows {
            while row.bytes > 0 {
                if left == 0 {
                    (barrier, left) = barriers.next().map_or((barrier, u64::MAX), |next| (next, cost::PREFETCH_SHARE));
                }
                let bytes = row.bytes.min(left);
                all.entry(barrier).or_default().push(Row { bytes, ..row });
                (row.start, row.bytes, left) = (row.start + bytes, row.bytes - bytes, left - bytes);
            }
        }
    }
    all
}

/// Rows that overlap or touch become one.
fn merged(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_unstable();
    let mut all: Vec<Row> = Vec::new();
    for row in rows {
        match all.last_mut() {
            Some(last)
                if (last.memory, last.step) == (row.memory, row.step) && row.start <= last.start + last.bytes =>
            {
                last.bytes = last.bytes.max(row.start + row.bytes - last.start);
            }
            _ => all.push(row),
        }
    }
    all
}

/// The row that a workgroup loads from a place, if it is one.
fn row(f: &Function, at: &Address, ty: Ty) -> Option<Row> {
    let (Memory::Buffer { .. }, [term]) = (&f.memories[at.memory.index()], at.terms.as_slice()) else { return None };
    let [local, group, rest] = affine::sum(f, term.index)?.map(|number| number.checked_mul(term.stride.into()));
    let (local, step, start) = (local?, group?, rest?.checked_add(at.offset.into())?);
    let invocations: u64 = f.workgroup_size.iter().map(|&n| u64::from(n)).product();
    let bytes = local.checked_mul(invocations - 1)?.checked_add(ty.bytes().into())?;
    ((1..=cost::PREFETCH_STEP).contains(&local) && step >= bytes).then_some(Row {
        memory: at.memory,
        step,
        start,
        bytes,
    })
}
