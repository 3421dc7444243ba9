//! grid 5
//! in a = u64[0, 1, 18446744073709551615, 0, 7, 0, 7, 18446744073709551615, 6148914691236517205, 12345,
//!     18446744073709551615, 46341, 5787620081580088010, 17426290450518894647, 8220621215424424357,
//!     6401117268241863454, 5, 6, 0, 1]
//! in b = u64[0, 18446744073709551615, 1, 1, 2, 2, 3, 18446744073709551615, 3, 2, 2, 46341, 8317162909086614,
//!     270004523845330727, 55357020676021366, 136127693278, 0, 0, 0, 0]
//! out quotient = u64[(0, 0, 18446744073709551615, 0) x 3, (3, 0, 2, 1) x 3,
//!     (2049638230412172401, 6172, 9223372036854775807, 1) x 3, (695, 64, 148, 47022887) x 3, (5, 6, 0, 1) x 3]
//! out remainder = u64[(0, 1, 0, 0) x 3, (1, 0, 1, 0) x 3, (2, 1, 1, 0) x 3,
//!     (7191859764891280, 146000924417728119, 27782155373262189, 129659809868) x 3, (0, 0, 0, 0) x 3]
@group(0) @binding(0) var<storage> a: array<vec4<u64>>;
@group(0) @binding(1) var<storage> b: array<vec4<u64>>;
@group(0) @binding(2) var<storage, read_write> quotient: array<array<vec4<u64>, 3>>;
@group(0) @binding(3) var<storage, read_write> remainder: array<array<vec4<u64>, 3>>;

// Quotients round to zero; x / 0 is x and x % 0 is 0.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    quotient[i][0] = p / q;
    quotient[i][1] = vec4<u64>(p.xyz / q.xyz, p.w / q.w);
    quotient[i][2] = vec4<u64>(p.xy / q.xy, p.zw / q.zw);
    remainder[i][0] = p % q;
    remainder[i][1] = vec4<u64>(p.xyz % q.xyz, p.w % q.w);
    remainder[i][2] = vec4<u64>(p.xy % q.xy, p.zw % q.zw);
}
