//! Mutable numbers: Cranelift's variables.

use std::collections::HashMap;

use cranelift_codegen::cursor::{Cursor as _, FuncCursor};
use cranelift_codegen::ir::types::{F32, F64, I32, I64};
use cranelift_codegen::ir::{ConstantData, InstBuilder, Type, Value};
use cranelift_frontend::Variable;

use super::{Clif, part_type, scalar_type};
use crate::emit::Lanes;
use crate::ir::Ty;

/// A mutable number, or one for each lane.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Same(Variable),
    /// A word, likely to be an index, with zeros before it.
    Wide(Variable),
    Each(Vec<Variable>),
}

/// Cranelift's frontend has a table of all blocks for each variable: those of a function with
/// thousands of joins would take gigabytes. So variables are used again that nobody reads any more.
///
/// Code that no lane wants may read a cell that nobody has set. What another left there could lie
/// outside the range that is known of the value, so that each begins with zero.
#[derive(Default)]
pub(super) struct Variables {
    /// In the order in which they were taken.
    pub(super) used: Vec<(Type, Variable)>,
    free: HashMap<Type, Vec<Variable>>,
    zeros: HashMap<Type, Value>,
}

impl Variables {
    pub(super) fn give_up(&mut self, since: usize) {
        for (ty, variable) in self.used.drain(since..) {
            self.free.entry(ty).or_default().push(variable);
        }
    }
}

impl Clif<'_> {
    pub(super) fn declare(&mut self, ty: Ty, lanes: bool) -> Cell {
        if !lanes {
            return match ty {
                Ty::U32 => Cell::Wide(self.variable(I64)),
                _ => Cell::Same(self.variable(scalar_type(ty))),
            };
        }
        Cell::Each((0..self.parts(ty)).map(|_| self.variable(part_type(ty))).collect())
    }

    pub(super) fn variable(&mut self, ty: Type) -> Variable {
        let free = self.variables.free.get_mut(&ty).and_then(Vec::pop);
        let variable = free.unwrap_or_else(|| self.b.declare_var(ty));
        self.variables.used.push((ty, variable));
        let zero = self.zero_of(ty);
        self.b.def_var(variable, zero);
        variable
    }

    /// One for all, at the start of the function.
    fn zero_of(&mut self, ty: Type) -> Value {
        if let Some(&zero) = self.variables.zeros.get(&ty) {
            return zero;
        }
        let func = &mut *self.b.func;
        let vector = func.dfg.constants.insert(ConstantData::from(&[0; 16][..]));
        let entry = func.layout.entry_block().expect("invariant clif: code begins in a block");
        let mut at = FuncCursor::new(func).at_first_insertion_point(entry);
        let zero = match ty {
            F32 => at.ins().f32const(0.0),
            F64 => at.ins().f64const(0.0),
            _ if ty.is_vector() => at.ins().vconst(ty, vector),
            _ => at.ins().iconst(ty, 0),
        };
        self.variables.zeros.insert(ty, zero);
        zero
    }

    pub(super) fn assign(&mut self, cell: &Cell, value: &Lanes<Value, Vec<Value>>) {
        match (cell, value) {
            (Cell::Same(variable), Lanes::Same(value)) => self.b.def_var(*variable, *value),
            (Cell::Wide(variable), Lanes::Same(value)) => {
                let wide = self.widened(*value);
                self.b.def_var(*variable, wide);
            }
            (Cell::Each(variables), Lanes::Each(parts)) => {
                variables.iter().zip(parts).for_each(|(&variable, &part)| self.b.def_var(variable, part));
            }
            _ => unreachable!("invariant cells: {value:?} does not fit {cell:?}"),
        }
    }

    pub(super) fn read(&mut self, cell: &Cell) -> Lanes<Value, Vec<Value>> {
        match cell {
            Cell::Same(variable) => Lanes::Same(self.b.use_var(*variable)),
            Cell::Wide(variable) => {
                let wide = self.b.use_var(*variable);
                Lanes::Same(self.word(wide))
            }
            Cell::Each(variables) => Lanes::Each(variables.iter().map(|&variable| self.b.use_var(variable)).collect()),
        }
    }

    /// A word of which the zeros before it are known.
    pub(super) fn word(&mut self, wide: Value) -> Value {
        let word = self.b.ins().ireduce(I32, wide);
        self.words.insert(word, wide);
        word
    }

    pub(super) fn widened(&mut self, word: Value) -> Value {
        match self.words.get(&word) {
            Some(wide) => *wide,
            None => self.b.ins().uextend(I64, word),
        }
    }
}

#[cfg(test)]
mod tests {

    use cranelift_codegen::ir::{AbiParam, Function};
    use cranelift_codegen::isa::CallConv;
    use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
    use seawall_core::program::{Overrides, Program};

    use super::*;
    use crate::compile::{self, Analysed, Options};
    use crate::passes::Log;
    use crate::target::Backend;
    use crate::walk::{Part, frame::Frame, walk};

    /// How many a kernel needs that has so many loops, and barriers between them.
    fn variables(loops: usize) -> usize {
        let turns = "for (var k = 0u; k < x % 7u; k++) { if k == 5u { break; } x += k; } workgroupBarrier();\n";
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
            @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {{
                var x = v[i];
                {}
                v[i] = x;
            }}",
            turns.repeat(loops)
        );
        let kernel = Program::wgsl(&text).unwrap().kernel("main", &Overrides::new()).unwrap();
        let target = compile::target(Some(Backend::Cranelift)).unwrap();
        let Analysed { part, .. } = compile::analyse(&target, &kernel, Options::default(), Log::default()).unwrap();
        let Part { function: f, shapes, ranges } = part;
        let (mut function, mut scratch) = (Function::new(), FunctionBuilderContext::new());
        function.signature.params.extend([AbiParam::new(I64); 3]);
        let builder = FunctionBuilder::new(&mut function, &mut scratch);
        let features = crate::clif::Target::native().unwrap().features();
        let clif = Clif::new(builder, shapes.width, CallConv::Fast, features);
        let clif = walk(&f, &shapes, &ranges, &Frame::new(&f, &shapes), clif);
        let Variables { used, free, .. } = &clif.variables;
        used.len() + free.values().map(Vec::len).sum::<usize>()
    }

    #[test]
    fn more_loops_need_no_more_variables() {
        assert_eq!(variables(80), variables(40));
    }
}
