//! out b = u32[1, 2, 3, 4, 5, 1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

const x = 1u;

fn inner(x: u32) -> u32 {
    return x;
}

fn outer() -> u32 {
    return x;
}

@compute @workgroup_size(1)
fn main() {
    b[0] = x;
    b[1] = inner(2);
    let x = 3u;
    b[2] = x;
    {
        let x = x + 1;
        b[3] = x;
        for (var x = 5u; x < 6; x++) {
            b[4] = x;
        }
    }
    b[5] = outer();
}
