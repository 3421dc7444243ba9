//! Random kernels whose result WGSL fixes to the last bit, so that GPUs must agree too: integers
//! that wrap, indices inside their arrays, uniform control flow around barriers, and atomics that
//! commute. What [`kernels`](crate::kernels) has beyond that, only host devices decide alike.

use crate::kernels::rng::Rng;

/// Elements of the input.
pub const INPUTS: usize = 61;

/// Slots of each invocation in the output.
const SLOTS: usize = 4;

/// Cells that are updated atomically.
pub const CELLS: usize = 8;

/// A kernel with its grid.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Its WGSL.
    pub text: String,
    /// Workgroups.
    pub grid: [u32; 3],
    /// Words that it writes, all invocations together.
    pub outputs: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ty {
    U,
    I,
}

struct Gen {
    rng: Rng,
    lines: Vec<String>,
    vars: Vec<(String, Ty)>,
    names: usize,
    size: usize,
    /// All invocations of the workgroup are here.
    together: bool,
    loops: usize,
}

impl Kernel {
    /// The kernel of a seed.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let shape = rng.pick(&[[1, 1, 1], [7, 1, 1], [16, 1, 1], [8, 4, 1], [3, 5, 2], [64, 1, 1]]);
        let grid = [1 + rng.below(4), 1 + rng.below(3), 1 + rng.below(2)];
        let size: usize = shape.iter().product();
        let outputs = size * grid.iter().product::<usize>() * SLOTS;
        let mut generator = Gen { rng, lines: Vec::new(), vars: Vec::new(), names: 0, size, together: true, loops: 0 };
        generator.kernel(shape);
        Self { text: generator.lines.join("\n") + "\n", grid: grid.map(|n| n as u32), outputs }
    }
}

impl Gen {
    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    fn kernel(&mut self, [x, y, z]: [usize; 3]) {
        let size = self.size;
        self.line("@group(0) @binding(0) var<uniform> un: vec4u;");
        self.line("@group(0) @binding(1) var<storage> inputs: array<u32>;");
        self.line("@group(0) @binding(2) var<storage, read_write> outputs: array<u32>;");
        self.line(format!("@group(0) @binding(3) var<storage, read_write> cells: array<atomic<u32>, {CELLS}>;"));
        self.line(format!("var<workgroup> shared_: array<u32, {size}>;"));
        self.line("var<private> calls: u32;");
        self.line("fn mix_(p: ptr<function, u32>, by: i32) -> i32 {");
        self.line("    calls++;");
        self.line("    *p = (*p ^ bitcast<u32>(by)) * 0x9e3779b1u;");
        self.line("    if (*p & 1u) == 0u { return by / 3; }");
        self.line("    return by - bitcast<i32>(*p);");
        self.line("}");
        self.line(format!("@compute @workgroup_size({x}, {y}, {z})"));
        self.line("fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u,");
        self.line("    @builtin(local_invocation_index) lid: u32, @builtin(global_invocation_id) id: vec3u) {");
        self.line("let zero = un.x;");
        self.line(format!("let gid = ((wid.z * nwg.y + wid.y) * nwg.x + wid.x) * {size}u + lid;"));
        self.line("var u0 = gid * 7u + id.y; var u1 = inputs[gid % arrayLength(&inputs)]; var i0 = i32(lid) - 3;");
        for (name, ty) in [("u0", Ty::U), ("u1", Ty::U), ("i0", Ty::I)] {
            self.vars.push((name.to_owned(), ty));
        }
        for _ in 0..6 + self.rng.below(14) {
            self.statement(3);
        }
        self.line("var sum = calls;");
        for (name, ty) in self.vars.clone() {
            let word = if ty == Ty::U { name } else { format!("bitcast<u32>({name})") };
            self.line(format!("sum = sum * 31u + {word};"));
        }
        self.line(format!("outputs[gid * {SLOTS}u] = sum;"));
        self.line("}");
    }

    fn block(&mut self, depth: usize) {
        let outer = self.vars.len();
        for _ in 0..=self.rng.below(3) {
            self.statement(depth - 1);
        }
        self.vars.truncate(outer);
    }

    /// Inside of what invocations may not all come to.
    fn split(&mut self, inner: impl FnOnce(&mut Self)) {
        let together = std::mem::replace(&mut self.together, false);
        inner(self);
        self.together = together;
    }

    fn statement(&mut self, depth: usize) {
        match self.rng.below(12) {
            0 | 1 => {
                self.names += 1;
                let (name, ty) = (format!("v{}", self.names), self.rng.pick(&[Ty::U, Ty::I]));
                let value = self.expr(ty, 3);
                self.line(format!("var {name} = {value};"));
                self.vars.push((name, ty));
            }
            2 => {
                let (slot, value) = (1 + self.rng.below(SLOTS - 1), self.expr(Ty::U, 3));
                self.line(format!("outputs[gid * {SLOTS}u + {slot}u] ^= {value};"));
            }
            3 => {
                let (at, value) = (self.expr(Ty::U, 1), self.expr(Ty::U, 2));
                let fun = self.rng.pick(&["atomicAdd", "atomicAdd", "atomicSub"]);
                self.line(format!("{fun}(&cells[{at} % 4u], {value});"));
                let (at, value) = (self.expr(Ty::U, 1), self.expr(Ty::U, 2));
                self.line(format!("atomicXor(&cells[4u + {at} % 4u], {value});"));
            }
            4 | 5 if depth > 0 => self.split(|this| {
                let condition = this.truth(2);
                this.line(format!("if {condition} {{"));
                this.block(depth);
                if this.rng.chance(50) {
                    this.line("} else {");
                    this.block(depth);
                }
                this.line("}");
            }),
            6 if depth > 0 && self.loops < 2 => self.cycle(depth),
            7 if depth > 0 => self.split(|this| {
                let value = this.expr(Ty::I, 2);
                this.line(format!("switch {value} & 3 {{"));
                for case in ["case 0", "case 1, 2", "default"] {
                    this.line(format!("{case}: {{"));
                    this.block(depth);
                    this.line("}");
                }
                this.line("}");
            }),
            8 | 9 if self.together => self.exchange(),
            10 => {
                let (pointer, by) = (self.var(Ty::U), self.expr(Ty::I, 2));
                self.names += 1;
                let name = format!("v{}", self.names);
                self.line(format!("let {name} = mix_(&{pointer}, {by});"));
                self.line(format!("i0 ^= {name};"));
            }
            _ => {
                let ty = self.rng.pick(&[Ty::U, Ty::I]);
                let (name, op, value) = (self.var(ty), self.rng.pick(&["=", "+=", "*=", "^=", "-="]), self.expr(ty, 3));
                self.line(format!("{name} {op} {value};"));
            }
        }
    }

    /// A loop of a few turns: as many for all, or fewer for some.
    fn cycle(&mut self, depth: usize) {
        self.names += 1;
        let (name, turns) = (format!("k{}", self.names), 1 + self.rng.below(5));
        self.loops += 1;
        self.line(format!("for (var {name} = 0u; {name} < {turns}u + zero; {name}++) {{"));
        if self.together && self.rng.chance(60) {
            self.block(depth);
        } else {
            self.split(|this| {
                let (condition, way) = (this.truth(2), this.rng.pick(&["break", "continue"]));
                this.block(depth);
                this.line(format!("if {condition} {{ {way}; }}"));
                this.block(depth);
            });
        }
        self.line("}");
        self.loops -= 1;
    }

    fn exchange(&mut self) {
        let (size, value, from) = (self.size, self.expr(Ty::U, 2), self.expr(Ty::U, 2));
        self.line(format!("shared_[lid] = {value};"));
        self.line("workgroupBarrier();");
        self.line(format!("u1 += shared_[{from} % {size}u];"));
        self.line("workgroupBarrier();");
    }

    fn var(&mut self, ty: Ty) -> String {
        let names: Vec<&str> = self.vars.iter().filter(|(_, of)| *of == ty).map(|(name, _)| name.as_str()).collect();
        let at = self.rng.below(names.len());
        names[at].to_owned()
    }

    fn expr(&mut self, ty: Ty, depth: usize) -> String {
        let (mine, other, cast) = if ty == Ty::U { ("u32", Ty::I, "u32") } else { ("i32", Ty::U, "i32") };
        if depth == 0 || self.rng.chance(20) {
            let literal = self.rng.pick(&[0, 1, 2, 3, 31, 255, 65_537, 0x7fff_ffff, 0x8000_0000, u32::MAX]);
            let at = self.var(Ty::U);
            return match self.rng.below(5) {
                // No compiler knows it, so none refuses what it makes of it.
                0 => format!("bitcast<{mine}>(zero + {literal}u)"),
                1 => format!("{cast}(inputs[{at} % {INPUTS}u])"),
                _ => self.var(ty),
            };
        }
        let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
        match self.rng.below(14) {
            0..8 => format!("({a} {} {b})", self.rng.pick(&["+", "-", "*", "/", "%", "&", "|", "^"])),
            8 => {
                let by = self.expr(Ty::U, depth - 1);
                format!("({a} {} ({by} & 31u))", self.rng.pick(&["<<", ">>"]))
            }
            9 => format!("select({a}, {b}, {})", self.truth(depth - 1)),
            10 => format!("{}({a}, {b})", self.rng.pick(&["min", "max"])),
            11 => format!("{}({a})", self.rng.pick(&["countOneBits", "reverseBits", "firstLeadingBit", "abs", "~"])),
            12 => format!("{cast}({})", self.expr(other, depth - 1)),
            _ => format!("bitcast<{mine}>({})", self.expr(other, depth - 1)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let ty = self.rng.pick(&[Ty::U, Ty::I]);
        let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
        let plain = format!("({a} {} {b})", self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]));
        match self.rng.below(4) {
            0 if depth > 0 => format!("({plain} {} {})", self.rng.pick(&["&&", "||"]), self.truth(depth - 1)),
            1 => format!("!{plain}"),
            _ => plain,
        }
    }
}
