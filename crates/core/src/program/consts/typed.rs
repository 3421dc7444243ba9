//! Types of run-time expressions, as far as they can be told without knowing the whole program:
//! enough to see where naga mistypes half floats, and to call a function of our own there.

use naga::MathFunction as Math;

use super::builtin::{Builtin, Rule};
use super::construct::Maker;
use super::value::{Kind, Ty};

/// A function that does what naga cannot, by the types it takes and gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Helper {
    /// `frexp` of so many half floats.
    Frexp(u8),
    /// The bits of so many numbers as twice as many half floats.
    ToHalf(Kind, u8),
    /// The bits of half floats as half as many numbers.
    FromHalf(Kind, u8),
}

/// Names that helpers are written with.
pub(super) const SPELLED: [&str; 11] =
    ["vec2", "vec3", "vec4", "f16", "f32", "u32", "i32", "frexp", "bitcast", "pack2x16float", "unpack2x16float"];

/// The function to call in the place of a builtin one.
pub(super) fn helper(builtin: Builtin, to: Option<&Ty>, arg: &Ty) -> Option<Helper> {
    let count = |ty: &Ty| match ty {
        Ty::Scalar(_) => Some(1),
        Ty::Vector(n, _) => Some(*n),
        Ty::Matrix(..) | Ty::Array(..) | Ty::Struct(_) => None,
    };
    let word = |kind: Kind| matches!(kind, Kind::U32 | Kind::I32 | Kind::F32);
    let (n, from) = (count(arg)?, arg.kind()?);
    match (builtin, to) {
        (Builtin::Math(Math::Frexp, _), None) if from == Kind::F16 => Some(Helper::Frexp(n)),
        (Builtin::Bitcast, Some(to)) => match (to.kind()?, count(to)?) {
            (Kind::F16, m) if word(from) && m == 2 * n => Some(Helper::ToHalf(from, n)),
            (kind, m) if word(kind) && from == Kind::F16 && n == 2 * m => Some(Helper::FromHalf(kind, m)),
            _ => None,
        },
        _ => None,
    }
}

impl Helper {
    /// Its declaration, under one name and with another for a structure.
    pub(super) fn declare(self, name: &str, structure: &str) -> String {
        match self {
            Self::Frexp(n) => {
                let of = |kind: &str| if n == 1 { kind.to_owned() } else { format!("vec{n}<{kind}>") };
                let (half, float, int) = (of("f16"), of("f32"), of("i32"));
                format!(
                    "struct {structure}{{fract:{half},exp:{int}}}\nfn {name}(x:{half})->{structure}{{\
                     let r=frexp({float}(x));return {structure}({half}(r.fract),r.exp);}}\n"
                )
            }
            Self::ToHalf(kind, 1) => format!(
                "fn {name}(x:{})->vec2<f16>{{return vec2<f16>(unpack2x16float(bitcast<u32>(x)));}}\n",
                kind.name()
            ),
            Self::ToHalf(kind, _) => format!(
                "fn {name}(x:vec2<{}>)->vec4<f16>{{let u=bitcast<vec2<u32>>(x);\
                 return vec4<f16>(vec4<f32>(unpack2x16float(u.x),unpack2x16float(u.y)));}}\n",
                kind.name()
            ),
            Self::FromHalf(kind, 1) => format!(
                "fn {name}(x:vec2<f16>)->{0}{{return bitcast<{0}>(pack2x16float(vec2<f32>(x)));}}\n",
                kind.name()
            ),
            Self::FromHalf(kind, _) => format!(
                "fn {name}(x:vec4<f16>)->vec2<{0}>{{return bitcast<vec2<{0}>>(\
                 vec2<u32>(pack2x16float(vec2<f32>(x.xy)),pack2x16float(vec2<f32>(x.zw))));}}\n",
                kind.name()
            ),
        }
    }
}

/// The type of a sum, a product or the like.
pub(super) fn arithmetic(left: &Ty, right: &Ty) -> Option<Ty> {
    let kind = left.kind()?.common(right.kind()?)?;
    match (left, right) {
        (Ty::Scalar(_), Ty::Vector(..)) => Some(right.of(kind)),
        (Ty::Scalar(_) | Ty::Vector(..), Ty::Scalar(_)) => Some(left.of(kind)),
        (Ty::Vector(n, _), Ty::Vector(m, _)) if n == m => Some(left.of(kind)),
        _ => None,
    }
}

/// Whether a builtin function gives what is behind the pointer that it takes first.
pub(super) fn loads(name: &str) -> bool {
    let atomic = ["Load", "Add", "Sub", "Max", "Min", "And", "Or", "Xor", "Exchange"];
    name == "workgroupUniformLoad" || name.strip_prefix("atomic").is_some_and(|rest| atomic.contains(&rest))
}

/// The type of a call.
pub(super) fn call(maker: Option<&Maker>, builtin: Option<(Builtin, Option<&Ty>)>, args: &[Option<Ty>]) -> Option<Ty> {
    let all = || args.iter().cloned().collect::<Option<Vec<Ty>>>();
    let widest = || all()?.into_iter().map(Some).reduce(|a, b| arithmetic(&a?, &b?)).flatten();
    match (maker, builtin) {
        (Some(Maker::Type(ty)), _) => Some(ty.clone()),
        (Some(Maker::Vector(n)), _) => {
            let kinds: Option<Vec<Kind>> = all()?.iter().map(Ty::kind).collect();
            let kind = kinds?.into_iter().map(Some).reduce(|a, b| a?.common(b?)).flatten()?;
            Some(Ty::Vector(*n, kind))
        }
        (_, Some((Builtin::Bitcast, to))) => to.cloned(),
        (_, Some((Builtin::Select, _))) => arithmetic(args.first()?.as_ref()?, args.get(1)?.as_ref()?),
        (_, Some((Builtin::Math(math, rule), _))) => match (math, rule) {
            (Math::Length | Math::Distance | Math::Dot, _) => Some(Ty::Scalar(widest()?.kind()?)),
            (_, Rule::Floats(_) | Rule::Numbers(_) | Rule::Integer | Rule::Mix | Rule::Vectors(_)) => widest(),
            (_, Rule::Pack(..)) => Some(Ty::Scalar(Kind::U32)),
            (Math::Unpack2x16float | Math::Unpack2x16snorm | Math::Unpack2x16unorm, _) => {
                Some(Ty::Vector(2, Kind::F32))
            }
            (Math::Unpack4x8snorm | Math::Unpack4x8unorm, _) => Some(Ty::Vector(4, Kind::F32)),
            (_, Rule::Field(_) | Rule::Ldexp | Rule::Quantize) => args.first()?.clone(),
            _ => None,
        },
        _ => None,
    }
}
