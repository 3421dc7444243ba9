//! out b = u32[1, 2, 3, 4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn count(at: u32) -> u32 {
    // Zero at each call, whatever the call before left there.
    var seen: array<u32, 4>;
    var n: u32;
    seen[at] += 1;
    n += seen[0] + seen[1] + seen[2] + seen[3];
    return n;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0u;
    for (var k = 0u; k <= id.x; k++) {
        sum += count(k);
    }
    b[id.x] = sum;
}
