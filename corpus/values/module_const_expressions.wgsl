//! out b = u32[12, 24, 0, 1, 3, 7, 255, 5, 9, 2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

const A = 3;
const B_ = A * 4;
const C: u32 = B_ + B_;
const V = vec3(A, B_, 7);
const M = max(A, 2) - min(3, 7);
const T = A < B_ && !(A == 4);
const MASK = (1u << 8) - 1;
const LEN = A + 2;
const TABLE = array(1, 2, 3 * A);
const HALF = 2.5;

var<private> items: array<u32, LEN>;

@compute @workgroup_size(1)
fn main() {
    b[0] = B_;
    b[1] = C;
    b[2] = M;
    b[3] = u32(T);
    b[4] = u32(V.x);
    b[5] = u32(V[2]);
    b[6] = MASK;
    for (var k = 0; k < LEN; k++) {
        items[k] = 1;
        b[7] += items[k];
    }
    b[8] = u32(TABLE[2]);
    b[9] = u32(HALF);
}
