//! What stands before a function's body: its sizes, its memories and its side tables.

use seawall_core::diag::Span;

use super::{Parser, named, number, ty};
use crate::ir::{Atomic, Coarsened, EVEN, Interchange, Kept, Label, LabelKind, Mem, Memory, Private, Shape, Value};

impl Parser {
    pub(super) fn head(&mut self) -> Result<(), String> {
        self.expect("kernel")?;
        self.f.name = self.next().unwrap_or_default();
        self.expect("workgroup")?;
        for d in 0..3 {
            self.f.workgroup_size[d] = self.word("size")?;
            self.expect(if d < 2 { "," } else { "\n" })?;
        }
        loop {
            match self.peek().to_owned().as_str() {
                "callee" => {
                    self.at += 1;
                    self.f.is_callee = true;
                }
                "subgroup" => {
                    self.at += 1;
                    self.f.subgroup = Some(self.word("size")?);
                }
                "workgroup-bytes" => {
                    self.at += 1;
                    self.f.workgroup_bytes = self.word("size")?;
                }
                "call" => {
                    self.at += 1;
                    let work = self.word("number")?;
                    self.f.calls.push(work);
                }
                "interchanged" => self.interchanged()?,
                "coarsened" => self.coarsened()?,
                "bounded" => {
                    self.at += 1;
                    let label = self.loop_label()?;
                    self.f.bounded.insert(label);
                }
                "cold" => {
                    self.at += 1;
                    let label = self.label()?;
                    self.f.cold.insert(label);
                }
                "private" => self.private()?,
                "nontemporal" => {
                    self.at += 1;
                    let memory = Mem(self.id('m')?);
                    self.f.nontemporal.insert(memory);
                }
                "scalarized" => {
                    self.at += 1;
                    let value = Value(self.id('v')?);
                    self.f.scalarized.insert(value);
                }
                "tile" => {
                    self.at += 1;
                    self.f.tile = self.word("number")?;
                }
                "outlives" => {
                    self.at += 1;
                    self.expect("groups")?;
                    self.f.outlives = true;
                }
                "slot" => self.slot()?,
                // Not the loop itself, which has parameters.
                "loop" if !self.tokens[self.at..].iter().take(3).any(|token| token == "(") => {
                    self.at += 1;
                    let label = self.loop_label()?;
                    let mut span = None;
                    if self.take("at") {
                        let start = self.word("place")?;
                        self.expect("to")?;
                        span = Some(Span { start, end: self.word("place")? });
                    }
                    self.f.loops.push((label, span));
                }
                token if number(token, 'm').is_some() => self.memory()?,
                _ => return Ok(()),
            }
            self.expect("\n")?;
        }
    }

    /// That of a loop, which may be gone.
    fn loop_label(&mut self) -> Result<Label, String> {
        let label = self.label()?;
        self.f.labels[label.index()] = LabelKind::Loop;
        Ok(label)
    }

    fn interchanged(&mut self) -> Result<(), String> {
        self.at += 1;
        let label = self.loop_label()?;
        self.expect("of")?;
        let memory = Mem(self.id('m')?);
        let rest = if self.take("rest") { Some(self.loop_label()?) } else { None };
        let row = if self.take("row") { Some(self.word("number of bytes")?) } else { None };
        self.f.interchanged.push(Interchange { label, rest, memory, row });
        Ok(())
    }

    fn coarsened(&mut self) -> Result<(), String> {
        self.at += 1;
        let label = self.loop_label()?;
        self.expect("of")?;
        let memory = Mem(self.id('m')?);
        self.expect("by")?;
        let by = self.word("number")?;
        self.expect("in")?;
        let dimension = self.word("dimension")?;
        self.f.coarsened.push(Coarsened { by, dimension, label, memory });
        Ok(())
    }

    fn private(&mut self) -> Result<(), String> {
        self.at += 1;
        let memory = Mem(self.id('m')?);
        let fun = self.next().unwrap_or_default();
        let fun = named(&Atomic::ALL, &fun).ok_or_else(|| format!("`{fun}` is no atomic"))?;
        let name = self.next().unwrap_or_default();
        let ty = ty(&name).ok_or_else(|| format!("`{name}` is no type"))?;
        let bytes = self.word("number of bytes")?;
        self.f.privates.insert(memory, Private { fun, ty, bytes });
        Ok(())
    }

    fn slot(&mut self) -> Result<(), String> {
        self.at += 1;
        let number = self.id('s')?;
        if number as usize != self.f.slots.len() {
            return Err(format!("s{number} is not the next slot"));
        }
        let name = self.next().unwrap_or_default();
        let ty = ty(&name).ok_or_else(|| format!("`{name}` is no type"))?;
        let shape = match self.next().unwrap_or_default().as_str() {
            "uniform" => Shape::Uniform,
            "even" => EVEN,
            "linear" => {
                self.expect("(")?;
                let stride = self.word("stride")?;
                self.expect(")")?;
                Shape::Linear(stride)
            }
            "varying" => Shape::Varying,
            other => return Err(format!("`{other}` is no shape")),
        };
        let every = self.take("for");
        if every {
            self.expect("all")?;
        }
        self.f.slots.push(Kept { ty, shape, every });
        Ok(())
    }

    fn memory(&mut self) -> Result<(), String> {
        let number = self.id('m')?;
        if number as usize != self.f.memories.len() {
            return Err(format!("m{number} is not the next memory"));
        }
        self.expect("=")?;
        let memory = match self.next().unwrap_or_default().as_str() {
            "buffer" => {
                let buffer = self.word("buffer")?;
                Memory::Buffer { buffer, read_only: self.take("read-only"), aliased: self.take("aliased") }
            }
            "workgroup" => {
                self.expect("at")?;
                Memory::Workgroup { start: self.word("place")? }
            }
            "private" => {
                let slots = self.word("number")?;
                self.expect("slots")?;
                self.expect("of")?;
                let slot_bytes = self.word("number")?;
                self.expect("bytes")?;
                Memory::Private { slots, slot_bytes }
            }
            "constants" => {
                let name = self.next().unwrap_or_default();
                let ty = ty(&name).ok_or_else(|| format!("`{name}` is no type"))?;
                let mut bits = Vec::new();
                while self.peek() != "\n" {
                    bits.push(self.bits()?);
                }
                Memory::Constants { ty, bits }
            }
            other => return Err(format!("`{other}` is no memory")),
        };
        self.f.memories.push(memory);
        Ok(())
    }
}
