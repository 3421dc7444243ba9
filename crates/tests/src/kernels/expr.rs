//! Random expressions.
//!
//! What a compiler can compute by itself it may also refuse (an overflow, an index out of
//! bounds), so every operation gets at least one operand that it cannot know.

use super::Gen;
use super::types::{BOOL, F32, I32, Scalar, Ty, U32};

/// An expression's text.
pub(super) struct Expr {
    pub(super) text: String,
    /// Whether it is made of literals alone.
    pub(super) known: bool,
}

impl Expr {
    pub(super) fn new(text: String) -> Self {
        Self { text, known: false }
    }
}

/// Functions from numbers to numbers of the same type.
const FLOAT_1: [&str; 16] = [
    "abs",
    "sign",
    "floor",
    "ceil",
    "round",
    "trunc",
    "fract",
    "sqrt",
    "inverseSqrt",
    "saturate",
    "radians",
    "exp2",
    "sin",
    "atan",
    "quantizeToF16",
    "-",
];
const FLOAT_2: [&str; 4] = ["min", "max", "step", "atan2"];
const FLOAT_3: [&str; 4] = ["clamp", "mix", "fma", "smoothstep"];
/// Those of them that are exact on numbers of few bits.
const EXACT_1: [&str; 10] =
    ["abs", "sign", "floor", "ceil", "round", "trunc", "fract", "saturate", "quantizeToF16", "-"];
const EXACT_2: [&str; 3] = ["min", "max", "step"];
const EXACT_3: [&str; 2] = ["mix", "fma"];
const INT_1: [&str; 9] = [
    "abs",
    "countOneBits",
    "reverseBits",
    "countLeadingZeros",
    "countTrailingZeros",
    "firstLeadingBit",
    "firstTrailingBit",
    "~",
    "~",
];

impl Gen {
    pub(super) fn expr(&mut self, ty: Ty, depth: usize) -> Expr {
        if depth == 0 || self.rng.chance(15) {
            return self.leaf(ty, depth);
        }
        let d = depth - 1;
        if let Some(expr) = self.subgroup(ty, d) {
            return expr;
        }
        match ty {
            Ty::Scalar(Scalar::Bool) => self.truth(d),
            Ty::Scalar(scalar) => match self.rng.below(10) {
                0..7 => self.each(ty, scalar, d),
                _ if scalar.is_float() => self.float(scalar, d),
                _ => self.int(scalar, d),
            },
            Ty::Vector(n, Scalar::Bool) => {
                let op = self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let of = self.rng.pick(&self.numbers);
                self.binary(op, Ty::Vector(n, of), Ty::Vector(n, of), d)
            }
            Ty::Vector(n, scalar) => match self.rng.below(10) {
                0..6 => self.each(ty, scalar, d),
                _ => self.vector(n, scalar, d),
            },
            Ty::Matrix(c, r) => self.matrix(c, r, d),
            Ty::Array(_) | Ty::Pair | Ty::Mixed | Ty::Wide => {
                if self.rng.chance(50) {
                    self.leaf(ty, d)
                } else {
                    self.construct(ty, d)
                }
            }
        }
    }

    /// One that is not made of literals alone.
    pub(super) fn live(&mut self, ty: Ty, depth: usize) -> String {
        let expr = self.expr(ty, depth);
        if expr.known { self.read(ty) } else { expr.text }
    }

    fn any(&mut self, ty: Ty, depth: usize) -> String {
        self.expr(ty, depth).text
    }

    fn leaf(&mut self, ty: Ty, depth: usize) -> Expr {
        match self.rng.below(10) {
            0..2 => self.literal(ty),
            2 if self.calls => self.call(ty, depth).map_or_else(|| Expr::new(self.read(ty)), Expr::new),
            3..5 => self.load(ty, depth.min(1)).map_or_else(|| Expr::new(self.read(ty)), Expr::new),
            _ => Expr::new(self.read(ty)),
        }
    }

    fn binary(&mut self, op: &str, left: Ty, right: Ty, d: usize) -> Expr {
        let a = self.live(left, d);
        let b = match op {
            "<<" | ">>" if self.dialect.portable => {
                let (by, most) = (self.live(right, d), 8 * left.scalar().map_or(4, Scalar::bytes) - 1);
                format!("({by} & {}({most}u))", right.name())
            }
            "/" | "%" | "<<" | ">>" => self.live(right, d),
            _ => self.any(right, d),
        };
        Expr::new(format!("({a} {op} {b})"))
    }

    pub(super) fn apply(&mut self, fun: &str, types: &[Ty], d: usize) -> Expr {
        let args: Vec<String> = types.iter().map(|&ty| self.live(ty, d)).collect();
        Expr::new(match fun {
            "-" | "~" => format!("({fun}{})", args[0]),
            _ => format!("{fun}({})", args.join(", ")),
        })
    }

    /// Of a type whose floats must stay exact where that is asked for.
    pub(super) fn fitted(&self, ty: Ty, expr: Expr) -> Expr {
        Expr { text: self.dialect.fit(ty, expr.text), ..expr }
    }

    /// A function of floats from a list, or from that of the exact ones.
    fn float_function(
        &mut self,
        (all, exact): (&[&'static str], &[&'static str]),
        ty: Ty,
        count: usize,
        d: usize,
    ) -> Expr {
        let fun = self.rng.pick(if self.dialect.portable { exact } else { all });
        let fun = match (fun, ty.scalar()) {
            ("round", Some(Scalar::F64)) if self.dialect.mesa_22 => "floor",
            ("quantizeToF16", scalar) if scalar != Some(Scalar::F32) => {
                if self.dialect.portable {
                    "floor"
                } else {
                    "tanh"
                }
            }
            _ => fun,
        };
        let expr = self.apply(fun, &vec![ty; count], d);
        self.fitted(ty, expr)
    }

    /// A clamp, between bounds that are in order where it matters.
    fn clamp(&mut self, ty: Ty, d: usize) -> Expr {
        let [x, low, high] = [ty; 3].map(|ty| self.live(ty, d));
        Expr::new(if self.dialect.portable {
            format!("clamp({x}, min({low}, {high}), max({low}, {high}))")
        } else {
            format!("clamp({x}, {low}, {high})")
        })
    }

    /// An operation that works number by number.
    fn each(&mut self, ty: Ty, scalar: Scalar, d: usize) -> Expr {
        let bools = match ty {
            Ty::Vector(n, _) if self.rng.chance(70) => Ty::Vector(n, Scalar::Bool),
            _ => BOOL,
        };
        let unsigned = match ty {
            Ty::Vector(n, _) => Ty::Vector(n, Scalar::U32),
            _ => U32,
        };
        match (self.rng.below(12), scalar) {
            (0..5, _) => {
                let op = match scalar {
                    _ if scalar.is_float() && self.dialect.portable => self.rng.pick(&["+", "-", "*"]),
                    _ if scalar.is_float() => self.rng.pick(&["+", "-", "*", "/", "%", "+", "*"]),
                    _ => self.rng.pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]),
                };
                let right = match op {
                    "<<" | ">>" => unsigned,
                    "&" | "|" | "^" => ty,
                    _ if self.rng.chance(30) => Ty::Scalar(scalar),
                    _ => ty,
                };
                let expr = self.binary(op, ty, right, d);
                self.fitted(ty, expr)
            }
            (5, _) => self.apply("select", &[ty, ty, bools], d),
            (6, _) => self.convert(ty, scalar, d),
            (7..9, _) if scalar.is_float() => self.float_function((&FLOAT_1, &EXACT_1), ty, 1, d),
            (9, _) if scalar.is_float() => self.float_function((&FLOAT_2, &EXACT_2), ty, 2, d),
            (_, _) if scalar.is_float() => self.float_function((&FLOAT_3, &EXACT_3), ty, 3, d),
            // naga writes no bit functions of wide integers for Vulkan.
            (7 | 11, _) if self.dialect.portable && scalar.bytes() == 8 => self.apply("~", &[ty], d),
            (7, _) => {
                let fun = self.rng.pick(&INT_1);
                self.apply(fun, &[ty], d)
            }
            (8, _) if scalar.is_signed() => {
                let fun = self.rng.pick(&["sign", "-"]);
                self.apply(fun, &[ty], d)
            }
            (8 | 9, _) => {
                let fun = self.rng.pick(&["min", "max"]);
                self.apply(fun, &[ty, ty], d)
            }
            (10, _) => self.clamp(ty, d),
            (_, _) if self.rng.chance(50) => self.apply("extractBits", &[ty, U32, U32], d),
            (_, _) => self.apply("insertBits", &[ty, ty, U32, U32], d),
        }
    }

    fn convert(&mut self, ty: Ty, scalar: Scalar, d: usize) -> Expr {
        let from = if self.rng.chance(20) { Scalar::Bool } else { self.rng.pick(&self.numbers) };
        let of = |scalar| match ty {
            Ty::Vector(n, _) => Ty::Vector(n, scalar),
            _ => Ty::Scalar(scalar),
        };
        let arg = self.live(of(from), d);
        let bits = self.rng.chance(40) && from.bytes() == scalar.bytes();
        if self.dialect.portable && (scalar.is_float() || !bits) {
            let text = exact(&arg, of(from), ty, self.dialect.mesa_22);
            return Expr::new(self.dialect.fit(ty, text));
        }
        Expr::new(match (from, scalar, ty) {
            // Any NaN is as good as any other, but its bits are not.
            (Scalar::F32, Scalar::U32, Ty::Scalar(_)) if bits => format!("bits({arg})"),
            (Scalar::F64, Scalar::U64, Ty::Scalar(_)) if bits => format!("bits64({arg})"),
            (Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64, _, _) if bits => {
                format!("bitcast<{}>({arg})", ty.name())
            }
            _ => format!("{}({arg})", ty.name()),
        })
    }

    fn int(&mut self, scalar: Scalar, d: usize) -> Expr {
        let n = self.rng.pick(&[2, 3, 4]);
        match self.rng.below(6) {
            0..2 => self.apply("dot", &[Ty::Vector(n, scalar), Ty::Vector(n, scalar)], d),
            2 if scalar == Scalar::I32 => self.apply("dot4I8Packed", &[U32, U32], d),
            2 if scalar == Scalar::U32 => self.apply("dot4U8Packed", &[U32, U32], d),
            3 if scalar == Scalar::U32 => {
                let packs = [
                    ("pack4xU8", Scalar::U32),
                    ("pack4xI8", Scalar::I32),
                    ("pack4x8unorm", Scalar::F32),
                    ("pack4x8snorm", Scalar::F32),
                ];
                // Halves may be rounded either way.
                let (fun, of) = self.rng.pick(if self.dialect.portable { &packs[..2] } else { &packs });
                self.apply(fun, &[Ty::Vector(4, of)], d)
            }
            2..4 => {
                let (buffer, _) = self.rng.pick(&self.inputs);
                Expr::new(exact(&format!("arrayLength(&{buffer})"), U32, Ty::Scalar(scalar), self.dialect.mesa_22))
            }
            4 => {
                let vector = self.live(Ty::Vector(n, scalar), d);
                Expr::new(format!("{vector}.{}", &"xyzw"[n - 1..n]))
            }
            _ => {
                let index = self.live(U32, d);
                self.dynamic(n, scalar, &index, d)
            }
        }
    }

    /// A component of a vector value, chosen at run time.
    fn dynamic(&mut self, n: usize, scalar: Scalar, index: &str, d: usize) -> Expr {
        let vector = self.live(Ty::Vector(n, scalar), d);
        let index = self.inside(index.to_owned(), &format!("{n}u"));
        Expr::new(format!("{vector}[{index}]"))
    }

    fn float(&mut self, scalar: Scalar, d: usize) -> Expr {
        let n = self.rng.pick(&[2, 3, 4]);
        let vector = Ty::Vector(n, scalar);
        let portable = self.dialect.portable;
        match self.rng.below(7) {
            0 if !portable => self.apply("length", &[vector], d),
            1 if !portable => self.apply("distance", &[vector, vector], d),
            4 if scalar == Scalar::F32 => {
                let expr = self.apply("determinant", &[Ty::Matrix(2, 2)], d);
                self.fitted(F32, expr)
            }
            0..4 => {
                let expr = self.apply("dot", &[vector, vector], d);
                self.fitted(Ty::Scalar(scalar), expr)
            }
            4 | 5 if !portable => self.apply("ldexp", &[Ty::Scalar(scalar), I32], d),
            _ => {
                let index = self.live(I32, d);
                self.dynamic(n, scalar, &index, d)
            }
        }
    }

    fn truth(&mut self, d: usize) -> Expr {
        match self.rng.below(10) {
            0..6 => {
                let op = self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let of = Ty::Scalar(self.rng.pick(&self.numbers));
                self.binary(op, of, of, d)
            }
            6..8 => {
                let op = self.rng.pick(&["&&", "||", "&", "|", "==", "!="]);
                self.binary(op, BOOL, BOOL, d)
            }
            8 => {
                let fun = self.rng.pick(&["any", "all"]);
                let n = self.rng.pick(&[2, 3, 4]);
                self.apply(fun, &[Ty::Vector(n, Scalar::Bool)], d)
            }
            _ => Expr::new(format!("!({})", self.live(BOOL, d))),
        }
    }

    fn vector(&mut self, n: usize, scalar: Scalar, d: usize) -> Expr {
        let ty = Ty::Vector(n, scalar);
        match (self.rng.below(6), scalar) {
            (0..2, _) => self.construct(ty, d),
            (2, _) => Expr::new(format!("{}({})", ty.name(), self.live(Ty::Scalar(scalar), d))),
            (3, _) => {
                let from = self.rng.pick(&[2, 3, 4]);
                let vector = self.live(Ty::Vector(from, scalar), d);
                let swizzle: String = (0..n).map(|_| b"xyzw"[self.rng.below(from)] as char).collect();
                Expr::new(format!("{vector}.{swizzle}"))
            }
            (4, Scalar::F32) if n < 4 => {
                let k = self.rng.pick(if n == 3 { &[2][..] } else { &[2, 3][..] });
                let (matrix, vector) = (Ty::Matrix(k, n), Ty::Vector(k, Scalar::F32));
                let expr = self.binary("*", matrix, vector, d);
                self.fitted(ty, expr)
            }
            (_, _) if scalar.is_float() && n == 3 && self.rng.chance(50) => {
                let expr = self.apply("cross", &[ty, ty], d);
                self.fitted(ty, expr)
            }
            (_, _) if scalar.is_float() => {
                let funs = ["faceForward", "normalize", "reflect"];
                let fun = self.rng.pick(if self.dialect.portable { &funs[..1] } else { &funs });
                let count = match fun {
                    "normalize" => 1,
                    "reflect" => 2,
                    _ => 3,
                };
                self.apply(fun, &vec![ty; count], d)
            }
            (_, _) => self.each(ty, scalar, d),
        }
    }

    fn matrix(&mut self, c: usize, r: usize, d: usize) -> Expr {
        let ty = Ty::Matrix(c, r);
        let expr = match self.rng.below(6) {
            0 => self.construct(ty, d),
            1 => {
                let op = self.rng.pick(&["+", "-"]);
                self.binary(op, ty, ty, d)
            }
            2 => self.binary("*", ty, F32, d),
            3 => self.binary("*", F32, ty, d),
            4 if (c, r) != (2, 2) || self.rng.chance(50) => self.apply("transpose", &[Ty::Matrix(r, c)], d),
            // The middle of a product must be a shape that there is.
            _ if c.max(r) == 3 => self.binary("*", Ty::Matrix(2, r), Ty::Matrix(c, 2), d),
            _ => self.binary("*", Ty::Matrix(3, r), Ty::Matrix(c, 3), d),
        };
        self.fitted(ty, expr)
    }

    /// A value from its parts.
    pub(super) fn construct(&mut self, ty: Ty, d: usize) -> Expr {
        let parts = ty.parts();
        if parts.is_empty() {
            return self.leaf(ty, d);
        }
        let parts: Vec<Expr> = parts.into_iter().map(|ty| self.expr(ty, d.min(1))).collect();
        let known = parts.iter().all(|part| part.known);
        let parts: Vec<String> = parts.into_iter().map(|part| part.text).collect();
        Expr { text: format!("{}({})", ty.name(), parts.join(", ")), known }
    }

    pub(super) fn literal(&mut self, ty: Ty) -> Expr {
        let text = match ty {
            Ty::Scalar(scalar) if scalar.is_float() && self.dialect.portable => {
                format!("{}({})", scalar.name(), self.rng.pick(&["0", "1", "-2", "3", "-7", "13"]))
            }
            Ty::Scalar(Scalar::Bool) => self.rng.pick(&["true", "false"]).to_owned(),
            Ty::Scalar(Scalar::I32) => self
                .rng
                .pick(&["0i", "1i", "2i", "(-1i)", "7i", "(-13i)", "65537i", "2147483647i", "i32(-2147483648)"])
                .to_owned(),
            Ty::Scalar(Scalar::U32) => self
                .rng
                .pick(&["0u", "1u", "2u", "3u", "5u", "31u", "0x80000000u", "0xffffffffu", "0x01020304u"])
                .into(),
            Ty::Scalar(Scalar::F32) => self
                .rng
                .pick(&["0.0f", "1.0f", "(-0.5f)", "3.25f", "(-7.0f)", "1e10f", "3.4e38f", "1e-40f", "0.1f"])
                .to_owned(),
            Ty::Scalar(Scalar::F16) => {
                self.rng.pick(&["0.0h", "1.0h", "(-0.5h)", "3.25h", "(-7.0h)", "65504.0h", "0.1h"]).to_owned()
            }
            Ty::Scalar(Scalar::I64) => self
                .rng
                .pick(&["0li", "1li", "(-1li)", "7li", "(-13li)", "4294967297li", "9223372036854775807li"])
                .to_owned(),
            Ty::Scalar(Scalar::U64) => {
                self.rng.pick(&["0lu", "1lu", "3lu", "63lu", "0x100000001lu", "18446744073709551615lu"]).to_owned()
            }
            Ty::Scalar(Scalar::F64) => {
                self.rng.pick(&["0.0lf", "1.0lf", "(-0.5lf)", "3.25lf", "1e300lf", "1e-300lf", "0.1lf"]).to_owned()
            }
            Ty::Vector(..) | Ty::Matrix(..) | Ty::Array(_) | Ty::Pair | Ty::Mixed | Ty::Wide => {
                let parts: Vec<String> = ty.parts().into_iter().map(|ty| self.literal(ty).text).collect();
                format!("{}({})", ty.name(), parts.join(", "))
            }
        };
        Expr { text, known: true }
    }
}

/// A conversion that neither rounds nor meets what naga writes wrongly for Vulkan: large integers
/// to floats, and 32-bit integers to wide ones of another sign.
fn exact(arg: &str, from: Ty, to: Ty, mesa_22: bool) -> String {
    let integer = |scalar: Scalar| matches!(scalar, Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64);
    let of = |scalar| match to {
        Ty::Vector(n, _) => Ty::Vector(n, scalar),
        _ => Ty::Scalar(scalar),
    };
    let (Some(a), Some(b)) = (from.scalar(), to.scalar()) else { unreachable!("conversions are of numbers") };
    match (a, b) {
        (_, _) if integer(a) && b.is_float() => format!("{}({arg} & {}(15))", to.name(), from.name()),
        (Scalar::I32, Scalar::U64) => format!("{}({}({arg}))", to.name(), of(Scalar::U32).name()),
        (Scalar::I32, Scalar::I64) if mesa_22 => {
            format!("bitcast<{}>({}({}({arg})))", to.name(), of(Scalar::U64).name(), of(Scalar::U32).name())
        }
        (Scalar::U32, Scalar::I64) => format!("bitcast<{}>({}({arg}))", to.name(), of(Scalar::U64).name()),
        _ => format!("{}({arg})", to.name()),
    }
}
