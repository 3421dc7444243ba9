//! grid 2
//! in a = u32[4294967295, 252645135, 0, 12, 7, 0, 7, 4294967295, 1431655765, 12345, 4294967295, 46341, 3177941018,
//!     3855609338, 2219470900, 2192782745]
//! in b = u32[305419896, 16711935, 4294967295, 10, 2, 2, 3, 4294967295, 3, 2, 2, 46341, 117145984, 163357643,
//!     22589, 4047]
//! out both = u32[(305419896, 983055, 0, 8) x 3, (2, 0, 3, 4294967295) x 3, (1, 0, 2, 46341) x 3,
//!     (74153984, 25993674, 20532, 1417) x 3]
//! out either = u32[(4294967295, 268374015, 4294967295, 14) x 3, (7, 2, 7, 4294967295) x 3,
//!     (1431655767, 12347, 4294967295, 46341) x 3, (3220933018, 3992973307, 2219472957, 2192785375) x 3]
//! out one = u32[(3989547399, 267390960, 4294967295, 6) x 3, (5, 2, 4, 0) x 3,
//!     (1431655766, 12347, 4294967293, 0) x 3, (3146779034, 3966979633, 2219452425, 2192783958) x 3]
//! out none = u32[(0, 4042322160, 4294967295, 4294967283) x 3, (4294967288, 4294967295, 4294967288, 0) x 3,
//!     (2863311530, 4294954950, 0, 4294920954) x 3, (1117026277, 439357957, 2075496395, 2102184550) x 3]
@group(0) @binding(0) var<storage> a: array<vec4u>;
@group(0) @binding(1) var<storage> b: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> both: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> either: array<array<vec4u, 3>>;
@group(0) @binding(4) var<storage, read_write> one: array<array<vec4u, 3>>;
@group(0) @binding(5) var<storage, read_write> none: array<array<vec4u, 3>>;

// The bitwise operators.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    both[i][0] = p & q;
    both[i][1] = vec4u(p.xyz & q.xyz, p.w & q.w);
    both[i][2] = vec4u(p.xy & q.xy, p.zw & q.zw);
    either[i][0] = p | q;
    either[i][1] = vec4u(p.xyz | q.xyz, p.w | q.w);
    either[i][2] = vec4u(p.xy | q.xy, p.zw | q.zw);
    one[i][0] = p ^ q;
    one[i][1] = vec4u(p.xyz ^ q.xyz, p.w ^ q.w);
    one[i][2] = vec4u(p.xy ^ q.xy, p.zw ^ q.zw);
    none[i][0] = ~p;
    none[i][1] = vec4u(~p.xyz, ~p.w);
    none[i][2] = vec4u(~p.xy, ~p.zw);
}
