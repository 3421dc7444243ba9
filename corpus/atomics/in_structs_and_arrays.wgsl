//! grid 4
//! in s = u32[7] pad[12] (u32[0] i32[0] u32[0, 0]) x 3
//! out s = u32[7] pad[12] u32[6] i32[-45] u32[3, 3] u32[5] i32[-35] u32[2, 3] u32[5] i32[-40] u32[3, 2]
struct Cell {
    count: atomic<u32>,
    sum: atomic<i32>,
    parity: array<atomic<u32>, 2>,
}
struct Table {
    head: u32,
    @align(16) cells: array<Cell>,
}
@group(0) @binding(0) var<storage, read_write> s: Table;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let cell = &s.cells[id.x % 3];
    atomicAdd(&(*cell).count, 1);
    atomicSub(&cell.sum, i32(id.x));
    atomicAdd(&s.cells[id.x % 3].parity[id.x % 2], 1);
}
