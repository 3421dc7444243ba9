//! What generated kernels may say.
//!
//! Host devices agree on everything. What a GPU must agree on is less: WGSL leaves open what an
//! access out of bounds gives and whether a weak exchange fails, drivers shift by more than the
//! width as they like, and floats are rounded either way, flushed and contracted. A portable
//! kernel keeps its indices inside, and its floats to numbers of so few bits that no operation
//! on them rounds: each result that could grow goes through `fit`.

use std::sync::Arc;

use seawall_core::device::{Caps, Device};

use super::types::{Scalar, Ty};

/// What kernels may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// Only what WGSL fixes to the last bit.
    pub portable: bool,
    /// `f16`
    pub f16: bool,
    /// 64-bit integers.
    pub int64: bool,
    /// `f64`
    pub f64: bool,
    /// Barriers of the whole grid.
    pub grid: bool,
    /// Operations of subgroups, wherever control flow is.
    pub subgroups: bool,
    /// Around what Mesa 22.3 gets wrong: an `i32` made wide and compared with a constant, and halves
    /// that are rounded as `f64` (`corpus/int64/compare_widened`, `corpus/f64/round_halves`).
    pub mesa_22: bool,
}

impl Dialect {
    /// What all of these devices must agree on.
    pub fn portable(devices: &[Arc<dyn Device>]) -> Self {
        let all = |has: fn(&Caps) -> bool| devices.iter().all(|device| has(device.caps()));
        let mesa_22 = |caps: &Caps| caps.facts.iter().any(|(what, is)| what == "driver" && is.contains("Mesa 22."));
        Self {
            portable: true,
            f16: all(|caps| caps.f16),
            int64: all(|caps| caps.int64),
            f64: all(|caps| caps.f64),
            grid: false,
            subgroups: false,
            mesa_22: devices.iter().any(|device| mesa_22(device.caps())),
        }
    }

    /// All that host devices agree on.
    pub const HOST: Self =
        Self { portable: false, f16: true, int64: true, f64: true, grid: false, subgroups: false, mesa_22: false };

    /// Whether kernels may use a scalar.
    pub(super) fn has(self, scalar: Scalar) -> bool {
        match scalar {
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::F32 => true,
            Scalar::F16 => self.f16,
            Scalar::I64 | Scalar::U64 => self.int64,
            Scalar::F64 => self.f64,
        }
    }

    /// Whether they may use a type.
    pub(super) fn takes(self, ty: Ty) -> bool {
        match ty {
            Ty::Scalar(scalar) => self.has(scalar),
            _ => ty.parts().into_iter().all(|part| self.takes(part)),
        }
    }

    /// Those that may be used.
    pub(super) fn among(self, types: &[Ty]) -> Vec<Ty> {
        types.iter().copied().filter(|&ty| self.takes(ty)).collect()
    }

    /// Those buffers that may be used.
    pub(super) fn buffers(self, of: &[(&'static str, Ty)]) -> Vec<(&'static str, Ty)> {
        of.iter().copied().filter(|&(_, ty)| self.takes(ty)).collect()
    }

    /// Wraps a float, or what is made of floats, so that it stays exact.
    pub(super) fn fit(self, ty: Ty, text: String) -> String {
        if !self.portable {
            return text;
        }
        match ty {
            Ty::Scalar(scalar) | Ty::Vector(_, scalar) if !scalar.is_float() => text,
            Ty::Array(_) | Ty::Pair | Ty::Mixed | Ty::Wide => text,
            Ty::Scalar(_) | Ty::Vector(..) | Ty::Matrix(..) => format!("{}({text})", fit_name(ty)),
        }
    }

    /// The functions that `fit` calls. Eighths below 64 have ten bits, so that sums of four
    /// products have no more than the 24 of an `f32`; for the eleven of an `f16` it is whole
    /// numbers below 16.
    pub(super) fn declarations(self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.portable {
            return lines;
        }
        for scalar in [Scalar::F32, Scalar::F16, Scalar::F64].into_iter().filter(|&scalar| self.has(scalar)) {
            for ty in [Ty::Scalar(scalar), Ty::Vector(2, scalar), Ty::Vector(3, scalar), Ty::Vector(4, scalar)] {
                let (step, most) = if scalar == Scalar::F16 { ("1", "16") } else { ("8", "64") };
                let of = |number: &str| format!("{}({number})", scalar.name());
                let (step, most) = (of(step), of(most));
                let down = format!("let y = floor(x * {step}) * ({} / {step});", of("1"));
                let rest = format!("return y - floor(y * ({} / {most})) * {most};", of("1"));
                lines.push(format!("fn {}(x: {1}) -> {1} {{ {down} {rest} }}", fit_name(ty), ty.name()));
            }
        }
        for (columns, rows) in [(2, 2), (3, 2), (2, 3)] {
            let ty = Ty::Matrix(columns, rows);
            let column = |at| format!("{}(x[{at}])", fit_name(Ty::Vector(rows, Scalar::F32)));
            let columns = (0..columns).map(column).collect::<Vec<_>>().join(", ");
            lines.push(format!("fn {}(x: {1}) -> {1} {{ return {1}({columns}); }}", fit_name(ty), ty.name()));
        }
        lines
    }
}

fn fit_name(ty: Ty) -> String {
    format!("fit_{}", ty.name().replace(['<', '>'], ""))
}
