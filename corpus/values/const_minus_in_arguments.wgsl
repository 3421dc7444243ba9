//! out b = i32[1014, -2514, 7]
// Two arguments of one call, each a constant expression with a `-` before a `-` in it.
@group(0) @binding(0) var<storage, read_write> b: array<i32, 3>;

fn both(x: i32, y: i32) -> i32 {
    return 100 * x + y;
}

@compute @workgroup_size(1)
fn main() {
    b[0] = both(abs(3--7), abs(5--9));
    b[1] = both(min(-25, 3--7), -abs(5--9));
    b[2] = both(i32(abs(3--7) > 99), max(2--3, 3--4));
}
