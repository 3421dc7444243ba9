//! grid 4
//! in x = u32[128, 4294967295, 1685192164, 1357122900, 2882590715, 1839700615, 3336900082, 1572745251, 2008910111,
//!     404265716, 3800757764, 960836459, 3033636545, 1734349671, 1809368694, 1531648885, 1571754093, 1969975945,
//!     3020012165, 1650747322, 4126495981, 3764076051, 361040387, 1167889500, 779757289, 3246035554, 3520916563,
//!     4063045762, 1743532650, 1404662647, 1198563463, 787456633]
//! in offset = u32[0, 4, 24, 28, 32, 33, 4294967295, 0, 3, 0, 31, 8, 16, 5, 12, 2147483648]
//! in count = u32[8, 8, 8, 8, 4, 1, 4294967295, 32, 0, 4294967295, 1, 32, 7, 16, 1, 2147483648]
//! out scalar = u32[128, 222, 171, 12, 0, 0, 0, 1809368694, 0, 3020012165, 1, 1410314, 122, 59234, 1, 0]
//! out vector = u32[128, 255, 222, 213, 171, 109, 12, 5, 0, 0, 0, 0, 0, 0, 1809368694, 1531648885, 0, 0,
//!     3020012165, 1650747322, 1, 1, 1410314, 4562068, 122, 122, 59234, 26948, 1, 1, 0, 0]
@group(0) @binding(0) var<storage> x: array<vec2u>;
@group(0) @binding(1) var<storage> offset: array<u32>;
@group(0) @binding(2) var<storage> count: array<u32>;
@group(0) @binding(3) var<storage, read_write> scalar: array<u32>;
@group(0) @binding(4) var<storage, read_write> vector: array<vec2u>;

// A field that sticks out is cut at the end.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    scalar[i] = extractBits(x[i].x, offset[i], count[i]);
    vector[i] = extractBits(x[i], offset[i], count[i]);
}
