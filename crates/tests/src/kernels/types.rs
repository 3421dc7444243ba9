//! The types that generated kernels use.

/// A scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Bool,
    I32,
    U32,
    F32,
}

/// A type; structs and arrays are the few that [`DECLARATIONS`] and [`ARRAYS`] name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ty {
    Scalar(Scalar),
    Vector(usize, Scalar),
    /// Columns and rows, of `f32`.
    Matrix(usize, usize),
    /// Index into [`ARRAYS`].
    Array(usize),
    /// `Pair`
    Pair,
    /// `Mixed`
    Mixed,
}

pub(super) const BOOL: Ty = Ty::Scalar(Scalar::Bool);
pub(super) const I32: Ty = Ty::Scalar(Scalar::I32);
pub(super) const U32: Ty = Ty::Scalar(Scalar::U32);
pub(super) const F32: Ty = Ty::Scalar(Scalar::F32);

/// Elements and length of each array type.
pub(super) const ARRAYS: [(Ty, usize); 5] =
    [(I32, 5), (F32, 4), (Ty::Vector(2, Scalar::U32), 3), (Ty::Pair, 2), (BOOL, 3)];

/// The structs. `Mixed` may lie in buffers and has padding; `Pair` may not.
pub(super) const DECLARATIONS: &str = "\
struct Pair { flag: bool, count: i32, at: vec2f }
struct Mixed { a: i32, v: vec3f, w: u32, xs: array<i32, 5>, m: mat2x2f }
";

/// Every type that a variable may have.
pub(super) const ALL: [Ty; 23] = [
    I32,
    U32,
    F32,
    BOOL,
    I32,
    U32,
    F32,
    Ty::Vector(2, Scalar::F32),
    Ty::Vector(3, Scalar::F32),
    Ty::Vector(4, Scalar::F32),
    Ty::Vector(2, Scalar::U32),
    Ty::Vector(3, Scalar::I32),
    Ty::Vector(4, Scalar::U32),
    Ty::Vector(3, Scalar::Bool),
    Ty::Matrix(2, 2),
    Ty::Matrix(3, 2),
    Ty::Matrix(2, 3),
    Ty::Array(0),
    Ty::Array(1),
    Ty::Array(2),
    Ty::Array(3),
    Ty::Pair,
    Ty::Mixed,
];

impl Scalar {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::F32 => "f32",
        }
    }
}

impl Ty {
    pub(super) fn name(self) -> String {
        match self {
            Self::Scalar(scalar) => scalar.name().to_owned(),
            Self::Vector(n, scalar) => format!("vec{n}<{}>", scalar.name()),
            Self::Matrix(columns, rows) => format!("mat{columns}x{rows}<f32>"),
            Self::Array(at) => format!("array<{}, {}>", ARRAYS[at].0.name(), ARRAYS[at].1),
            Self::Pair => "Pair".to_owned(),
            Self::Mixed => "Mixed".to_owned(),
        }
    }

    /// The fields of a struct.
    pub(super) fn fields(self) -> &'static [(&'static str, Ty)] {
        match self {
            Self::Pair => &[("flag", BOOL), ("count", I32), ("at", Ty::Vector(2, Scalar::F32))],
            Self::Mixed => &[
                ("a", I32),
                ("v", Ty::Vector(3, Scalar::F32)),
                ("w", U32),
                ("xs", Ty::Array(0)),
                ("m", Ty::Matrix(2, 2)),
            ],
            Self::Scalar(_) | Self::Vector(..) | Self::Matrix(..) | Self::Array(_) => &[],
        }
    }

    /// What its constructor takes; nothing for a scalar.
    pub(super) fn parts(self) -> Vec<Ty> {
        match self.elements() {
            Some((element, n)) => vec![element; n],
            None => self.fields().iter().map(|&(_, ty)| ty).collect(),
        }
    }

    /// What an index gives, and how many there are.
    pub(super) fn elements(self) -> Option<(Ty, usize)> {
        match self {
            Self::Vector(n, scalar) => Some((Ty::Scalar(scalar), n)),
            Self::Matrix(columns, rows) => Some((Ty::Vector(rows, Scalar::F32), columns)),
            Self::Array(at) => Some(ARRAYS[at]),
            Self::Scalar(_) | Self::Pair | Self::Mixed => None,
        }
    }
}
