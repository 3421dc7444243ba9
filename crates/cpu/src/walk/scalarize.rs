//! Scalarized loads: rows of memory whose words lanes want one by one, as indices, stay where they are, and each
//! is fetched when its lane has its turn. To fetch them into vectors first, and then each from its
//! vector, takes twice as long as all the rest.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Walk, gather};
use crate::divergence::{Shape, Shapes};
use crate::emit::{Emit, Lanes};
use crate::ir::{Address, Binary, End, Function, Memory, Node, Op, Ty, Value};

/// What lanes want one by one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scalarized {
    /// Loads of rows, and where they are put together if some lanes lie outside.
    pub(crate) rows: BTreeMap<Value, u64>,
    /// What is made of them.
    pub(crate) steps: HashSet<Value>,
}

/// Operations between a word and the index that it becomes.
const STEPS_MAX: u32 = 4;

/// Where a value goes.
#[derive(Debug, Clone, Copy)]
enum Use {
    /// Into an address that is looked up lane by lane.
    Index,
    /// With a literal into another value.
    Step(Value),
    Other,
}

/// Finds loads that may stay in memory; not indices of what the machine gathers.
pub(crate) fn found(f: &Function, shapes: &Shapes, gathers: bool) -> Scalarized {
    let mut scalarized = Scalarized::default();
    if shapes.width == 1 {
        return scalarized;
    }
    let uses = uses(f, shapes, gathers);
    let mut loads = Vec::new();
    f.body.visit(&mut |region| {
        loads.extend(region.nodes.iter().filter_map(|node| match node {
            Node::Let(value) if is_row(f, shapes, *value) => Some(*value),
            _ => None,
        }));
    });
    for load in loads {
        let mut steps = Vec::new();
        if is_apart(&uses, load, &mut steps, STEPS_MAX) {
            scalarized.rows.insert(load, 0);
            scalarized.steps.extend(steps);
        }
    }
    scalarized
}

/// Whether a value is words that lie side by side, in memory that nobody writes.
fn is_row(f: &Function, shapes: &Shapes, value: Value) -> bool {
    let Op::Load { at, .. } = f.op(value) else { return false };
    let fixed = matches!(f.memories[at.memory.index()], Memory::Buffer { read_only: true, .. });
    let mut moving = at.terms.iter().filter(|term| !shapes.of(term.index).is_scalar());
    let (Some(term), None) = (moving.next(), moving.next()) else { return false };
    let beside = match shapes.of(term.index) {
        Shape::Linear(stride) => stride > 0 && stride.checked_mul(term.stride.into()) == Some(4),
        Shape::Uniform | Shape::Varying => false,
    };
    fixed && beside && matches!(f.ty(value), Ty::I32 | Ty::U32)
}

fn is_apart(uses: &HashMap<Value, Vec<Use>>, value: Value, steps: &mut Vec<Value>, left: u32) -> bool {
    let Some(uses_here) = uses.get(&value) else { return false };
    uses_here.iter().all(|at| match *at {
        Use::Index => true,
        Use::Step(next) => {
            steps.push(next);
            left > 0 && is_apart(uses, next, steps, left - 1)
        }
        Use::Other => false,
    })
}

fn uses(f: &Function, shapes: &Shapes, gathers: bool) -> HashMap<Value, Vec<Use>> {
    let mut uses: HashMap<Value, Vec<Use>> = HashMap::new();
    let mut add = |value: Value, at: Use| uses.entry(value).or_default().push(at);
    let index = |at: &Address, add: &mut dyn FnMut(Value, Use)| {
        for term in &at.terms {
            add(term.index, if shapes.of(term.index) == Shape::Varying { Use::Index } else { Use::Other });
        }
    };
    f.body.visit(&mut |region| {
        for node in &region.nodes {
            match node {
                Node::Let(value) => match f.op(*value) {
                    Op::Load { at, .. } if gathers && gather::is_gathered(f.ty(*value)) => {
                        at.each(|index| add(index, Use::Other));
                    }
                    Op::Load { at, .. } => index(at, &mut add),
                    Op::Atomic { at, value, compare, when, .. } => {
                        index(at, &mut add);
                        [*value].into_iter().chain(*compare).chain(*when).for_each(|operand| add(operand, Use::Other));
                    }
                    Op::Binary(op, a, b) if is_step(*op) && f.constant(*b).is_some() => add(*a, Use::Step(*value)),
                    other => other.each(|operand| add(operand, Use::Other)),
                },
                Node::Store { at, value, when } => {
                    if gathers && gather::is_gathered(f.ty(*value)) {
                        at.each(|index| add(index, Use::Other));
                    } else {
                        index(at, &mut add);
                    }
                    [*value].into_iter().chain(*when).for_each(|operand| add(operand, Use::Other));
                }
                Node::Group(group) => group.each(|value| add(value, Use::Other)),
                Node::Barrier | Node::Block { .. } => {}
                Node::If { condition, .. } => add(*condition, Use::Other),
                Node::Loop { init, .. } => init.iter().for_each(|&first| add(first, Use::Other)),
            }
        }
        if let End::Fall(args) | End::Jump(_, args) = &region.end {
            args.iter().for_each(|&arg| add(arg, Use::Other));
        }
    });
    uses
}

fn is_step(op: Binary) -> bool {
    matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::And | Binary::Or | Binary::Shl | Binary::Shr)
}

/// An index of an address that is looked up lane by lane.
pub(super) enum Index<E: Emit> {
    Lanes(Lanes<E::S, E::V>),
    Row {
        pointer: E::S,
        /// The second of the two words that were fetched last.
        second: Option<E::S>,
        /// What is made of a word: from the first operation to the last, with these literals.
        steps: Vec<(Binary, Ty, u64)>,
    },
}

impl<E: Emit> Walk<'_, E> {
    /// Whether a value is left in memory, or made when a lane wants it.
    pub(super) fn set_apart(&mut self, value: Value) -> bool {
        if self.frame.scalarized.steps.contains(&value) {
            return true;
        }
        let (Some(&area), Op::Load { at, .. }) = (self.frame.scalarized.rows.get(&value), self.f.op(value)) else {
            return false;
        };
        let pointer = self.place(at, self.f.ty(value), area);
        self.rows.insert(value, pointer);
        true
    }

    /// The indices of an address, to be taken lane by lane.
    pub(super) fn indices(&mut self, at: &Address) -> Vec<Index<E>> {
        at.terms.iter().map(|term| self.index(term.index)).collect()
    }

    fn index(&mut self, value: Value) -> Index<E> {
        let (mut from, mut steps) = (value, Vec::new());
        while let (true, Op::Binary(op, a, b)) = (self.frame.scalarized.steps.contains(&from), self.f.op(from)) {
            let literal =
                self.f.constant(*b).unwrap_or_else(|| unreachable!("invariant scalarized: steps have a literal"));
            steps.push((*op, self.f.ty(from), literal));
            from = *a;
        }
        steps.reverse();
        match self.rows.get(&from) {
            Some(&pointer) if self.frame.scalarized.rows.contains_key(&from) => {
                Index::Row { pointer, second: None, steps }
            }
            _ => Index::Lanes(self.lanes(value)),
        }
    }

    /// The indices of one lane, from the first lane to the last.
    pub(super) fn lane_indices(&mut self, indices: &mut [Index<E>], lane: u32) -> Vec<E::S> {
        indices.iter_mut().map(|index| self.lane_index(index, lane)).collect()
    }

    fn lane_index(&mut self, index: &mut Index<E>, lane: u32) -> E::S {
        match index {
            Index::Lanes(lanes) => self.lane_of(Ty::U32, lanes, lane),
            Index::Row { pointer, second, steps } => {
                let word = second.take().unwrap_or_else(|| {
                    let offset = self.u64(u64::from(lane) * u64::from(Ty::U32.bytes()));
                    let at = self.add64(*pointer, offset);
                    let [word, other] = self.e.pair(at);
                    *second = Some(other);
                    word
                });
                steps.iter().fold(word, |word, &(op, ty, literal)| {
                    let literal = self.e.constant(ty, literal);
                    self.binary(op, ty, word, literal)
                })
            }
        }
    }
}
