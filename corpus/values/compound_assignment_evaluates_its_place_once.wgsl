//! out b = u32[0, 10, 20, 1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<private> calls = 0u;

fn next() -> u32 {
    calls++;
    return calls;
}

@compute @workgroup_size(1)
fn main() {
    b[next()] += 10;
    b[next()] += 20;
    b[3] = calls - 1;
}
