//! out b = u32[4, 8, 16, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn above(n: u32) -> u32 {
    var p = 1u;
    loop {
        if p > n { return p; }
        p *= 2u;
        switch p {
            case 1u: { break; }
            default: {}
        }
    }
}

fn either(first: bool) -> vec2u {
    if first {
        loop {
            for (var i = 0u;; i++) {
                if i > 2u { break; }
            }
            return vec2(3u);
        }
    } else {
        return vec2(1u);
    }
}

@compute @workgroup_size(1)
fn main() {
    b[0] = above(2u);
    b[1] = above(7u);
    b[2] = above(8u);
    b[3] = either(b[0] == 4u).y;
}
