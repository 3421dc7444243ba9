//! out b = u32[0, 101, 212, 303]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

struct Row {
    cells: array<vec4u, 2>,
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var row: Row;
    let cells = &row.cells;
    let cell = &(*cells)[1];
    *cell = vec4u(0, 1, 2, 3);
    (*cell).z += 10;
    b[id.x] = (*cell)[id.x] + 100 * id.x;
}
