//! Induction variables: how numbers move from turn to turn of a loop, and how they lie along a workgroup.

use std::collections::HashMap;

use crate::affine;
use crate::cost;
use crate::ir::{Access, Binary, Function, Kind, Mem, Memory, Op, Region, Turns, Ty, Value};

/// How far a number moves in each turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    By(i64),
    /// By something that is the same for the workgroup, and not known.
    Far,
}

/// The numbers of a loop.
pub(super) struct Induction<'a> {
    f: &'a Function,
    /// Whether a value is one for the workgroup; by value.
    uniform: &'a [bool],
    /// Parameters to which each turn adds what is the same for the workgroup: the first value, and
    /// what is added.
    pub(super) moves: HashMap<Value, (Value, Value)>,
    pub(super) turns: Turns,
}

impl<'a> Induction<'a> {
    pub(super) fn of(
        f: &'a Function,
        uniform: &'a [bool],
        (params, init): (&[Value], &[Value]),
        body: &Region,
        next: &[Value],
    ) -> Self {
        let mut induction = Self { f, uniform, moves: HashMap::new(), turns: Turns::of(params, body) };
        for ((&param, &first), &next) in params.iter().zip(init).zip(next) {
            let added = f.added(param, next).filter(|&added| integer(f.ty(param)) && induction.is_uniform(added));
            induction.moves.extend(added.map(|added| (param, (first, added))));
        }
        induction
    }

    pub(super) fn is_uniform(&self, value: Value) -> bool {
        self.uniform.get(value.index()).is_some_and(|&uniform| uniform)
    }

    /// How much a number grows from one invocation to the next, modulo 2³².
    pub(super) fn slope(&self, value: Value) -> Option<i64> {
        // What moves from turn to turn by the same for all grows as it did before the first.
        let leaf = |value: Value| match self.moves.get(&value) {
            _ if self.is_uniform(value) => Some(0),
            Some((first, _)) => self.slope(*first).map(|slope| slope as u32),
            None => None,
        };
        if self.is_uniform(value) {
            return Some(0);
        }
        affine::step(self.f, value, &leaf).map(|step| i64::from(step as i32))
    }

    fn step(&self, value: Value, depth: u32) -> Option<Step> {
        if !self.turns.make(value) {
            return Some(Step::By(0));
        }
        if let Some((_, added)) = self.moves.get(&value) {
            let known = self.f.constant(*added).map(|bits| Step::By(i64::from(bits as u32 as i32)));
            return Some(known.unwrap_or(Step::Far));
        }
        let depth = depth.checked_sub(1)?;
        let of = |value: Value| self.step(value, depth);
        match *self.f.op(value) {
            Op::Binary(op, a, b) => match (of(a)?, of(b)?) {
                (Step::By(0), Step::By(0)) => Some(Step::By(0)),
                (Step::By(x), Step::By(y)) => {
                    let by = affine::combine(self.f, op, [a, b], [x as u32, y as u32])?;
                    Some(Step::By(i64::from(by as i32)))
                }
                _ if matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Shl) => Some(Step::Far),
                _ => None,
            },
            Op::Convert(a) | Op::Bitcast(a) if integer(self.f.ty(a)) => of(a),
            _ => None,
        }
    }

    /// The memory of which each turn takes another row, if no turn reads or writes here and there.
    pub(super) fn rows(&self, body: &Region) -> Result<Mem, &'static str> {
        let (mut rows, mut scattered) = (None, false);
        body.accesses(self.f, &mut |Access { kind, at, ty, .. }| {
            // An update waits for its line anyhow.
            let is_buffer = matches!(self.f.memories[at.memory.index()], Memory::Buffer { .. });
            if kind == Kind::Atomic || !is_buffer {
                return;
            }
            let slopes: Vec<Option<i64>> = at.terms.iter().map(|term| self.slope(term.index)).collect();
            scattered |= slopes.contains(&None);
            for (term, slope) in at.terms.iter().zip(slopes) {
                let dense = slope.is_some_and(|slope| slope.saturating_mul(term.stride.into()) == ty.bytes().into());
                if dense && self.is_far(term.index) {
                    rows = Some(at.memory);
                }
            }
        });
        match rows {
            _ if scattered => Err("its turns read or write buffers here and there"),
            Some(memory) => Ok(memory),
            None => Err("no turn takes a row of a buffer beyond the last one's"),
        }
    }

    /// Whether each turn's row lies beyond the last one's.
    fn is_far(&self, index: Value) -> bool {
        match self.step(index, cost::AFFINE_DEPTH) {
            Some(Step::By(n)) => n.unsigned_abs() >= self.f.invocations().into(),
            Some(Step::Far) => true,
            None => false,
        }
    }

    /// How many numbers of its own a lane would carry from turn to turn, or find in each.
    pub(super) fn carried(&self, params: &[Value], body: &Region) -> usize {
        let own = |value: &Value| self.slope(*value).is_none() && self.f.constant(*value).is_none();
        let used = body.uses(self.f).into_keys();
        let found = used.filter(|&value| !self.turns.make(value) && own(&value)).count();
        found + params.iter().filter(|param| own(param)).count()
    }
}

/// Whether numbers of a type are 32 bits that wrap.
pub(super) fn integer(ty: Ty) -> bool {
    matches!(ty, Ty::I32 | Ty::U32)
}
