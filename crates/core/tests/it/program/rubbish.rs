//! Whatever the text, the answer is a program or a report, never a panic.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use seawall_core::program::{Overrides, Program};

const SEEDS: [&str; 3] = [
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
