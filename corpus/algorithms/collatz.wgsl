//! grid 3
//! in a = u32[1, 2, 3, 7, 27, 97, 871, 6171, 1024, 1023, 77031, 837799]
//! out b = u32[0, 1, 7, 16, 111, 118, 178, 261, 10, 62, 350, 524]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn steps(start: u32) -> u32 {
    var n = start;
    var count = 0u;
    while n != 1 {
        if n % 2 == 0 {
            n /= 2;
        } else {
            // 3n + 1 is even, so halve it at once, without overflow: 837799 goes up to 2974984576.
            n = n + n / 2 + 1;
            count++;
        }
        count++;
    }
    return count;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = steps(a[id.x]);
}
