//! Constant expressions that are evaluated before naga sees them: spans, shadowing, errors.

use seawall_core::program::{Overrides, Program};

use super::{codes, covered, kernel, refused};

const MAIN: &str = "@compute @workgroup_size(1) fn main() {}\n";

/// Asserts, as WGSL itself does, what constants are.
#[track_caller]
fn holds(declarations: &str, condition: &str) {
    let text = |condition: &str| format!("{declarations}\nconst_assert {condition};\n{MAIN}");
    Program::wgsl(&text(condition)).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(codes(&text(&format!("!({condition})"))), ["invalid"], "{condition}");
}

/// The text that the error of a program is about.
#[track_caller]
fn wrong(text: &str, part: &str, message: &str) {
    let report = refused(text);
    let [diagnostic] = &report.diagnostics[..] else { panic!("one error was expected: {report}") };
    assert_eq!(diagnostic.code, "invalid", "{report}");
    assert_eq!(covered(text, Some(diagnostic.labels[0].span)), part, "{report}");
    assert!(diagnostic.message.contains(message), "{report}");
}

#[test]
fn abstract_numbers_are_wide() {
    holds("", "-8 >> 70u == -1");
    holds("", "0 << 64u == 0");
    holds("", "3--7 == 10 && 3---7 == -4 && --7 == 7");
    holds("", "5000000000 / 2 == 2500000000");
    holds("", "4 * 1000 * 1000 * 1000 == u32(4 * 1000 * 1000 * 1000)");
    holds("", "0.1 + 0.2 != 0.3 && 0.1f + 0.2f == f32(0.1f + 0.2f)");
    holds("const A = 1 << 40u;", "A >> 40u == 1");
    holds("", "min(1, 2u) == 1u && max(1, 2.5) == 2.5 && abs(-9223372036854775807) == 9223372036854775807");
    holds("", "0x1.8p1 == 3.0 && 0xffp-4f == 15.9375f && 1e3 == 1000.0 && .5 == 0.5");
}

#[test]
fn concrete_numbers_wrap() {
    holds("", "2147483647i + 1i == -2147483647i - 1i");
    holds("", "0u - 1u == 4294967295u");
    holds("", "i32(3e9f) == 2147483520 && u32(-1.0f) == 0u && i32(-1.9f) == -1");
}

#[test]
fn what_decides_alone_is_not_followed() {
    holds("", "!(false && 1 / 0 == 1)");
    holds("", "true || 1 << 64u == 1");
    wrong(&format!("const_assert true && 1 / 0 == 1;\n{MAIN}"), "1 / 0", "divided by zero");
}

#[test]
fn composite_constants() {
    holds("const T = array(1, 2.5, 3);", "T[1] == 2.5 && T[2] == 3.0");
    holds("struct S { a: u32, v: vec2<f32> }\nconst S1 = S(1, vec2(2, 3));", "S1.a == 1u && S1.v.yx.x == 3.0f");
    holds("const M = mat2x2(1, 2, 3, 4) * mat2x2(0, 1, 1, 0);", "all(M[0] == vec2(3, 4)) && M[1].y == 2.0");
    holds("alias V = vec3<i32>;\nconst A = array<V, N>(V(1), V(1, vec2(2, 3)));\nconst N = 2;", "A[1].z + A[0].x == 4");
    holds("const R = modf(vec2(1.5, -2.25));", "all(R.whole == vec2(1.0, -2.0)) && R.fract.y == -0.25");
    holds("enable f16;\nconst H = 1h + vec2<f16>(2, 3h);", "all(H == vec2h(3, 4))");
    assert_eq!(codes(&format!("const H = u32(1h + 2h);\n{MAIN}")).len(), 1);
}

#[test]
fn errors_are_about_the_expression_that_has_no_value() {
    let body = |statement: &str| {
        format!(
            "@group(0) @binding(0) var<storage, read_write> b: array<f32>;\n\
             @compute @workgroup_size(1) fn main() {{ {statement} }}\n"
        )
    };
    wrong(&body("b[0] = b[1] * (1.0 + log(-1.0));"), "log(-1.0)", "no finite number");
    wrong(&body("b[0] = f32(1u << (30u + 2u));"), "1u << (30u + 2u)", "cannot be shifted by 32");
    wrong(&body("let a = 1; { const c: u32 = 1 - 2; b[a] = f32(c); }"), "1 - 2", "out of range for u32");
    wrong(&body("switch 1 { case 5 % 0: {} default: {} }"), "5 % 0", "divided by zero");
    wrong(&body("const_assert 2 < 1;"), "const_assert 2 < 1", "const_assert");
    wrong("@compute @workgroup_size(8 / 0) fn main() {}\n", "8 / 0", "divided by zero");
    wrong(
        &format!("var<private> a: array<u32, 2147483647 * 4294967296 * 4>;\n{MAIN}"),
        "2147483647 * 4294967296 * 4",
        "overflows",
    );
}

/// Errors of naga stand where they would without the replacements before them.
#[test]
fn spans_stay() {
    let text = "const A = sin(1.0) + 1 /* ü */ * 3--7; const B = atanh(0.5);\n\
                @compute @workgroup_size(1) fn main() { let x = A + cos(2.0); let y = x + unknown; }\n";
    let report = refused(text);
    assert_eq!(covered(text, Some(report.diagnostics[0].labels[0].span)), "unknown", "{report}");
}

#[test]
fn a_let_is_no_constant() {
    let text = |body: &str| format!("@compute @workgroup_size(1) fn main() {{ var y = array<u32, 4>(); {body} }}\n");
    kernel(&text("let index = 4u; y[0] = y[index];"));
    kernel(&text("let index = 2 + 2; let other = index; y[0] = y[other];"));
    kernel(&text("let far = 32u; y[0] = 1u << far; let zero = 0u; y[1] = y[0] / zero;"));
    // What a constant may not do is still refused.
    assert_eq!(codes(&text("const index = 4u; y[0] = y[index];")).len(), 1);
    // And so is what a `let` may not.
    assert_eq!(codes(&text("let x = 1u; x = 2u;")), ["syntax"]);
    assert_eq!(codes(&text("let x = 1u; x++;")).len(), 1);
    assert_eq!(codes(&text("let x = vec2(1u); x.y -= 2u;")), ["syntax"]);
    assert_eq!(codes(&text("let x = 1u; let p = &x; y[0] = *p;")).len(), 1);
}

#[test]
fn templates_are_not_comparisons() {
    let text = "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n\
                @compute @workgroup_size(1) fn main() { let a = b[0]; let c = b[1];\n\
                let z: vec2<bool>=vec2<bool>(a<c, (c>1+a)); let s = 1u+2u>a==true&&c<a;\n\
                if(1+1==2){ b[0]=select(1u,2u,all(z)&&s); }else if(2<1){ return; } }\n";
    kernel(text);
}

/// Everything that is put into the text has a name that it has not.
#[test]
fn names_are_fresh() {
    let names: String =
        ["k_0", "k_1", "k_2", "k", "c", "q"].iter().map(|name| format!("const {name} = sin(1.0);\n")).collect();
    kernel(&format!("{names}@compute @workgroup_size(1) fn main() {{ let x = k_0 + k_1 + cos(k_2); }}\n"));
}

/// A word may stand right before a bracket.
#[test]
fn words_stay_apart() {
    kernel(
        "@compute @workgroup_size(1) fn main() { var i = 0; while(1+1==3){ i=-1+2; } switch(2+1){ case(1+2){} default{} }\n\
         for(;i<1-1;i+=1+1){} if(true&&false){return;} loop{ continuing{ break if(1<2); } } _ = f(); }\n\
         fn f() -> i32 { return-1+2; }\n",
    );
}

#[test]
fn overrides_may_be_set_past_their_defaults() {
    let text = "override n = 4194304*1000;\nvar<workgroup> a: array<u32, n>;\n\
                @compute @workgroup_size(1) fn main() { a[0] = 1u; }\n";
    let program = Program::wgsl(text).unwrap_or_else(|report| panic!("{report}"));
    let kernel =
        program.kernel("main", &Overrides::from([("n".to_owned(), 4.0)])).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(kernel.workgroup_bytes, 16);
    program.kernel("main", &Overrides::new()).expect_err("the default is too large");
}

/// What depends on overrides is evaluated as constants are, with their rules.
#[test]
fn overrides_are_constants_once_they_are_decided() {
    let text = "@id(7) override a: f32 = 0.5;\noverride b = a * 2.0;\noverride c: u32;\noverride unused: i32;\n\
                override d = bitcast<u32>(mix(b, 3.0f, 0.5f)) + u32(select(0, 1, c > 2u));\n\
                @group(0) @binding(0) var<storage, read_write> y: array<u32>;\n\
                var<workgroup> w: array<f32, c / 2u + 1u>;\n\
                @compute @workgroup_size(c) fn main() { w[c / 2u] = tanh(a); y[0] = d; y[1] = 12u / (c - 4u); }\n";
    let program = Program::wgsl(text).unwrap_or_else(|report| panic!("{report}"));
    let decide = |values: &[(&str, f64)]| {
        program.kernel("main", &values.iter().map(|&(name, value)| (name.to_owned(), value)).collect())
    };
    let kernel = decide(&[("7", 1.0), ("c", 6.0)]).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!((kernel.workgroup_size, kernel.workgroup_bytes), ([6, 1, 1], 16));
    // mix(2, 3, 0.5) is 2.5, and c is over 2.
    let stored = format!("{:?}", kernel.module());
    assert!(stored.contains(&format!("U32({})", 2.5_f32.to_bits() + 1)), "{stored}");
    let codes = |values: &[(&str, f64)]| decide(values).map_err(|report| report.diagnostics[0].code).map(|_| ());
    assert_eq!(codes(&[("c", 4.0)]), Err("override-value"), "12 is divided by c - 4");
    assert_eq!(codes(&[("c", 0.0)]), Err("workgroup-size"));
    assert_eq!(codes(&[]), Err("missing-override"));
}

/// naga would take the bits for single floats without a word.
#[test]
fn half_floats_are_not_mistyped() {
    let text = |value: &str| {
        format!(
            "enable f16;\n@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n\
             var<workgroup> w: u32; var<workgroup> a: atomic<u32>;\n\
             fn f(h: vec2h) -> u32 {{ let r = frexp(h.x * 2h); let e: i32 = r.exp; return bitcast<u32>(h) + u32(e); }}\n\
             @compute @workgroup_size(1) fn main() {{ let p = &b[0]; b[1] = u32(f32(bitcast<vec2<f16>>({value}).x)); }}\n"
        )
    };
    kernel(&text("0x3c004000u"));
    kernel(&text("b[0]"));
    kernel(&text("i32(b[0]) + 1"));
    kernel(&text("f(vec2h(1, 2))"));
    kernel(&text("*p"));
    kernel(&text("workgroupUniformLoad(&w)"));
    kernel(&text("atomicAdd(&a, 1)"));
    wrong(&text("arrayLength(&b)"), "bitcast<vec2<f16>>(arrayLength(&b))", "`bitcast` to half floats");
}

/// Texts that are made of one thing, many times; naga's time for statements grows with their square.
#[test]
fn long_texts_are_read() {
    let long = |piece: &str, before: &str, after: &str| {
        let bytes = if before.contains("fn main") { 20_000 } else { 100_000 };
        format!("{before}{}{after}", piece.repeat(bytes / piece.len()))
    };
    let body = "@compute @workgroup_size(1) fn main() { var x = 1.0; ";
    for text in [
        long("x = sin(1.5) + x; ", body, "}\n"),
        long("let a = 1u + 2u; { ", body, "}\n"),
        long("{ let a = 1u + 2u; } ", body, "}\n"),
        long("x--", "", MAIN),
        long("a<", "const a = ", MAIN),
        long("vec2(1,2)+", "const a = ", &format!("1;{MAIN}")),
        long("1<<1u,", "const a = array(", &format!("1);{MAIN}")),
    ] {
        let _ = Program::wgsl(&text);
    }
    // Types and values that would be enormous when written out.
    let doubled: String = (1..60)
        .map(|i| format!("alias A{i} = array<A{}, 2>;\nconst C{i} = array(C{}, C{});\n", i - 1, i - 1, i - 1))
        .collect();
    let _ = Program::wgsl(&format!("alias A0 = f32;\nconst C0 = 1.0f;\n{doubled}const Z = A59();\n{MAIN}"));
}
