//! Value constructors: `f32(x)`, `vec3(a, b)`, `array<u32, 2>(1, 2)`, `S(x, y)`.

use super::eval::collect;
use super::value::{Const, Kind, NUMBERS_MAX, Result, Stop, Ty, each};
use crate::ops::{Num, Value};

/// What a constructor makes: a type, or one whose numbers the arguments decide.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Maker {
    Type(Ty),
    Vector(u8),
    Matrix(u8, u8),
    Array,
}

/// What a predeclared name makes, without its template list.
pub(super) fn predeclared(name: &str) -> Option<Maker> {
    let kind = match name {
        "bool" => Kind::Bool,
        "i32" => Kind::I32,
        "u32" => Kind::U32,
        "f32" => Kind::F32,
        "f16" => Kind::F16,
        "i64" => Kind::I64,
        "u64" => Kind::U64,
        "f64" => Kind::F64,
        "array" => return Some(Maker::Array),
        _ => return short(name),
    };
    Some(Maker::Type(Ty::Scalar(kind)))
}

/// `vec3`, `vec3f`, `mat2x4`, `mat2x4h`.
fn short(name: &str) -> Option<Maker> {
    let size = |digit: u8| matches!(digit, b'2'..=b'4').then(|| digit - b'0');
    let kind = |suffix: &[u8]| match suffix {
        b"f" => Some(Kind::F32),
        b"h" => Some(Kind::F16),
        b"i" => Some(Kind::I32),
        b"u" => Some(Kind::U32),
        _ => None,
    };
    match name.as_bytes() {
        [b'v', b'e', b'c', n, rest @ ..] => {
            let n = size(*n)?;
            if rest.is_empty() { Some(Maker::Vector(n)) } else { Some(Maker::Type(Ty::Vector(n, kind(rest)?))) }
        }
        [b'm', b'a', b't', columns, b'x', rows, rest @ ..] => {
            let (columns, rows) = (size(*columns)?, size(*rows)?);
            match rest {
                [] => Some(Maker::Matrix(columns, rows)),
                [b'f' | b'h'] => Some(Maker::Type(Ty::Matrix(columns, rows, kind(rest)?))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A type with its template list: the types and numbers in it.
pub(super) fn template(maker: &Maker, types: &[Ty], numbers: &[Const]) -> Option<Maker> {
    Some(Maker::Type(match (maker, types, numbers) {
        (Maker::Vector(n), [Ty::Scalar(kind)], []) => Ty::Vector(*n, *kind),
        (Maker::Matrix(columns, rows), [Ty::Scalar(kind)], []) if kind.is_float() => Ty::Matrix(*columns, *rows, *kind),
        (Maker::Array, [item], [length]) => {
            let length = length.integer().ok().and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0)?;
            let ty = Ty::Array(item.clone().into(), length);
            // Depth is checked as each level is made, so that no walk over a type goes deep.
            return ty.is_shallow().then_some(Maker::Type(ty));
        }
        (Maker::Array, [item], []) if Ty::Array(item.clone().into(), 0).is_shallow() => {
            Ty::Array(item.clone().into(), 0)
        }
        _ => return None,
    }))
}

/// Makes a value.
pub(super) fn construct(maker: &Maker, args: &[Const]) -> Result<Const> {
    match maker {
        Maker::Type(Ty::Array(_, 0)) => Err(Stop::Unknown),
        Maker::Type(ty) if args.is_empty() => {
            if ty.numbers() > NUMBERS_MAX {
                Err(Stop::Unknown)
            } else {
                Ok(Const { ty: ty.clone(), value: ty.zero() })
            }
        }
        Maker::Type(Ty::Scalar(kind)) => match args {
            [arg] if matches!(arg.ty, Ty::Scalar(_)) => arg.cast(*kind),
            _ => Err(Stop::Unknown),
        },
        Maker::Type(Ty::Vector(n, kind)) => vector(*n, Some(*kind), args),
        Maker::Type(Ty::Matrix(columns, rows, kind)) => matrix((*columns, *rows), Some(*kind), args),
        Maker::Type(ty @ Ty::Array(item, n)) => {
            if *n as usize != args.len() || !ty.is_small() {
                return Err(Stop::Unknown);
            }
            let parts: Result<Vec<Value>> = args.iter().map(|arg| Ok(arg.to(item)?.value)).collect();
            Ok(Const { ty: ty.clone(), value: Value::Composite(parts?.into()) })
        }
        Maker::Type(ty @ Ty::Struct(members)) => {
            if members.members.len() != args.len() || !ty.is_small() {
                return Err(Stop::Unknown);
            }
            let parts = args.iter().zip(&members.members).map(|(arg, (_, ty))| Ok(arg.to(ty)?.value));
            Ok(Const { ty: ty.clone(), value: Value::Composite(parts.collect::<Result<Vec<_>>>()?.into()) })
        }
        Maker::Vector(n) => vector(*n, None, args),
        Maker::Matrix(columns, rows) => matrix((*columns, *rows), None, args),
        Maker::Array => {
            let mut types = args.iter().map(|arg| arg.ty.clone());
            let first = types.next().ok_or(Stop::Unknown)?;
            let item = types.try_fold(first, |a, b| a.common(&b)).ok_or(Stop::Unknown)?;
            let ty = Ty::Array(item.into(), args.len() as u32);
            if !ty.is_shallow() {
                return Err(Stop::Unknown);
            }
            construct(&Maker::Type(ty), args)
        }
    }
}

fn vector(n: u8, kind: Option<Kind>, args: &[Const]) -> Result<Const> {
    let zero = Const { ty: Ty::Scalar(Kind::AbstractInt), value: Value::Num(Num::I64(0)) };
    let args = if args.is_empty() { std::slice::from_ref(&zero) } else { args };
    if let ([arg], Some(kind)) = (args, kind) {
        // One vector of the same size is converted, whatever it is made of.
        if matches!(arg.ty, Ty::Vector(m, _) if m == n) {
            return arg.cast(kind);
        }
    }
    let (mut nums, kind) = flatten(kind, args)?;
    if nums.len() == 1 && args.len() == 1 {
        nums = vec![nums[0]; usize::from(n)];
    }
    if nums.len() == usize::from(n) { Ok(Const::shaped(kind, collect(&nums))) } else { Err(Stop::Unknown) }
}

fn matrix((columns, rows): (u8, u8), kind: Option<Kind>, args: &[Const]) -> Result<Const> {
    if let [arg] = args {
        if !matches!(arg.ty, Ty::Matrix(c, r, _) if (c, r) == (columns, rows)) {
            return Err(Stop::Unknown);
        }
        return kind.map_or_else(|| Ok(arg.clone()), |kind| arg.cast(kind));
    }
    let scalars = args.iter().all(|arg| matches!(arg.ty, Ty::Scalar(_)));
    let vectors =
        args.len() == usize::from(columns) && args.iter().all(|arg| matches!(arg.ty, Ty::Vector(n, _) if n == rows));
    // naga multiplies before it looks at the columns, and panics over such as these.
    let (nums, kind) = flatten(kind, args).map_err(|_| misfit(columns, rows))?;
    let kind = if kind == Kind::AbstractInt { Kind::AbstractFloat } else { kind };
    if !kind.is_float() || !(scalars || vectors) || nums.len() != usize::from(columns) * usize::from(rows) {
        return Err(misfit(columns, rows));
    }
    let columns: Result<Vec<Value>> =
        nums.chunks(usize::from(rows)).map(|column| Ok(numbers(column)?.of(kind)?.value)).collect();
    Ok(Const::shaped(kind, Value::Composite(columns?.into())))
}

fn misfit(columns: u8, rows: u8) -> Stop {
    Stop::Wrong(format!("these are not the {columns} columns of {rows} floats that `mat{columns}x{rows}` is made of"))
}

/// Numbers of one type as a vector; abstract ones are those of the widest types.
fn numbers(nums: &[Num]) -> Result<Const> {
    let kind = match nums[0] {
        Num::F32(_) => Kind::F32,
        Num::F16(_) => Kind::F16,
        Num::F64(_) => Kind::AbstractFloat,
        Num::I64(_) => Kind::AbstractInt,
        Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::U64(_) => return Err(Stop::Unknown),
    };
    Ok(Const::shaped(kind, collect(nums)))
}

/// The numbers of scalars and vectors, converted to one type.
fn flatten(kind: Option<Kind>, args: &[Const]) -> Result<(Vec<Num>, Kind)> {
    let kind = match kind {
        Some(kind) => kind,
        None => common(args)?,
    };
    let mut nums = Vec::new();
    for arg in args {
        if matches!(arg.ty, Ty::Matrix(..)) {
            return Err(Stop::Unknown);
        }
        each(&arg.of(kind)?.value, &mut |num| {
            nums.push(num);
            Ok(())
        })?;
    }
    Ok((nums, kind))
}

/// The type that the numbers of all arguments become without being asked to.
pub(super) fn common(args: &[Const]) -> Result<Kind> {
    let (first, rest) = args.split_first().ok_or(Stop::Unknown)?;
    rest.iter().try_fold(first.kind()?, |kind, arg| kind.common(arg.kind()?).ok_or(Stop::Unknown))
}
