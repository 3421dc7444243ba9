//! Functions that are written out for the places that their pointers point to.

use std::fmt::Write;

use expect_test::expect;
use seawall_core::naga;
use seawall_core::program::Program;

use super::{codes, kernel, refused};

/// How many functions of this name a kernel has.
fn copies(kernel: &seawall_core::program::Kernel, name: &str) -> usize {
    kernel.module().functions.iter().filter(|(_, function)| function.name.as_deref() == Some(name)).count()
}

#[test]
fn once_for_each_place_and_not_for_each_call() {
    let text = "
        @group(0) @binding(0) var<storage, read_write> a: array<array<u32, 4>>;
        var<workgroup> w: array<u32, 4>;
        fn put(p: ptr<storage, u32, read_write>) { *p = 1; }
        fn row(p: ptr<storage, array<u32, 4>, read_write>, i: u32) { put(&p[i]); put(&p[i + 1]); put(&p[0]); }
        fn whole(p: ptr<workgroup, array<u32, 4>>) { p[0] = 1; }
        fn idle(p: ptr<workgroup, u32>) { *p = 2; }
        fn own(p: ptr<function, u32>) { *p = 3; }
        @compute @workgroup_size(1) fn main() {
            var k = 0u; var v = 1u; var l: array<u32, 4>;
            row(&a[k], k); row(&a[k + 1], 2); put(&a[k][k]); put(&a[2][0]);
            whole(&w); whole(&w);
            own(&k); own(&v); own(&l[k]); own(&l[v]); own(&l[1]);
        }";
    let kernel = kernel(text);
    // `a[i]`; `a[i][j]` from three calls, `a[i][0]`, `a[2][0]`; `w`; a whole variable, `l[i]`, `l[1]`.
    let found = ["row", "put", "whole", "idle", "own"].map(|name| copies(&kernel, name));
    assert_eq!(found, [1, 3, 1, 0, 3]);
    let space = |argument: &naga::FunctionArgument| kernel.module().types[argument.ty].inner.pointer_space();
    let spaces = kernel.module().functions.iter().flat_map(|(_, function)| function.arguments.iter().filter_map(space));
    assert!(spaces.into_iter().all(|space| space == naga::AddressSpace::Function));
}

/// Each function of a chain calls the next with its arguments in several orders.
#[test]
fn too_many_places() {
    let names = ["p", "q", "r", "s", "t", "u", "v", "w"];
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        writeln!(text, "@group(0) @binding({at}) var<storage, read_write> b{name}: u32;").unwrap();
    }
    let parameters: Vec<String> = names.iter().map(|name| format!("{name}: ptr<storage, u32, read_write>")).collect();
    for level in 0..60 {
        writeln!(text, "fn f{level}({}) {{", parameters.join(", ")).unwrap();
        if level > 0 {
            for swap in 0..7 {
                let mut order = names;
                order.swap(swap, swap + 1);
                writeln!(text, "    f{}({});", level - 1, order.join(", ")).unwrap();
            }
        } else {
            text.push_str(&names.map(|name| format!("    *{name} += 1;\n")).concat());
        }
        text.push_str("}\n");
    }
    let globals = names.map(|name| format!("&b{name}")).join(", ");
    writeln!(text, "@compute @workgroup_size(1) fn main() {{ f59({globals}); }}").unwrap();
    let report = refused(&text);
    assert_eq!(report.diagnostics[0].code, "too-large");
    assert!(report.diagnostics[0].help[0].contains("pass an index"), "{report}");
}

/// As deep as calls may go, on a thread with as little stack as others have.
#[test]
fn a_long_chain() {
    let mut text = String::from(
        "@group(0) @binding(0) var<storage, read_write> b: array<u32>;
         fn f0(p: ptr<storage, u32, read_write>) { *p = 1; }\n",
    );
    for level in 1..250 {
        writeln!(text, "fn f{level}(p: ptr<storage, u32, read_write>) {{ f{}(p); }}", level - 1).unwrap();
    }
    text.push_str("@compute @workgroup_size(1) fn main() { var i = 0; f249(&b[i]); }");
    let read = move || assert_eq!(kernel(&text).module().functions.len(), 250);
    std::thread::Builder::new().stack_size(2 << 20).spawn(read).unwrap().join().unwrap();
}

#[test]
fn of_another_type() {
    let report = refused(
        "@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn put(n: u32, p: ptr<storage, i32, read_write>) { *p = 1; }
@compute @workgroup_size(1) fn main() { put(1, &b[0]); }",
    );
    expect![[r#"
        error[invalid]: argument 2 of `put` is no pointer of the type that it takes
          ┌─ <wgsl>:3:41
          │
        3 │ @compute @workgroup_size(1) fn main() { put(1, &b[0]); }
          │                                         ^^^^^^^^^^^^^ in this call
          │
          = help: address space, type and access must be the same, as in `ptr<storage, array<u32>, read_write>`
    "#]]
    .assert_eq(&format!("{report}\n"));
}

#[test]
fn wrong_calls() {
    let text = |call: &str| {
        format!(
            "@group(0) @binding(0) var<storage, read_write> b: array<u32>;
             var<workgroup> w: u32;
             fn put(p: ptr<storage, u32, read_write>) {{ *p = 1; }}
             @compute @workgroup_size(1) fn main() {{ var x = 1u; {call} }}"
        )
    };
    kernel(&text("put(&b[0]);"));
    for wrong in ["put(&b);", "put(&w);", "put(&x);", "put(b[0]);", "put(1);", "put();", "put(&b[0], 1);"] {
        assert_eq!(codes(&text(wrong)), ["invalid"], "{wrong}");
    }
}

#[test]
fn other_stages_take_such_pointers_too() {
    let text = "
        @group(0) @binding(0) var<storage, read_write> b: array<u32>;
        @group(0) @binding(1) var t: texture_2d<f32>;
        @group(0) @binding(2) var s: sampler;
        fn at(p: ptr<storage, array<u32>, read_write>, i: u32) -> vec4f {
            return textureSample(t, s, vec2f(f32(p[i]))) + textureLoad(t, vec2u(p[0]), 0);
        }
        @fragment fn look() -> @location(0) vec4f { return at(&b, 1); }
        @compute @workgroup_size(1) fn main() { b[0] = 1; }";
    let program = Program::wgsl(text).unwrap();
    assert_eq!(program.entries().collect::<Vec<_>>(), ["main"]);
    assert_eq!(program.others()[0].name, "look");
}
