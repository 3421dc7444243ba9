//! Interleaved accesses, words of elements that lie one after another: whole vectors in memory, transposed in registers.

use cranelift_codegen::ir::types::{F64X2, I8X16, I32X4, I64X2};
use cranelift_codegen::ir::{ConstantData, InstBuilder, Value};

use super::{Clif, PART, part_type, plain};
use crate::emit::interleave::{VECTOR, WORD, pieces, runs, skip};
use crate::ir::Ty;

/// Words of two vectors, the first's and the second's in turn: the lower and the upper halves.
const LOW: [u8; 4] = [0, 4, 1, 5];
const HIGH: [u8; 4] = [2, 6, 3, 7];

impl Clif<'_> {
    pub(super) fn load_rows(&mut self, pointer: Value, step: u32, words: &[(u32, Ty)]) -> Vec<Vec<Value>> {
        let end = words.iter().map(|(at, _)| at + WORD).max().unwrap_or(0);
        let pieces = pieces(words, end);
        let mut found: Vec<Vec<Value>> = vec![Vec::new(); words.len()];
        for part in 0..self.width / PART {
            for &start in &pieces {
                let columns = self.columns(pointer, step, part, start, end);
                for ((at, ty), found) in words.iter().zip(&mut found) {
                    if found.len() == part as usize && (start..start + VECTOR).contains(at) {
                        let column = columns[((at - start) / WORD) as usize];
                        found.push(self.as_type(part_type(*ty), column));
                    }
                }
            }
        }
        found
    }

    /// The words from `start` on of four lanes' elements, which end at `end`.
    fn columns(&mut self, pointer: Value, step: u32, part: u32, start: u32, end: u32) -> [Value; 4] {
        let first = part * PART * step;
        if step == 2 * WORD {
            let [a, b] = [first, first + VECTOR].map(|at| self.row(pointer, at));
            let (even, odd) = (self.shuffle(a, b, [0, 2, 4, 6]), self.shuffle(a, b, [1, 3, 5, 7]));
            return [even, odd, even, odd];
        }
        let rows = [0, 1, 2, 3].map(|lane| {
            let at = first + lane * step + start;
            let skip = skip(part * PART + lane + 1 == self.width, start, end);
            let row = self.row(pointer, at - skip);
            if skip == 0 {
                return row;
            }
            self.shuffle(row, row, [0, 1, 2, 3].map(|word| (word + skip / WORD).min(3) as u8))
        });
        self.transpose(rows)
    }

    /// Writes the words and nothing between them.
    pub(super) fn store_rows(&mut self, pointer: Value, step: u32, words: &[(u32, Ty)], values: &[Vec<Value>]) {
        let runs = runs(words);
        for part in 0..self.width / PART {
            for run in &runs {
                let these: Vec<Value> = run.iter().map(|&i| self.as_type(I8X16, values[i][part as usize])).collect();
                self.store_columns(pointer, part * PART * step + words[run[0]].0, step, &these);
            }
        }
    }

    /// Neighbouring words of four lanes' elements: one, two or four.
    fn store_columns(&mut self, pointer: Value, at: u32, step: u32, columns: &[Value]) {
        let place = |lane: u32| (at + lane * step) as i32;
        match columns {
            &[a, b, c, d] => {
                for (lane, row) in (0..).zip(self.transpose([a, b, c, d])) {
                    self.b.ins().store(plain(), row, pointer, place(lane));
                }
            }
            &[a, b] => {
                let pairs = [self.shuffle(a, b, LOW), self.shuffle(a, b, HIGH)];
                for (lane, pair) in [0, 2].into_iter().zip(pairs) {
                    if step == 2 * WORD {
                        self.b.ins().store(plain(), pair, pointer, place(lane));
                        continue;
                    }
                    let (low, high) = (self.as_type(F64X2, pair), self.as_type(I64X2, pair));
                    let (low, high) = (self.b.ins().extractlane(low, 0), self.b.ins().extractlane(high, 1));
                    self.b.ins().store(plain(), low, pointer, place(lane));
                    self.b.ins().store(plain(), high, pointer, place(lane + 1));
                }
            }
            alone => {
                for &column in alone {
                    let column = self.as_type(I32X4, column);
                    for lane in 0..PART {
                        let word = self.b.ins().extractlane(column, lane as u8);
                        self.b.ins().store(plain(), word, pointer, place(lane));
                    }
                }
            }
        }
    }

    fn row(&mut self, pointer: Value, at: u32) -> Value {
        self.b.ins().load(I8X16, plain(), pointer, at as i32)
    }

    /// Words of the first operand and, from 4 on, of the second.
    pub(super) fn shuffle(&mut self, a: Value, b: Value, words: [u8; 4]) -> Value {
        let [a, b] = [a, b].map(|part| self.as_type(I8X16, part));
        let bytes: Vec<u8> = words.iter().flat_map(|&word| (0..4).map(move |byte| word * 4 + byte)).collect();
        let mask = self.b.func.dfg.immediates.push(ConstantData::from(bytes));
        self.b.ins().shuffle(a, b, mask)
    }

    fn transpose(&mut self, [a, b, c, d]: [Value; 4]) -> [Value; 4] {
        let low = [self.shuffle(a, b, LOW), self.shuffle(c, d, LOW)];
        let high = [self.shuffle(a, b, HIGH), self.shuffle(c, d, HIGH)];
        let mut pairs = |[x, y]: [Value; 2]| [self.shuffle(x, y, [0, 1, 4, 5]), self.shuffle(x, y, [2, 3, 6, 7])];
        let ([a, b], [c, d]) = (pairs(low), pairs(high));
        [a, b, c, d]
    }
}
