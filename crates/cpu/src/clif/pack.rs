//! From numbers to lanes and back.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I32X4, I64X2};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::{Clif, lanes_of, part_type};
use crate::ir::Ty;

impl Clif<'_> {
    pub(super) fn splat_lanes(&mut self, ty: Ty, value: Value) -> Vec<Value> {
        let part = match ty {
            Ty::Bool => {
                let wide = self.b.ins().uextend(I32, value);
                let ones = self.b.ins().ineg(wide);
                self.b.ins().splat(I32X4, ones)
            }
            _ => self.b.ins().splat(part_type(ty), value),
        };
        vec![part; self.parts(ty) as usize]
    }

    pub(super) fn lane_at(&mut self, ty: Ty, value: &[Value], lane: u32) -> Value {
        let (part, at) = ((lane / lanes_of(ty)) as usize, (lane % lanes_of(ty)) as u8);
        if matches!(ty, Ty::I32 | Ty::U32) {
            return self.half(value[part], at);
        }
        let number = self.b.ins().extractlane(value[part], at);
        if ty == Ty::Bool { self.b.ins().icmp_imm_s(IntCC::NotEqual, number, 0) } else { number }
    }

    pub(super) fn pack_lanes(&mut self, ty: Ty, lanes: &[Value]) -> Vec<Value> {
        let mut parts = Vec::new();
        for lanes in lanes.chunks(lanes_of(ty) as usize) {
            let numbers: Vec<Value> = lanes
                .iter()
                .map(|&lane| {
                    if ty != Ty::Bool {
                        return lane;
                    }
                    let wide = self.b.ins().uextend(I32, lane);
                    self.b.ins().ineg(wide)
                })
                .collect();
            let mut part = self.b.ins().scalar_to_vector(part_type(ty), numbers[0]);
            for (i, &number) in numbers.iter().enumerate().skip(1) {
                part = self.b.ins().insertlane(part, number, i as u8);
            }
            parts.push(part);
        }
        parts
    }

    /// A 32-bit lane, by way of the pair that it lies in: the pair is fetched once for both, which
    /// takes fewer instructions than fetching each.
    fn half(&mut self, part: Value, at: u8) -> Value {
        let pairs = self.as_type(I64X2, part);
        let mut pair = self.b.ins().extractlane(pairs, at / 2);
        if !at.is_multiple_of(2) {
            pair = self.b.ins().ushr_imm_u(pair, 32);
        }
        self.b.ins().ireduce(I32, pair)
    }
}
