//! grid 3
//! out b = u32[100, 101, 102, 150, 151, 152, 200, 201, 202]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> sum: u32;

@compute @workgroup_size(3)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    for (var r = 0u; r < 5; r++) {
        if local == r % 3 {
            sum += r + group.x;
        }
        gridBarrier();
    }
    b[3 * group.x + local] = sum * 10 + local;
}
