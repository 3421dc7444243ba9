//! Levels of a breadth-first search along a path, one vertex in each: a loop that the device decides,
//! against a host that reads how many vertices come next after every level.

use std::sync::Arc;

use bytemuck::cast_slice;
use seawall::device::{Control, Host, Io};
use seawall::schedule::{self, Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step, Test};
use wgpu::BufferUsages;

use super::{OURS, PLAIN, Sides, agree};
use crate::error::Error;
use crate::race::{Contender, Lap, timed};

/// Both lists hold how many vertices they have, and the vertices.
const EXPAND: &str = "@group(0) @binding(0) var<storage> edges: array<u32>;
@group(0) @binding(1) var<storage> now: array<u32>;
@group(0) @binding(2) var<storage, read_write> next: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> depth: array<atomic<u32>>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= now[0] { return; }
    let vertex = now[1u + id.x];
    let other = edges[vertex];
    let deeper = atomicLoad(&depth[vertex]) + 1u;
    if other < arrayLength(&depth) && atomicMin(&depth[other], deeper) > deeper {
        atomicStore(&next[1u + atomicAdd(&next[0], 1u)], other);
    }
}";

/// The grid of the next level, and an empty list for what it finds.
const ADVANCE: &str = "@group(0) @binding(0) var<storage, read_write> now: array<u32>;
@group(0) @binding(1) var<storage> next: array<u32>;
@group(0) @binding(2) var<storage, read_write> grid: array<u32>;
@compute @workgroup_size(1)
fn main() { now[0] = 0u; grid[0] = (next[0] + 63u) / 64u; }";

/// The rows of both: edges, the lists, depths; ours has a grid too.
const NAMES: [&str; 5] = ["edges", "now", "next", "depth", "grid"];

fn start(levels: u32) -> [Vec<u32>; 5] {
    let vertices = levels as usize;
    let mut now = vec![0; vertices + 1];
    let next = now.clone();
    now[0] = 1;
    let mut depth = vec![u32::MAX; vertices];
    depth[0] = 0;
    [(1..=levels).collect(), now, next, depth, vec![1; 3]]
}

pub(super) fn race(rounds: u32, sides: &Sides, levels: u32) -> Result<Vec<Lap>, Error> {
    let Sides { runtime, device, gpu } = sides;
    let inputs = start(levels);
    let whole = |at: usize| Binding { buffer: BufferId(at as u32), offset: 0, bytes: inputs[at].len() as u64 * 4 };
    let mut schedule =
        Schedule { kernels: vec![runtime.kernel(EXPAND)?, runtime.kernel(ADVANCE)?], ..Schedule::default() };
    for (at, name) in NAMES.iter().enumerate() {
        let (name, bytes) = ((*name).to_owned(), whole(at).bytes);
        schedule.hosts.push(schedule::Host { name: name.clone(), bytes, writable: at == 3 });
        schedule.buffers.push(Buffer { name, bytes, life: Life::Transient });
        schedule.steps.push(Step::Upload { host: HostId(at as u32), at: 0, to: whole(at) });
    }
    let test = Test { word: Binding { bytes: 4, ..whole(4) }, zero: false };
    schedule.steps.extend([
        Step::Loop { test: Some(test), limit: levels + 1 },
        Step::DispatchIndirect {
            kernel: KernelId(0),
            args: whole(4),
            limit: [levels.div_ceil(64), 1, 1],
            bindings: [0, 1, 2, 3].map(whole).to_vec(),
        },
        Step::Barrier,
        Step::Dispatch { kernel: KernelId(1), grid: [1; 3], bindings: [1, 2, 4].map(whole).to_vec() },
        Step::Barrier,
        Step::Swap { first: BufferId(1), second: BufferId(2) },
        Step::End,
        Step::Download { from: whole(3), host: HostId(3), at: 0, length: None },
    ]);
    let loaded = device.load(Arc::new(seawall::check::check(schedule)?))?;

    let usage = BufferUsages::STORAGE;
    let plain: Vec<wgpu::Buffer> = inputs[..4].iter().map(|words| gpu.buffer(cast_slice(words), usage)).collect();
    let job = |order: [usize; 4]| gpu.job(EXPAND, &order.map(|at| plain[at].clone()), [1; 3]);
    let jobs = [job([0, 1, 2, 3])?, job([0, 2, 1, 3])?];
    let staging = gpu.empty(4, BufferUsages::MAP_READ | BufferUsages::COPY_DST);

    let (mut ours, mut theirs) = (inputs[3].clone(), vec![0; inputs[3].len() * 4]);
    let contenders: Vec<Contender<'_, Error>> = vec![
        timed(OURS, 1, || {
            ours.copy_from_slice(&inputs[3]);
            let [edges, now, next, _, grid] = &inputs;
            let read = |words| Host::Read(cast_slice(words));
            let depth = Host::Write(bytemuck::cast_slice_mut(&mut ours));
            let hosts = vec![read(edges), read(now), read(next), depth, read(grid)];
            Ok(loaded.run(Io { hosts, residents: Vec::new() }, &Control::default()).map(drop)?)
        }),
        timed(PLAIN, 1, || {
            for (buffer, words) in plain.iter().zip(&inputs) {
                gpu.write(buffer, cast_slice(words))?;
            }
            let (mut count, mut turn) = (1_u32, 0);
            while count > 0 {
                count = gpu.step(&jobs[turn], count.div_ceil(64), &plain[2 - turn], &staging)?;
                turn = 1 - turn;
            }
            Ok(gpu.read_into(&plain[3], 0, &mut theirs)?)
        }),
    ];
    let laps = super::race(rounds, contenders)?;
    agree("levels", cast_slice(&ours), &theirs)?;
    Ok(laps)
}
