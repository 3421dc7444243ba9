//! out l = i64[9223372036854775807, -9223372036854775808, 4294967296, -1]
//! out u = u64[18446744073709551615, 0, 4294967296, 81985529216486895]
@group(0) @binding(0) var<storage, read_write> l: array<i64, 4>;
@group(0) @binding(1) var<storage, read_write> u: array<u64, 4>;

// With the suffixes li and lu.
@compute @workgroup_size(1)
fn main() {
    l[0] = 9223372036854775807li;
    l[1] = -9223372036854775807li - 1li;
    l[2] = 4294967296li;
    l[3] = -1li;
    u[0] = 18446744073709551615lu;
    u[1] = 0lu;
    u[2] = 4294967296lu;
    u[3] = 0x123456789abcdeflu;
}
