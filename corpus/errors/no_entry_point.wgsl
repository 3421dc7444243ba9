//! error[no-entry-point] no compute entry point
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn main() {
    b[0] = 1;
}
