//! grid 3
//! out b = u32[5, 10, 15, 20, 25, 30]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0u;
    for (var r = 0; r < 5; r++) {
        var fresh: u32;
        var list: array<vec2u, 2>;
        fresh += 1;
        list[1].x += id.x;
        gridBarrier(); // redundant
        sum += fresh + list[1].x;
        fresh = 50;
        list[1].x = 60;
    }
    b[id.x] = sum;
}
