// Looks at a grid that the device decided before it is run. Needs `job`, `args`, `slot` and `states`.

struct Job {
    // Where the grid stands in `args`.
    word: u32,
    // The most workgroups in a dimension of one dispatch.
    side_max: u32,
    // Whether the kernel takes a folded grid.
    fold: u32,
    // The state of the loop or branch that it stands in; 0 if it runs in any case.
    gate: u32,
    limit: vec3u,
}

struct Slot {
    // What is dispatched.
    dims: vec3u,
    // 0: it runs, 1: it is beyond its limit, 2: it is beyond what the device takes.
    state: u32,
    // What was found.
    grid: vec3u,
    // How often it was run, with how many workgroups in all, and at the most.
    runs: u32,
    low: u32,
    high: u32,
    most: u32,
    // How many workgroups in all the submission has time for.
    allowed: u32,
}

// The low and the high word of a product.
fn product(a: u32, b: u32) -> vec2u {
    let low = (a & 0xffff) * (b & 0xffff);
    let one = (a & 0xffff) * (b >> 16);
    let other = (a >> 16) * (b & 0xffff);
    let middle = (low >> 16) + (one & 0xffff) + (other & 0xffff);
    return vec2u(a * b, (a >> 16) * (b >> 16) + (one >> 16) + (other >> 16) + (middle >> 16));
}

fn count(grid: vec3u) {
    let plane = product(grid.x, grid.y);
    let all = product(plane.x, grid.z) + vec2u(0, plane.y * grid.z);
    slot.runs += 1;
    slot.low += all.x;
    slot.high += all.y + u32(slot.low < all.x);
    slot.most = max(slot.most, select(all.x, 0xffffffff, all.y > 0));
    if slot.high > 0 || slot.low > slot.allowed {
        states[0].now = 1;
    }
}

fn fail(state: u32) {
    slot.state = state;
    states[0].ended = 1;
}

// Looks at the grid if it is to run.
fn look(run: bool) {
    slot.dims = vec3u();
    if job.gate == 0 {
        slot.state = 0;
        slot.runs = 0;
        slot.low = 0;
        slot.high = 0;
        slot.most = 0;
    } else if !run || slot.state != 0 {
        return;
    }
    let grid = vec3u(args[job.word], args[job.word + 1], args[job.word + 2]);
    slot.grid = grid;
    if any(grid > job.limit) {
        fail(1);
        return;
    }
    if any(grid == vec3u()) {
        slot.runs += 1;
        return;
    }
    if job.fold == 0 {
        slot.dims = grid;
        count(grid);
        return;
    }
    const most = 0xffffffffu;
    if grid.y > most / grid.x || grid.z > most / (grid.x * grid.y) {
        fail(2);
        return;
    }
    let all = grid.x * grid.y * grid.z;
    let row = min(all, job.side_max);
    let rows = all / row + select(0u, 1u, all % row > 0);
    if rows > job.side_max {
        fail(2);
        return;
    }
    slot.dims = vec3u(row, rows, 1);
    count(grid);
}
