//! grid 4
//! out b = u32[100, 101, 102, 103, 104, 105, 106, 107, 214, 213, 212, 211, 210, 209, 208, 207, 300, 301, 302,
//!     303, 304, 305, 306, 307, 7, 6, 5, 4, 3, 2, 1, 0]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 8>;

// Only the odd workgroups reverse their tiles: that is theirs to decide, a barrier of the grid is not.
@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    let i = group.x * 8 + local;
    tile[local] = local;
    if group.x % 2 == 1 {
        workgroupBarrier();
        let x = tile[7 - local];
        workgroupBarrier();
        tile[local] = x;
        if group.x == 1 {
            tile[local] += 7;
        }
    }
    b[i] = group.x;
    gridBarrier();
    let next = b[(i + 8) % 32];
    gridBarrier();
    b[i] = tile[local] + 100 * next;
}
