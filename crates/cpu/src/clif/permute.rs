//! Lanes that change places.

use cranelift_codegen::ir::types::{I8X16, I32};
use cranelift_codegen::ir::{ConstantData, InstBuilder, Value};

use super::{Clif, PART, lanes_of, part_type};
use crate::ir::Ty;

impl Clif<'_> {
    /// The signs of 32 lanes as bits.
    pub(super) fn sign_bits(&mut self, mask: &[Value], word: u32) -> Value {
        let parts = 32 / PART as usize;
        let parts = mask.iter().skip(word as usize * parts).take(parts).copied().collect::<Vec<_>>();
        let mut bits = self.int(I32, 0);
        for (at, part) in parts.into_iter().enumerate() {
            let high = self.b.ins().vhigh_bits(I32, part);
            let placed = if at == 0 { high } else { self.b.ins().ishl_imm_s(high, at as i64 * i64::from(PART)) };
            bits = if at == 0 { placed } else { self.b.ins().bor(bits, placed) };
        }
        bits
    }

    pub(super) fn permuted(&mut self, ty: Ty, value: &[Value], from: &[Option<u32>]) -> Vec<Value> {
        from.chunks(lanes_of(ty) as usize).map(|from| self.permuted_part(ty, value, from)).collect()
    }

    /// One vector, of at most two others and zeros where that will do.
    fn permuted_part(&mut self, ty: Ty, value: &[Value], from: &[Option<u32>]) -> Value {
        let (lanes, bytes) = (lanes_of(ty), ty.bytes().max(4) as u8);
        let mut sources: Vec<Option<u32>> = Vec::new();
        for source in from.iter().map(|from| from.map(|from| from / lanes)) {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        let in_place = |(at, from): (usize, &Option<u32>)| from.is_some_and(|from| from % lanes == at as u32);
        match sources[..] {
            [None] => self.zero_part(ty),
            [Some(part)] if from.iter().enumerate().all(in_place) => value[part as usize],
            [_] | [_, _] => {
                let inputs: Vec<Value> = sources
                    .iter()
                    .map(|source| {
                        let part = source.map_or_else(|| self.zero_part(ty), |part| value[part as usize]);
                        self.as_type(I8X16, part)
                    })
                    .collect();
                let mask = from.iter().flat_map(|from| {
                    let input = sources.iter().position(|source| *source == from.map(|from| from / lanes)).unwrap_or(0);
                    let first = 16 * input as u8 + bytes * (from.unwrap_or(0) % lanes) as u8;
                    first..first + bytes
                });
                let mask = self.b.func.dfg.immediates.push(ConstantData::from(mask.collect::<Vec<u8>>()));
                let shuffled = self.b.ins().shuffle(inputs[0], *inputs.last().unwrap_or(&inputs[0]), mask);
                self.as_type(part_type(ty), shuffled)
            }
            _ => {
                let zero = self.zero_lane(ty);
                let numbers: Vec<Value> =
                    from.iter().map(|from| from.map_or(zero, |from| self.lane_at(ty, value, from))).collect();
                self.pack_lanes(ty, &numbers)[0]
            }
        }
    }

    fn zero_part(&mut self, ty: Ty) -> Value {
        let zeros = self.vector_constant([0; 4]);
        self.as_type(part_type(ty), zeros)
    }

    fn zero_lane(&mut self, ty: Ty) -> Value {
        use crate::emit::Emit;
        self.constant(ty, 0)
    }
}
