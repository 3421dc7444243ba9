// A matrix with its rows as columns, by square tiles: on GPUs in workgroup memory, so that neighbours read and write
// neighbours, and on processors in their caches.

alias V = u32;
const SIDE = 16u;

// Some rows and columns of a matrix: the first is bound from that row on, and what it becomes from that column on.
struct Block { rows: u32, columns: u32, all_rows: u32, all_columns: u32, row: u32, column: u32 }

@group(0) @binding(0) var<storage, read> x: array<V>;
@group(0) @binding(1) var<storage, read_write> y: array<V>;
@group(0) @binding(2) var<uniform> block: Block;

// One more than a side, so that a column does not lie in one bank of a GPU's memory.
var<workgroup> tile: array<array<V, SIDE + 1u>, SIDE>;

@compute @workgroup_size(SIDE, SIDE)
fn turn(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) at: vec3<u32>) {
    let source = vec2(group.x * SIDE + at.x, group.y * SIDE + at.y);
    if source.x < block.columns && source.y < block.rows {
        tile[at.y][at.x] = x[source.y * block.all_columns + block.column + source.x];
    }
    workgroupBarrier();
    let to = vec2(group.y * SIDE + at.x, group.x * SIDE + at.y);
    if to.x < block.rows && to.y < block.columns { y[to.y * block.all_rows + block.row + to.x] = tile[at.x][at.y]; }
}

// Of a tile that one invocation turns alone.
const ALONE = 64u;

@compute @workgroup_size(1)
fn turn_alone(@builtin(workgroup_id) group: vec3<u32>) {
    let columns = min((group.x + 1u) * ALONE, block.columns);
    let rows = min((group.y + 1u) * ALONE, block.rows);
    for (var c = group.x * ALONE; c < columns; c++) {
        let to = c * block.all_rows + block.row;
        for (var r = group.y * ALONE; r < rows; r++) { y[to + r] = x[r * block.all_columns + block.column + c]; }
    }
}
