use seawall_core::program::{Needs, Program};

use super::{covered, kernel};

#[test]
fn nothing() {
    let text = "@group(0) @binding(0) var<storage, read_write> b: array<f32>;\n\
                @compute @workgroup_size(1) fn main() { b[0] = b[1] * 2; }\n";
    assert_eq!(kernel(text).needs, Needs::default());
}

#[test]
fn the_first_place_that_asks() {
    let text = "enable f16;\n@group(0) @binding(0) var<storage, read_write> b: array<f32>;\n\
                fn h(x: f32) -> f32 { return f32(f16(x)); }\n\
                @compute @workgroup_size(1) fn main() { b[0] = h(b[1]); let l = 1li; let d = 2.0lf; }\n";
    let needs = kernel(text).needs.clone();
    assert_eq!(covered(text, needs.f16.unwrap().span), "f16(x)");
    assert!(covered(text, needs.int64.unwrap().span).contains("1li"));
    assert!(covered(text, needs.f64.unwrap().span).contains("2.0lf"));
    assert_eq!(needs.subgroup, None);
}

#[test]
fn a_buffer_asks_where_it_is_declared() {
    let text = "struct S { a: u32, b: array<vec2<u64>, 2> }\n@group(0) @binding(0) var<storage, read_write> s: S;\n\
                @compute @workgroup_size(1) fn main() { s.a = 1; }\n";
    assert_eq!(covered(text, kernel(text).needs.int64.unwrap().span), "var<storage, read_write> s: S;");
}

#[test]
fn subgroups() {
    let text = "enable subgroups;\n@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n\
                @compute @workgroup_size(32) fn main() { b[0] = subgroupAdd(b[1]); }\n";
    assert_eq!(covered(text, kernel(text).needs.subgroup.unwrap().span), "subgroupAdd");
    let text = "enable subgroups;\n@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n\
                @compute @workgroup_size(32) fn main(@builtin(subgroup_size) n: u32) { b[0] = n; }\n";
    assert!(kernel(text).needs.subgroup.is_some());
}

#[test]
fn helpers_that_are_not_called_ask_for_nothing() {
    let text = "fn f() -> u64 { return 1lu; }\n@compute @workgroup_size(1) fn main() {}\n";
    assert_eq!(kernel(text).needs, Needs::default());
}

#[test]
fn workgroup_memory_is_aligned() {
    let text = "var<workgroup> a: u32;\nvar<workgroup> b: vec4<f32>;\nvar<workgroup> unused: array<u32, 100>;\n\
                var<workgroup> c: array<u32, 3>;\n\
                @compute @workgroup_size(1) fn main() { a = 1; b.x = 2; c[0] = 3; }\n";
    assert_eq!(kernel(text).workgroup_bytes, 16 + 16 + 12);
}

#[test]
fn of_a_program_before_a_device_is_chosen() {
    let text = "enable f16;
override n: u32;
@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(n) fn plain() { b[0] = 1; }
@compute @workgroup_size(1) fn wide() { let l = 1li; b[0] = f32(l); }
@compute @workgroup_size(1) fn both() { let h = 1h; let l = 2li; b[0] = f32(h) + f32(l); gridBarrier(); }
";
    let program = Program::wgsl(text).unwrap();
    let names = |needs: &Needs| needs.list().iter().map(|(name, _)| *name).collect::<Vec<_>>();
    assert_eq!(names(&program.needs()), ["f16", "int64", "grid_barrier"]);
    assert_eq!(program.needs_of("plain"), Some(Needs::default()));
    assert_eq!(names(&program.needs_of("wide").unwrap()), ["int64"]);
    assert_eq!(names(&program.needs_of("both").unwrap()), ["f16", "int64", "grid_barrier"]);
    assert_eq!(program.needs_of("nobody"), None);
    // Of all entry points, the first place.
    let place = |needs: &Needs| program.location(needs.int64.unwrap().span.unwrap()).line;
    assert_eq!(place(&program.needs()), 5);
    assert_eq!(place(&program.needs_of("both").unwrap()), 6);
}
