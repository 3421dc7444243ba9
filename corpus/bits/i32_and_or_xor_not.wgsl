//! grid 2
//! in a = i32[2147483647, 252645135, -2147483648, 12, 7, -7, 7, 2147483647, 715827882, -1073741824, 2147483647,
//!     46341, -15003588, -1432945894, 215691359, 886467130]
//! in b = i32[305419896, 16711935, 2147483647, 10, 2, 2, -2, 2147483647, 3, 2, 2, 46341, 510097, 122871285,
//!     -111941694, -34953]
//! out both = i32[(305419896, 983055, 0, 8) x 3, (2, 0, 6, 2147483647) x 3, (2, 0, 2, 46341) x 3,
//!     (196624, 34789648, 139665474, 886465074) x 3]
//! out either = i32[(2147483647, 268374015, -1, 14) x 3, (7, -5, -1, 2147483647) x 3,
//!     (715827883, -1073741822, 2147483647, 46341) x 3, (-14690115, -1344864257, -35915809, -32897) x 3]
//! out one = i32[(1842063751, 267390960, -1, 6) x 3, (5, -5, -7, 0) x 3,
//!     (715827881, -1073741822, 2147483645, 0) x 3, (-14886739, -1379653905, -175581283, -886497971) x 3]
//! out none = i32[(-2147483648, -252645136, 2147483647, -13) x 3, (-8, 6, -8, -2147483648) x 3,
//!     (-715827883, 1073741823, -2147483648, -46342) x 3, (15003587, 1432945893, -215691360, -886467131) x 3]
@group(0) @binding(0) var<storage> a: array<vec4i>;
@group(0) @binding(1) var<storage> b: array<vec4i>;
@group(0) @binding(2) var<storage, read_write> both: array<array<vec4i, 3>>;
@group(0) @binding(3) var<storage, read_write> either: array<array<vec4i, 3>>;
@group(0) @binding(4) var<storage, read_write> one: array<array<vec4i, 3>>;
@group(0) @binding(5) var<storage, read_write> none: array<array<vec4i, 3>>;

// The bitwise operators.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    both[i][0] = p & q;
    both[i][1] = vec4i(p.xyz & q.xyz, p.w & q.w);
    both[i][2] = vec4i(p.xy & q.xy, p.zw & q.zw);
    either[i][0] = p | q;
    either[i][1] = vec4i(p.xyz | q.xyz, p.w | q.w);
    either[i][2] = vec4i(p.xy | q.xy, p.zw | q.zw);
    one[i][0] = p ^ q;
    one[i][1] = vec4i(p.xyz ^ q.xyz, p.w ^ q.w);
    one[i][2] = vec4i(p.xy ^ q.xy, p.zw ^ q.zw);
    none[i][0] = ~p;
    none[i][1] = vec4i(~p.xyz, ~p.w);
    none[i][2] = vec4i(~p.xy, ~p.zw);
}
