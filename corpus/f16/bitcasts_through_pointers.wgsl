enable f16;
//! in x = u32[0x40003c00, 0x44004200]
//! in h = f16[1, 2, 3, 4]
//! out b = u32[2, 0x44004200, 4, 0x40003c00, 1, 2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage> x: array<u32>;
@group(0) @binding(2) var<storage> h: array<vec2h>;
struct S { halves: vec2h, bits: array<u32, 2> }

fn last(p: ptr<storage, array<u32>>, i: u32) -> u32 { return u32(bitcast<vec2h>(p[i]).y); }
fn bits(p: ptr<function, vec2h>) -> u32 { return bitcast<u32>(*p); }

@compute @workgroup_size(1)
fn main() {
    var i = 0u;
    b[0] = u32(bitcast<vec2h>(x[i]).y);
    b[1] = bitcast<u32>(h[i + 1]);
    b[2] = last(&x, i + 1);
    var s = S(h[i], array(x[i], 0u));
    b[3] = bits(&s.halves);
    let p = &s;
    b[4] = u32(bitcast<vec2h>(p.bits[i]).x);
    let q: ptr<function, u32> = &(*p).bits[0];
    b[5] = u32(bitcast<vec2h>(*q).y);
}
