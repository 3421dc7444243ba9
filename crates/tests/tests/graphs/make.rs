//! Graphs by chance: a few kernels that differ in what they do to their buffers, over data of
//! all roles that they share, whole or in parts.

use std::sync::{Arc, LazyLock};

use seawall_core::graph::{Graph, Grid, Resolved, Role};
use seawall_core::program::{Kernel, Overrides, Program};
use seawall_tests::kernels::rng::Rng;

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> p: vec4<u32>;

@compute @workgroup_size(32)
fn add(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = x[id.x % arrayLength(&x)] + id.x; }
}

@compute @workgroup_size(16)
fn gather(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = y[id.x] * 3u + x[(id.x * 7u + p.x) % arrayLength(&x)] * p.y; }
}

@compute @workgroup_size(64)
fn turn(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = (y[id.x] ^ 0x9e3779b9u) * 5u + p.z; }
}

@compute @workgroup_size(32)
fn thin(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.x * 3u;
    if at < arrayLength(&y) { y[at] = x[id.x % arrayLength(&x)]; }
}

@compute @workgroup_size(32)
fn sum(@builtin(global_invocation_id) id: vec3<u32>) {
    atomicAdd(&sums[(id.x * 5u) % arrayLength(&sums)], x[id.x % arrayLength(&x)] + 1u);
}

@compute @workgroup_size(1)
fn size() { y[0] = arrayLength(&x) % 5u; y[1] = 1u; y[2] = 1u; }
";

static KERNELS: LazyLock<Vec<Arc<Kernel>>> = LazyLock::new(|| {
    let program = Program::wgsl(WGSL).unwrap_or_else(|report| panic!("{report}"));
    let kernel = |entry: &str| program.kernel(entry, &Overrides::new()).unwrap();
    program.entries().map(kernel).collect()
});

/// Where bindings may start.
const PART: u64 = 256;

/// A sound graph.
pub(crate) fn graph(rng: &mut Rng) -> Graph {
    let mut graph = Graph::default();
    graph.data(Role::Transient, "grid", 12);
    let data: Vec<(String, u64, Role)> = (0..3 + rng.below(8))
        .map(|i| {
            let roles = [Role::Input, Role::Output, Role::InOut, Role::Transient, Role::Transient, Role::Persistent];
            let role = match i {
                0 => Role::Input,
                1 => Role::InOut,
                _ => rng.pick(&roles),
            };
            let bytes = PART * (1 + rng.below(6) as u64) + 4 * rng.below(20) as u64;
            (format!("{role:?} {i}"), bytes, role)
        })
        .collect();
    for (name, bytes, role) in &data {
        let added = graph.data(*role, name, *bytes);
        if *role == Role::Output && rng.chance(30) {
            added.counted("grid", 0, 16);
        }
        added.resident = [Role::Input, Role::Output, Role::InOut].contains(role) && rng.chance(25);
    }
    let waves = if rng.chance(10) { 1 + rng.below(200) } else { 1 + rng.below(30) };
    // Someone must say how large the grid is.
    wave(rng, &mut graph, "first", KERNELS.len() - 1, &data);
    for i in 0..waves {
        let name = format!("wave {i}");
        let kernel = rng.below(KERNELS.len());
        wave(rng, &mut graph, &name, kernel, &data);
        if i > 0 && rng.chance(15) {
            let before = format!("wave {}", rng.below(i));
            graph.waves.last_mut().unwrap().after(&before);
        }
    }
    // Every output must be written.
    for (name, _, role) in &data {
        if *role == Role::Output {
            let all = graph.wave(&format!("all of {name}"), &KERNELS[0]);
            all.bind("x", &data[0].0).bind("y", name).grid(Grid::Over("y".into()));
        }
    }
    graph
}

fn wave(rng: &mut Rng, graph: &mut Graph, name: &str, kernel: usize, data: &[(String, u64, Role)]) {
    let kernel = &KERNELS[kernel];
    let writable: Vec<usize> = (0..data.len()).filter(|&at| data[at].2 != Role::Input).collect();
    let to = rng.pick(&writable);
    let mut from = rng.below(data.len());
    if from == to {
        from = (from + 1) % data.len();
    }
    let wave = graph.wave(name, kernel);
    for row in &kernel.buffers {
        match row.name.as_str() {
            "p" => {
                wave.value("p", &std::array::from_fn::<u8, 16, _>(|_| rng.below(7) as u8));
            }
            "y" if kernel.name == "size" => {
                wave.bind("y", "grid");
            }
            buffer => {
                let (data, bytes, _) = &data[if buffer == "x" { from } else { to }];
                if rng.chance(40) {
                    let start = PART * rng.below((bytes / PART) as usize) as u64;
                    let words = 1 + rng.below(((bytes - start) / 4) as usize) as u64;
                    wave.bind_range(buffer, data, start..start + words * 4);
                } else {
                    wave.bind(buffer, data);
                }
            }
        }
    }
    if kernel.name == "size" {
        wave.grid(Grid::Workgroups([1, 1, 1]));
    } else if rng.chance(20) {
        wave.grid(Grid::Indirect { data: "grid".into(), offset: 0, limit: [5, 1, 1] });
    } else if rng.chance(30) {
        wave.grid(Grid::Over(if kernel.name == "sum" { "x" } else { "y" }.into()));
    } else {
        wave.grid(Grid::Threads([rng.below(300) as u32, 1, 1]));
    }
}

/// Contents of everything that the caller gives, by data; zeros for the rest, and ones for
/// outputs, which must not be seen.
pub(crate) fn inputs(rng: &mut Rng, graph: &Resolved) -> Vec<Vec<u8>> {
    let one = |(bytes, role): (u64, Role)| match role {
        Role::Input | Role::InOut => (0..bytes).map(|_| rng.bits() as u8).collect(),
        Role::Output => vec![1; bytes as usize],
        Role::Persistent | Role::Transient => vec![0; bytes as usize],
    };
    graph.data.iter().map(|data| (data.bytes, data.role)).map(one).collect()
}
