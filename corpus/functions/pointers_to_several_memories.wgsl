//! in a = i32[1, 2, 3, 4]
//! out b = i32[4, 6, 8, 10, 36]
@group(0) @binding(0) var<storage> a: array<i32, 4>;
@group(0) @binding(1) var<storage, read_write> b: array<i32, 5>;
var<workgroup> w: array<i32, 4>;
var<private> p: array<i32, 4>;

// A pointer of each kind, and values between them.
fn mix(n: i32, source: ptr<storage, array<i32, 4>>, k: i32, at: ptr<function, i32>, by: ptr<workgroup, i32>,
       own: ptr<private, array<i32, 4>>) -> i32 {
    *at += 1;
    (*own)[k] = n;
    *by += (*source)[k];
    return (*source)[k] + n + *by - *by;
}

fn through(source: ptr<storage, array<i32, 4>>, by: ptr<workgroup, array<i32, 4>>, k: i32) -> i32 {
    var calls = 0;
    let one = mix(k, source, k, &calls, &by[k], &p);
    return mix(one, source, k, &calls, &(*by)[3 - k], &p) - k + calls;
}

@compute @workgroup_size(1)
fn main() {
    for (var k = 0; k < 4; k++) { b[k] = through(&a, &w, k); }
    var sum = 0;
    for (var k = 0; k < 4; k++) { sum += w[k] + p[k]; }
    b[4] = sum;
}
