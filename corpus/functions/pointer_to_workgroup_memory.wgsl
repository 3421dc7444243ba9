//! grid 2
//! out b = u32[6, 6, 6, 6, 22, 22, 22, 22]
struct Tile { rows: array<array<u32, 4>, 2>, count: atomic<u32> }
var<workgroup> tile: Tile;
var<workgroup> other: array<u32, 4>;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn put(row: ptr<workgroup, array<u32, 4>>, at: u32, value: u32) { (*row)[at] = value; }

fn total(row: ptr<workgroup, array<u32, 4>>) -> u32 {
    var sum = 0u;
    for (var k = 0u; k < 4; k++) { sum += row[k]; }
    return sum;
}

fn count(n: ptr<workgroup, atomic<u32>>) { atomicAdd(n, 1u); }

fn all(t: ptr<workgroup, Tile>, row: u32) -> u32 { return total(&t.rows[row]) + atomicLoad(&t.count) - 4; }

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    put(&tile.rows[id.x / 4], i, id.x);
    put(&other, i, id.x);
    count(&tile.count);
    workgroupBarrier();
    b[id.x] = (all(&tile, id.x / 4) + total(&other)) / 2;
}
