//! What users are told is in words of the language: nothing of how naga calls things in Rust.

use std::fs;
use std::path::Path;

use seawall_core::program::{Overrides, Program};

/// What is wrong with the program, if anything is.
fn told(text: &str) -> Option<(String, String)> {
    let program = match Program::wgsl(text) {
        Ok(program) => program,
        Err(report) => return Some((report.diagnostics[0].code.to_owned(), report.render(false))),
    };
    let entry = program.entries().next()?.to_owned();
    let report = program.kernel(&entry, &Overrides::new()).err()?;
    Some((report.diagnostics[0].code.to_owned(), report.render(false)))
}

/// Words of naga's Rust, in what is not the program's own text.
fn slips(rendered: &str) -> Vec<&str> {
    let words = [
        "naga",
        "Naga",
        "gfx-rs",
        "Capabilit",
        "capabilit",
        "TypeFlags",
        "HOST_SHAREABLE",
        "Handle",
        "TypeInner",
        "Some(",
        "None",
        "Scalar",
        "Sint",
        "Uint",
        "{Abstract",
        "VectorSize",
        "Tri",
        "Quad",
        "WorkGroup",
        "Storage {",
        "Vector {",
        "Matrix {",
        "Pointer {",
        "Array {",
        "Struct {",
        "LOAD",
        "SHADER_",
        "BuiltIn",
        "GlobalUse",
        "::",
        "maintainers",
        "i16,",
    ];
    // Lines of source stand behind their number and a bar.
    let own = rendered.lines().filter(|line| {
        !line
            .split('│')
            .next()
            .is_some_and(|start| !start.trim().is_empty() && start.trim().bytes().all(|b| b.is_ascii_digit()))
    });
    own.flat_map(|line| {
        let handle = line.split('[').skip(1).any(|rest| {
            rest.split(']')
                .next()
                .is_some_and(|inside| !inside.is_empty() && inside.bytes().all(|b| b.is_ascii_digit()))
        });
        let found = words.iter().filter(|word| line.contains(**word)).map(|_| line);
        found.chain(handle.then_some(line)).collect::<Vec<_>>()
    })
    .collect()
}

/// One program for each thing that naga finds and can be made to find.
const MAIN: &str = "@compute @workgroup_size(1) fn main() {";
const BAD: &[(&str, &str)] = &[
    // Types.
    ("var<private> a: array<array<u32>, 2>;", ""),
    ("struct A { a: array<u32>, b: u32 } @group(0) @binding(0) var<storage> a: A;", ""),
    ("struct A { a: array<u32> } struct B { a: A } @group(0) @binding(0) var<storage> a: B;", ""),
    ("struct A {}", ""),
    ("var<private> a: atomic<f16>;", ""),
    ("var<workgroup> a: atomic<vec2<u32>>;", ""),
    ("var<private> a: mat2x2<u32>;", ""),
    ("var<private> a: array<sampler, 2>;", ""),
    ("var<private> a: i16;", ""),
    ("enable wgpu_int16; var<private> a: i16;", ""),
    ("enable wgpu_int16; @group(0) @binding(0) var<storage> a: array<u16>;", "_ = a[0];"),
    ("var<private> a: coop_mat8x8<f32, A>;", ""),
    ("enable wgpu_cooperative_matrix; var<private> a: coop_mat8x8<f32, A>;", ""),
    ("fn f(a: ptr<workgroup, array<u32>>) {}", ""),
    ("fn f(a: ptr<function, sampler>) {}", ""),
    ("var<private> a: array<u32, 0>;", ""),
    ("var<private> a: array<u32, -1>;", ""),
    ("var<private> a: array<array<u32, 0x10000>, 0x10000>;", ""),
    ("var<private> a: vec3<vec3<u32>>;", ""),
    // Variables.
    ("@group(0) @binding(0) var<storage> a: bool;", ""),
    ("@group(0) @binding(0) var<uniform> a: array<u32>;", ""),
    ("@group(0) @binding(0) var<uniform> a: array<u32, 4>;", ""),
    ("struct A { a: u32 } struct B { a: A, b: u32 } @group(0) @binding(0) var<uniform> a: B;", ""),
    ("struct A { a: u32 } struct B { a: u32, b: A } @group(0) @binding(0) var<uniform> a: B;", ""),
    ("struct A { a: vec3<bool> } @group(0) @binding(0) var<storage> a: A;", ""),
    ("@group(0) @binding(0) var<uniform> a: atomic<u32>;", ""),
    ("@group(0) @binding(0) var<storage> a: atomic<u32>;", ""),
    ("@group(0) @binding(0) var<private> a: u32;", "_ = a;"),
    ("var<storage> a: u32;", "_ = a;"),
    ("var<workgroup> a: u32 = 1;", ""),
    ("var<private> a: atomic<u32>;", ""),
    ("var<private> a: u32 = 1.5;", ""),
    ("var<private> a: array<u32>;", ""),
    ("var<workgroup> a: array<u32>;", ""),
    ("var<private> a: texture_2d<f32>;", ""),
    ("@group(0) @binding(0) var<storage, write> a: u32;", "a = 1;"),
    ("@group(0) @binding(0) var<uniform, read_write> a: u32;", ""),
    ("var<immediate> a: f16;", ""),
    ("@group(0) @binding(0) @coherent var<storage> a: u32;", ""),
    ("enable wgpu_ray_query; @group(0) @binding(0) var a: acceleration_structure<vertex_return>;", ""),
    ("var<task_payload> a: u32;", ""),
    // Constants and overrides.
    ("const a = 1 / 0;", ""),
    ("const a = 1.0 / 0.0;", ""),
    ("const a: u32 = -1;", ""),
    ("const a = 1u << 40u;", ""),
    ("const a = array<u32, 2>(1, 2)[2];", ""),
    ("const a = vec2(1, 2)[-1];", ""),
    ("const a: f16 = 1e10;", ""),
    ("const a = sqrt(-1.0);", ""),
    ("const a = 0x7fffffff + 1i;", ""),
    ("var<private> b: u32; const a = b;", ""),
    ("override b: u32; const a = b;", ""),
    ("override a: vec2<u32>;", ""),
    ("override a = vec2(1, 2);", ""),
    ("@id(1) override a = 1; @id(1) override b = 2;", ""),
    ("@id(70000) override a = 1;", ""),
    ("override a = 0u; var<workgroup> b: array<u32, a>;", "b[0] = 1;"),
    ("override a = -4; var<workgroup> b: array<u32, a>;", "b[0] = 1;"),
    ("override a = 0u; override b = 1u / a;", "_ = b;"),
    ("const a = clamp(1, 3, 2);", ""),
    ("const a = frexp(1.0);", ""),
    ("const a = select(1, 2.0, 3);", ""),
    ("const a = vec2(1, 2, 3);", ""),
    ("const_assert 1;", ""),
    ("const a = dot(vec2(1), vec3(1));", ""),
    // Expressions.
    ("", "let a = vec2(1) + vec3(1);"),
    ("", "let a = true + false;"),
    ("", "let a = 1u + 1i;"),
    ("", "let a = !1u;"),
    ("", "let a = ~1.0;"),
    ("", "let a = -1u;"),
    ("", "let a = true & 1;"),
    ("", "let a = 1u && 2u;"),
    ("struct A { a: u32 }", "var a: A; let b = a + a;"),
    ("struct A { a: u32 }", "var a: A; let b = a == a;"),
    ("", "var a: array<u32, 4>; let b = a[1.0];"),
    ("", "var a: array<u32, 4>; let b = a[4];"),
    ("", "var a: array<u32, 4>; let b = a[-1];"),
    ("", "var a: vec3<u32>; let b = a.w;"),
    ("", "var a: vec3<u32>; let b = a.xq;"),
    ("", "var a: mat2x2<f32>; let b = a[2];"),
    ("", "var a = 1u; let b = a[0];"),
    ("", "var a = 1u; let b = a << 40u;"),
    ("", "var a = 1u; let b = a / 0u;"),
    ("", "var a = 1u; let b = a << 1i;"),
    ("", "let a = select(1u, 2i, true);"),
    ("", "let a = select(1u, 2u, 3u);"),
    ("", "let a = sin(1u);"),
    ("", "let a = countOneBits(1.0);"),
    ("", "let a = max(1u);"),
    ("", "let a = max(1u, 2u, 3u);"),
    ("", "let a = cross(vec2(1.0), vec2(1.0));"),
    ("", "let a = determinant(mat2x3<f32>());"),
    ("", "let a = all(vec2(1, 2));"),
    ("", "let a = dpdx(1.0);"),
    ("", "let a = bitcast<vec2<u32>>(1u);"),
    ("", "let a = vec3<f32>(1.0, 2.0);"),
    ("", "let a = mat2x2<f32>(1.0, 2.0);"),
    ("", "let a = array<u32, 2>(1);"),
    ("struct A { a: u32 }", "let a = A(1, 2);"),
    ("struct A { a: u32 }", "let a = A(1.5);"),
    ("struct A { a: atomic<u32> }", "let a = A();"),
    ("struct A { a: u32 }", "var a: A; a.b = 1;"),
    ("", "var a = 1u; let b = arrayLength(&a);"),
    ("", "var a: array<u32, 4>; let b = arrayLength(&a);"),
    ("", "let a = &1;"),
    ("", "var a = 1u; let b = *a;"),
    ("", "var a = vec2(1u); let b = &a.x;"),
    ("", "let a = f64(1.0) + 1f;"),
    ("", "let a = 1u; let b = a.x;"),
    ("", "let a = countOneBits(1lu) + 1u;"),
    ("var<workgroup> w: atomic<u32>;", "let a = workgroupUniformLoad(&w) + 1.0;"),
    ("", "var a = 1u; let b = workgroupUniformLoad(&a);"),
    // Statements and functions.
    ("fn f(a: u32) -> u32 { return a; }", "_ = f(1.5);"),
    ("fn f(a: u32) -> u32 { return a; }", "_ = f(1, 2);"),
    ("fn f(a: u32) -> u32 { return a; }", "f(1u) = 2;"),
    ("fn f() -> u32 { return 1.5; }", ""),
    ("fn f() -> u32 { return; }", ""),
    ("fn f() -> u32 { }", ""),
    ("fn f() { return 1; }", ""),
    ("fn f(@builtin(global_invocation_id) a: vec3<u32>) {}", ""),
    ("fn f(a: atomic<u32>) {}", ""),
    ("fn f(a: array<u32>) {}", ""),
    ("fn f() -> array<u32> { }", ""),
    ("fn f(a: u32, a: u32) {}", ""),
    ("fn f() { f(); }", ""),
    ("", "break;"),
    ("", "continue;"),
    ("", "loop { continuing { return; } }"),
    ("", "loop { continuing { break; } }"),
    ("", "if 1u { }"),
    ("", "while 1.0 { }"),
    ("", "switch 1.0 { default: {} }"),
    ("", "switch 1 { case 1: {} case 1: {} default: {} }"),
    ("", "switch 1 { case 1u: {} case 2i: {} default: {} }"),
    ("", "switch 1 { case 1: {} }"),
    ("", "switch 1 { default: {} default: {} }"),
    ("", "let a = 1; a = 2;"),
    ("", "var a = 1u; a = 2.5;"),
    ("", "var a = 1u; a += 2.5;"),
    ("", "var a = vec2(1u); a.xy = vec2(2u);"),
    ("", "var a = true; a++;"),
    ("", "var a: array<u32>;"),
    ("", "var a: sampler;"),
    ("", "var a: atomic<u32>;"),
    ("", "var a;"),
    ("@group(0) @binding(0) var<storage> a: array<u32>;", "a[0] = 1;"),
    ("@group(0) @binding(0) var<uniform> a: u32;", "a = 1;"),
    ("@group(0) @binding(0) var<storage, read_write> a: array<u32>;", "a = a;"),
    ("@group(0) @binding(0) var<storage> a: atomic<u32>;", "_ = atomicLoad(&a);"),
    ("var<workgroup> w: atomic<u32>;", "w = 1;"),
    ("var<workgroup> w: atomic<u32>;", "_ = atomicAdd(&w, 1.5);"),
    ("var<workgroup> w: atomic<u32>;", "_ = atomicAdd(w, 1u);"),
    ("var<workgroup> w: u32;", "_ = atomicAdd(&w, 1u);"),
    ("var<workgroup> w: atomic<f32>;", "_ = atomicAnd(&w, 1.0);"),
    ("@group(0) @binding(0) var<storage, read_write> a: atomic<f32>;", "_ = atomicXor(&a, 1.0);"),
    ("@group(0) @binding(0) var<storage, read_write> a: atomic<f32>;", "_ = atomicCompareExchangeWeak(&a, 1.0, 2.0);"),
    ("var<workgroup> w: atomic<u64>;", "_ = atomicAdd(&w, 1u);"),
    ("enable subgroups;", "_ = subgroupAdd(true);"),
    ("enable subgroups;", "_ = subgroupBroadcast(1u, 1.0);"),
    ("enable subgroups;", "_ = subgroupShuffle(vec2(1u), 2.0);"),
    ("", "discard;"),
    ("", "workgroupBarrier(1);"),
    ("", "_ = textureBarrier();"),
    ("", "1 + 2;"),
    ("", "unknown(1);"),
    ("", "let a = unknown;"),
    ("fn f() -> u32 { return 1; }", "let f = f(); f();"),
    // Entry points.
    ("@compute @workgroup_size(1) fn e(@builtin(position) a: vec4<f32>) {}", ""),
    ("@compute @workgroup_size(1) fn e(@builtin(global_invocation_id) a: u32) {}", ""),
    ("@compute @workgroup_size(1) fn e(@builtin(nothing) a: u32) {}", ""),
    ("@compute @workgroup_size(1) fn e(a: u32) {}", ""),
    ("@compute @workgroup_size(1) fn e(@location(0) a: u32) {}", ""),
    ("@compute @workgroup_size(1) fn e() -> u32 { return 1; }", ""),
    ("@compute @workgroup_size(1) fn e() -> @location(0) u32 { return 1; }", ""),
    (
        "@compute @workgroup_size(1) fn e(@builtin(local_invocation_index) a: u32, @builtin(local_invocation_index) b: u32) {}",
        "",
    ),
    ("struct A { @builtin(local_invocation_index) a: u32, b: u32 } @compute @workgroup_size(1) fn e(a: A) {}", ""),
    ("@compute fn e() {}", ""),
    ("@compute @workgroup_size(0) fn e() {}", ""),
    ("@compute @workgroup_size(100000) fn e() {}", ""),
    ("@compute @workgroup_size(-1) fn e() {}", ""),
    ("@compute @workgroup_size(1.5) fn e() {}", ""),
    ("@compute @workgroup_size(1, 1, 1, 1) fn e() {}", ""),
    ("@compute @workgroup_size(1) fn main() {}", ""),
    ("@compute @vertex @workgroup_size(1) fn e() {}", ""),
    ("@group(0) @binding(0) var<storage> a: u32; @group(0) @binding(0) var<storage> b: u32;", "_ = a + b;"),
    // Grammar and directives.
    ("", "_ = subgroupAdd(1u);"),
    ("enable clip_distances;", ""),
    ("enable dual_source_blending;", ""),
    ("enable nothing;", ""),
    ("requires pointer_composite_access;", ""),
    ("requires unrestricted_pointer_parameters;", ""),
    ("requires packed_4x8_integer_dot_product;", ""),
    ("requires nothing;", ""),
    ("diagnostic(off, nothing);", ""),
    ("diagnostic(nothing, derivative_uniformity);", ""),
    ("diagnostic(off, derivative_uniformity); diagnostic(error, derivative_uniformity);", ""),
    ("@diagnostic(off, derivative_uniformity) const a = 1;", ""),
    ("", "@diagnostic(off, derivative_uniformity) { }  @diagnostic(off, derivative_uniformity) let a = 1;"),
    ("struct A { @align(3) a: u32 }", ""),
    ("struct A { @size(2) a: u32 }", ""),
    ("struct A { @align(b) a: u32 }", ""),
    ("struct A { a: u32, a: u32 }", ""),
    ("alias A = B; alias B = A;", ""),
    ("var<nothing> a: u32;", ""),
    ("var<storage, nothing> a: u32;", ""),
    ("const a = 0x;", ""),
    ("const a = 1e;", ""),
    ("const a = 99999999999999999999;", ""),
    ("const a = 5000000000u;", ""),
    ("const a = 1.0h;", ""),
    ("const __a = 1;", ""),
    ("const if = 1;", ""),
    ("const a = 1 const b = 2;", ""),
    ("struct A { a u32 }", ""),
    ("fn f( {", ""),
    ("const a = #;", ""),
    ("@nothing const a = 1;", ""),
    ("@must_use fn f() {}", ""),
    ("@must_use fn f() -> u32 { return 1; }", "f();"),
    ("@group(0) const a = 1;", ""),
    ("@group(0) @group(0) @binding(0) var<storage> a: u32;", ""),
    ("@group(-1) @binding(0) var<storage> a: u32;", ""),
    ("@group(0) var<storage> a: u32;", "_ = a;"),
    ("var<private> a: texture_2d<u16>;", ""),
    ("var<private> a: ptr<nothing, u32>;", ""),
    ("var<private> a: array;", ""),
    ("var<private> a: vec2;", ""),
    ("var<private> a: u32<f32>;", ""),
    ("var<private> a: array<u32, 2, 3>;", ""),
    ("@group(0) @binding(0) var a: texture_2d<f32>;", "_ = textureLoad(a, 1.0, 0);"),
    ("@group(0) @binding(0) var a: texture_2d<f32>;", "_ = textureSample(a, a, vec2(0.0));"),
    ("@group(0) @binding(0) var a: texture_storage_2d<rgba8unorm, write>;", "textureStore(a, vec2(0), 1u);"),
    ("@group(0) @binding(0) var a: texture_storage_2d<r32uint, atomic>;", "textureAtomicAdd(a, vec2(0), 1u);"),
];

#[test]
fn messages_are_in_words_of_the_language() {
    let docs = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md")).unwrap();
    let mut wrong = Vec::new();
    let mut accepted = Vec::new();
    let mut vague = 0;
    for (declarations, body) in BAD {
        let text = format!("{declarations}\n{MAIN} {body} }}");
        match told(&text) {
            None => accepted.push(text),
            Some((code, rendered)) => {
                assert!(docs.contains(&format!("## `{code}`")), "`{code}` is documented");
                if rendered.contains("this is not allowed here") {
                    vague += 1;
                    println!("{text}\n{rendered}");
                }
                wrong.extend(slips(&rendered).into_iter().map(|line| format!("{line}\n    in {rendered}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} slips\n{}", wrong.len(), wrong.join("\n"));
    println!("accepted: {accepted:#?}, vague: {vague}");
    // Some are accepted by naga though they should not be; most must be refused, and told apart.
    assert!(accepted.len() * 5 < BAD.len(), "{accepted:#?}");
    assert!(vague * 20 < BAD.len(), "{vague} of {} say nothing", BAD.len());
}

#[test]
fn so_are_those_of_the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/errors");
    let mut told_of = 0;
    for file in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        if let Some((_, rendered)) = told(&text) {
            told_of += 1;
            assert_eq!(slips(&rendered), Vec::<&str>::new(), "{rendered}");
        }
    }
    assert!(told_of > 50, "{told_of}");
}

#[test]
fn widths_that_naga_knows_and_we_do_not_are_named_by_their_type() {
    let (code, rendered) =
        told("enable wgpu_int16; var<private> a: i16; @compute @workgroup_size(1) fn main() { _ = a; }").unwrap();
    assert_eq!(code, "invalid");
    assert!(rendered.contains("`i16` is not supported"), "{rendered}");
}
