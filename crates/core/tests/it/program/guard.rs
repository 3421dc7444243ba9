//! Texts that would overflow naga's stack, or take it minutes, each refused with a code.

use seawall_core::program::Program;

use super::codes;

const N: usize = 30_000;

fn body(statements: &str) -> String {
    format!(
        "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n\
         @compute @workgroup_size(1) fn main() {{ var a = 1u; var t = true; {statements} }}\n"
    )
}

fn chain(first: &str, again: &str, times: usize) -> String {
    body(&format!("{first}{};", again.repeat(times)))
}

fn nested(open: &str, inner: &str, close: &str, times: usize) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

#[test]
fn a_megabyte_of_one_character() {
    for c in "([{-!&*<@;\"'\\/#\0~+.,:=|)]}>\u{7f}a0_ \n".chars() {
        let Err(report) = Program::wgsl(&c.to_string().repeat(1_000_000)) else { panic!("{c:?} is no program") };
        assert!(!report.to_string().is_empty());
    }
}

#[test]
fn long_chains_of_operators() {
    for (first, again) in [
        ("a = a", "+a"),
        ("a = 1u", "*1u"),
        ("a = a", "<<1u"),
        ("t = t", "&&t"),
        ("t = t", "||t"),
        ("t = t", "==t"),
        ("t = a", "<a"),
        ("t = t", "> t"),
        ("a = a", ".b"),
        ("a = a", "[0]"),
        ("let v = vec4(a)", ".xyzw"),
    ] {
        assert_eq!(codes(&chain(first, again, N)), ["too-deep"], "{again}");
    }
    for (prefix, operand) in [("- ", "1i"), ("!", "t"), ("~", "a"), ("*&", "a"), ("* ", "a")] {
        assert_eq!(codes(&body(&format!("let x = {}{operand};", prefix.repeat(N)))), ["too-deep"], "{prefix}");
    }
    for text in [
        format!("const c = 1{};", "+1".repeat(N)),
        format!("var<private> x: array<u32, 1{}>;", "+1".repeat(N)),
        format!("@compute @workgroup_size(1{}) fn main() {{}}", "+0".repeat(N)),
        format!("struct S {{ @align(4{}) a: u32 }}", "+0".repeat(N)),
        format!("const_assert 1{} > 0;", "+1".repeat(N)),
    ] {
        assert_eq!(codes(&text), ["too-deep"]);
    }
}

#[test]
fn deep_brackets() {
    for text in [
        body(&format!("a = {};", nested("(", "1u", ")", N))),
        body(&format!("a = {};", nested("b[", "0", "]", N))),
        body(&format!("a = {};", nested("abs(", "a", ")", N))),
        body(&format!("let q = {};", nested("array(", "a", ")", N))),
        body(&nested("{", "", "}", N)),
        body(&nested("if t {", "", "}", N)),
        body(&nested("loop {", "", "}", N)),
        body(&nested("switch a { default: {", "", "}}", N)),
        body(&nested("loop { break; continuing {", "", "}}", N)),
        format!("var<private> x: {};", nested("vec4<", "f32", ">", N)),
        format!("var<private> x: {};", nested("array<", "f32", ",1>", N)),
        format!("fn f(x: {}) {{}}", nested("ptr<function,", "u32", ">", N)),
    ] {
        assert_eq!(codes(&text), ["too-deep"], "{}", &text[..200]);
    }
}

#[test]
fn long_else_if_chains() {
    assert_eq!(codes(&body(&format!("if t {{}} {}", "else if t {}".repeat(N / 2)))), ["too-deep"]);
    // Several chains inside one another count together.
    let inner = format!("if t {{}} {}", "else if t {}".repeat(200));
    let outer = format!("if t {{}} {} else if t {{ {inner} }}", "else if t {}".repeat(200));
    assert_eq!(codes(&body(&outer)), ["too-deep"]);
    // One after another they do not.
    Program::wgsl(&body(&format!("if t {{}} {};", "else if t {}".repeat(200)).repeat(4))).unwrap();
}

#[test]
fn long_chains_of_declarations() {
    let chain = |first: &str, item: &dyn Fn(usize) -> String, reversed: bool| {
        let mut items: Vec<String> = (1..20_000).map(item).collect();
        items.insert(0, first.to_owned());
        if reversed {
            items.reverse();
        }
        format!("{}\n@compute @workgroup_size(1) fn main() {{}}", items.join("\n"))
    };
    for reversed in [false, true] {
        for text in [
            chain("const c0 = 1;", &|i| format!("const c{i} = c{};", i - 1), reversed),
            chain("fn c0() {}", &|i| format!("fn c{i}() {{ c{}(); }}", i - 1), reversed),
            chain("struct c0 { a: u32 }", &|i| format!("struct c{i} {{ a: c{} }}", i - 1), reversed),
            chain("alias c0 = u32;", &|i| format!("alias c{i} = array<c{}, 1>;", i - 1), reversed),
            chain("override c0 = 1;", &|i| format!("override c{i} = c{} + 1;", i - 1), reversed),
            chain("fn c0() { c19999(); }", &|i| format!("fn c{i}() {{ c{}(); }}", i - 1), reversed),
        ] {
            assert_eq!(codes(&text), ["too-deep"], "{}", &text[..100]);
        }
    }
}

#[test]
fn calls_inside_deep_blocks() {
    // Each function is fine; the way through all of them is not.
    let level = |i: usize| format!("fn f{i}() {{ {} }}\n", nested("if true {", &format!("f{}();", i - 1), "}", 100));
    let helpers: String = (1..100).map(level).collect();
    let text =
        format!("fn f0() {{ workgroupBarrier(); }}\n{helpers}@compute @workgroup_size(1) fn main() {{ f99(); }}");
    assert_eq!(codes(&text), ["too-deep"]);
}

#[test]
fn too_large() {
    assert_eq!(codes(&" ".repeat(2 << 20)), ["too-large"]);
    assert_eq!(codes("var<private> x: array<u32, 4294967295>;"), ["invalid"]);
    assert_eq!(codes("var<private> x: array<array<u32, 100000>, 100000>;"), ["invalid"]);
    // Buffers may be large.
    let text = "@group(0) @binding(0) var<storage, read_write> b: array<u32, 100000000>;\n\
                @compute @workgroup_size(1) fn main() { b[0] = 1; }";
    Program::wgsl(text).unwrap();
}

#[test]
fn odd_but_short() {
    for (text, code) in [
        ("\0", "syntax"),
        ("/*", "syntax"),
        ("/*/*/*", "syntax"),
        ("fn f() { f(); }", "invalid"),
        ("struct S { a: S }", "invalid"),
        ("const a = b; const b = a;", "invalid"),
        ("@compute @workgroup_size(1) fn main() { let a = \u{1f980}; }", "syntax"),
        ("\u{feff}@", "syntax"),
    ] {
        assert_eq!(codes(text), [code], "{text:?}");
    }
    let comments = format!("{}{}", "/*".repeat(N), "*/".repeat(N));
    assert_eq!(codes(&comments), ["no-entry-point"]);
    assert_eq!(codes(&format!("const a = {};", "x".repeat(N))), ["invalid"]);
    assert_eq!(codes(&format!("const a = {};", "1".repeat(N))), ["syntax"]);
}

#[test]
fn reasonable_programs_pass() {
    Program::wgsl(&chain("a = a", " + a", 400)).unwrap();
    Program::wgsl(&body(&format!("a = {};", nested("(", "1u", ")", 100)))).unwrap();
    Program::wgsl(&body(&nested("if t {", "", "}", 100))).unwrap();
    Program::wgsl(&body(&format!("if t {{}} {}", "else if t {}".repeat(250)))).unwrap();
    let table: Vec<String> = (0..5000).map(|i| format!("-{i}.5e-3")).collect();
    Program::wgsl(&format!("const f = array<f32, 5000>({});\n{}", table.join(", "), body("let x = f[a];"))).unwrap();
    let functions: String = (1..200).map(|i| format!("fn f{i}() -> u32 {{ return f{}() + 1u; }}\n", i - 1)).collect();
    Program::wgsl(&format!("fn f0() -> u32 {{ return 1u; }}\n{functions}{}", body("a = f199();"))).unwrap();
    let many: String = (0..2000).map(|i| format!("const k{i} = {i}u;\n")).collect();
    Program::wgsl(&format!("{many}{}", body("a = k1999;"))).unwrap();
}
