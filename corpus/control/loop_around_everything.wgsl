//! in a = u32[3, 0, 5, 1]
//! out b = u32[4, 0, 9, 1]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var count = 0u;
    var p = 0u;
    loop {
        if p == a[id.x] {
            b[id.x] = count;
            return;
        }
        var q = 0u;
        loop {
            if q > p {
                break;
            }
            if (p + q) % 2 == 1 {
                q++;
                continue;
            }
            count++;
            q++;
        }
        p++;
    }
}
