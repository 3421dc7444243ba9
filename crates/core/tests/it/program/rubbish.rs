//! Whatever the text, the answer is a program or a report, never a panic.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use seawall_core::program::{Overrides, Program};

const SEEDS: [&str; 4] = [
    "override n: u32 = 4;\nstruct P { a: f32, k: array<vec3<u32>, 2> }\n\
     @group(0) @binding(0) var<uniform> p: P;\n@group(0) @binding(1) var<storage, read_write> y: array<f32>;\n\
     var<workgroup> w: array<f32, n>;\n\
     fn f(q: ptr<function, f32>, x: f32) -> f32 { *q = x * 2.0; return sqrt(x); }\n\
     @compute @workgroup_size(n) fn main(@builtin(local_invocation_id) id: vec3<u32>) {\n\
     var s = 0.0;\nfor (var i = 0u; i < n; i++) { w[id.x] = f(&s, y[i]); workgroupBarrier(); s += w[0]; }\n\
     y[id.x] = s * p.a; }\n",
    "@group(0) @binding(0) var<storage, read_write> c: array<atomic<i32>>;\n\
     const T = array<i32, 3>(1, -2, 0x3);\n\
     @compute @workgroup_size(2, 2) fn main(@builtin(global_invocation_id) g: vec3u, @builtin(num_workgroups) n: vec3u) {\n\
     switch g.x % 3u { case 0u, 1u: { atomicAdd(&c[0], T[g.y]); } default: { return; } }\n\
     loop { if g.x > n.x { break; } continuing { break if g.z == 0u; } }\n\
     let r = atomicCompareExchangeWeak(&c[1], 0, 1); if r.exchanged && g.x < 3u || g.y == 1u { atomicStore(&c[2], 5); } }\n",
    "enable f16;\nalias V = vec4<f16>;\n@group(1) @binding(2) var<storage> v: array<V>;\n\
     @group(0) @binding(0) var<storage, read_write> o: array<mat2x3<f32>>;\nvar<private> k: i64;\n\
     /* a /* nested */ comment */ @compute @workgroup_size(1) fn main() {\n\
     let m = mat2x3<f32>(1, 2, 3, 4, 5, 6); o[0] = m * 2.0; o[1][0].zyx; k = i64(v[0].x); _ = select(1, 2, true); }\n",
    "enable f16;\n\
     const A = frexp(vec2(1.5, 3.0f)).exp.yx; const B: vec3<f32> = normalize(vec3(1, 2.5, -3f)); const C = mat2x3(1.0, 2, 3, 4, 5, 6) * vec2(1.5h, 2h);\n\
     const D = array<vec2<i32>, 2>(vec2(1, 2), vec2(-3i, 4))[1u - 1u].x << 3u; const E = select(vec2(1.0), vec2(2, 3.5), vec2(true, false && (1 / 0 == 1)));\n\
     struct S { a: f32, b: array<u32, N> } const N = 2 + (3--1) % 2; const F = S(1.5 % 0.7, array(1u, 2u)).b[1]; alias V = vec4<f16>;\n\
     const G = bitcast<vec2<f16>>(0x3c004000u) * 2h; const H = extractBits(insertBits(5i, -1, 3u, 4), 1, 5) ^ (~7 | 0x10 & 3); const_assert H != 4 || D >= -100;\n\
     const I = transpose(mat4x2f()) * mat4x2f(vec2f(1), vec2f(2), vec2f(3), vec2f(4)); const J = determinant(mat3x3(1,2,3,4,5,6,7,8,9.5)); const K = dot(vec3(1,2,3), vec3(4u, 5, 6)) + dot4U8Packed(1, 2u);\n\
     const L = clamp(vec2(1, -5), vec2(0), vec2(3)) / vec2(2, 1); const M = ldexp(vec2(1.5, 0x1.8p3), vec2(3, -4)); const O = -5li >> 7u; const P = mix(vec2(1, 2), vec2(3, 4), 0.25).y + refract(vec2(1.0, 0.0), vec2(0.0, 1.0), 0.5).x;\n\
     @compute @workgroup_size(N * 2 - 1) fn main() { let x = N - 1; var y = V(1h).wzyx.x; let z = -x--N; for (var i = 0; i < N; i++) { let q = cos(f32(i)) ; y += f16(q); continue; } loop { let a = 1; continuing { var a = a + 1; a--; break if a > N; } } switch x { case 1, N + 3: { return; } default {} } if(1+1==2){ _ = quantizeToF16(1.1) * unpack4x8snorm(7u).x; } const W = modf(2.5).whole; }\n",
];

fn try_it(text: &str) {
    match Program::wgsl(text) {
        Err(report) => assert!(!report.to_string().is_empty()),
        Ok(program) => {
            for entry in program.entries() {
                let _ = program.kernel(entry, &Overrides::new()).map_err(|report| report.to_string());
            }
        }
    }
}

#[test]
fn cut_at_every_byte() {
    for text in SEEDS {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            try_it(&text[..end]);
        }
    }
}

fn mutate(u: &mut Unstructured<'_>) -> Result<String> {
    let mut bytes = (*u.choose(&SEEDS)?).as_bytes().to_vec();
    for _ in 0..u.int_in_range(1..=8)? {
        let at = u.choose_index(bytes.len())?;
        match u.int_in_range(0..=4)? {
            0 => drop(bytes.remove(at)),
            1 => bytes[at] = u.arbitrary()?,
            2 => bytes.insert(at, *u.choose(b"(){}[]<>;,.*&-!0123456789abcn@:= \n")?),
            // A piece of one program in the middle of another.
            3 => {
                let other = u.choose(&SEEDS)?.as_bytes();
                let from = u.choose_index(other.len())?;
                let to = (from + u.int_in_range(1..=40)?).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            _ => {
                let to = (at + u.int_in_range(1..=40)?).min(bytes.len() - 1);
                bytes.drain(at..to.max(at));
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A failure prints its seed.
#[test]
fn mutated_programs() {
    arbtest(|u| {
        try_it(&mutate(u)?);
        Ok(())
    })
    .budget_ms(1000);
}

#[test]
fn random_bytes() {
    arbtest(|u| {
        let bytes: Vec<u8> = u.arbitrary()?;
        try_it(&String::from_utf8_lossy(&bytes));
        Ok(())
    })
    .budget_ms(500);
}
