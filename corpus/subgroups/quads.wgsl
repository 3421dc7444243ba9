// Four invocations each.
//! subgroup 8
//! grid 2
//! out b = u32[2, 1, 2, 3, 2, 0, 3, 2, 2, 3, 0, 1, 2, 2, 1, 0, 6, 5, 6, 7, 6, 4, 7, 6, 6, 7, 4, 5, 6, 6, 5, 4, 10, 9, 10, 11, 10, 8, 11, 10, 10, 11, 8, 9, 10, 10, 9, 8, 14, 13, 14, 15, 14, 12, 15, 14, 14, 15, 12, 13, 14, 14, 13, 12, 18, 17, 18, 19, 18, 16, 19, 18, 18, 19, 16, 17, 18, 18, 17, 16, 22, 21, 22, 23, 22, 20, 23, 22, 22, 23, 20, 21, 22, 22, 21, 20, 26, 25, 26, 27, 26, 24, 27, 26, 26, 27, 24, 25, 26, 26, 25, 24, 30, 29, 30, 31, 30, 28, 31, 30, 30, 31, 28, 29, 30, 30, 29, 28]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    b[4u * id.x] = quadBroadcast(id.x, 2);
    b[4u * id.x + 1u] = quadSwapX(id.x);
    b[4u * id.x + 2u] = quadSwapY(id.x);
    b[4u * id.x + 3u] = quadSwapDiagonal(id.x);
}
