//! Variables and memory, to read and to write.

use super::Gen;
use super::types::{BOOL, F32, I32, Scalar, Ty, U32};

/// A name in scope.
#[derive(Debug, Clone)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) mutable: bool,
    /// The same for all invocations of a workgroup, or of the grid where kernels have its barriers.
    pub(super) uniform: bool,
}

/// Buffers that are only read, with their elements.
pub(super) const INPUTS: [(&str, Ty); 10] = [
    ("in_u", U32),
    ("in_i", I32),
    ("in_f", F32),
    ("in_v", Ty::Vector(4, Scalar::F32)),
    ("in_w", Ty::Vector(3, Scalar::U32)),
    ("in_m", Ty::Mixed),
    ("in_h", Ty::Scalar(Scalar::F16)),
    ("in_l", Ty::Scalar(Scalar::I64)),
    ("in_d", Ty::Vector(3, Scalar::F64)),
    ("in_x", Ty::Wide),
];

/// Members of the uniform buffer.
const SETTINGS: [(&str, Ty); 5] = [
    ("un.i", Ty::Vector(4, Scalar::I32)),
    ("un.u", U32),
    ("un.f", Ty::Vector(3, Scalar::F32)),
    ("un.m", Ty::Matrix(2, 3)),
    ("un.n", I32),
];

/// Buffers that are written, each invocation to slots of its own.
pub(super) const OUTPUTS: [(&str, Ty); 9] = [
    ("out_u", U32),
    ("out_i", I32),
    ("out_f", F32),
    ("out_v", Ty::Vector(4, Scalar::F32)),
    ("out_w", Ty::Vector(3, Scalar::I32)),
    ("out_m", Ty::Mixed),
    ("out_h", Ty::Scalar(Scalar::F16)),
    ("out_l", Ty::Vector(3, Scalar::U64)),
    ("out_x", Ty::Wide),
];

/// Slots of each invocation in each output.
pub(super) const SLOTS: usize = 4;

impl Gen {
    /// Reads something of this type from a variable.
    pub(super) fn read(&mut self, ty: Ty) -> String {
        for _ in 0..12 {
            let at = self.rng.below(self.scope.len());
            let var = self.scope[at].clone();
            if self.uniform && !var.uniform {
                continue;
            }
            if let Some(path) = self.descend(var.name, var.ty, ty) {
                return path;
            }
        }
        let fits = |var: &&Var| var.ty == ty && (var.uniform || !self.uniform);
        if let Some(var) = self.scope.iter().find(fits) {
            return var.name.clone();
        }
        let parts = ty.parts();
        assert!(!parts.is_empty(), "every scope has scalars of all types, not {ty:?}");
        let parts: Vec<String> = parts.into_iter().map(|ty| self.read(ty)).collect();
        format!("{}({})", ty.name(), parts.join(", "))
    }

    /// A variable to write to, or a part of one, with its type.
    pub(super) fn target(&mut self) -> Option<(String, Ty)> {
        let open: Vec<Var> = self.scope.iter().filter(|var| var.mutable && !var.uniform).cloned().collect();
        let var = if open.is_empty() { return None } else { open[self.rng.below(open.len())].clone() };
        Some(self.some_part(var.name, var.ty))
    }

    /// A place, or a part of it, or a part of that.
    pub(super) fn some_part(&mut self, mut path: String, mut ty: Ty) -> (String, Ty) {
        while self.rng.chance(60) {
            let Some((next, part)) = self.part(&path, ty) else { break };
            (path, ty) = (next, part);
        }
        (path, ty)
    }

    /// Walks from a place to a part of the wanted type, if it comes by one.
    fn descend(&mut self, mut path: String, mut ty: Ty, wanted: Ty) -> Option<String> {
        loop {
            if ty == wanted {
                return Some(path);
            }
            (path, ty) = self.part(&path, ty)?;
        }
    }

    fn part(&mut self, path: &str, ty: Ty) -> Option<(String, Ty)> {
        if let Some((element, n)) = ty.elements() {
            let index = self.index(n);
            return Some((format!("{path}[{index}]"), element));
        }
        let fields = ty.fields();
        if fields.is_empty() {
            return None;
        }
        let (name, part) = self.rng.pick(fields);
        Some((format!("{path}.{name}"), part))
    }

    /// An index into so many elements, now and then beyond them.
    fn index(&mut self, n: usize) -> String {
        self.nesting += 1;
        let portable = self.dialect.portable;
        let text = match self.rng.below(8) {
            0..3 => format!("{}", self.rng.below(n)),
            _ if self.nesting > 2 => format!("{}", self.rng.below(n)),
            3 if !portable => self.scalar(I32),
            4 if !portable && self.rng.chance(20) => format!("(0u - {})", self.scalar(U32)),
            4 if !portable => self.scalar(U32),
            5 if !portable || n > 3 => format!("({} & 3)", self.scalar(I32)),
            _ => format!("({} % {n}u)", self.scalar(U32)),
        };
        self.nesting -= 1;
        text
    }

    /// A scalar variable, no part of anything.
    fn scalar(&mut self, ty: Ty) -> String {
        let uniform = self.uniform;
        let fits = |var: &&Var| var.ty == ty && (var.uniform || !uniform);
        let names: Vec<&str> = self.scope.iter().filter(fits).map(|var| var.name.as_str()).collect();
        let at = self.rng.below(names.len());
        names[at].to_owned()
    }

    /// Loads from memory that nobody writes to meanwhile.
    pub(super) fn load(&mut self, ty: Ty, depth: usize) -> Option<String> {
        let element = self.shared;
        if self.shared_readable && !self.uniform && self.rng.chance(40) {
            let index = self.anywhere(depth);
            let index = self.inside(index, &format!("{}u", self.size));
            return self.descend(format!("shared_[{index}]"), element, ty);
        }
        if self.settled && !self.uniform && self.rng.chance(20) {
            let index = self.index(7);
            return match ty {
                U32 => Some(format!("atomicLoad(&wg_add[{index}])")),
                I32 => Some(format!("atomicLoad(&wg_max[{}])", self.index(3))),
                _ => None,
            };
        }
        if !self.uniform && self.rng.chance(15) {
            let (name, element) = self.rng.pick(&self.outputs);
            let slot = self.slot(name);
            return self.descend(format!("{name}[{slot}]"), element, ty);
        }
        if self.rng.chance(25) {
            let (name, element) = self.rng.pick(&SETTINGS);
            return self.descend(name.to_owned(), element, ty);
        }
        let (name, element) = self.rng.pick(&self.inputs);
        let index = self.anywhere(depth);
        let index = self.inside(index, &format!("arrayLength(&{name})"));
        self.descend(format!("{name}[{index}]"), element, ty)
    }

    /// An index, kept below a length where it has to be.
    pub(super) fn inside(&self, index: String, length: &str) -> String {
        if self.dialect.portable { format!("u32({index}) % {length}") } else { index }
    }

    /// An index into a buffer: affine, or anything.
    fn anywhere(&mut self, depth: usize) -> String {
        if self.nesting > 1 {
            return self.scalar(U32);
        }
        self.nesting += 1;
        let c = self.rng.below(9);
        let names: &[&str] = match (self.uniform, self.main) {
            (true, _) => &["un.u"],
            (false, true) => &["gid", "lid", "gid", "id.x", "local.y"],
            (false, false) => &["me"],
        };
        let base = self.rng.pick(names);
        let text = match self.rng.below(12) {
            10 => format!("({base} * 0x10001u - {c}u)"),
            11 => format!("({base} << {}u)", 20 + c),
            0..3 => base.to_owned(),
            3 => format!("({base} + {c}u)"),
            4 => format!("({base} * 2u + {c}u)"),
            5 => format!("({base} - {c}u)"),
            6 => format!("(i32({base}) - {c})"),
            7 => format!("({} % 37u)", self.live(U32, depth)),
            8 => self.live(I32, depth),
            _ => self.live(U32, depth),
        };
        self.nesting -= 1;
        text
    }

    /// A slot of this invocation's own.
    pub(super) fn slot(&mut self, name: &str) -> String {
        let me = if self.main { "gid" } else { "me" };
        let at = match self.rng.below(4) {
            0 => format!("({} % {SLOTS}u)", self.scalar(U32)),
            _ => format!("{}u", self.rng.below(SLOTS)),
        };
        let at_output = OUTPUTS.iter().position(|(output, _)| *output == name).expect("it is an output");
        if self.strided[at_output] {
            format!("{me} * {SLOTS}u + {at}")
        } else {
            format!("{at} * {}u + {me}", self.invocations)
        }
    }

    /// A store to a slot of this invocation, or to a part of one.
    pub(super) fn store(&mut self) {
        let (name, element) = self.rng.pick(&self.outputs);
        let slot = self.slot(name);
        let (path, ty) = self.some_part(format!("{name}[{slot}]"), element);
        let value = self.expr(ty, 2).text;
        self.line(format!("{path} = {value};"));
    }

    /// A flag, as a number that can be stored.
    pub(super) fn flag(&mut self) -> String {
        let flag = self.live(BOOL, 1);
        format!("select(0u, 1u, {flag})")
    }
}
