//! Builtin functions, spelled out in scalars by the same formulas as the reference device.
//!
//! A function of half floats is the one of single floats, its result rounded once.

use naga::{MathFunction as Math, TypeInner};

use super::Builder;
use super::expr::is_float;
use super::matrix::matrix;
use crate::ir::{Binary, Helper, Op, Ty, Unary, Value};

impl Builder<'_> {
    pub(super) fn math(&mut self, fun: Math, shape: &TypeInner, args: &[Vec<Value>]) -> Vec<Value> {
        let half = self.f.ty(args[0][0]) == Ty::F16;
        let args: Vec<Vec<Value>> =
            args.iter().map(|arg| arg.iter().map(|&value| self.widen(value)).collect()).collect();
        let values = self.wide(fun, shape, &args);
        if !half {
            return values;
        }
        let narrow = |this: &mut Self, value| {
            if this.f.ty(value) == Ty::F32 { this.convert(value, Ty::F16) } else { value }
        };
        values.into_iter().map(|value| narrow(self, value)).collect()
    }

    fn wide(&mut self, fun: Math, shape: &TypeInner, args: &[Vec<Value>]) -> Vec<Value> {
        let ty = self.f.ty(args[0][0]);
        match fun {
            Math::Abs => self.each(args, |b, x| match ty {
                Ty::U32 | Ty::U64 => x[0],
                _ => b.unary(Unary::Abs, x[0]),
            }),
            Math::Min => self.each(args, |b, x| b.binary(Binary::Min, x[0], x[1])),
            Math::Max => self.each(args, |b, x| b.binary(Binary::Max, x[0], x[1])),
            Math::Clamp => self.each(args, |b, x| b.clamp(x[0], x[1], x[2])),
            Math::Saturate => self.each(args, |b, x| {
                let (zero, one) = (b.float(ty, 0.0), b.float(ty, 1.0));
                b.clamp(x[0], zero, one)
            }),
            Math::Cos => self.call(args, Helper::Cos, Helper::CosD),
            Math::Cosh => self.call(args, Helper::Cosh, Helper::CoshD),
            Math::Sin => self.call(args, Helper::Sin, Helper::SinD),
            Math::Sinh => self.call(args, Helper::Sinh, Helper::SinhD),
            Math::Tan => self.call(args, Helper::Tan, Helper::TanD),
            Math::Tanh => self.call(args, Helper::Tanh, Helper::TanhD),
            Math::Acos => self.call(args, Helper::Acos, Helper::AcosD),
            Math::Asin => self.call(args, Helper::Asin, Helper::AsinD),
            Math::Atan => self.call(args, Helper::Atan, Helper::AtanD),
            Math::Atan2 => self.call(args, Helper::Atan2, Helper::Atan2D),
            Math::Asinh => self.call(args, Helper::Asinh, Helper::AsinhD),
            Math::Acosh => self.call(args, Helper::Acosh, Helper::AcoshD),
            Math::Atanh => self.call(args, Helper::Atanh, Helper::AtanhD),
            Math::Exp => self.call(args, Helper::Exp, Helper::ExpD),
            Math::Exp2 => self.call(args, Helper::Exp2, Helper::Exp2D),
            Math::Log => self.call(args, Helper::Log, Helper::LogD),
            Math::Log2 => self.call(args, Helper::Log2, Helper::Log2D),
            Math::Pow => self.call(args, Helper::Pow, Helper::PowD),
            Math::Fma => self.call(args, Helper::Fma, Helper::FmaD),
            Math::Ldexp => self.call(args, Helper::Ldexp, Helper::LdexpD),
            Math::Radians => self.scale(args, 0.017_453_292_519_943_295),
            Math::Degrees => self.scale(args, 57.295_779_513_082_32),
            Math::Ceil => self.each(args, |b, x| b.unary(Unary::Ceil, x[0])),
            Math::Floor => self.each(args, |b, x| b.unary(Unary::Floor, x[0])),
            Math::Round => self.each(args, |b, x| b.unary(Unary::Round, x[0])),
            Math::Trunc => self.each(args, |b, x| b.unary(Unary::Trunc, x[0])),
            Math::Sqrt => self.each(args, |b, x| b.unary(Unary::Sqrt, x[0])),
            Math::Fract => self.each(args, |b, x| {
                let floor = b.unary(Unary::Floor, x[0]);
                b.binary(Binary::Sub, x[0], floor)
            }),
            Math::InverseSqrt => self.each(args, |b, x| {
                let root = b.unary(Unary::Sqrt, x[0]);
                let one = b.float(ty, 1.0);
                b.binary(Binary::Div, one, root)
            }),
            Math::Modf => {
                let whole = self.each(args, |b, x| b.unary(Unary::Trunc, x[0]));
                let mut values: Vec<Value> =
                    args[0].iter().zip(&whole).map(|(&x, &whole)| self.binary(Binary::Sub, x, whole)).collect();
                values.extend(whole);
                values
            }
            Math::Frexp => {
                let mut values = self.call(args, Helper::FrexpFract, Helper::FrexpFractD);
                values.extend(self.call(args, Helper::FrexpExponent, Helper::FrexpExponentD));
                values
            }
            Math::Sign => self.each(args, |b, x| b.sign(x[0])),
            Math::Mix => self.each(args, |b, x| {
                let one = b.float(ty, 1.0);
                let rest = b.binary(Binary::Sub, one, x[2]);
                let (from, to) = (b.binary(Binary::Mul, x[0], rest), b.binary(Binary::Mul, x[1], x[2]));
                b.binary(Binary::Add, from, to)
            }),
            Math::Step => self.each(args, |b, x| {
                let (zero, one) = (b.float(ty, 0.0), b.float(ty, 1.0));
                let past = b.binary(Binary::Le, x[0], x[1]);
                b.select(past, one, zero)
            }),
            Math::SmoothStep => self.each(args, |b, x| b.smooth_step(x[0], x[1], x[2])),
            Math::Dot => vec![self.dot(&args[0], &args[1])],
            Math::Cross => [(1, 2), (2, 0), (0, 1)]
                .map(|(i, j)| {
                    let first = self.binary(Binary::Mul, args[0][i], args[1][j]);
                    let second = self.binary(Binary::Mul, args[0][j], args[1][i]);
                    self.binary(Binary::Sub, first, second)
                })
                .to_vec(),
            Math::Distance => {
                let difference = self.each(args, |b, x| b.binary(Binary::Sub, x[0], x[1]));
                vec![self.magnitude(&difference)]
            }
            Math::Length => vec![self.magnitude(&args[0])],
            Math::Normalize => {
                let length = self.magnitude(&args[0]);
                args[0].iter().map(|&x| self.binary(Binary::Div, x, length)).collect()
            }
            Math::FaceForward => {
                let dot = self.dot(&args[1], &args[2]);
                let zero = self.float(ty, 0.0);
                let keep = self.binary(Binary::Lt, dot, zero);
                let turn = |this: &mut Self, x| {
                    let other = this.unary(Unary::Negate, x);
                    this.select(keep, x, other)
                };
                args[0].iter().map(|&x| turn(self, x)).collect()
            }
            Math::Reflect => {
                let dot = self.dot(&args[1], &args[0]);
                let two = self.float(ty, 2.0);
                let twice = self.binary(Binary::Mul, two, dot);
                self.each(args, |b, x| {
                    let along = b.binary(Binary::Mul, twice, x[1]);
                    b.binary(Binary::Sub, x[0], along)
                })
            }
            Math::Refract => self.refract(&args[0], &args[1], args[2][0]),
            Math::Outer => self.outer(&args[0], &args[1]),
            Math::Transpose => {
                let (columns, rows) = matrix(shape);
                (0..rows).flat_map(|r| (0..columns).map(move |c| args[0][c * rows + r])).collect()
            }
            Math::Determinant => {
                let all: Vec<usize> = (0..matrix(shape).0).collect();
                vec![self.minor(&args[0], &all, &all, all.len())]
            }
            Math::Inverse => self.inverse(&args[0], matrix(shape).0),
            Math::QuantizeToF16 => self.each(args, |b, x| b.emit(Ty::F32, Op::Call(Helper::Quantize, vec![x[0]]))),
            Math::CountTrailingZeros => self.each(args, |b, x| b.unary(Unary::TrailingZeros, x[0])),
            Math::CountLeadingZeros => self.each(args, |b, x| b.unary(Unary::LeadingZeros, x[0])),
            Math::CountOneBits => self.each(args, |b, x| b.unary(Unary::CountOnes, x[0])),
            Math::ReverseBits => self.each(args, |b, x| b.unary(Unary::Reverse, x[0])),
            Math::ExtractBits => self.each(args, |b, x| b.extract_bits(x[0], x[1], x[2])),
            Math::InsertBits => self.each(args, |b, x| b.insert_bits(x[0], x[1], x[2], x[3])),
            Math::FirstTrailingBit => self.each(args, |b, x| {
                let (zero, ones) = (b.zero(ty), b.ones(ty));
                let count = b.unary(Unary::TrailingZeros, x[0]);
                let none = b.binary(Binary::Eq, x[0], zero);
                b.select(none, ones, count)
            }),
            Math::FirstLeadingBit => self.each(args, |b, x| {
                let top = u64::from(ty.bytes()) * 8 - 1;
                let mut bits = x[0];
                if matches!(ty, Ty::I32 | Ty::I64) {
                    let amount = b.u32(top as u32);
                    let sign = b.binary(Binary::Shr, x[0], amount);
                    bits = b.binary(Binary::Xor, x[0], sign);
                }
                let zeros = b.unary(Unary::LeadingZeros, bits);
                let top = b.constant(ty, top);
                b.binary(Binary::Sub, top, zeros)
            }),
            Math::Dot4I8Packed => vec![self.dot_bytes(args, Ty::I32)],
            Math::Dot4U8Packed => vec![self.dot_bytes(args, Ty::U32)],
            Math::Pack4x8snorm => self.pack_norm(&args[0], 8, -1.0, 127.0),
            Math::Pack4x8unorm => self.pack_norm(&args[0], 8, 0.0, 255.0),
            Math::Pack2x16snorm => self.pack_norm(&args[0], 16, -1.0, 32767.0),
            Math::Pack2x16unorm => self.pack_norm(&args[0], 16, 0.0, 65535.0),
            Math::Pack2x16float => {
                let parts: Vec<Value> =
                    args[0].iter().map(|&x| self.emit(Ty::U32, Op::Call(Helper::HalfToBits, vec![x]))).collect();
                self.join(&parts, 16)
            }
            Math::Pack4xI8 | Math::Pack4xU8 => self.pack_bytes(&args[0], None),
            Math::Pack4xI8Clamp => self.pack_bytes(&args[0], Some((-128i32 as u32, 127))),
            Math::Pack4xU8Clamp => self.pack_bytes(&args[0], Some((0, 255))),
            Math::Unpack4x8snorm => self.unpack_norm(args[0][0], 8, Ty::I32, 127.0),
            Math::Unpack4x8unorm => self.unpack_norm(args[0][0], 8, Ty::U32, 255.0),
            Math::Unpack2x16snorm => self.unpack_norm(args[0][0], 16, Ty::I32, 32767.0),
            Math::Unpack2x16unorm => self.unpack_norm(args[0][0], 16, Ty::U32, 65535.0),
            Math::Unpack2x16float => {
                let parts = self.cut(args[0][0], 16, Ty::U32);
                parts.into_iter().map(|x| self.emit(Ty::F32, Op::Call(Helper::HalfFromBits, vec![x]))).collect()
            }
            Math::Unpack4xI8 => self.cut(args[0][0], 8, Ty::I32),
            Math::Unpack4xU8 => self.cut(args[0][0], 8, Ty::U32),
        }
    }

    /// Maps over the scalars; an argument of one goes with each of the others.
    fn each(&mut self, args: &[Vec<Value>], mut f: impl FnMut(&mut Self, &[Value]) -> Value) -> Vec<Value> {
        (0..args[0].len())
            .map(|i| {
                let x: Vec<Value> = args.iter().map(|arg| arg[i % arg.len()]).collect();
                f(self, &x)
            })
            .collect()
    }

    fn call(&mut self, args: &[Vec<Value>], single: Helper, double: Helper) -> Vec<Value> {
        self.each(args, |b, x| {
            let helper = if b.f.ty(x[0]) == Ty::F64 { double } else { single };
            b.emit(helper.signature().1.ty(), Op::Call(helper, x.to_vec()))
        })
    }

    fn scale(&mut self, args: &[Vec<Value>], by: f64) -> Vec<Value> {
        self.each(args, |b, x| {
            let by = b.float(b.f.ty(x[0]), by);
            b.binary(Binary::Mul, x[0], by)
        })
    }

    pub(super) fn ones(&mut self, ty: Ty) -> Value {
        self.constant(ty, if ty.bytes() == 8 { u64::MAX } else { u32::MAX.into() })
    }

    pub(super) fn clamp(&mut self, x: Value, low: Value, high: Value) -> Value {
        let x = self.binary(Binary::Max, x, low);
        self.binary(Binary::Min, x, high)
    }

    fn sign(&mut self, x: Value) -> Value {
        let ty = self.f.ty(x);
        let zero = self.zero(ty);
        let (one, minus) = if is_float(ty) {
            (self.float(ty, 1.0), self.float(ty, -1.0))
        } else {
            (self.constant(ty, 1), self.ones(ty))
        };
        let positive = self.binary(Binary::Gt, x, zero);
        let rest = if matches!(ty, Ty::U32 | Ty::U64) {
            zero
        } else {
            let negative = self.binary(Binary::Lt, x, zero);
            self.select(negative, minus, zero)
        };
        self.select(positive, one, rest)
    }

    fn smooth_step(&mut self, low: Value, high: Value, x: Value) -> Value {
        let ty = self.f.ty(x);
        let [zero, one, two, three] = [0.0, 1.0, 2.0, 3.0].map(|n| self.float(ty, n));
        let along = self.binary(Binary::Sub, x, low);
        let whole = self.binary(Binary::Sub, high, low);
        let t = self.binary(Binary::Div, along, whole);
        let t = self.clamp(t, zero, one);
        let twice = self.binary(Binary::Mul, two, t);
        let rest = self.binary(Binary::Sub, three, twice);
        let square = self.binary(Binary::Mul, t, t);
        self.binary(Binary::Mul, square, rest)
    }

    pub(super) fn dot(&mut self, a: &[Value], b: &[Value]) -> Value {
        let first = self.binary(Binary::Mul, a[0], b[0]);
        a[1..].iter().zip(&b[1..]).fold(first, |sum, (&a, &b)| {
            let product = self.binary(Binary::Mul, a, b);
            self.binary(Binary::Add, sum, product)
        })
    }

    fn magnitude(&mut self, x: &[Value]) -> Value {
        if let [x] = x {
            return self.unary(Unary::Abs, *x);
        }
        let square = self.dot(x, x);
        self.unary(Unary::Sqrt, square)
    }

    fn refract(&mut self, e1: &[Value], e2: &[Value], ratio: Value) -> Vec<Value> {
        let ty = self.f.ty(ratio);
        let (zero, one) = (self.float(ty, 0.0), self.float(ty, 1.0));
        let dot = self.dot(e2, e1);
        let square = self.binary(Binary::Mul, dot, dot);
        let rest = self.binary(Binary::Sub, one, square);
        let ratios = self.binary(Binary::Mul, ratio, ratio);
        let product = self.binary(Binary::Mul, ratios, rest);
        let k = self.binary(Binary::Sub, one, product);
        let none = self.binary(Binary::Lt, k, zero);
        let root = self.unary(Unary::Sqrt, k);
        let bent = self.binary(Binary::Mul, ratio, dot);
        let along = self.binary(Binary::Add, bent, root);
        let part = |this: &mut Self, (&e1, &e2): (&Value, &Value)| {
            let first = this.binary(Binary::Mul, ratio, e1);
            let second = this.binary(Binary::Mul, along, e2);
            let whole = this.binary(Binary::Sub, first, second);
            this.select(none, zero, whole)
        };
        e1.iter().zip(e2).map(|pair| part(self, pair)).collect()
    }
}
