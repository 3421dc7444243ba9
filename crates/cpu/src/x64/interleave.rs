//! Interleaved accesses, words of elements that lie one after another: whole vectors in memory, transposed in registers. A part
//! of eight lanes is two of four side by side, which change places at once.

use super::X64;
use super::form::Val;
use super::op::Width;
use super::reg::Bits;
use super::vector::V;
use crate::emit::interleave::{VECTOR, WORD, pieces, runs, skip};
use crate::ir::Ty;

/// Lanes whose elements are transposed together.
const LANES: u32 = 4;

impl X64 {
    pub(super) fn load_rows(&mut self, pointer: Val, step: u32, words: &[(u32, Ty)]) -> Vec<Vec<Val>> {
        let end = words.iter().map(|(at, _)| at + WORD).max().unwrap_or(0);
        let pieces = pieces(words, end);
        let mut found: Vec<Vec<Val>> = vec![Vec::new(); words.len()];
        for part in 0..self.parts(Ty::U32) {
            for &start in &pieces {
                let columns = self.columns(pointer, step, part, start, end);
                for ((at, _), found) in words.iter().zip(&mut found) {
                    if found.len() == part as usize && (start..start + VECTOR).contains(at) {
                        found.push(columns[((at - start) / WORD) as usize]);
                    }
                }
            }
        }
        found
    }

    /// The words from `start` on of a part's elements, which end at `end`.
    fn columns(&mut self, pointer: Val, step: u32, part: u32, start: u32, end: u32) -> [Val; 4] {
        let (lanes, bits) = (self.lanes_of(Ty::U32), self.bits_of(Ty::U32));
        let first = part * lanes * step;
        if step == 2 * WORD {
            let [a, b] = [0, VECTOR].map(|ahead| {
                let quarters: Vec<Val> =
                    (0..lanes / LANES).map(|four| self.row(pointer, first + four * LANES * step + ahead)).collect();
                self.joined(Ty::U32, Bits::X, &quarters)[0]
            });
            let [even, odd] = [0b10_00_10_00, 0b11_01_11_01].map(|how| self.v2i(V::ShufflePs, bits, a, b, how));
            return [even, odd, even, odd];
        }
        let rows = [0, 1, 2, 3].map(|lane| {
            let quarters: Vec<Val> = (0..lanes / LANES)
                .map(|four| {
                    let lane = four * LANES + lane;
                    let at = first + lane * step + start;
                    let skip = skip(part * lanes + lane + 1 == self.width, start, end);
                    let row = self.row(pointer, at - skip);
                    if skip == 0 {
                        return row;
                    }
                    let how = (0..4).map(|word| ((word + skip / WORD).min(3) as u8) << (2 * word)).sum();
                    self.vi(V::ShuffleD, Bits::X, row, how)
                })
                .collect();
            self.joined(Ty::U32, Bits::X, &quarters)[0]
        });
        self.transpose(bits, rows)
    }

    /// Writes the words and nothing between them.
    pub(super) fn store_rows(&mut self, pointer: Val, step: u32, words: &[(u32, Ty)], values: &[Vec<Val>]) {
        let (runs, lanes) = (runs(words), self.lanes_of(Ty::U32));
        for part in 0..self.parts(Ty::U32) {
            for run in &runs {
                let these: Vec<Val> = run.iter().map(|&i| values[i][part as usize]).collect();
                self.store_columns(pointer, part * lanes * step + words[run[0]].0, step, &these);
            }
        }
    }

    /// Neighbouring words of a part's elements: one, two or four.
    fn store_columns(&mut self, pointer: Val, at: u32, step: u32, columns: &[Val]) {
        let bits = self.bits_of(Ty::U32);
        let place = |four: u32, lane: u32| (at + (four * LANES + lane) * step) as i32;
        match *columns {
            [a, b, c, d] => {
                for (lane, row) in (0..).zip(self.transpose(bits, [a, b, c, d])) {
                    for (four, quarter) in (0..).zip(self.quarters(bits, row)) {
                        self.store_as(Width::Vector(Bits::X), pointer, place(four, lane), quarter);
                    }
                }
            }
            [a, b] => {
                let pairs = [V::UnpackLowD, V::UnpackHighD].map(|op| self.v2(op, bits, a, b));
                for (lane, pair) in [0, 2].into_iter().zip(pairs) {
                    for (four, quarter) in (0..).zip(self.quarters(bits, pair)) {
                        if step == 2 * WORD {
                            self.store_as(Width::Vector(Bits::X), pointer, place(four, lane), quarter);
                            continue;
                        }
                        let high = self.v2(V::UnpackHighQ, Bits::X, quarter, quarter);
                        self.store_as(Width::Long, pointer, place(four, lane), quarter);
                        self.store_as(Width::Long, pointer, place(four, lane + 1), high);
                    }
                }
            }
            _ => {
                for &column in columns {
                    for (four, quarter) in (0..).zip(self.quarters(bits, column)) {
                        for lane in 0..LANES {
                            let word =
                                if lane == 0 { quarter } else { self.vi(V::ShuffleD, Bits::X, quarter, lane as u8) };
                            self.store_as(Width::Single, pointer, place(four, lane), word);
                        }
                    }
                }
            }
        }
    }

    fn row(&mut self, pointer: Val, at: u32) -> Val {
        self.load_as(Width::Vector(Bits::X), pointer, at as i32)
    }

    fn transpose(&mut self, bits: Bits, [a, b, c, d]: [Val; 4]) -> [Val; 4] {
        let low = [[a, b], [c, d]].map(|[a, b]| self.v2(V::UnpackLowD, bits, a, b));
        let high = [[a, b], [c, d]].map(|[a, b]| self.v2(V::UnpackHighD, bits, a, b));
        let mut pairs = |[x, y]: [Val; 2]| [V::UnpackLowQ, V::UnpackHighQ].map(|op| self.v2(op, bits, x, y));
        let ([a, b], [c, d]) = (pairs(low), pairs(high));
        [a, b, c, d]
    }
}
