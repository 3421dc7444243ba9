//! Random valid kernels, to compare devices on.
//!
//! A seed decides all of a [`Kernel`]: its text, its grid and what the buffers hold. The text
//! is free of races, and its answer does not depend on the order of the invocations: each
//! writes to slots of its own, atomics have results that nobody looks at until all are done,
//! and barriers stand between the sides of every exchange through workgroup memory. A
//! [`Dialect`] says what it may use.

pub mod rng;
mod types;
pub mod dialect;
mod expr;
mod place;
mod show;
mod stmt;
mod grid;
mod rows;
mod fill;
mod subgroup;
mod parts;
mod append;
mod walks;
mod large;
mod ramps;
mod habit;
pub mod judge;
pub mod shrink;
pub mod hunt;

use self::dialect::Dialect;
use self::place::{INPUTS, OUTPUTS, Var};
use self::rng::Rng;
use self::stmt::Exits;
use self::types::{ALL, BOOL, F16, F32, F64, I32, I64, NUMBERS, Scalar, Ty, U32, U64};

/// A kernel with all that it runs on.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Its WGSL; one entry point.
    pub text: String,
    /// Workgroups.
    pub grid: [u32; 3],
    /// What it may bind; it need not use all of them.
    pub buffers: Vec<Buffer>,
    /// What it may use.
    pub dialect: Dialect,
}

/// A buffer's name and what it holds at the start.
#[derive(Debug, Clone)]
pub struct Buffer {
    /// The variable's.
    pub name: &'static str,
    /// At the start.
    pub bytes: Vec<u8>,
    /// Bytes from one element to the next.
    pub stride: usize,
    /// The numbers of an element and where they lie.
    scalars: Vec<(usize, Scalar)>,
}

/// A function that comes before `main`.
#[derive(Debug, Clone)]
struct Helper {
    name: String,
    params: Vec<Ty>,
    pointer: Option<Ty>,
    result: Ty,
}

/// A kernel under construction.
struct Gen {
    rng: Rng,
    dialect: Dialect,
    /// What the dialect leaves of [`ALL`], [`NUMBERS`], [`INPUTS`] and [`OUTPUTS`].
    types: Vec<Ty>,
    numbers: Vec<Scalar>,
    inputs: Vec<(&'static str, Ty)>,
    outputs: Vec<(&'static str, Ty)>,
    lines: Vec<String>,
    depth: usize,
    names: usize,
    /// Statements that may still come.
    budget: usize,
    scope: Vec<Var>,
    helpers: Vec<Helper>,
    /// The function's type; `None` in `main`.
    result: Option<Ty>,
    main: bool,
    /// Expressions may call helpers.
    calls: bool,
    /// The expression under way must be the same for the whole workgroup, or grid.
    uniform: bool,
    together: bool,
    exits: Exits,
    loops: usize,
    /// Indices inside one another.
    nesting: usize,
    /// Element of the workgroup array.
    shared: Ty,
    /// Element of the buffers through which a workgroup, or the grid, exchanges values.
    board: Ty,
    shared_readable: bool,
    exchanges: bool,
    /// Workgroup atomics may be updated.
    gathering: bool,
    /// Workgroup atomics may be read.
    settled: bool,
    /// Invocations of a workgroup.
    size: usize,
    /// Of the whole grid.
    invocations: usize,
    /// Which outputs have an invocation's slots side by side.
    strided: [bool; OUTPUTS.len()],
}

const SHAPES: [[usize; 3]; 24] = [
    [1, 1, 1],
    [3, 1, 1],
    [4, 1, 1],
    [7, 1, 1],
    [8, 1, 1],
    [13, 1, 1],
    [16, 1, 1],
    [33, 1, 1],
    [64, 1, 1],
    [8, 6, 1],
    [4, 4, 1],
    [3, 5, 1],
    [8, 2, 1],
    [2, 3, 3],
    [4, 5, 2],
    [5, 2, 2],
    [35, 1, 1],
    [7, 5, 1],
    [47, 1, 1],
    [1, 33, 1],
    [1, 1, 19],
    [17, 3, 1],
    [1, 7, 3],
    [9, 1, 4],
];

/// Workgroups that subgroups of up to 16 fill.
const REGULAR: [[usize; 3]; 3] = [[16, 1, 1], [32, 1, 1], [64, 1, 1]];

impl Kernel {
    /// The kernel of a seed, with about so many statements.
    pub fn new(seed: u64, statements: usize, dialect: Dialect) -> Self {
        let mut rng = Rng::new(seed);
        // Which invocations of other workgroups make a subgroup is open.
        let regular = dialect.portable && dialect.subgroups;
        let shape = rng.pick(if regular { &REGULAR } else { &SHAPES[..] });
        let flat = shape[1] * shape[2] == 1 && (regular || rng.chance(80));
        let mut grid = [1 + rng.below(4), 1, 1];
        if !flat {
            grid = [1 + rng.below(2), 1 + rng.below(2), 1 + rng.below(2)];
        }
        if dialect.grid {
            grid[0] += 1;
        }
        let size: usize = shape.iter().product();
        let invocations = size * grid.iter().product::<usize>();
        let mut generator = Gen::new(rng, dialect, statements, size, invocations);
        generator.module(shape, flat);
        let buffers = generator.buffers();
        Self { text: generator.lines.join("\n") + "\n", grid: grid.map(|n| n as u32), buffers, dialect }
    }
}

impl Gen {
    fn new(mut rng: Rng, dialect: Dialect, budget: usize, size: usize, invocations: usize) -> Self {
        const EXCHANGED: [Ty; 11] = [
            U32,
            I32,
            F32,
            F16,
            I64,
            Ty::Vector(4, Scalar::F32),
            Ty::Vector(3, Scalar::U32),
            Ty::Vector(2, Scalar::F16),
            Ty::Matrix(2, 3),
            Ty::Mixed,
            Ty::Wide,
        ];
        let exchanged = dialect.among(&EXCHANGED);
        let (shared, board) = (rng.pick(&exchanged), rng.pick(&exchanged));
        let strided = std::array::from_fn(|_| rng.chance(40));
        Self {
            rng,
            dialect,
            types: dialect.among(&ALL),
            numbers: NUMBERS.into_iter().filter(|&scalar| dialect.has(scalar)).collect(),
            inputs: dialect.buffers(&INPUTS),
            outputs: dialect.buffers(&OUTPUTS),
            lines: Vec::new(),
            depth: 0,
            names: 0,
            budget,
            scope: Vec::new(),
            helpers: Vec::new(),
            result: None,
            main: false,
            calls: true,
            uniform: false,
            together: false,
            exits: Exits::default(),
            loops: 0,
            nesting: 0,
            shared,
            board,
            shared_readable: false,
            exchanges: false,
            gathering: false,
            settled: false,
            size,
            invocations,
            strided,
        }
    }

    fn module(&mut self, shape: [usize; 3], flat: bool) {
        if self.dialect.f16 {
            self.line("enable f16;");
        }
        if self.dialect.subgroups {
            self.line("enable subgroups;");
            self.line("diagnostic(off, subgroup_uniformity);");
        }
        self.line(types::DECLARATIONS.trim_end());
        if self.dialect.takes(Ty::Wide) {
            self.line(types::WIDE);
        }
        self.line("struct Settings { i: vec4i, u: u32, f: vec3f, n: i32, m: mat2x3f }");
        let mut binding = 0;
        for (name, ty) in self.inputs.clone() {
            self.line(format!("@group(0) @binding({binding}) var<storage> {name}: array<{}>;", ty.name()));
            binding += 1;
        }
        self.line(format!("@group(0) @binding({binding}) var<uniform> un: Settings;"));
        for (name, ty) in self.outputs.clone() {
            let ty = ty.name();
            self.line(format!("@group(1) @binding({binding}) var<storage, read_write> {name}: array<{ty}>;"));
            binding += 1;
        }
        for (name, ty) in [("at_add", "u32"), ("at_min", "i32"), ("at_or", "u32"), ("at_xor", "u32"), ("cells", "i32")]
        {
            self.line(format!("@group(2) @binding({binding}) var<storage, read_write> {name}: array<atomic<{ty}>>;"));
            binding += 1;
        }
        let (size, shared, board) = (self.size, self.shared.name(), self.board.name());
        self.line(format!("@group(3) @binding(0) var<storage, read_write> board: array<{board}>;"));
        if self.dialect.grid {
            self.line(format!("@group(3) @binding(1) var<storage, read_write> wall: array<{board}>;"));
            self.line("@group(3) @binding(2) var<storage, read_write> flags: array<u32>;");
        }
        self.line(format!("var<workgroup> shared_: array<{shared}, {size}>;"));
        self.line("var<workgroup> wg_add: array<atomic<u32>, 7>;");
        self.line("var<workgroup> wg_max: array<atomic<i32>, 3>;");
        self.line("var<workgroup> chosen: u32;");
        self.line("var<private> me: u32;");
        self.privates();
        self.bits();
        self.line(format!("fn swap(at: u32, x: {shared}, from_: u32) -> {shared} {{"));
        self.line("    shared_[at] = x;");
        self.line("    workgroupBarrier();");
        let from = if self.dialect.portable { format!("from_ % {size}u") } else { "from_".to_owned() };
        self.line(format!("    let found = shared_[{from}];"));
        self.line("    workgroupBarrier();");
        self.line("    return found;");
        self.line("}");
        if self.dialect.grid {
            self.meetings();
        }
        for _ in 0..self.rng.below(4) {
            self.helper();
        }
        self.entry(shape, flat);
    }

    /// What makes words of floats and of wide integers.
    fn bits(&mut self) {
        let Dialect { portable, int64, f64, .. } = self.dialect;
        // GPUs need not tell the two zeros apart.
        let none = if portable { "x == 0" } else { "x != x" };
        self.line(format!("fn bits(x: f32) -> u32 {{ return select(bitcast<u32>(x), 0u, {none}); }}"));
        if int64 && f64 {
            self.line(format!("fn bits64(x: f64) -> u64 {{ return select(bitcast<u64>(x), 0lu, {none}); }}"));
        }
        if int64 {
            self.line("fn fold(x: u64) -> u32 { return u32(x & 0xfffffffflu) ^ u32(x >> 32u); }");
        }
        for line in self.dialect.declarations() {
            self.line(line);
        }
    }

    /// Any type that variables may have.
    fn any_type(&mut self) -> Ty {
        self.rng.pick(&self.types)
    }

    fn privates(&mut self) {
        for at in 0..self.rng.below(4) {
            let ty = self.any_type();
            let name = format!("p_{at}");
            let value = if self.rng.chance(50) { format!(" = {}", self.literal(ty).text) } else { String::new() };
            self.line(format!("var<private> {name}: {}{value};", ty.name()));
            self.declare(&name, ty, true, false);
        }
    }

    fn helper(&mut self) {
        let name = format!("help{}", self.helpers.len());
        let outer = self.scope.len();
        let result = self.any_type();
        let params: Vec<Ty> = (0..=self.rng.below(3)).map(|_| self.any_type()).collect();
        let pointer = self.rng.chance(40).then(|| self.any_type());
        let mut list = Vec::new();
        for (at, ty) in params.iter().enumerate() {
            list.push(format!("x{at}: {}", ty.name()));
            self.declare(&format!("x{at}"), *ty, false, false);
        }
        if let Some(ty) = pointer {
            list.push(format!("to: ptr<function, {}>", ty.name()));
            self.declare("(*to)", ty, true, false);
        }
        self.line(format!("fn {name}({}) -> {} {{", list.join(", "), result.name()));
        self.depth += 1;
        self.scalars(&[
            ("hi", I32, "in_i[me]"),
            ("hu", U32, "me"),
            ("hf", F32, "in_f[me]"),
            ("hb", BOOL, "me > 5u"),
            ("hh", F16, "in_h[me]"),
            ("hl", I64, "in_l[me]"),
            ("hul", U64, "bitcast<u64>(in_l[me + 1u])"),
            ("hd", F64, "in_d[me].x"),
        ]);
        let rest = self.budget;
        self.budget = rest.min(10);
        let some = self.budget;
        (self.result, self.exits.returns, self.loops) = (Some(result), true, 1);
        self.block(6);
        self.budget += rest - some;
        let value = self.expr(result, 1).text;
        self.line(format!("return {value};"));
        (self.result, self.exits, self.loops) = (None, Exits::default(), 0);
        self.depth -= 1;
        self.line("}");
        self.scope.truncate(outer);
        self.helpers.push(Helper { name, params, pointer, result });
    }

    /// A variable of each scalar type, so that there always is one.
    fn scalars(&mut self, list: &[(&str, Ty, &str)]) {
        for (name, ty, value) in list {
            self.scalar_variable(name, *ty, value, false);
        }
    }

    fn scalar_variable(&mut self, name: &str, ty: Ty, value: &str, uniform: bool) {
        if self.dialect.takes(ty) {
            let value = self.dialect.fit(ty, value.to_owned());
            self.line(format!("var {name}: {} = {value};", ty.name()));
            self.declare(name, ty, true, uniform);
        }
    }

    fn entry(&mut self, shape: [usize; 3], flat: bool) {
        let [x, y, z] = shape;
        self.line(format!("@compute @workgroup_size({x}, {y}, {z})"));
        self.line("fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lid: u32,");
        self.line("    @builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u,");
        self.line("    @builtin(local_invocation_id) local: vec3u) {");
        self.depth += 1;
        match (flat, self.rng.chance(50)) {
            (true, true) => self.line("let gid = id.x;"),
            (_, true) => self.line(format!("let gid = (id.z * (nwg.y * {y}u) + id.y) * (nwg.x * {x}u) + id.x;")),
            (_, false) => {
                let size = self.size;
                self.line(format!("let gid = ((wid.z * nwg.y + wid.y) * nwg.x + wid.x) * {size}u + lid;"));
            }
        }
        self.line("me = gid;");
        let v3 = Ty::Vector(3, Scalar::U32);
        for (name, ty, uniform) in [("gid", U32, false), ("lid", U32, false), ("id", v3, false), ("local", v3, false)] {
            self.declare(name, ty, false, uniform);
        }
        self.declare("wid", v3, false, !self.dialect.grid);
        self.declare("nwg", v3, false, true);
        let uniforms = [
            ("si", I32, "un.i.x"),
            ("su", U32, "un.u"),
            ("sf", F32, "un.f.y"),
            ("sb", BOOL, if self.dialect.grid { "un.n > i32(nwg.x)" } else { "un.n > i32(wid.x)" }),
            ("sh", F16, "f16(un.f.z)"),
            ("sl", I64, if self.dialect.mesa_22 { "bitcast<i64>(u64(un.u))" } else { "i64(un.i.z)" }),
            ("sul", U64, "u64(un.u)"),
            ("sd", F64, "f64(un.f.x)"),
        ];
        for (name, ty, value) in uniforms {
            self.scalar_variable(name, ty, value, true);
        }
        self.scalars(&[
            ("i", I32, "in_i[gid]"),
            ("u", U32, "in_u[gid]"),
            ("f", F32, "in_f[gid]"),
            ("b", BOOL, "i > 3"),
            ("h", F16, "in_h[gid]"),
            ("l", I64, "in_l[gid]"),
            ("ul", U64, "bitcast<u64>(in_l[gid / 2u])"),
            ("d", F64, "in_d[gid].y"),
        ]);
        for at in 0..2 + self.rng.below(4) {
            let ty = self.any_type();
            let (name, value) = (format!("t{at}"), self.expr(ty, 1).text);
            self.line(format!("var {name}: {} = {value};", ty.name()));
            self.declare(&name, ty, true, false);
        }
        self.body();
        self.depth -= 1;
        self.line("}");
    }

    /// First what has barriers, then what has returns.
    fn body(&mut self) {
        self.main = true;
        if self.dialect.grid || self.rng.chance(65) {
            (self.together, self.exchanges, self.gathering) = (true, true, true);
            self.exits.returns = self.rng.chance(10);
            self.statements(self.budget / 2);
            if self.dialect.grid {
                self.exchange_by_all();
            }
            self.barrier();
            (self.together, self.exchanges, self.gathering, self.settled) = (false, false, false, true);
        }
        self.exits.returns = true;
        while self.budget > 0 {
            self.statement();
        }
        self.show(6);
        self.checksum();
    }

    fn statements(&mut self, until: usize) {
        while self.budget > until {
            self.statement();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_says_it_all() {
        let [a, b, c] = [7, 7, 8].map(|seed| Kernel::new(seed, 40, Dialect::HOST));
        assert_eq!(a.text, b.text);
        assert_ne!(a.text, c.text);
    }
}
