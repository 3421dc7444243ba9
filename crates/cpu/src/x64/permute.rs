//! Lanes that change places.

use super::form::{Val, args};
use super::op::Op;
use super::reg::Bits;
use super::vector::V;
use super::{X64, lane_bytes};
use crate::emit::{Lanes, Prim};
use crate::ir::Ty;

impl X64 {
    pub(super) fn permuted(&mut self, ty: Ty, value: &[Val], from: &[Option<u32>]) -> Vec<Val> {
        if ty == Ty::Bool && self.has_opmasks() {
            let (bits, lanes) = (self.bits_of(ty), Lanes::Each(value.to_vec()));
            let words = self.lane_op(Prim::Convert(Ty::Bool), Ty::U32, Ty::Bool, &[lanes]);
            let moved = self.permuted(Ty::U32, &words, from);
            return moved.into_iter().map(|part| self.is_set(bits, part)).collect();
        }
        from.chunks(self.lanes_of(ty) as usize).map(|from| self.permuted_part(ty, value, from)).collect()
    }

    /// One vector: of each that it takes lanes from, those in their places, over one another.
    fn permuted_part(&mut self, ty: Ty, value: &[Val], from: &[Option<u32>]) -> Val {
        let (lanes, bits) = (self.lanes_of(ty), self.bits_of(ty));
        let words = lane_bytes(ty) / 4;
        let mut all = self.words(bits, 0);
        let mut sources: Vec<u32> = from.iter().flatten().map(|lane| lane / lanes).collect();
        sources.sort_unstable();
        sources.dedup();
        for source in sources {
            // By words: which of the source's each place gets, if any.
            let place =
                |lane: &Option<u32>| lane.filter(|lane| lane / lanes == source).map(|lane| lane % lanes * words);
            let wanted: Vec<Option<u32>> = from
                .iter()
                .map(place)
                .flat_map(|first| (0..words).map(move |word| first.map(|first| first + word)))
                .collect();
            let moved = self.moved(bits, value[source as usize], &wanted);
            let taken: u32 = wanted.iter().zip(0..).map(|(word, at)| u32::from(word.is_some()) << at).sum();
            all = if taken == (1 << wanted.len()) - 1 {
                moved
            } else if self.has_opmasks() {
                let mask = self.opmask(taken);
                self.form.pure(Op::V(V::Choose, bits, 0), args([all, moved, mask]))
            } else {
                self.v2i(V::BlendD, bits, all, moved, taken as u8)
            };
        }
        all
    }

    /// Words of a vector in other places; whatever it is where none is wanted.
    fn moved(&mut self, bits: Bits, vector: Val, wanted: &[Option<u32>]) -> Val {
        let in_place = wanted.iter().zip(0..).all(|(word, at)| word.is_none_or(|word| word == at));
        if in_place {
            return vector;
        }
        match bits {
            Bits::X => {
                let how = wanted.iter().enumerate().map(|(at, word)| (word.unwrap_or(0) as u8) << (2 * at)).sum();
                self.vi(V::ShuffleD, bits, vector, how)
            }
            Bits::Y | Bits::Z => {
                let numbers: Vec<u8> = wanted.iter().flat_map(|word| word.unwrap_or(0).to_le_bytes()).collect();
                let numbers = self.pool(&numbers);
                self.v2(V::PermuteD, bits, numbers, vector)
            }
        }
    }
}
