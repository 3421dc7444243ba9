// Additions of points of y² = x³ + 7 over the field of secp256k1, in Jacobian coordinates:
// 256-bit numbers in sixteen limbs of 16 bits, products by Montgomery.

alias Field = array<u32, 16>;

struct Point { x: Field, y: Field, z: Field }

const P = Field(
    0xfc2fu, 0xffffu, 0xfffeu, 0xffffu, 0xffffu, 0xffffu, 0xffffu, 0xffffu,
    0xffffu, 0xffffu, 0xffffu, 0xffffu, 0xffffu, 0xffffu, 0xffffu, 0xffffu,
);
// -1 / P, modulo 2¹⁶.
const INVERSE = 0x3531u;

@group(0) @binding(0) var<storage> a: array<Point>;
@group(0) @binding(1) var<storage> b: array<Point>;
@group(0) @binding(2) var<storage, read_write> sums: array<Point>;

// What is P or more, less P.
fn reduced(x: Field, carry: u32) -> Field {
    var rest: Field;
    var borrow = 0u;
    for (var i = 0u; i < 16u; i++) {
        let d = x[i] + 0x10000u - P[i] - borrow;
        rest[i] = d & 0xffffu;
        borrow = 1u - (d >> 16u);
    }
    var out: Field;
    let keep = borrow > carry;
    for (var i = 0u; i < 16u; i++) { out[i] = select(rest[i], x[i], keep); }
    return out;
}

fn add(x: Field, y: Field) -> Field {
    var sum: Field;
    var carry = 0u;
    for (var i = 0u; i < 16u; i++) {
        let s = x[i] + y[i] + carry;
        sum[i] = s & 0xffffu;
        carry = s >> 16u;
    }
    return reduced(sum, carry);
}

fn sub(x: Field, y: Field) -> Field {
    var rest: Field;
    var borrow = 0u;
    for (var i = 0u; i < 16u; i++) {
        let d = x[i] + 0x10000u - y[i] - borrow;
        rest[i] = d & 0xffffu;
        borrow = 1u - (d >> 16u);
    }
    var carry = 0u;
    for (var i = 0u; i < 16u; i++) {
        let s = rest[i] + P[i] * borrow + carry;
        rest[i] = s & 0xffffu;
        carry = s >> 16u;
    }
    return rest;
}

fn mul(x: Field, y: Field) -> Field {
    var t: array<u32, 18>;
    for (var i = 0u; i < 16u; i++) {
        var carry = 0u;
        for (var j = 0u; j < 16u; j++) {
            let s = t[j] + x[i] * y[j] + carry;
            t[j] = s & 0xffffu;
            carry = s >> 16u;
        }
        let s = t[16] + carry;
        t[16] = s & 0xffffu;
        t[17] = s >> 16u;
        let m = (t[0] * INVERSE) & 0xffffu;
        carry = (t[0] + m * P[0]) >> 16u;
        for (var j = 1u; j < 16u; j++) {
            let s = t[j] + m * P[j] + carry;
            t[j - 1u] = s & 0xffffu;
            carry = s >> 16u;
        }
        let u = t[16] + carry;
        t[15] = u & 0xffffu;
        t[16] = t[17] + (u >> 16u);
    }
    var out: Field;
    for (var i = 0u; i < 16u; i++) { out[i] = t[i]; }
    return reduced(out, t[16]);
}

fn square(x: Field) -> Field { return mul(x, x); }

fn is_zero(x: Field) -> bool {
    var all = 0u;
    for (var i = 0u; i < 16u; i++) { all |= x[i]; }
    return all == 0u;
}

fn double(p: Point) -> Point {
    let aa = square(p.x);
    let bb = square(p.y);
    let cc = square(bb);
    var d = sub(sub(square(add(p.x, bb)), aa), cc);
    d = add(d, d);
    let e = add(add(aa, aa), aa);
    var out: Point;
    out.x = sub(square(e), add(d, d));
    var c8 = add(cc, cc);
    c8 = add(c8, c8);
    c8 = add(c8, c8);
    out.y = sub(mul(e, sub(d, out.x)), c8);
    let yz = mul(p.y, p.z);
    out.z = add(yz, yz);
    return out;
}

fn sum(p: Point, q: Point) -> Point {
    if is_zero(p.z) { return q; }
    if is_zero(q.z) { return p; }
    let pz = square(p.z);
    let qz = square(q.z);
    let u = mul(p.x, qz);
    let v = mul(q.x, pz);
    let s = mul(mul(p.y, q.z), qz);
    let t = mul(mul(q.y, p.z), pz);
    let h = sub(v, u);
    let r = sub(t, s);
    if is_zero(h) {
        if is_zero(r) { return double(p); }
        return Point();
    }
    let h2 = square(h);
    let h3 = mul(h, h2);
    let uh = mul(u, h2);
    var out: Point;
    out.x = sub(sub(square(r), h3), add(uh, uh));
    out.y = sub(mul(r, sub(uh, out.x)), mul(s, h3));
    out.z = mul(mul(p.z, q.z), h);
    return out;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&sums) { return; }
    let twice = double(a[id.x]);
    sums[id.x] = sum(sum(twice, b[id.x]), double(b[id.x]));
}
