//! Affine sums: a number as so many local indices, workgroups and ones. Nothing here wraps around: what
//! would is no such sum.

use crate::ir::{Binary, Builtin, Function, Op, Ty, Value};

/// Operations that are looked through.
const DEPTH_MAX: u32 = 8;

/// A number as so many local indices, workgroups and ones.
pub(crate) fn sum(f: &Function, value: Value) -> Option<[u64; 3]> {
    within(f, value, DEPTH_MAX)
}

fn within(f: &Function, value: Value, depth: u32) -> Option<[u64; 3]> {
    let depth = depth.checked_sub(1)?;
    let of = |value: Value| within(f, value, depth);
    let line = f.workgroup_size[1..] == [1, 1];
    match *f.op(value) {
        Op::Const(bits) if f.ty(value) == Ty::U32 => Some([0, 0, bits]),
        Op::Builtin(Builtin::LocalIndex) => Some([1, 0, 0]),
        Op::Builtin(Builtin::LocalId(0)) if line => Some([1, 0, 0]),
        Op::Builtin(Builtin::WorkgroupId(0)) => Some([0, 1, 0]),
        Op::Binary(Binary::Add, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            let sums = [0, 1, 2].map(|i| a[i].checked_add(b[i]));
            Some([sums[0]?, sums[1]?, sums[2]?])
        }
        Op::Binary(Binary::Mul, a, b) => match (f.constant(a), f.constant(b)) {
            (_, Some(factor)) => times(of(a)?, factor),
            (Some(factor), None) => times(of(b)?, factor),
            (None, None) => None,
        },
        Op::Binary(Binary::Shl, a, b) => times(of(a)?, 1 << (f.constant(b)? & 31)),
        _ => None,
    }
}

fn times(numbers: [u64; 3], factor: u64) -> Option<[u64; 3]> {
    let products = numbers.map(|number| number.checked_mul(factor));
    Some([products[0]?, products[1]?, products[2]?])
}
