//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[99, 11, 12, 13, 14, 15, 23, 99]
fn factors(x: u32) -> u32 {
    for (var p = 1u; p < 6; p++) {
        var q = 1u;
        loop {
            if p * q == x {
                return p * 10 + q;
            }
            continuing {
                q++;
                break if q >= 6;
            }
        }
    }
    return 99;
}

@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = factors(a[id.x]);
}
