//! in b = u32[0 x 12]
//! out b = u32[7, 9, 1, 14, 4294967291, 3, 8, 6, 1, 1, 2, 4294967280]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let one = b[0] + 1;
    let two = one + 1;
    let three = one + two;
    b[0] = one + two * three;
    b[1] = (one + two) * three;
    b[2] = three - two * one;
    b[3] = two * 10 / three + 8;
    b[4] = u32(-i32(two) - i32(three));
    b[5] = 7 % (two * two) / one;
    b[6] = (one << three);
    b[7] = (two | three) << one;
    b[8] = u32(one + one == two && two < three);
    b[9] = u32(one == two || !(two == three));
    b[10] = 10 - three - 5 * one;
    b[11] = ~(one + two * 7);
}
