//! Builtin functions of constants: which arguments each takes, and the errors that WGSL demands.
//! The numbers come from the reference's arithmetic, and so from [`crate::math`].

use std::rc::Rc;

use half::f16;
use naga::{MathFunction as Math, RelationalFunction as Relational};

use super::construct::common;
use super::eval::collect;
use super::value::{Const, Kind, Result, Stop, Struct, Ty, each, finite, integer};
use crate::ops::{self, Num, Value};

/// How a function takes its arguments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// So many floats of one type, scalars or vectors.
    Floats(usize),
    /// So many numbers of one type, scalars or vectors.
    Numbers(usize),
    /// One integer, scalar or vector.
    Integer,
    /// `mix`: the last may be a scalar beside vectors.
    Mix,
    /// A field of bits: so many integers of one type, an offset and a count.
    Field(usize),
    /// So many vectors of floats.
    Vectors(usize),
    /// Two vectors of numbers.
    Dot,
    /// Two vectors and a scalar.
    Refract,
    /// A float and a power of two.
    Ldexp,
    /// One matrix.
    Matrix,
    /// So many words.
    Words(usize),
    /// A vector of so many numbers of a type.
    Pack(u8, Kind),
    /// One float, scalar or vector, to a structure of two.
    Pair,
    /// One f32, scalar or vector.
    Quantize,
}

/// A builtin function that WGSL evaluates in constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Builtin {
    Math(Math, Rule),
    Relational(Relational),
    Select,
    Bitcast,
}

/// The function of a name.
pub(super) fn named(name: &str) -> Option<Builtin> {
    use Rule::{
        Dot, Field, Floats, Integer, Ldexp, Matrix, Mix, Numbers, Pack, Pair, Quantize, Refract, Vectors, Words,
    };
    let (math, rule) = match name {
        "select" => return Some(Builtin::Select),
        "bitcast" => return Some(Builtin::Bitcast),
        "all" => return Some(Builtin::Relational(Relational::All)),
        "any" => return Some(Builtin::Relational(Relational::Any)),
        "abs" => (Math::Abs, Numbers(1)),
        "acos" => (Math::Acos, Floats(1)),
        "acosh" => (Math::Acosh, Floats(1)),
        "asin" => (Math::Asin, Floats(1)),
        "asinh" => (Math::Asinh, Floats(1)),
        "atan" => (Math::Atan, Floats(1)),
        "atan2" => (Math::Atan2, Floats(2)),
        "atanh" => (Math::Atanh, Floats(1)),
        "ceil" => (Math::Ceil, Floats(1)),
        "clamp" => (Math::Clamp, Numbers(3)),
        "cos" => (Math::Cos, Floats(1)),
        "cosh" => (Math::Cosh, Floats(1)),
        "countLeadingZeros" => (Math::CountLeadingZeros, Integer),
        "countOneBits" => (Math::CountOneBits, Integer),
        "countTrailingZeros" => (Math::CountTrailingZeros, Integer),
        "cross" => (Math::Cross, Vectors(2)),
        "degrees" => (Math::Degrees, Floats(1)),
        "determinant" => (Math::Determinant, Matrix),
        "distance" => (Math::Distance, Floats(2)),
        "dot" => (Math::Dot, Dot),
        "dot4I8Packed" => (Math::Dot4I8Packed, Words(2)),
        "dot4U8Packed" => (Math::Dot4U8Packed, Words(2)),
        "exp" => (Math::Exp, Floats(1)),
        "exp2" => (Math::Exp2, Floats(1)),
        "extractBits" => (Math::ExtractBits, Field(1)),
        "faceForward" => (Math::FaceForward, Vectors(3)),
        "firstLeadingBit" => (Math::FirstLeadingBit, Integer),
        "firstTrailingBit" => (Math::FirstTrailingBit, Integer),
        "floor" => (Math::Floor, Floats(1)),
        "fma" => (Math::Fma, Floats(3)),
        "fract" => (Math::Fract, Floats(1)),
        "frexp" => (Math::Frexp, Pair),
        "insertBits" => (Math::InsertBits, Field(2)),
        "inverseSqrt" => (Math::InverseSqrt, Floats(1)),
        "ldexp" => (Math::Ldexp, Ldexp),
        "length" => (Math::Length, Floats(1)),
        "log" => (Math::Log, Floats(1)),
        "log2" => (Math::Log2, Floats(1)),
        "max" => (Math::Max, Numbers(2)),
        "min" => (Math::Min, Numbers(2)),
        "mix" => (Math::Mix, Mix),
        "modf" => (Math::Modf, Pair),
        "normalize" => (Math::Normalize, Vectors(1)),
        "pack2x16float" => (Math::Pack2x16float, Pack(2, Kind::F32)),
        "pack2x16snorm" => (Math::Pack2x16snorm, Pack(2, Kind::F32)),
        "pack2x16unorm" => (Math::Pack2x16unorm, Pack(2, Kind::F32)),
        "pack4x8snorm" => (Math::Pack4x8snorm, Pack(4, Kind::F32)),
        "pack4x8unorm" => (Math::Pack4x8unorm, Pack(4, Kind::F32)),
        "pack4xI8" => (Math::Pack4xI8, Pack(4, Kind::I32)),
        "pack4xI8Clamp" => (Math::Pack4xI8Clamp, Pack(4, Kind::I32)),
        "pack4xU8" => (Math::Pack4xU8, Pack(4, Kind::U32)),
        "pack4xU8Clamp" => (Math::Pack4xU8Clamp, Pack(4, Kind::U32)),
        "pow" => (Math::Pow, Floats(2)),
        "quantizeToF16" => (Math::QuantizeToF16, Quantize),
        "radians" => (Math::Radians, Floats(1)),
        "reflect" => (Math::Reflect, Vectors(2)),
        "refract" => (Math::Refract, Refract),
        "reverseBits" => (Math::ReverseBits, Integer),
        "round" => (Math::Round, Floats(1)),
        "saturate" => (Math::Saturate, Floats(1)),
        "sign" => (Math::Sign, Numbers(1)),
        "sin" => (Math::Sin, Floats(1)),
        "sinh" => (Math::Sinh, Floats(1)),
        "smoothstep" => (Math::SmoothStep, Floats(3)),
        "sqrt" => (Math::Sqrt, Floats(1)),
        "step" => (Math::Step, Floats(2)),
        "tan" => (Math::Tan, Floats(1)),
        "tanh" => (Math::Tanh, Floats(1)),
        "transpose" => (Math::Transpose, Matrix),
        "trunc" => (Math::Trunc, Floats(1)),
        "unpack2x16float" => (Math::Unpack2x16float, Words(1)),
        "unpack2x16snorm" => (Math::Unpack2x16snorm, Words(1)),
        "unpack2x16unorm" => (Math::Unpack2x16unorm, Words(1)),
        "unpack4x8snorm" => (Math::Unpack4x8snorm, Words(1)),
        "unpack4x8unorm" => (Math::Unpack4x8unorm, Words(1)),
        "unpack4xI8" => (Math::Unpack4xI8, Words(1)),
        "unpack4xU8" => (Math::Unpack4xU8, Words(1)),
        _ => return None,
    };
    Some(Builtin::Math(math, rule))
}

/// Calls a function; `to` is the type in its template list.
pub(super) fn call(builtin: Builtin, to: Option<&Ty>, args: &[Const]) -> Result<Const> {
    match (builtin, to, args) {
        (Builtin::Math(math, rule), None, args) => {
            let (args, kind) = rule.fit(args)?;
            demands(math, &args)?;
            let values: Vec<Value> = args.iter().map(|arg| arg.value.clone()).collect();
            let value = ops::math(math, &values);
            finite(&value, || format!("the result is no finite number of {}", kind.name()))?;
            Ok(typed(math, rule, kind, value))
        }
        (Builtin::Relational(function), None, [arg]) if arg.kind()? == Kind::Bool => {
            Ok(Const::shaped(Kind::Bool, ops::relational(function, &arg.value)))
        }
        (Builtin::Select, None, [reject, accept, condition]) => {
            let ty = reject.ty.common(&accept.ty).ok_or(Stop::Unknown)?;
            let fits = match (&ty, &condition.ty) {
                (Ty::Scalar(_) | Ty::Vector(..), Ty::Scalar(Kind::Bool)) => true,
                (Ty::Vector(n, _), Ty::Vector(m, Kind::Bool)) => n == m,
                _ => false,
            };
            if !fits {
                return Err(Stop::Unknown);
            }
            let (reject, accept) = (reject.to(&ty)?, accept.to(&ty)?);
            // The reference chooses number by number, the condition first: a scalar as it is.
            Ok(Const { ty, value: ops::select(&condition.value, &accept.value, &reject.value) })
        }
        (Builtin::Bitcast, Some(to), [arg]) => bitcast(to, arg),
        _ => Err(Stop::Unknown),
    }
}

impl Rule {
    /// The arguments in the types that the function takes, and the type of its numbers.
    fn fit(self, args: &[Const]) -> Result<(Vec<Const>, Kind)> {
        let flat = |arg: &Const| matches!(arg.ty, Ty::Scalar(_) | Ty::Vector(..));
        let vector = |arg: &Const| matches!(arg.ty, Ty::Vector(..));
        let same = |args: &[Const]| args.iter().all(|arg| arg.ty == args[0].ty);
        let float = |args: &[Const]| -> Result<(Vec<Const>, Kind)> {
            let kind = match common(args)? {
                Kind::AbstractInt => Kind::AbstractFloat,
                kind => kind,
            };
            convert(args, if kind.is_float() { kind } else { return Err(Stop::Unknown) })
        };
        let words = |args: &[Const]| convert(args, Kind::U32);
        let (fitted, kind) = match self {
            Self::Floats(n) | Self::Vectors(n) if args.len() == n => float(args)?,
            Self::Numbers(n) if args.len() == n => convert(args, common(args)?)?,
            Self::Integer if args.len() == 1 => convert(args, args[0].kind()?.concrete())?,
            Self::Mix | Self::Refract if args.len() == 3 => float(args)?,
            Self::Dot if args.len() == 2 => convert(args, common(args)?)?,
            Self::Matrix | Self::Pair if args.len() == 1 => float(args)?,
            Self::Quantize if args.len() == 1 => convert(args, Kind::F32)?,
            Self::Pack(n, kind) if args.len() == 1 && matches!(args[0].ty, Ty::Vector(m, _) if m == n) => {
                convert(args, kind)?
            }
            Self::Words(n) if args.len() == n => words(args)?,
            Self::Field(n) if args.len() == n + 2 => {
                let kind = common(&args[..n])?.concrete();
                let (mut fitted, _) = convert(&args[..n], kind)?;
                fitted.extend(words(&args[n..])?.0);
                (fitted, kind)
            }
            Self::Ldexp => match args {
                [x, power] => {
                    let kind = match (x.kind()?, power.kind()?) {
                        (Kind::AbstractInt | Kind::AbstractFloat, Kind::AbstractInt) => Kind::AbstractFloat,
                        (Kind::AbstractInt | Kind::AbstractFloat, _) => Kind::F32,
                        (kind, _) => kind,
                    };
                    (vec![x.of(kind)?, power.of(Kind::I32)?], kind)
                }
                _ => return Err(Stop::Unknown),
            },
            _ => return Err(Stop::Unknown),
        };
        let shapes = match self {
            Self::Floats(_) | Self::Integer | Self::Pair | Self::Quantize => same(&fitted) && fitted.iter().all(flat),
            Self::Numbers(_) => same(&fitted) && fitted.iter().all(flat) && kind != Kind::Bool,
            Self::Vectors(_) => same(&fitted) && fitted.iter().all(vector),
            Self::Dot => same(&fitted) && fitted.iter().all(vector) && kind != Kind::Bool,
            Self::Mix => {
                let last = fitted[2].ty == fitted[0].ty || matches!(fitted[2].ty, Ty::Scalar(_));
                same(&fitted[..2]) && fitted.iter().all(flat) && last
            }
            Self::Refract => same(&fitted[..2]) && vector(&fitted[0]) && matches!(fitted[2].ty, Ty::Scalar(_)),
            Self::Field(n) => {
                let scalars = fitted[n..].iter().all(|arg| matches!(arg.ty, Ty::Scalar(_)));
                same(&fitted[..n]) && fitted.iter().all(flat) && scalars
            }
            Self::Ldexp => fitted[0].ty.of(Kind::I32) == fitted[1].ty && flat(&fitted[0]),
            Self::Matrix => matches!(fitted[0].ty, Ty::Matrix(..)),
            Self::Words(_) => fitted.iter().all(|arg| matches!(arg.ty, Ty::Scalar(_))),
            Self::Pack(..) => true,
        };
        let integers = kind.is_int() && kind != Kind::AbstractInt;
        let takes = match self {
            Self::Integer | Self::Field(_) => integers,
            _ => true,
        };
        if shapes && takes { Ok((fitted, kind)) } else { Err(Stop::Unknown) }
    }
}

fn convert(args: &[Const], kind: Kind) -> Result<(Vec<Const>, Kind)> {
    let args: Result<Vec<Const>> = args.iter().map(|arg| arg.of(kind)).collect();
    Ok((args?, kind))
}

/// The errors of single functions, beyond results that are no finite numbers.
fn demands(math: Math, args: &[Const]) -> Result<()> {
    let wrong = |message: &str| Err(Stop::Wrong(message.to_owned()));
    match math {
        Math::Cross if !matches!(args[0].ty, Ty::Vector(3, _)) => Err(Stop::Unknown),
        Math::Determinant if !matches!(args[0].ty, Ty::Matrix(c, r, _) if c == r) => Err(Stop::Unknown),
        Math::Sign if !args[0].kind()?.is_signed() => Err(Stop::Unknown),
        Math::Abs if args[0].kind()? == Kind::AbstractInt => each(&args[0].value, &mut |num| match num {
            Num::I64(i64::MIN) => wrong("the absolute value overflows"),
            _ => Ok(()),
        }),
        Math::Dot if args[0].kind()? == Kind::AbstractInt => exact_dot(args),
        Math::Clamp => {
            let over = ops::binary(naga::BinaryOperator::Greater, &args[1].value, &args[2].value);
            each(&over, &mut |num| match num {
                Num::Bool(true) => wrong("the lower bound is greater than the upper one"),
                _ => Ok(()),
            })
        }
        Math::SmoothStep => {
            let same = ops::binary(naga::BinaryOperator::Equal, &args[0].value, &args[1].value);
            each(&same, &mut |num| match num {
                Num::Bool(true) => wrong("the two edges are the same"),
                _ => Ok(()),
            })
        }
        Math::ExtractBits | Math::InsertBits => {
            let [.., offset, count] = args else { return Err(Stop::Unknown) };
            let bits = if matches!(args[0].kind()?, Kind::I64 | Kind::U64) { 64 } else { 32 };
            if offset.integer()? + count.integer()? > bits {
                return Err(Stop::Wrong(format!("the offset and the count of bits are together more than {bits}")));
            }
            Ok(())
        }
        Math::Ldexp => {
            let most = match args[0].kind()? {
                Kind::F16 => 16,
                Kind::F64 | Kind::AbstractFloat => 1024,
                _ => 128,
            };
            each(&args[1].value, &mut |num| match integer(num) {
                Some(power) if power > most => Err(Stop::Wrong(format!("the exponent {power} is greater than {most}"))),
                _ => Ok(()),
            })
        }
        Math::Pack2x16float => each(&args[0].value, &mut |num| match num {
            Num::F32(x) if !f16::is_finite(f16::from_f32(x)) => wrong("the value is out of range for f16"),
            _ => Ok(()),
        }),
        _ => Ok(()),
    }
}

/// The products of abstract integers and their sums must be abstract integers.
fn exact_dot(args: &[Const]) -> Result<()> {
    let mut sides = [Vec::new(), Vec::new()];
    for (side, arg) in sides.iter_mut().zip(args) {
        each(&arg.value, &mut |num| {
            side.push(integer(num).unwrap_or(0));
            Ok(())
        })?;
    }
    let fits = |x: i128| i64::try_from(x).is_ok();
    let products = sides[0].iter().zip(&sides[1]).map(|(a, b)| a * b);
    let sum =
        products.map(|x| fits(x).then_some(x)).try_fold(0, |sum: i128, x| Some(sum + x?).filter(|&sum| fits(sum)));
    if sum.is_some() { Ok(()) } else { Err(Stop::Wrong("the dot product overflows".to_owned())) }
}

/// The result with its type.
fn typed(math: Math, rule: Rule, kind: Kind, value: Value) -> Const {
    match (math, value) {
        (_, Value::Composite(parts)) if rule == Rule::Pair => {
            let exponent = match kind {
                Kind::AbstractFloat => Kind::AbstractInt,
                Kind::F64 => Kind::I64,
                _ => Kind::I32,
            };
            let (second, other) = if math == Math::Frexp { ("exp", exponent) } else { ("whole", kind) };
            let ty = |kind: Kind, part: &Value| Const::shaped(kind, part.clone()).ty;
            let members = vec![("fract".to_owned(), ty(kind, &parts[0])), (second.to_owned(), ty(other, &parts[1]))];
            let ty = Ty::Struct(Rc::new(Struct::new(String::new(), members)));
            Const { ty, value: Value::Composite(parts) }
        }
        (Math::Unpack4xI8 | Math::Dot4I8Packed, value) => Const::shaped(Kind::I32, value),
        (Math::Unpack4xU8 | Math::Dot4U8Packed, value) => Const::shaped(Kind::U32, value),
        (_, value) if matches!(rule, Rule::Words(_)) => Const::shaped(Kind::F32, value),
        (_, value) if matches!(rule, Rule::Pack(..)) => Const::shaped(Kind::U32, value),
        (_, value) => Const::shaped(kind, value),
    }
}

/// The same bits as another type; abstract numbers become concrete first.
pub(super) fn bitcast(to: &Ty, arg: &Const) -> Result<Const> {
    let (Ty::Scalar(kind) | Ty::Vector(_, kind)) = *to else { return Err(Stop::Unknown) };
    let from = arg.kind()?;
    // Abstract integers become `u32` where that is asked for; negative ones can only be `i32`.
    let (target, arg) = match arg.of(Kind::U32) {
        Ok(arg) if from == Kind::AbstractInt && kind == Kind::U32 => (Kind::U32, arg),
        _ => (from.concrete(), arg.of(from.concrete())?),
    };
    if kind == Kind::Bool || target == Kind::Bool || matches!(arg.ty, Ty::Matrix(..)) {
        return Err(Stop::Unknown);
    }
    let mut bytes: Vec<u8> = Vec::new();
    each(&arg.value, &mut |num| {
        match num {
            Num::I32(x) => bytes.extend(x.to_le_bytes()),
            Num::U32(x) => bytes.extend(x.to_le_bytes()),
            Num::F32(x) => bytes.extend(x.to_le_bytes()),
            Num::F16(x) => bytes.extend(x.to_le_bytes()),
            Num::I64(x) => bytes.extend(x.to_le_bytes()),
            Num::U64(x) => bytes.extend(x.to_le_bytes()),
            Num::F64(x) => bytes.extend(x.to_le_bytes()),
            Num::Bool(_) => return Err(Stop::Unknown),
        }
        Ok(())
    })?;
    let width = match kind {
        Kind::F16 => 2,
        Kind::I32 | Kind::U32 | Kind::F32 => 4,
        _ => 8,
    };
    if bytes.len() as u64 != to.numbers() * width {
        return Err(Stop::Unknown);
    }
    let number = |bytes: &[u8]| {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        match kind {
            Kind::I32 => Num::I32(bits as i32),
            Kind::U32 => Num::U32(bits as u32),
            Kind::F32 => Num::F32(f32::from_bits(bits as u32)),
            Kind::F16 => Num::F16(f16::from_bits(bits as u16)),
            Kind::U64 => Num::U64(bits),
            Kind::F64 | Kind::AbstractFloat => Num::F64(f64::from_bits(bits)),
            Kind::I64 | Kind::AbstractInt | Kind::Bool => Num::I64(bits as i64),
        }
    };
    let nums: Vec<Num> = bytes.chunks(width as usize).map(number).collect();
    let value = collect(&nums);
    finite(&value, || format!("the bits are no finite number of {}", kind.name()))?;
    Ok(Const { ty: to.clone(), value })
}
