//! grid 4
//! in x = i32[128, -1, -255005647, -1675345159, 432620297, -1707766624, 286833430, 157276083, 1928220229,
//!     488497824, -531590838, 577284743, 1956220284, 439285775, -111018606, 2052234147, -84202392, -808088130,
//!     -1528503718, 1072341333, 1032300645, 824877558, 70156226, -593768651, 1778742595, 1483686134, 79013912,
//!     1753457108, 11583627, 586013629, 1302775549, -31001750]
//! in offset = u32[0, 4, 24, 28, 32, 33, 4294967295, 0, 3, 0, 31, 8, 16, 5, 12, 2147483648]
//! in count = u32[8, 8, 8, 8, 4, 1, 4294967295, 32, 0, 4294967295, 1, 32, 7, 16, 1, 2147483648]
//! out scalar = i32[-128, -61, 25, 1, 0, 0, 0, -111018606, 0, -1528503718, 0, 274047, 5, -21184, 0, 0]
//! out vector = i32[-128, -1, -61, 47, 25, -102, 1, 0, 0, 0, 0, 0, 0, 0, -111018606, 2052234147, 0, 0, -1528503718,
//!     1072341333, 0, 0, 274047, -2319409, 5, -17, -21184, 7438, 0, -1, 0, 0]
@group(0) @binding(0) var<storage> x: array<vec2i>;
@group(0) @binding(1) var<storage> offset: array<u32>;
@group(0) @binding(2) var<storage> count: array<u32>;
@group(0) @binding(3) var<storage, read_write> scalar: array<i32>;
@group(0) @binding(4) var<storage, read_write> vector: array<vec2i>;

// A field that sticks out is cut at the end; its highest bit is the sign.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    scalar[i] = extractBits(x[i].x, offset[i], count[i]);
    vector[i] = extractBits(x[i], offset[i], count[i]);
}
