// A matrix with its rows as columns, by square tiles: on GPUs in workgroup memory, so that neighbours read and write
// neighbours, and on processors in their caches.

alias V = u32;
const SIDE = 16u;

struct Shape { rows: u32, columns: u32 }

@group(0) @binding(0) var<storage, read> x: array<V>;
@group(0) @binding(1) var<storage, read_write> y: array<V>;
@group(0) @binding(2) var<uniform> shape: Shape;

// One more than a side, so that a column does not lie in one bank of a GPU's memory.
var<workgroup> tile: array<array<V, SIDE + 1u>, SIDE>;

@compute @workgroup_size(SIDE, SIDE)
fn turn(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) at: vec3<u32>) {
    let source = vec2(group.x * SIDE + at.x, group.y * SIDE + at.y);
    if source.x < shape.columns && source.y < shape.rows { tile[at.y][at.x] = x[source.y * shape.columns + source.x]; }
    workgroupBarrier();
    let to = vec2(group.y * SIDE + at.x, group.x * SIDE + at.y);
    if to.x < shape.rows && to.y < shape.columns { y[to.y * shape.rows + to.x] = tile[at.x][at.y]; }
}

// Of a tile that one invocation turns alone.
const ALONE = 64u;

@compute @workgroup_size(1)
fn turn_alone(@builtin(workgroup_id) group: vec3<u32>) {
    let columns = min((group.x + 1u) * ALONE, shape.columns);
    let rows = min((group.y + 1u) * ALONE, shape.rows);
    for (var c = group.x * ALONE; c < columns; c++) {
        for (var r = group.y * ALONE; r < rows; r++) { y[c * shape.rows + r] = x[r * shape.columns + c]; }
    }
}
