//! What a kernel lets be seen of its variables at its end.

use super::Gen;
use super::types::{F32, Scalar, Ty};

impl Gen {
    /// Shows what the variables hold, by a checksum of a kind.
    pub(super) fn show(&mut self, count: usize) {
        for _ in 0..count {
            match self.rng.below(4) {
                0 => {
                    let (slot, flag) = (self.slot("out_u"), self.flag());
                    self.line(format!("out_u[{slot}] ^= {flag};"));
                }
                1 => {
                    let (slot, value) = (self.slot("out_f"), self.live(F32, 0));
                    self.line(format!("out_f[{slot}] = {value};"));
                }
                _ => self.store(),
            }
        }
    }

    /// Everything that `main` has in scope goes into one number, so that no difference is lost.
    pub(super) fn checksum(&mut self) {
        self.line("var sum = 0u;");
        for var in self.scope.clone() {
            let mut leaves = Vec::new();
            leaf_paths(&var.name, var.ty, &mut leaves);
            for (path, scalar) in leaves {
                let word = match scalar {
                    Scalar::Bool => format!("u32({path})"),
                    Scalar::I32 => format!("bitcast<u32>({path})"),
                    Scalar::U32 => path,
                    Scalar::F32 => format!("bits({path})"),
                    Scalar::F16 => format!("bits(f32({path}))"),
                    Scalar::I64 => format!("fold(bitcast<u64>({path}))"),
                    Scalar::U64 => format!("fold({path})"),
                    Scalar::F64 if self.dialect.portable => format!("bits(f32({path}))"),
                    Scalar::F64 => format!("fold(bits64({path}))"),
                };
                self.line(format!("sum = sum * 31u + {word};"));
            }
        }
        let me = if self.strided[0] { "gid * 4u".to_owned() } else { "gid".to_owned() };
        self.line(format!("out_u[{me}] = sum;"));
    }
}

/// The scalars that a value is made of.
fn leaf_paths(path: &str, ty: Ty, leaves: &mut Vec<(String, Scalar)>) {
    if let Ty::Scalar(scalar) = ty {
        return leaves.push((path.to_owned(), scalar));
    }
    if let Some((element, n)) = ty.elements() {
        return (0..n).for_each(|at| leaf_paths(&format!("{path}[{at}]"), element, leaves));
    }
    for (name, part) in ty.fields() {
        leaf_paths(&format!("{path}.{name}"), *part, leaves);
    }
}
