//! Random programs over rows that are shared out at random give what they give in one piece.
//!
//! The piece is a plain model: vectors of the whole, and a line of Rust for each kernel. All ranks make up the same
//! program from the same seed, which is told when something differs.

use std::sync::Arc;

use seawall::{Kernel, Runtime};
use seawall_mpi::{Cluster, Graph, Op, Rows};

use crate::kernels::kernel;
use crate::{Case, well};

pub(crate) const CASES: &[Case] = &[well("random_graphs", random)];

const ARRAYS: usize = 3;

fn random(cluster: &Cluster) {
    for (device, seeds) in [("cpu", 0..30), ("reference", 30..40)] {
        let runtime = Runtime::builder().device(device).open().unwrap();
        for seed in seeds {
            one(cluster, &runtime, seed);
        }
    }
}

/// What a program does.
#[derive(Debug, Clone)]
enum Do {
    /// `b[i] = 3 a[i] + a[i - h] - a[i + h]`, with halos in place or apart.
    Stencil { a: usize, b: usize, apart: bool },
    /// `a[i] += by (i + 1)`
    Add { a: usize, by: u32 },
    /// `a[i] = 5 a[i] + b[i]`
    Mix { a: usize, b: usize },
    /// `sum = Σ a`, and `b[i] += sum`
    Sum { a: usize, b: usize },
    /// `b[i] += a[7 i mod n]`
    Far { a: usize, b: usize },
    /// Turns, with two arrays that change places.
    Loop { body: Vec<Do>, turns: u32, swap: Option<(usize, usize)> },
}

struct Random(u64);

impl Random {
    /// Below `end`.
    fn below(&mut self, end: u64) -> u64 {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    fn pair(&mut self) -> (usize, usize) {
        let a = self.below(ARRAYS as u64) as usize;
        (a, (a + 1 + self.below(ARRAYS as u64 - 1) as usize) % ARRAYS)
    }

    fn body(&mut self, depth: u32) -> Vec<Do> {
        (0..=self.below(5)).map(|_| self.one(depth)).collect()
    }

    fn one(&mut self, depth: u32) -> Do {
        let (a, b) = self.pair();
        match self.below(if depth < 2 { 7 } else { 6 }) {
            0 | 1 => Do::Stencil { a, b, apart: self.below(2) == 0 },
            2 => Do::Add { a, by: self.below(9) as u32 },
            3 => Do::Mix { a, b },
            4 => Do::Sum { a, b },
            5 => Do::Far { a, b },
            _ => {
                let body = self.body(depth + 1);
                let swap = (self.below(2) == 0).then(|| self.pair());
                Do::Loop { body, turns: self.below(4) as u32, swap }
            }
        }
    }
}

fn model(program: &[Do], arrays: &mut [Vec<u32>; ARRAYS], halo: usize) {
    let n = arrays[0].len();
    for step in program {
        match step {
            Do::Stencil { a, b, .. } => {
                let at = |i: Option<usize>| i.and_then(|i| arrays[*a].get(i)).copied().unwrap_or(0);
                let one = |i: usize| {
                    let sides = at(i.checked_sub(halo)).wrapping_sub(at(i.checked_add(halo)));
                    at(Some(i)).wrapping_mul(3).wrapping_add(sides)
                };
                arrays[*b] = (0..n).map(one).collect();
            }
            Do::Add { a, by } => {
                (0..n).for_each(|i| arrays[*a][i] = arrays[*a][i].wrapping_add(by.wrapping_mul(i as u32 + 1)));
            }
            Do::Mix { a, b } => {
                (0..n).for_each(|i| arrays[*a][i] = arrays[*a][i].wrapping_mul(5).wrapping_add(arrays[*b][i]));
            }
            Do::Sum { a, b } => {
                let sum = arrays[*a].iter().fold(0, |sum: u32, x| sum.wrapping_add(*x));
                arrays[*b].iter_mut().for_each(|x| *x = x.wrapping_add(sum));
            }
            Do::Far { a, b } => (0..n).for_each(|i| arrays[*b][i] = arrays[*b][i].wrapping_add(arrays[*a][7 * i % n])),
            Do::Loop { body, turns, swap } => {
                for _ in 0..*turns {
                    model(body, arrays, halo);
                    if let Some((a, b)) = swap {
                        arrays.swap(*a, *b);
                    }
                }
            }
        }
    }
}

struct Kernels {
    stencil: Arc<Kernel>,
    add: Arc<Kernel>,
    mix: Arc<Kernel>,
    sum: Arc<Kernel>,
    spread: Arc<Kernel>,
    far: Arc<Kernel>,
}

/// Own elements stand between halos; `p` has the halo, the first one's number in the whole, a parameter, and how many
/// there are in the whole.
fn over_own(declared: &str, body: &str) -> Arc<Kernel> {
    kernel(&format!(
        "@group(0) @binding(0) var<uniform> p: vec4<u32>;
         @group(0) @binding(1) var<storage, read_write> x: array<u32>;
         {declared}
         @compute @workgroup_size(16)
         fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
             let i = id.x + p.x;
             if i + p.x < arrayLength(&x) {{ {body} }}
         }}"
    ))
}

fn kernels() -> Kernels {
    let from = "@group(0) @binding(2) var<storage, read> y: array<u32>;";
    let ghost = format!("{from} @group(0) @binding(3) var<storage, read> ghost: array<u32>;");
    Kernels {
        // With halos apart, or the array itself bound as them.
        stencil: over_own(
            &ghost,
            "let own = arrayLength(&x) - 2u * p.x;
             var left = 0u;
             var right = 0u;
             if p.z == 1u {
                 if id.x >= p.x { left = y[id.x]; } else { left = ghost[id.x]; }
                 if id.x + p.x < own { right = y[i + p.x]; } else { right = ghost[p.x + id.x + p.x - own]; }
             } else {
                 left = y[i - p.x];
                 right = y[i + p.x];
             }
             x[i] = 3u * y[i] + left - right;",
        ),
        add: over_own("", "x[i] += p.z * (p.y + id.x + 1u);"),
        mix: over_own(from, "x[i] = 5u * x[i] + y[i];"),
        sum: kernel(
            "@group(0) @binding(0) var<uniform> p: vec4<u32>;
             @group(0) @binding(1) var<storage, read> x: array<u32>;
             @group(0) @binding(2) var<storage, read_write> sum: u32;
             @compute @workgroup_size(1)
             fn main() {
                 sum = 0u;
                 for (var i = p.x; i + p.x < arrayLength(&x); i++) { sum += x[i]; }
             }",
        ),
        spread: over_own("@group(0) @binding(2) var<storage, read> y: u32;", "x[i] += y;"),
        far: over_own(from, "x[i] += y[7u * (p.y + id.x) % p.w];"),
    }
}

struct Adds<'a> {
    kernels: &'a Kernels,
    first: u32,
    n: u32,
    halo: u32,
    /// Names must differ.
    made: u32,
}

impl Adds<'_> {
    fn add(&mut self, graph: &mut Graph, program: &[Do]) {
        for step in program {
            self.made += 1;
            let Self { kernels, first, n, halo, made } = *self;
            let name = |what: &str| format!("{what} {made}");
            let array = |at: &usize| format!("a{at}");
            let p = |z: u32| [halo, first, z, n];
            match step {
                Do::Stencil { a, b, apart } => {
                    let ghost = format!("ghost {a}");
                    if *apart {
                        graph.halo_into(&name("halo"), &array(a), &ghost);
                    } else {
                        graph.halo(&name("halo"), &array(a));
                    }
                    let mut wave = graph.wave(&name("stencil"), &kernels.stencil);
                    wave.bind("x", &array(b)).bind("y", &array(a)).bind("ghost", &ghost);
                    wave.value("p", &p(u32::from(*apart))).over("x");
                }
                Do::Add { a, by } => {
                    graph.wave(&name("add"), &kernels.add).bind("x", &array(a)).value("p", &p(*by)).over("x");
                }
                Do::Mix { a, b } => {
                    let mut wave = graph.wave(&name("mix"), &kernels.mix);
                    wave.bind("x", &array(a)).bind("y", &array(b)).value("p", &p(0)).over("x");
                }
                Do::Sum { a, b } => {
                    let mut wave = graph.wave(&name("sum"), &kernels.sum);
                    wave.bind("x", &array(a)).bind("sum", "sum").value("p", &p(0)).workgroups(1);
                    graph.all_reduce::<u32>(&name("total"), "sum", Op::Sum);
                    let mut wave = graph.wave(&name("spread"), &kernels.spread);
                    wave.bind("x", &array(b)).bind("y", "sum").value("p", &p(0)).over("x");
                }
                Do::Far { a, b } => {
                    graph.all_gather(&name("gather"), &array(a), "whole");
                    let mut wave = graph.wave(&name("far"), &kernels.far);
                    wave.bind("x", &array(b)).bind("y", "whole").value("p", &p(0)).over("x");
                }
                Do::Loop { body, turns, swap } => {
                    graph
                        .repeat(&name("loop"), |graph| {
                            self.add(graph, body);
                            if let Some((a, b)) = swap {
                                graph.swap(&array(a), &array(b));
                            }
                        })
                        .times(*turns);
                }
            }
        }
    }
}

fn one(cluster: &Cluster, runtime: &Runtime, seed: u64) {
    let mut random = Random(seed * 8 + cluster.ranks() as u64);
    let (n, halo) = (1 + random.below(70), 1 + random.below(3));
    let mut offsets: Vec<u64> = (1..cluster.ranks()).map(|_| random.below(n + 1)).chain([0, n]).collect();
    offsets.sort_unstable();
    let rows = Rows::at(&offsets).unwrap().halo(halo);
    let program = random.body(0);
    cluster.message_bytes_max(if seed.is_multiple_of(2) { usize::MAX } else { 8 });
    let mut graph = cluster.graph();
    for at in 0..ARRAYS {
        graph.rows::<u32>(&format!("a{at}"), &rows).local::<u32>(&format!("ghost {at}"), 2 * halo);
    }
    graph.replicated::<u32>("sum", 1).replicated::<u32>("whole", n);
    let first = rows.own(cluster.rank()).start as u32;
    let kernels = kernels();
    Adds { kernels: &kernels, first, n: n as u32, halo: halo as u32, made: 0 }.add(&mut graph, &program);
    if seed.is_multiple_of(3) {
        // Some of it stays with the host.
        let plan = cluster.plan(&graph).unwrap();
        let mut tight = graph.clone();
        tight.budget_bytes(plan.staging_bytes + plan.data_bytes * (2 + random.below(3)) / 5);
        if cluster.compile(runtime, &tight).is_ok() {
            graph = tight;
        }
    }
    let compiled = cluster.compile(runtime, &graph).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let mut arrays: [Vec<u32>; ARRAYS] =
        std::array::from_fn(|_| (0..n).map(|_| random.below(1 << 32) as u32).collect());
    for (at, array) in arrays.iter().enumerate() {
        compiled.write(&format!("a{at}"), &rows.cut(cluster.rank(), array).unwrap()).unwrap();
    }
    compiled.call().run().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    model(&program, &mut arrays, halo as usize);
    let own = rows.own_range(cluster.rank());
    for (at, array) in arrays.iter().enumerate() {
        let wanted = rows.cut(cluster.rank(), array).unwrap();
        let got = compiled.read::<u32>(&format!("a{at}")).unwrap();
        let plan = compiled.plan();
        assert_eq!(got[own.clone()], wanted[own.clone()], "seed {seed}, array {at} of {rows:?}: {program:?}\n{plan}");
    }
}
