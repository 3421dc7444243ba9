//! out b = i32[-1, 0, 10, -4, 4, 96, 7, 7, -1, 10, 8]
// Abstract integers are shifted by any amount, and `--` is two operators where a value goes on.
@group(0) @binding(0) var<storage, read_write> b: array<i32>;

const RIGHT = -8 >> 70u;
const ZERO = 0 << 64u;
const TEN = 3--7;

@compute @workgroup_size(1)
fn main() {
    var x = 3;
    var y = 7;
    b[0] = RIGHT;
    b[1] = ZERO;
    b[2] = TEN;
    b[3] = x---y;
    b[4] = y- --x;
    b[5] = (0 << 70u >> 100u) + (3 << 5u);
    b[6] = --y;
    b[7] = --7;
    b[8] = vec2(-1, -9).x >> 63u;
    b[9] = x--y;
    y++;
    x--;
    b[10] = y;
}
