//! Constants: values of the reference's arithmetic with the types that WGSL gives them.
//!
//! An abstract integer is held as an `i64` and an abstract float as an `f64`, so that the
//! arithmetic of concrete types serves them too; only their overflow is an error.

use std::rc::Rc;

use half::f16;
use naga::ScalarKind;

use crate::layout::Scalar;
use crate::ops::{self, Num, Value, Vector};

/// The type of a number, as the language has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    AbstractInt,
    AbstractFloat,
    Bool,
    I32,
    U32,
    F32,
    F16,
    I64,
    U64,
    F64,
}

impl Kind {
    /// The type that holds its values.
    pub(super) fn scalar(self) -> Scalar {
        match self {
            Self::Bool => Scalar::Bool,
            Self::I32 => Scalar::I32,
            Self::U32 => Scalar::U32,
            Self::F32 => Scalar::F32,
            Self::F16 => Scalar::F16,
            Self::I64 | Self::AbstractInt => Scalar::I64,
            Self::U64 => Scalar::U64,
            Self::F64 | Self::AbstractFloat => Scalar::F64,
        }
    }

    fn naga(self) -> (ScalarKind, u8) {
        match self {
            Self::Bool => (ScalarKind::Bool, 1),
            Self::I32 => (ScalarKind::Sint, 4),
            Self::U32 => (ScalarKind::Uint, 4),
            Self::F32 => (ScalarKind::Float, 4),
            Self::F16 => (ScalarKind::Float, 2),
            Self::I64 | Self::AbstractInt => (ScalarKind::Sint, 8),
            Self::U64 => (ScalarKind::Uint, 8),
            Self::F64 | Self::AbstractFloat => (ScalarKind::Float, 8),
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::AbstractFloat | Self::F32 | Self::F16 | Self::F64)
    }

    pub(super) fn is_int(self) -> bool {
        matches!(self, Self::AbstractInt | Self::I32 | Self::U32 | Self::I64 | Self::U64)
    }

    pub(super) fn is_signed(self) -> bool {
        !matches!(self, Self::U32 | Self::U64 | Self::Bool)
    }

    /// The type that abstract numbers become where nothing says another.
    pub(super) fn concrete(self) -> Self {
        match self {
            Self::AbstractInt => Self::I32,
            Self::AbstractFloat => Self::F32,
            Self::Bool | Self::I32 | Self::U32 | Self::F32 | Self::F16 | Self::I64 | Self::U64 | Self::F64 => self,
        }
    }

    /// The type that both become without being asked to.
    pub(super) fn common(self, other: Self) -> Option<Self> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Self::AbstractInt, to) | (to, Self::AbstractInt) if to != Self::Bool => Some(to),
            (Self::AbstractFloat, to) | (to, Self::AbstractFloat) if to.is_float() => Some(to),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::AbstractInt => "a constant integer",
            Self::AbstractFloat => "a constant float",
            Self::Bool => "bool",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::F64 => "f64",
        }
    }
}

/// The type of a constant.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ty {
    Scalar(Kind),
    Vector(u8, Kind),
    /// Columns and rows.
    Matrix(u8, u8, Kind),
    /// Of so many items; 0 where that is known at run time only.
    Array(Rc<Ty>, u32),
    Struct(Rc<Struct>),
}

/// A structure; those that `frexp` and `modf` give have no name.
#[derive(Debug)]
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) members: Vec<(String, Ty)>,
    /// Counted once: structures of two structures each have more members than anybody can visit.
    numbers: u64,
    depth: u32,
}

impl Struct {
    pub(super) fn new(name: String, members: Vec<(String, Ty)>) -> Self {
        let numbers = members.iter().fold(0, |sum: u64, (_, ty)| sum.saturating_add(ty.numbers()));
        let depth = 1 + members.iter().map(|(_, ty)| ty.depth()).max().unwrap_or(0);
        Self { name, members, numbers, depth }
    }
}

impl PartialEq for Struct {
    /// A program has one structure of a name.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && (!self.name.is_empty() || self.members == other.members)
    }
}

/// Numbers in a constant: longer ones are left to naga, which evaluates nothing in them either.
pub(super) const NUMBERS_MAX: u64 = 4096;
/// Types inside one another.
const DEPTH_MAX: u32 = 32;

impl Ty {
    /// How many numbers it holds.
    pub(super) fn numbers(&self) -> u64 {
        match self {
            Self::Scalar(_) => 1,
            Self::Vector(n, _) => u64::from(*n),
            Self::Matrix(columns, rows, _) => u64::from(*columns) * u64::from(*rows),
            Self::Array(item, n) => item.numbers().saturating_mul(u64::from(*n)),
            Self::Struct(ty) => ty.numbers,
        }
    }

    fn depth(&self) -> u32 {
        match self {
            Self::Scalar(_) | Self::Vector(..) | Self::Matrix(..) => 0,
            Self::Array(item, _) => 1 + item.depth(),
            Self::Struct(ty) => ty.depth,
        }
    }

    /// Whether a walk over it does not go deep. Asked of each type that is made of others.
    pub(super) fn is_shallow(&self) -> bool {
        self.depth() <= DEPTH_MAX
    }

    /// Whether constants of it are small enough to be evaluated here.
    pub(super) fn is_small(&self) -> bool {
        self.numbers() <= NUMBERS_MAX
    }

    /// The type of its numbers, if it is made of one.
    pub(super) fn kind(&self) -> Option<Kind> {
        match self {
            Self::Scalar(kind) | Self::Vector(_, kind) | Self::Matrix(_, _, kind) => Some(*kind),
            Self::Array(..) | Self::Struct(_) => None,
        }
    }

    /// The same shape of other numbers.
    pub(super) fn of(&self, kind: Kind) -> Self {
        match self {
            Self::Scalar(_) => Self::Scalar(kind),
            Self::Vector(n, _) => Self::Vector(*n, kind),
            Self::Matrix(columns, rows, _) => Self::Matrix(*columns, *rows, kind),
            Self::Array(item, n) => Self::Array(Rc::new(item.of(kind)), *n),
            Self::Struct(_) => self.clone(),
        }
    }

    /// The type without abstract numbers.
    pub(super) fn concrete(&self) -> Self {
        match self {
            Self::Scalar(kind) | Self::Vector(_, kind) | Self::Matrix(_, _, kind) => self.of(kind.concrete()),
            Self::Array(item, n) => Self::Array(Rc::new(item.concrete()), *n),
            Self::Struct(ty) if ty.name.is_empty() => {
                let members = ty.members.iter().map(|(name, ty)| (name.clone(), ty.concrete()));
                Self::Struct(Rc::new(Struct::new(String::new(), members.collect())))
            }
            Self::Struct(_) => self.clone(),
        }
    }

    /// The type that both become without being asked to.
    pub(super) fn common(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Array(a, n), Self::Array(b, m)) if n == m => Some(Self::Array(Rc::new(a.common(b)?), *n)),
            (Self::Struct(_), _) | (_, Self::Struct(_)) => (self == other).then(|| self.clone()),
            _ => {
                let kind = self.kind()?.common(other.kind()?)?;
                (self.of(kind) == other.of(kind)).then(|| self.of(kind))
            }
        }
    }

    /// Its zero.
    pub(super) fn zero(&self) -> Value {
        let many = |ty: &Self, n: u32| Value::Composite(std::iter::repeat_n(ty.zero(), n as usize).collect());
        match self {
            Self::Scalar(kind) => Value::Num(Num::zero(kind.scalar())),
            Self::Vector(n, kind) => {
                Value::Vector(Vector::new(std::iter::repeat_n(Num::zero(kind.scalar()), usize::from(*n))))
            }
            Self::Matrix(columns, rows, kind) => many(&Self::Vector(*rows, *kind), u32::from(*columns)),
            Self::Array(item, n) => many(item, *n),
            Self::Struct(ty) => Value::Composite(ty.members.iter().map(|(_, ty)| ty.zero()).collect()),
        }
    }

    /// The type of what an index or a member's name picks.
    pub(super) fn item(&self) -> Option<Self> {
        match self {
            Self::Vector(_, kind) => Some(Self::Scalar(*kind)),
            Self::Matrix(_, rows, kind) => Some(Self::Vector(*rows, *kind)),
            Self::Array(item, _) => Some((**item).clone()),
            Self::Scalar(_) | Self::Struct(_) => None,
        }
    }

    /// The type of the part at an index, which must be there.
    pub(super) fn part(&self, index: usize) -> Option<Self> {
        match self {
            Self::Scalar(_) => None,
            Self::Vector(n, kind) => (index < usize::from(*n)).then_some(Self::Scalar(*kind)),
            Self::Matrix(columns, rows, kind) => (index < usize::from(*columns)).then_some(Self::Vector(*rows, *kind)),
            Self::Array(item, n) => (index < *n as usize).then(|| (**item).clone()),
            Self::Struct(ty) => ty.members.get(index).map(|(_, ty)| ty.clone()),
        }
    }
}

/// Why an expression has no constant value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stop {
    /// It is no constant, or naga will say what is wrong with its types.
    Unknown,
    /// The language demands an error: this.
    Wrong(String),
}

pub(super) type Result<T> = std::result::Result<T, Stop>;

/// A value and its type.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Const {
    pub(super) ty: Ty,
    pub(super) value: Value,
}

impl Const {
    pub(super) fn num(kind: Kind, num: Num) -> Self {
        Self { ty: Ty::Scalar(kind), value: Value::Num(num) }
    }

    pub(super) fn bool(value: bool) -> Self {
        Self::num(Kind::Bool, Num::Bool(value))
    }

    /// A value of scalars, vectors or matrices, whose type its shape tells.
    pub(super) fn shaped(kind: Kind, value: Value) -> Self {
        let count = |value: &Value| match value {
            Value::Num(_) => 1,
            Value::Vector(vector) => vector.items().len() as u8,
            Value::Composite(parts) => parts.len() as u8,
        };
        let ty = match &value {
            Value::Num(_) => Ty::Scalar(kind),
            Value::Vector(_) => Ty::Vector(count(&value), kind),
            Value::Composite(columns) => Ty::Matrix(count(&value), count(&columns[0]), kind),
        };
        Self { ty, value }
    }

    /// Of the same numbers in another shape or type.
    pub(super) fn kind(&self) -> Result<Kind> {
        self.ty.kind().ok_or(Stop::Unknown)
    }

    /// The number that it is.
    pub(super) fn scalar(&self) -> Result<Num> {
        match self.value {
            Value::Num(num) => Ok(num),
            Value::Vector(_) | Value::Composite(_) => Err(Stop::Unknown),
        }
    }

    /// The integer that it is.
    pub(super) fn integer(&self) -> Result<i128> {
        integer(self.scalar()?).ok_or(Stop::Unknown)
    }

    /// A part of it.
    pub(super) fn part(&self, index: usize) -> Result<Self> {
        let ty = self.ty.part(index).ok_or(Stop::Unknown)?;
        let value = match &self.value {
            Value::Num(_) => return Err(Stop::Unknown),
            Value::Vector(vector) => Value::Num(vector.items()[index]),
            Value::Composite(parts) => parts[index].clone(),
        };
        Ok(Self { ty, value })
    }

    /// Converts without being asked to: abstract numbers become others that can hold them.
    pub(super) fn to(&self, ty: &Ty) -> Result<Self> {
        if self.ty == *ty {
            return Ok(self.clone());
        }
        match (&self.ty, ty, &self.value) {
            (Ty::Array(from, n), Ty::Array(to, m), Value::Composite(parts)) if n == m => {
                let part = |value: &Value| Self { ty: (**from).clone(), value: value.clone() }.to(to);
                let parts: Result<Vec<Value>> = parts.iter().map(|value| Ok(part(value)?.value)).collect();
                Ok(Self { ty: ty.clone(), value: Value::Composite(parts?.into()) })
            }
            (Ty::Struct(from), Ty::Struct(to), Value::Composite(parts))
                if from.name.is_empty() && to.name.is_empty() =>
            {
                let members = from.members.iter().zip(&to.members).zip(parts.iter());
                let parts: Result<Vec<Value>> = members
                    .map(|(((_, from), (_, to)), value)| {
                        Ok(Self { ty: from.clone(), value: value.clone() }.to(to)?.value)
                    })
                    .collect();
                Ok(Self { ty: ty.clone(), value: Value::Composite(parts?.into()) })
            }
            _ => {
                let kind = ty.kind().ok_or(Stop::Unknown)?;
                if self.ty.of(kind) != *ty || self.kind()?.common(kind) != Some(kind) {
                    return Err(Stop::Unknown);
                }
                self.of(kind)
            }
        }
    }

    /// Converts scalars, vectors and matrices to a type of numbers without being asked to.
    pub(super) fn of(&self, kind: Kind) -> Result<Self> {
        let from = self.kind()?;
        if from == kind {
            return Ok(self.clone());
        }
        if from.common(kind) != Some(kind) {
            return Err(Stop::Unknown);
        }
        self.cast(kind)
    }

    /// Converts to another type of numbers; the value must fit where an abstract one is converted.
    pub(super) fn cast(&self, kind: Kind) -> Result<Self> {
        let from = self.kind()?;
        if from == kind {
            return Ok(self.clone());
        }
        if from == Kind::AbstractInt && kind.is_int() {
            each(&self.value, &mut |num| fits(num, kind))?;
        }
        let (naga, width) = kind.naga();
        let value = ops::cast(&self.value, naga, Some(width));
        finite(&value, || format!("the value is out of range for {}", kind.name()))?;
        Ok(Self { ty: self.ty.of(kind), value })
    }
}

/// The integer in a number.
pub(super) fn integer(num: Num) -> Option<i128> {
    match num {
        Num::I32(a) => Some(a.into()),
        Num::U32(a) => Some(a.into()),
        Num::I64(a) => Some(a.into()),
        Num::U64(a) => Some(a.into()),
        Num::Bool(_) | Num::F32(_) | Num::F16(_) | Num::F64(_) => None,
    }
}

/// Whether an abstract integer is a value of the type.
fn fits(num: Num, kind: Kind) -> Result<()> {
    let range = match kind {
        Kind::I32 => i128::from(i32::MIN)..=i128::from(i32::MAX),
        Kind::U32 => 0..=i128::from(u32::MAX),
        Kind::U64 => 0..=i128::from(u64::MAX),
        Kind::AbstractInt | Kind::I64 => i128::from(i64::MIN)..=i128::from(i64::MAX),
        Kind::AbstractFloat | Kind::Bool | Kind::F32 | Kind::F16 | Kind::F64 => return Ok(()),
    };
    match integer(num) {
        Some(value) if !range.contains(&value) => {
            Err(Stop::Wrong(format!("{value} is out of range for {}", kind.name())))
        }
        _ => Ok(()),
    }
}

/// Looks at every number.
pub(super) fn each(value: &Value, see: &mut impl FnMut(Num) -> Result<()>) -> Result<()> {
    match value {
        Value::Num(num) => see(*num),
        Value::Vector(vector) => vector.items().iter().try_for_each(|&num| see(num)),
        Value::Composite(parts) => parts.iter().try_for_each(|part| each(part, see)),
    }
}

/// No infinity and no NaN may come out of a constant expression.
pub(super) fn finite(value: &Value, message: impl Fn() -> String) -> Result<()> {
    each(value, &mut |num| {
        let finite = match num {
            Num::F32(x) => x.is_finite(),
            Num::F16(x) => f16::is_finite(x),
            Num::F64(x) => x.is_finite(),
            Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::I64(_) | Num::U64(_) => true,
        };
        if finite { Ok(()) } else { Err(Stop::Wrong(message())) }
    })
}
