// Looks at a grid that the device decided before it is run.

struct Job {
    // Where the grid stands in `args`.
    word: u32,
    // The most workgroups in a dimension of one dispatch.
    side_max: u32,
    // Whether the kernel takes a folded grid.
    fold: u32,
    limit: vec3u,
}

struct Slot {
    // What is dispatched.
    dims: vec3u,
    // 0: it runs, 1: it is beyond its limit, 2: it is beyond what the device takes.
    state: u32,
    // What was found.
    grid: vec3u,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<storage> args: array<u32>;
@group(0) @binding(2) var<storage, read_write> slot: Slot;

@compute @workgroup_size(1)
fn main() {
    let grid = vec3u(args[job.word], args[job.word + 1], args[job.word + 2]);
    slot.grid = grid;
    slot.dims = vec3u();
    slot.state = 1;
    if any(grid > job.limit) {
        return;
    }
    slot.state = 0;
    if job.fold == 0 || any(grid == vec3u()) {
        slot.dims = select(grid, vec3u(), any(grid == vec3u()));
        return;
    }
    slot.state = 2;
    const most = 0xffffffffu;
    if grid.y > most / grid.x || grid.z > most / (grid.x * grid.y) {
        return;
    }
    let all = grid.x * grid.y * grid.z;
    let row = min(all, job.side_max);
    let rows = all / row + select(0u, 1u, all % row > 0);
    if rows > job.side_max {
        return;
    }
    slot.dims = vec3u(row, rows, 1);
    slot.state = 0;
}
