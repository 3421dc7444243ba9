//! Loops that only compute, for a known number of turns: an emitter may have a faster way for
//! those than for code in general.
//!
//! Such a loop carries numbers of each lane and one counter. It loads rows or single words that
//! lie evenly apart from turn to turn and inside their memory for sure, computes, and is left by
//! one test at its end. It stores nothing, and nobody need be able to stop it.

use std::collections::{BTreeMap, HashSet};

use crate::cost;
use crate::ir::{Address, Binary, End, Function, Helper, Label, Memory, Node, Op, Region, Term, Ty, Unary, Value};
use crate::range::Ranges;
use crate::shape::{Shape, Shapes};

/// A loop that only computes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf {
    pub(crate) label: Label,
    pub(crate) turns: u32,
    /// What each lane takes from turn to turn: its parameter, and what becomes of it in a turn.
    pub(crate) carried: Vec<(Value, Value)>,
    /// What each lane begins with, and of what type it is.
    pub(crate) init: Vec<(Value, Ty)>,
    pub(crate) counter: Counter,
    /// The counter and what is made of it, by how far that is ahead of it in each turn.
    pub(crate) counters: BTreeMap<Value, u32>,
    /// Numbers from outside.
    pub(crate) inputs: Vec<Value>,
    pub(crate) pointers: Vec<Pointer>,
    pub(crate) steps: Vec<Step>,
    /// Values that are one number for the whole lane group.
    pub(crate) even: HashSet<Value>,
    /// Where it is left to, and with what.
    pub(crate) exit: (Label, Vec<Value>),
}

/// What counts the turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Counter {
    pub(crate) param: Value,
    /// In the first turn.
    pub(crate) first: u32,
    pub(crate) step: u32,
}

/// A place that moves on with each turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pointer {
    /// Where it is in the first turn.
    pub(crate) at: Address,
    /// Bytes from one turn to the next.
    pub(crate) advance: u32,
}

/// Something that a turn does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    pub(crate) value: Value,
    pub(crate) ty: Ty,
    pub(crate) does: Does,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Does {
    /// So many bytes behind a pointer: one word for all lanes, or one for each side by side.
    Load {
        pointer: usize,
        offset: u32,
        row: bool,
    },
    Unary(Unary, Value),
    Binary(Binary, Value, Value),
    /// The first times the second plus the third, rounded once.
    Fused(Value, Value, Value),
}

impl Step {
    pub(crate) fn operands(&self) -> impl Iterator<Item = Value> {
        let operands = match self.does {
            Does::Load { .. } => [None; 3],
            Does::Unary(_, a) => [Some(a), None, None],
            Does::Binary(_, a, b) => [Some(a), Some(b), None],
            Does::Fused(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }
}

/// What is known about a function.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) f: &'a Function,
    pub(crate) shapes: &'a Shapes,
    pub(crate) ranges: &'a Ranges,
}

impl Leaf {
    /// A loop as a leaf, if it is one.
    pub(crate) fn of(known: Known, label: Label, params: &[Value], init: &[Value], body: &Region) -> Option<Self> {
        let f = known.f;
        let ([nodes @ .., Node::If { condition, accept, reject, .. }], End::Jump(back, next)) =
            (body.nodes.as_slice(), &body.end)
        else {
            return None;
        };
        let (End::Jump(exit, args), End::Fall(_)) = (&accept.end, &reject.end) else { return None };
        let plain =
            *back == label && accept.nodes.is_empty() && reject.nodes.is_empty() && nodes.len() <= cost::LEAF_STEPS;
        if !plain || *exit == label || !f.bounded.contains(&label) {
            return None;
        }
        let (counter, turns) = params
            .iter()
            .zip(init)
            .zip(next)
            .find_map(|((&param, &init), &next)| Counter::of(f, param, init, next, *condition))?;
        let carried: Vec<(Value, Value)> =
            params.iter().copied().zip(next.iter().copied()).filter(|&(param, _)| param != counter.param).collect();
        let init =
            params.iter().zip(init).filter(|(param, _)| **param != counter.param).map(|(_, &init)| (init, f.ty(init)));
        let lanes = |value: Value| is_word(f.ty(value)) && known.shapes.of(value) == Shape::Varying;
        if carried.is_empty() || !carried.iter().all(|&(param, next)| lanes(param) && lanes(next)) {
            return None;
        }
        let mut leaf = Self {
            label,
            turns,
            init: init.collect(),
            carried,
            counter,
            counters: BTreeMap::from([(counter.param, 0)]),
            inputs: Vec::new(),
            pointers: Vec::new(),
            steps: Vec::new(),
            even: HashSet::new(),
            exit: (*exit, args.clone()),
        };
        leaf.take(known, nodes, *condition)?;
        let pays = leaf.steps.len() * turns as usize >= cost::LEAF_WORK;
        (pays && leaf.leaves_with_its_own(*condition)).then_some(leaf)
    }

    /// The steps of a turn.
    fn take(&mut self, known: Known, nodes: &[Node], condition: Value) -> Option<()> {
        let f = known.f;
        let mut inside: HashSet<Value> = self.carried.iter().map(|&(param, _)| param).collect();
        for node in nodes {
            let &Node::Let(value) = node else { return None };
            if value == condition {
                continue;
            }
            let ty = f.ty(value);
            let does = match f.op(value) {
                Op::Binary(Binary::Add, a, b) if self.counters.contains_key(a) => {
                    let step = u32::try_from(f.constant(*b)?).ok()?;
                    self.counters.insert(value, self.counters[a].checked_add(step)?);
                    continue;
                }
                Op::Load { at, .. } => self.load(known, &inside, at)?,
                &Op::Unary(op @ Unary::Sqrt, a) if ty == Ty::F32 => Does::Unary(op, a),
                &Op::Binary(op, a, b) if computes(op, ty) => Does::Binary(op, a, b),
                Op::Call(Helper::Fma, args) => match **args {
                    [a, b, c] => Does::Fused(a, b, c),
                    _ => return None,
                },
                _ => return None,
            };
            if !is_word(ty) {
                return None;
            }
            let step = Step { value, ty, does };
            for operand in step.operands() {
                if self.counters.contains_key(&operand) || operand == condition {
                    return None;
                }
                if !inside.contains(&operand) && !self.inputs.contains(&operand) {
                    self.inputs.push(operand);
                }
            }
            inside.insert(value);
            self.steps.push(step);
        }
        let values = self.steps.iter().map(|step| step.value).chain(self.inputs.iter().copied());
        self.even = values.filter(|&value| known.shapes.of(value).is_scalar()).collect();
        Some(())
    }

    fn load(&mut self, known: Known, inside: &HashSet<Value>, at: &Address) -> Option<Does> {
        let f = known.f;
        if !matches!(f.memories[at.memory.index()], Memory::Buffer { .. } | Memory::Workgroup { .. }) {
            return None;
        }
        let (mut offset, mut advance, mut row) = (at.offset, 0_u32, false);
        let mut terms = Vec::with_capacity(at.terms.len());
        for term in &at.terms {
            if inside.contains(&term.index) || !known.ranges.is_within(term, known.shapes.of(term.index)) {
                return None;
            }
            match known.shapes.of(term.index) {
                shape if shape.is_scalar() => {}
                Shape::Linear(1) if term.stride == 4 && !row => row = true,
                _ => return None,
            }
            let (index, ahead) = match self.counters.get(&term.index) {
                Some(&ahead) => {
                    advance = advance.checked_add(self.counter.step.checked_mul(term.stride)?)?;
                    (self.counter.param, ahead)
                }
                None => apart(known, term.index),
            };
            offset = offset.checked_add(ahead.checked_mul(term.stride)?)?;
            terms.push(Term { index, ..*term });
        }
        let same = |pointer: &Pointer| {
            let alike = |(a, b): (&Term, &Term)| (a.index, a.stride) == (b.index, b.stride);
            let (memory, all) = (pointer.at.memory, &pointer.at.terms);
            memory == at.memory && all.len() == terms.len() && all.iter().zip(&terms).all(alike)
        };
        let pointer = self.pointers.iter().position(same).unwrap_or_else(|| {
            let at = Address { memory: at.memory, offset: 0, terms: terms.clone() };
            self.pointers.push(Pointer { at, advance });
            self.pointers.len() - 1
        });
        Some(Does::Load { pointer, offset, row })
    }

    /// Whether it multiplies and adds in one.
    pub(crate) fn fuses(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.does, Does::Fused(..)))
    }

    /// What is so far ahead of the counter when the loop is left.
    pub(crate) fn last(&self, ahead: u32) -> u32 {
        let Counter { first, step, .. } = self.counter;
        first.wrapping_add(step.wrapping_mul(self.turns - 1)).wrapping_add(ahead)
    }

    /// Whether each parameter becomes something that a turn makes, or stays as it is, and the loop
    /// is left with nothing else that was made in it.
    fn leaves_with_its_own(&self, condition: Value) -> bool {
        let made = |value: Value| self.steps.iter().any(|step| step.value == value);
        let stays = |&(param, next): &(Value, Value)| param == next || made(next);
        let brought = |arg: &Value| {
            let inside = made(*arg) || *arg == condition || self.carried.iter().any(|(param, _)| param == arg);
            !inside || self.carried.iter().any(|(_, next)| next == arg)
        };
        self.carried.iter().all(stays) && self.exit.1.iter().all(brought)
    }
}

impl Counter {
    /// A parameter that begins with a literal and grows by literals, as the loop's test wants it;
    /// and after how many turns the loop is left.
    fn of(f: &Function, param: Value, init: Value, next: Value, condition: Value) -> Option<(Self, u32)> {
        let first = u32::try_from(f.constant(init)?).ok()?;
        let (mut at, mut step) = (next, 0_u32);
        while let (true, Op::Binary(Binary::Add, a, b)) = (at != param, f.op(at)) {
            (at, step) = (*a, step.checked_add(u32::try_from(f.constant(*b)?).ok()?)?);
        }
        let Op::Binary(test, a, b) = *f.op(condition) else { return None };
        let limit = f.constant(b).filter(|_| at == param && a == next)?;
        let mut now = first;
        for turn in 1..=cost::UNROLL_TURNS {
            now = now.checked_add(step)?;
            if test.decide(f.ty(a), now.into(), limit)? {
                return Some((Self { param, first, step }, turn));
            }
        }
        None
    }
}

/// Numbers of one word.
fn is_word(ty: Ty) -> bool {
    matches!(ty, Ty::F32 | Ty::I32 | Ty::U32)
}

fn computes(op: Binary, ty: Ty) -> bool {
    match op {
        Binary::Add | Binary::Sub | Binary::Mul => is_word(ty),
        Binary::Div | Binary::Min | Binary::Max => ty == Ty::F32,
        Binary::And | Binary::Or | Binary::Xor => matches!(ty, Ty::I32 | Ty::U32),
        Binary::Rem | Binary::Shl | Binary::Shr => false,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => false,
    }
}

/// An id plus a literal as both, so that places beside each other have one pointer.
fn apart(known: Known, index: Value) -> (Value, u32) {
    let Op::Binary(Binary::Add, a, b) = *known.f.op(index) else { return (index, 0) };
    let (Op::Builtin(_), Some(ahead)) = (known.f.op(a), known.f.constant(b)) else { return (index, 0) };
    let fits = known.ranges.high(a).is_some_and(|high| high + ahead <= u32::MAX.into());
    if fits { (a, ahead as u32) } else { (index, 0) }
}
