@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    switch b[0] {
        case 1: {
            b[0] = 2;
        }
        case 1: {
            b[0] = 3; //~ error[invalid] several cases for 1
        }
        default: {}
    }
}
