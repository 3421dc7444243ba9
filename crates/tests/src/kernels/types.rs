//! The types that generated kernels use, and how they lie in memory.

/// A scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Bool,
    I32,
    U32,
    F32,
    F16,
    I64,
    U64,
    F64,
}

/// A type; structs and arrays are the few that [`DECLARATIONS`], [`WIDE`] and [`ARRAYS`] name.
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
    /// `Wide`
    Wide,
}

pub(super) const BOOL: Ty = Ty::Scalar(Scalar::Bool);
pub(super) const I32: Ty = Ty::Scalar(Scalar::I32);
pub(super) const U32: Ty = Ty::Scalar(Scalar::U32);
pub(super) const F32: Ty = Ty::Scalar(Scalar::F32);
pub(super) const F16: Ty = Ty::Scalar(Scalar::F16);
pub(super) const I64: Ty = Ty::Scalar(Scalar::I64);
pub(super) const U64: Ty = Ty::Scalar(Scalar::U64);
pub(super) const F64: Ty = Ty::Scalar(Scalar::F64);

/// Scalars that are numbers, the usual ones more often.
pub(super) const NUMBERS: [Scalar; 10] = [
    Scalar::I32,
    Scalar::U32,
    Scalar::F32,
    Scalar::I32,
    Scalar::U32,
    Scalar::F32,
    Scalar::F16,
    Scalar::I64,
    Scalar::U64,
    Scalar::F64,
];

/// Elements and length of each array type.
pub(super) const ARRAYS: [(Ty, usize); 11] = [
    (I32, 5),
    (F32, 4),
    (Ty::Vector(2, Scalar::U32), 3),
    (Ty::Pair, 2),
    (BOOL, 3),
    (Ty::Matrix(2, 2), 3),
    (Ty::Vector(3, Scalar::F32), 2),
    (Ty::Mixed, 2),
    (Ty::Array(0), 2),
    (F16, 3),
    (Ty::Vector(2, Scalar::I64), 3),
];

/// The structs. `Mixed` and `Wide` may lie in buffers and have padding; `Pair` may not.
pub(super) const DECLARATIONS: &str = "\
struct Pair { flag: bool, count: i32, at: vec2f }
struct Mixed { a: i32, v: vec3f, w: u32, xs: array<i32, 5>, m: mat2x2f }
";
pub(super) const WIDE: &str = "struct Wide { h: f16, l: i64, hs: vec3h, u: vec2<u64>, d: f64, xs: array<f16, 3> }";

/// Every type that a variable may have.
pub(super) const ALL: [Ty; 37] = [
    I32,
    U32,
    F32,
    BOOL,
    I32,
    U32,
    F32,
    F16,
    I64,
    U64,
    F64,
    Ty::Vector(2, Scalar::F32),
    Ty::Vector(3, Scalar::F32),
    Ty::Vector(4, Scalar::F32),
    Ty::Vector(2, Scalar::U32),
    Ty::Vector(3, Scalar::I32),
    Ty::Vector(4, Scalar::U32),
    Ty::Vector(3, Scalar::Bool),
    Ty::Vector(2, Scalar::F16),
    Ty::Vector(4, Scalar::F16),
    Ty::Vector(3, Scalar::I64),
    Ty::Vector(2, Scalar::U64),
    Ty::Vector(2, Scalar::F64),
    Ty::Matrix(2, 2),
    Ty::Matrix(3, 2),
    Ty::Matrix(2, 3),
    Ty::Array(0),
    Ty::Array(1),
    Ty::Array(2),
    Ty::Array(3),
    Ty::Array(5),
    Ty::Array(7),
    Ty::Array(8),
    Ty::Array(10),
    Ty::Pair,
    Ty::Mixed,
    Ty::Wide,
];

impl Scalar {
    pub(super) fn name(self) -> &'static str {
        match self {
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

    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(self, Self::I32 | Self::I64)
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Self::F16 => 2,
            Self::Bool | Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
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
            Self::Wide => "Wide".to_owned(),
        }
    }

    /// What a scalar or a vector is made of.
    pub(super) fn scalar(self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) | Self::Vector(_, scalar) => Some(scalar),
            Self::Matrix(..) | Self::Array(_) | Self::Pair | Self::Mixed | Self::Wide => None,
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
            Self::Wide => &[
                ("h", F16),
                ("l", I64),
                ("hs", Ty::Vector(3, Scalar::F16)),
                ("u", Ty::Vector(2, Scalar::U64)),
                ("d", F64),
                ("xs", Ty::Array(9)),
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
            Self::Scalar(_) | Self::Pair | Self::Mixed | Self::Wide => None,
        }
    }

    /// Alignment and size in a buffer, by WGSL's rules.
    fn layout(self) -> (usize, usize) {
        match self {
            Self::Scalar(scalar) => (scalar.bytes(), scalar.bytes()),
            Self::Vector(n, scalar) => (n.next_power_of_two() * scalar.bytes(), n * scalar.bytes()),
            Self::Matrix(..) | Self::Array(_) => {
                let (element, n) = self.elements().expect("matrices and arrays have elements");
                (element.layout().0, n * element.stride())
            }
            Self::Pair | Self::Mixed | Self::Wide => {
                let align = self.fields().iter().map(|(_, ty)| ty.layout().0).max().unwrap_or(1);
                let end = self.offsets().last().map_or(0, |(offset, ty)| offset + ty.layout().1);
                (align, end.next_multiple_of(align))
            }
        }
    }

    /// From one element of an array to the next.
    pub(super) fn stride(self) -> usize {
        let (align, bytes) = self.layout();
        bytes.next_multiple_of(align)
    }

    /// The fields of a struct and where they start.
    fn offsets(self) -> Vec<(usize, Ty)> {
        let mut end = 0;
        let place = |&(_, ty): &(&str, Ty)| {
            let (align, bytes) = ty.layout();
            let start = usize::next_multiple_of(end, align);
            end = start + bytes;
            (start, ty)
        };
        self.fields().iter().map(place).collect()
    }

    /// Its scalars, and where they lie.
    pub(super) fn scalars(self) -> Vec<(usize, Scalar)> {
        let inside = |(start, ty): (usize, Ty)| ty.scalars().into_iter().map(move |(at, scalar)| (start + at, scalar));
        match (self, self.elements()) {
            (Self::Scalar(scalar), _) => vec![(0, scalar)],
            (_, Some((element, n))) => (0..n).map(|at| (at * element.stride(), element)).flat_map(inside).collect(),
            (_, None) => self.offsets().into_iter().flat_map(inside).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in the tables of the WGSL specification.
    #[test]
    fn layouts() {
        assert_eq!(Ty::Vector(3, Scalar::F16).layout(), (8, 6));
        assert_eq!(Ty::Vector(3, Scalar::U64).layout(), (32, 24));
        assert_eq!(Ty::Matrix(2, 3).layout(), (16, 32));
        assert_eq!(Ty::Mixed.layout(), (16, 80));
        assert_eq!(Ty::Mixed.offsets().iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 16, 28, 32, 56]);
        assert_eq!(Ty::Wide.layout(), (16, 64));
        assert_eq!(Ty::Wide.offsets().iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 8, 16, 32, 48, 56]);
        assert_eq!(Ty::Array(9).scalars(), [(0, Scalar::F16), (2, Scalar::F16), (4, Scalar::F16)]);
    }
}
