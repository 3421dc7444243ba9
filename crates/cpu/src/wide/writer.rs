//! Writes a loop: registers for what is carried, held and made on the way, and its steps.

use std::collections::HashMap;

use super::asm::{self, Asm, Source, Ymm};
use super::{Block, Code, PART};
use crate::ir::{Binary, Ty, Value};
use crate::leaf::{Does, Leaf, Step};

/// Steps that a turn of the machine's loop may have, if it does several of the leaf's.
const STEPS_MAX: usize = 48;

/// Where a value is: the same in all parts, or one place for each.
#[derive(Debug, Clone)]
enum Place {
    Same(Source),
    Each(Vec<Source>),
}

impl Place {
    fn sources(&self) -> &[Source] {
        match self {
            Self::Same(source) => std::slice::from_ref(source),
            Self::Each(sources) => sources,
        }
    }

    fn part(&self, part: usize) -> Source {
        match self {
            Self::Same(source) => *source,
            Self::Each(sources) => sources[part],
        }
    }
}

pub(super) struct Writer<'a> {
    leaf: &'a Leaf,
    parts: usize,
    /// The last step that uses a value.
    last: &'a HashMap<Value, usize>,
    block: Block,
    /// Inputs that stay in registers.
    held: usize,
    free: Vec<Ymm>,
    places: HashMap<Value, Place>,
    /// Where what is carried stays, for each part.
    homes: Vec<Vec<Ymm>>,
    asm: Asm,
}

impl<'a> Writer<'a> {
    pub(super) fn new(leaf: &'a Leaf, width: u32, last: &'a HashMap<Value, usize>, held: usize) -> Option<Self> {
        let mut writer = Self {
            leaf,
            parts: (width / PART) as usize,
            last,
            block: Block::of(leaf, width),
            held,
            free: (0..16).rev().map(Ymm).collect(),
            places: HashMap::new(),
            homes: Vec::new(),
            asm: Asm::default(),
        };
        for &(param, _) in &leaf.carried {
            let home = writer.take(writer.parts)?;
            writer.places.insert(param, Place::Each(home.iter().copied().map(Source::Register).collect()));
            writer.homes.push(home);
        }
        for (i, &input) in leaf.inputs.iter().enumerate() {
            let place = writer.input(i, input)?;
            writer.places.insert(input, place);
        }
        Some(writer)
    }

    fn take(&mut self, count: usize) -> Option<Vec<Ymm>> {
        let rest = self.free.len().checked_sub(count)?;
        Some(self.free.split_off(rest))
    }

    /// Bytes from the start of the block to a part of what lanes carry or of an input.
    fn offset(&self, i: usize, part: usize) -> i32 {
        self.block.lanes(i) + part as i32 * asm::BYTES
    }

    fn input(&mut self, i: usize, input: Value) -> Option<Place> {
        let even = self.leaf.even.contains(&input);
        let parts = if even { 1 } else { self.parts };
        let sources: Vec<Source> = if i < self.held {
            self.take(parts)?.into_iter().map(Source::Register).collect()
        } else {
            let slot = self.leaf.carried.len() + i;
            (0..parts).map(|part| Source::Memory(asm::BLOCK, self.offset(slot, part))).collect()
        };
        Some(if even { Place::Same(sources[0]) } else { Place::Each(sources) })
    }

    pub(super) fn write(mut self) -> Option<Code> {
        for i in 0..self.leaf.pointers.len() {
            self.asm.pointer(asm::POINTERS[i], asm::BLOCK, self.block.pointer(i));
        }
        let leaf = self.leaf;
        for (i, value) in leaf.carried.iter().map(|(param, _)| param).chain(&leaf.inputs).enumerate() {
            for (part, source) in self.places[value].sources().iter().enumerate() {
                if let Source::Register(at) = source {
                    self.asm.load_halves(*at, asm::BLOCK, self.offset(i, part));
                }
            }
        }
        let fits = |by: &u32| leaf.turns.is_multiple_of(*by) && leaf.steps.len() * *by as usize <= STEPS_MAX;
        let by = [4, 2].into_iter().find(fits).unwrap_or(1);
        let again = self.asm.times(leaf.turns / by);
        self.turns(by)?;
        self.asm.repeat(again);
        for i in 0..self.homes.len() {
            for part in 0..self.parts {
                self.asm.store(asm::BLOCK, self.offset(i, part), self.homes[i][part]);
            }
        }
        self.asm.leave();
        Some(Code { label: self.leaf.label, bytes: self.asm.bytes, text: self.asm.text })
    }

    fn turns(&mut self, by: u32) -> Option<()> {
        for turn in 0..by {
            for (i, step) in self.leaf.steps.iter().enumerate() {
                self.step(i, step, turn)?;
            }
            self.come_home();
        }
        for (pointer, &at) in self.leaf.pointers.iter().zip(&asm::POINTERS) {
            let bytes = i32::try_from(pointer.advance.checked_mul(by)?).ok()?;
            if bytes != 0 {
                self.asm.advance(at, bytes);
            }
        }
        Some(())
    }

    /// What is carried goes where the next turn looks for it.
    fn come_home(&mut self) {
        for (i, (param, next)) in self.leaf.carried.iter().enumerate() {
            for part in 0..self.parts {
                let (home, now) = (self.homes[i][part], self.places[next].part(part));
                if param != next && now != Source::Register(home) {
                    self.asm.copy(home, now);
                }
            }
        }
        for step in &self.leaf.steps {
            if let Some(place) = self.places.remove(&step.value) {
                self.release(&place);
            }
        }
    }

    fn release(&mut self, place: &Place) {
        for source in place.sources() {
            if let Source::Register(at) = source
                && !self.homes.iter().flatten().any(|home| home == at)
            {
                self.free.push(*at);
            }
        }
    }

    fn step(&mut self, i: usize, step: &Step, turn: u32) -> Option<()> {
        let carried = self.leaf.carried.iter().position(|(_, next)| *next == step.value);
        if carried.is_none() && !self.last.contains_key(&step.value) {
            return Some(());
        }
        let place = self.place(i, step, carried)?;
        let parts = match &place {
            Place::Same(_) => 1,
            Place::Each(_) => self.parts,
        };
        for part in 0..parts {
            let Source::Register(to) = place.part(part) else {
                unreachable!("invariant places: what is made stands in a register")
            };
            self.part(step, to, part, turn)?;
        }
        self.places.insert(step.value, place);
        for operand in step.operands() {
            let made = self.leaf.steps.iter().any(|step| step.value == operand);
            let carried = self.leaf.carried.iter().any(|(_, next)| *next == operand);
            if made
                && !carried
                && self.last[&operand] == i
                && let Some(place) = self.places.remove(&operand)
            {
                self.release(&place);
            }
        }
        Some(())
    }

    /// Where a step's value goes: what is carried straight home, if nobody wants what is there.
    fn place(&mut self, i: usize, step: &Step, carried: Option<usize>) -> Option<Place> {
        if let Some(home) = carried {
            let (param, _) = self.leaf.carried[home];
            if self.last.get(&param).is_none_or(|&last| last <= i) {
                return Some(Place::Each(self.homes[home].iter().copied().map(Source::Register).collect()));
            }
        }
        let even = self.leaf.even.contains(&step.value);
        let registers = self.take(if even { 1 } else { self.parts })?;
        let mut sources = registers.into_iter().map(Source::Register);
        if even { sources.next().map(Place::Same) } else { Some(Place::Each(sources.collect())) }
    }

    fn part(&mut self, step: &Step, to: Ymm, part: usize, turn: u32) -> Option<()> {
        match step.does {
            Does::Load { pointer, offset, row } => {
                let ahead = self.leaf.pointers[pointer].advance.checked_mul(turn)?.checked_add(offset)?;
                let (at, ahead) = (asm::POINTERS[pointer], i32::try_from(ahead).ok()?);
                if row {
                    let ahead = ahead.checked_add(part as i32 * asm::BYTES)?;
                    self.asm.copy(to, Source::Memory(at, ahead));
                } else {
                    self.asm.broadcast(to, at, ahead);
                }
            }
            Does::Unary(_, a) => self.asm.unary(asm::SQRT, to, self.places[&a].part(part)),
            Does::Binary(op, a, b) => {
                let (a, b) = (self.places[&a].part(part), self.places[&b].part(part));
                // The machine's choice between two that are not ordered is its second operand.
                let (a, b) = if matches!(op, Binary::Min | Binary::Max) { (b, a) } else { (a, b) };
                self.binary(operation(op, step.ty), to, a, b, commutes(op))?;
            }
            Does::Fused(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|operand| self.places[&operand].part(part));
                let here = Source::Register(to);
                if c != here && (a == here || b == here) {
                    let sum = self.take(1)?[0];
                    self.asm.copy(sum, c);
                    self.binary(asm::FUSED, sum, a, b, true)?;
                    self.asm.copy(to, Source::Register(sum));
                    self.free.push(sum);
                } else {
                    if c != here {
                        self.asm.copy(to, c);
                    }
                    self.binary(asm::FUSED, to, a, b, true)?;
                }
            }
        }
        Some(())
    }

    /// An operation whose first operand must stand in a register.
    fn binary(&mut self, op: asm::Operation, to: Ymm, a: Source, b: Source, commutes: bool) -> Option<()> {
        match (a, b) {
            (Source::Register(a), b) => self.asm.binary(op, to, a, b),
            (a, Source::Register(b)) if commutes => self.asm.binary(op, to, b, a),
            (a, b) => {
                let scratch = self.take(1)?[0];
                self.asm.copy(scratch, a);
                self.asm.binary(op, to, scratch, b);
                self.free.push(scratch);
            }
        }
        Some(())
    }
}

fn commutes(op: Binary) -> bool {
    matches!(op, Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor)
}

fn operation(op: Binary, ty: Ty) -> asm::Operation {
    match (op, ty) {
        (Binary::Add, Ty::F32) => asm::ADD,
        (Binary::Sub, Ty::F32) => asm::SUB,
        (Binary::Mul, Ty::F32) => asm::MUL,
        (Binary::Div, Ty::F32) => asm::DIV,
        (Binary::Min, Ty::F32) => asm::MIN,
        (Binary::Max, Ty::F32) => asm::MAX,
        (Binary::Add, _) => asm::ADD_WORDS,
        (Binary::Sub, _) => asm::SUB_WORDS,
        (Binary::Mul, _) => asm::MUL_WORDS,
        (Binary::And, _) => asm::AND,
        (Binary::Or, _) => asm::OR,
        (Binary::Xor, _) => asm::XOR,
        _ => unreachable!("invariant leaves: {op:?} of {ty:?} is no step of one"),
    }
}
