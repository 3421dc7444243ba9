//! steps 10000
//! in b = u32[0]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    loop { //~ runtime-error[endless-loop]
        b[0] += 1;
        if b[0] == 0xffffffff {
            break;
        }
    }
}
