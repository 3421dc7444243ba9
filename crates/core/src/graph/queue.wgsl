// The two kernels of a queue; `graph/queue.rs` says what its words are.

const HEAD = 0u;
const COUNT = 1u;
const PEAK = 2u;
const WINDOWS = 3u;
const IDLE = 4u;
const ITEMS = 5u;
const ITEMS_HIGH = 6u;
const TAIL = 32u;
const DROPPED = 33u;

const GO = 0u;
const TAKEN = 1u;
const OVERFLOWED = 2u;

struct Queue {
    capacity: u32,
    // Items of a window, at the most.
    window: u32,
    // Whether it is the first and the last of those that are drained together.
    first: u32,
    last: u32,
    // Whether a drain begins: a window that another one began, and a limit ended, was not worked on.
    opens: u32,
}

@group(0) @binding(0) var<storage, read_write> control: array<u32>;
@group(0) @binding(1) var<storage, read_write> drain: array<u32>;
@group(0) @binding(2) var<storage, read_write> grids: array<u32>;
@group(0) @binding(3) var<uniform> queue: Queue;

// Ends the window that was, and begins the next.
@compute @workgroup_size(1)
fn window() {
    let used = min(control[TAIL] - control[HEAD], queue.capacity);
    let done = select(control[COUNT], 0u, queue.opens == 1u);
    let left = used - done;
    control[PEAK] = max(control[PEAK], used);
    if done > 0u {
        control[WINDOWS] += 1u;
        control[ITEMS] += done;
        control[ITEMS_HIGH] += u32(control[ITEMS] < done);
    } else if drain[GO] == 1u && queue.opens == 0u {
        control[IDLE] += 1u;
    }
    // From here on both are small again: they never wrap.
    control[HEAD] = (control[HEAD] + done) % queue.capacity;
    control[TAIL] = control[HEAD] + left;
    if queue.first == 1u {
        drain[TAKEN] = 0u;
    }
    if control[DROPPED] > 0u {
        drain[OVERFLOWED] = 1u;
    }
    var count = 0u;
    if drain[TAKEN] == 0u && drain[OVERFLOWED] == 0u {
        count = min(left, queue.window);
    }
    control[COUNT] = count;
    if count > 0u {
        drain[TAKEN] = 1u;
    }
    // For workgroups of 1, 2, 4 and so on.
    for (var size = 0u; size < arrayLength(&grids) / 3u; size += 1u) {
        grids[3u * size] = (count + (1u << size) - 1u) >> size;
        grids[3u * size + 1u] = 1u;
        grids[3u * size + 2u] = 1u;
    }
    if queue.last == 1u {
        drain[GO] = drain[TAKEN] * (1u - drain[OVERFLOWED]);
    }
}

@group(0) @binding(4) var<storage, read> items: array<u32>;
@group(0) @binding(5) var<storage, read_write> ring: array<u32>;
@group(0) @binding(6) var<uniform> initial: u32;

// The items that a queue begins with.
@compute @workgroup_size(64)
fn fill(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&items) {
        ring[id.x] = items[id.x];
    }
    if id.x == 0u {
        control[TAIL] = initial;
    }
}
