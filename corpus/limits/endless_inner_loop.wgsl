//! steps 10000
//! in b = u32[0]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    for (var k = 0; k < 3; k++) {
        var n = 1u;
        loop { //~ runtime-error[endless-loop]
            n = n * 2 + 1;
            continuing {
                break if n == 0;
            }
        }
        b[0] = n;
    }
}
