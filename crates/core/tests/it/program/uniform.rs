//! Barriers that every invocation reaches, and barriers that some may miss.

use expect_test::expect;
use seawall_core::program::Program;

use super::{covered, refused};

const HEAD: &str = "enable subgroups;
struct In { @builtin(local_invocation_id) lid: vec3<u32>, @builtin(num_workgroups) ng: vec3<u32> }
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;
@group(0) @binding(1) var<storage, read> ro: array<u32>;
@group(0) @binding(2) var<uniform> n: u32;
@group(0) @binding(3) var<storage, read_write> at: atomic<u32>;
var<workgroup> w: array<u32, 64>;
var<workgroup> one: u32;
var<private> p: u32;
override k: u32;
";

fn program(items: &str, body: &str) -> String {
    format!(
        "{HEAD}{items}\n@compute @workgroup_size(64)\n\
         fn main(@builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) g: vec3<u32>,\n\
         @builtin(workgroup_id) wg: vec3<u32>, s: In) {{\n{body}\n}}\n"
    )
}

fn accept(items: &str, body: &str) {
    let text = program(items, body);
    if let Err(report) = Program::wgsl(&text) {
        panic!("{report}\n{items}\n{body}");
    }
}

/// Refused, with these texts under the primary label and under those that explain it.
fn refuse(items: &str, body: &str, barrier: &str, why: &[&str]) {
    let text = program(items, body);
    let Err(report) = Program::wgsl(&text) else { panic!("should be refused:\n{items}\n{body}") };
    assert_eq!(report.diagnostics.len(), 1, "{report}");
    assert_eq!(report.diagnostics[0].code, "barrier-divergence", "{report}");
    let labels = &report.diagnostics[0].labels;
    assert!(labels[0].primary);
    let at: Vec<&str> = labels.iter().map(|label| covered(&text, Some(label.span))).collect();
    assert_eq!(at[0], barrier, "{report}");
    for why in why {
        assert!(at[1..].contains(why), "{why:?} is not among {at:?}\n{report}");
    }
}

const B: &str = "workgroupBarrier";
const G: &str = "gridBarrier()";

#[test]
fn accepted_without_branches() {
    accept("", "workgroupBarrier(); storageBarrier(); rw[i] = workgroupUniformLoad(&one);");
    accept("", "if i < 3 { w[i] = 1; } workgroupBarrier();");
    accept(
        "",
        "if i < 3 { w[i] = 1; } else { w[i] = 2; } workgroupBarrier(); if i > 5 { w[i] = 3; } storageBarrier();",
    );
    accept("", "{ { workgroupBarrier(); } }");
}

#[test]
fn accepted_uniform_branches() {
    accept("", "if n > 3 { workgroupBarrier(); } else { storageBarrier(); }");
    accept("", "if ro[wg.x] > 3 { workgroupBarrier(); }");
    accept("", "if s.ng.x > 3 && wg.y == 2 || n == 1 { workgroupBarrier(); }");
    accept("", "if k == 3 { workgroupBarrier(); }");
    accept("", "if s.ng.y == 1 { workgroupBarrier(); }");
    accept("", "if arrayLength(&rw) > 3 { workgroupBarrier(); }");
    accept("", "if workgroupUniformLoad(&one) == 1 { workgroupBarrier(); }");
    accept("", "let x = select(1u, 2u, n == 4); if x == 1 { workgroupBarrier(); }");
    accept("", "if n == 1 { if i < 3 { return; } } else { workgroupBarrier(); }");
}

#[test]
fn accepted_loops() {
    accept("", "for (var j = 0u; j < 10; j++) { workgroupBarrier(); }");
    accept("", "for (var j = n; j > 0; j /= 2) { if i < j { w[i] += w[i + j]; } workgroupBarrier(); }");
    accept(
        "",
        "var j = 64u; loop { j /= 2; if j == 0 { break; } workgroupBarrier(); if i < j { w[i] += w[i + j]; } workgroupBarrier(); }",
    );
    accept(
        "",
        "var j = 0u; while j < ro[wg.x] { if i == j { j += 0; } workgroupBarrier(); j = j + 1; }"
            .replace("if i == j { j += 0; } ", "")
            .as_str(),
    );
    accept("", "for (var j = 0u; j < 4; j++) { if w[i] == 1 { continue; } w[i] = j; } workgroupBarrier();");
    accept("", "for (var j = 0u; j < i; j++) { w[j] = 1; } workgroupBarrier();");
    accept("", "loop { if i < 3 { break; } if w[i] == 2 { break; } } workgroupBarrier();");
    accept("", "for (var j = 0u; j < 4; j++) { for (var l = 0u; l < i; l++) { w[l] = j; } workgroupBarrier(); }");
    accept("", "var j = 0u; loop { workgroupBarrier(); continuing { j++; break if j == n; } }");
    accept(
        "",
        "loop { if n == 2 { continue; } workgroupBarrier(); continuing { storageBarrier(); break if n == 3; } }",
    );
    accept("", "for (var j = 0u; j < 4; j++) { if i == j { continue; } w[i] = j; continue; } workgroupBarrier();");
    accept("", "var j = 0u; for (;;) { if i == 3 { j = i; } j = 7; if j == n { break; } workgroupBarrier(); }");
}

#[test]
fn accepted_locals() {
    accept("", "var x = i; x = n; if x == 3 { workgroupBarrier(); }");
    accept("", "var v = vec2(n, n); v.x = wg.x; if v.x == 3 { workgroupBarrier(); }");
    accept("", "var a = array<u32, 4>(); a[n] = wg.x; if a[1] == 3 { workgroupBarrier(); }");
    accept("", "var x = 0u; if n == 1 { x = 1; } else { x = wg.x; } if x == 1 { workgroupBarrier(); }");
    accept("", "var x = 0u; let q = &x; *q = n; if *q == 1 { workgroupBarrier(); }");
    accept("", "var x = 0u; if i < 4 { x = 1; } x = n; if x == 1 { workgroupBarrier(); }");
}

#[test]
fn accepted_switches() {
    accept("", "switch n { case 1, 2: { workgroupBarrier(); } case 3: { storageBarrier(); } default: {} }");
    accept("", "switch i { case 1: { w[0] = 1; } default: { w[1] = 1; } } workgroupBarrier();");
    accept("", "switch i { case 1: { break; } default: { w[1] = 1; } } workgroupBarrier();");
    accept(
        "",
        "switch n { case 1: { if i == 3 { break; } w[i] = 1; } default: { workgroupBarrier(); } } workgroupBarrier();",
    );
    accept(
        "",
        "for (var j = 0u; j < 4; j++) { switch j { case 1: { continue; } default: { break; } } workgroupBarrier(); }",
    );
}

#[test]
fn accepted_functions() {
    accept("fn sync() { workgroupBarrier(); }", "sync(); if n == 1 { sync(); } if i == 1 { w[0] = 1; } sync();");
    accept("fn f(x: u32) { if x == 1 { workgroupBarrier(); } }", "f(n); f(wg.x);");
    accept(
        "fn f(x: u32) -> u32 { return x + 1; }",
        "let v = f(i); if f(n) == v - v { } if f(n) == 2 { workgroupBarrier(); }",
    );
    accept("fn early(x: u32) -> u32 { if x == 1 { return 0; } return 1; }", "let e = early(i); workgroupBarrier();");
    accept(
        "fn put(q: ptr<function, u32>, v: u32) { *q = v; }",
        "var x = i; put(&x, n); if x == 1 { workgroupBarrier(); }",
    );
    accept(
        "fn take(q: ptr<function, u32>) -> u32 { return *q; }",
        "var x = n; if take(&x) == 1 { workgroupBarrier(); }",
    );
    accept(
        "fn leaf() { workgroupBarrier(); } fn mid(x: u32) { for (var j = 0u; j < x; j++) { leaf(); } }",
        "mid(n); mid(ro[0]);",
    );
    accept("fn noop(q: ptr<function, u32>) {}", "var x = n; if i == 2 { noop(&x); } if n == 1 { workgroupBarrier(); }");
}

#[test]
fn accepted_reduction() {
    accept(
        "",
        "w[i] = rw[g.x];\nworkgroupBarrier();\n\
         for (var stride = 32u; stride > 0u; stride >>= 1u) {\n\
         if i < stride { w[i] += w[i + stride]; }\nworkgroupBarrier();\n}\n\
         if i == 0u { rw[wg.x] = w[0]; }",
    );
}

#[test]
fn refused_branches() {
    refuse("", "if i < 3 { workgroupBarrier(); }", B, &["i < 3", "i"]);
    refuse("", "if i < 3 { } else { workgroupBarrier(); }", B, &["i < 3"]);
    refuse("", "if g.x < 3 { storageBarrier(); }", "storageBarrier", &["g.x < 3", "g"]);
    refuse("", "if s.lid.x == 1 { workgroupBarrier(); }", B, &["s.lid.x == 1"]);
    refuse("", "if rw[0] == 1 { workgroupBarrier(); }", B, &["rw[0] == 1", "rw[0]"]);
    refuse("", "if w[0] == 1 { workgroupBarrier(); }", B, &["w[0] == 1"]);
    refuse("", "if p == 1 { workgroupBarrier(); }", B, &["p == 1"]);
    refuse("", "if ro[i] == 1 { workgroupBarrier(); }", B, &["ro[i] == 1", "i"]);
    refuse("", "if atomicAdd(&at, 1) == 0 { workgroupBarrier(); }", B, &[]);
    refuse("", "if atomicLoad(&at) == 0 { workgroupBarrier(); }", B, &[]);
    refuse("", "if n == 1 && i == 2 { workgroupBarrier(); }", B, &[]);
    refuse("", "if n == 1 || i == 2 { workgroupBarrier(); }", B, &[]);
    refuse("", "if i < 3 { one = workgroupUniformLoad(&one); }", "workgroupUniformLoad", &["i < 3"]);
    refuse("", "one = workgroupUniformLoad(&w[i]);", "workgroupUniformLoad", &["i"]);
    refuse("", "if subgroupAdd(n) == 3 { workgroupBarrier(); }", B, &[]);
    refuse("", "if i < 3 { if n == 1 { { workgroupBarrier(); } } }", B, &["i < 3"]);
}

#[test]
fn refused_loops() {
    refuse("", "for (var j = 0u; j < i; j++) { workgroupBarrier(); }", B, &["j < i"]);
    refuse("", "for (var j = i; j < 10; j++) { workgroupBarrier(); }", B, &["j < 10"]);
    refuse("", "for (var j = 0u; j < 4; j++) { if i == j { break; } workgroupBarrier(); }", B, &["i == j", "break;"]);
    refuse("", "for (var j = 0u; j < 4; j++) { workgroupBarrier(); if i == j { break; } }", B, &["i == j"]);
    refuse("", "for (var j = 0u; j < 4; j++) { if i == j { continue; } workgroupBarrier(); }", B, &["i == j"]);
    refuse("", "loop { workgroupBarrier(); continuing { break if w[i] == 3; } }", B, &["w[i] == 3"]);
    refuse("", "loop { if n == 1 { break; } if i == 2 { break; } continuing { workgroupBarrier(); } }", B, &["i == 2"]);
    // Values that change in a loop which invocations leave at different times.
    refuse("", "var j = 0u; loop { j++; if j > i { break; } } if j == 3 { workgroupBarrier(); }", B, &["j == 3"]);
    refuse(
        "",
        "var j = 0u; loop { continuing { j++; break if j > i; } } if j == 3 { workgroupBarrier(); }",
        B,
        &["j == 3"],
    );
    refuse("", "for (var j = 0u; j < 4; j++) { if i == 1 { return; } } workgroupBarrier();", B, &["i == 1"]);
    // Only the second round knows.
    refuse(
        "",
        "var x = n; var y = n; for (var j = 0u; j < 4; j++) { if x == 1 { workgroupBarrier(); } x = y; y = i; }",
        B,
        &["x == 1"],
    );
}

#[test]
fn refused_after_leaving() {
    refuse("", "if i < 3 { return; } workgroupBarrier();", B, &["i < 3", "return;"]);
    refuse("", "if n == 1 { if i < 3 { return; } } workgroupBarrier();", B, &["i < 3", "return;"]);
    refuse("", "if g.x >= arrayLength(&rw) { return; } w[i] = 1; workgroupBarrier();", B, &["g.x >= arrayLength(&rw)"]);
}

#[test]
fn refused_locals() {
    refuse("", "var x = n; x = i; if x == 3 { workgroupBarrier(); }", B, &["x == 3"]);
    refuse("", "var x = n; if i < 4 { x = 1; } if x == 3 { workgroupBarrier(); }", B, &["x == 3", "i"]);
    refuse("", "var v = vec2(n, n); v.y = i; if v.x == 3 { workgroupBarrier(); }", B, &["v.x == 3"]);
    refuse("", "var a = array<u32, 4>(); a[i] = 1; if a[0] == 1 { workgroupBarrier(); }", B, &["a[0] == 1"]);
    refuse("", "var a = array<u32, 4>(); if a[i] == 1 { workgroupBarrier(); }", B, &["a[i] == 1"]);
    refuse("", "var x = 0u; let q = &x; *q = i; if x == 1 { workgroupBarrier(); }", B, &["x == 1"]);
}

#[test]
fn refused_switches() {
    refuse("", "switch i { case 1: { workgroupBarrier(); } default: {} }", B, &["i"]);
    refuse("", "switch n { case 1: { if i == 3 { break; } workgroupBarrier(); } default: {} }", B, &["i == 3"]);
    refuse(
        "",
        "for (var j = 0u; j < 4; j++) { switch i { case 1: { continue; } default: {} } workgroupBarrier(); }",
        B,
        &["i"],
    );
    refuse("", "switch i { case 1: { return; } default: {} } workgroupBarrier();", B, &["i", "return;"]);
}

#[test]
fn refused_functions() {
    refuse("fn sync() { workgroupBarrier(); }", "sync(); if i < 3 { sync(); }", B, &["i < 3", "sync()"]);
    refuse("fn f(x: u32) { if x == 1 { workgroupBarrier(); } }", "f(n); f(i);", B, &["x == 1", "f(i)", "i"]);
    refuse("fn f(x: u32) -> u32 { return x + 1; }", "if f(i) == 2 { workgroupBarrier(); }", B, &["f(i) == 2"]);
    refuse(
        "fn f() -> u32 { if p == 1 { return 1; } return 2; }",
        "if f() == 1 { workgroupBarrier(); }",
        B,
        &["f() == 1"],
    );
    refuse(
        "fn put(q: ptr<function, u32>, v: u32) { *q = v; }",
        "var x = n; put(&x, i); if x == 1 { workgroupBarrier(); }",
        B,
        &["x == 1"],
    );
    refuse(
        "fn put(q: ptr<function, u32>) { if p == 1 { return; } *q = 3; }",
        "var x = n; put(&x); if x == 1 { workgroupBarrier(); }",
        B,
        &["x == 1"],
    );
    refuse("fn take(q: ptr<private, u32>) -> u32 { return *q; }", "if take(&p) == 1 { workgroupBarrier(); }", B, &[]);
    refuse(
        "fn part(q: ptr<function, u32>, v: u32) { *q = v; }",
        "var a = array<u32, 2>(i, i); part(&a[0], n); if a[0] == 1 { workgroupBarrier(); }",
        B,
        &["a[0] == 1"],
    );
    refuse(
        "fn leaf() { workgroupBarrier(); } fn mid(x: u32) { if x == 1 { leaf(); } }",
        "mid(i);",
        B,
        &["x == 1", "leaf()", "mid(i)"],
    );
}

#[test]
fn each_barrier_is_told_once() {
    let report =
        refused(&program("", "if i < 3 { workgroupBarrier(); storageBarrier(); } if i < 4 { workgroupBarrier(); }"));
    assert_eq!(report.diagnostics.len(), 3, "{report}");
}

#[test]
fn deep_loops_end() {
    let depth = 60;
    let open: String = (0..depth).map(|j| format!("for (var a{j} = 0u; a{j} < n; a{j}++) {{ ")).collect();
    accept("", &format!("{open} workgroupBarrier(); {}", "}".repeat(depth)));
    let swap: String = (1..50).map(|j| format!("x{} = x{j}; ", j - 1)).collect();
    let vars: String = (0..50).map(|j| format!("var x{j} = n; ")).collect();
    refuse("", &format!("{vars} for (;;) {{ if x0 == 1 {{ workgroupBarrier(); }} {swap} x49 = i; }}"), B, &["x0 == 1"]);
}

#[test]
fn many_ways_to_call_end() {
    let mut items = String::from("fn f0(a: u32, b: u32, c: u32) { if a + b + c == 1 { w[0] = 1; } }\n");
    for j in 1..60 {
        let call = |args: &str| format!("f{}({args}); ", j - 1);
        items += &format!(
            "fn f{j}(a: u32, b: u32, c: u32) {{ {}{}{} }}\n",
            call("a, b, c"),
            call("b, c, a"),
            call("b, a, c")
        );
    }
    accept(&items, "f59(i, g.x, rw[0]); workgroupBarrier();");
}

#[test]
fn grid_barriers() {
    let grid = "fn gridBarrier() {}";
    accept(grid, "gridBarrier(); for (var j = 0u; j < n; j++) { if i < 3 { w[i] = 1; } gridBarrier(); }");
    refuse(grid, "if wg.x == 1 { gridBarrier(); }", "gridBarrier()", &["wg.x == 1", "wg"]);
    refuse(grid, "if workgroupUniformLoad(&one) == 1 { gridBarrier(); }", "gridBarrier()", &[]);
    refuse(grid, "if i == 1 { return; } gridBarrier();", "gridBarrier()", &["i == 1"]);
}

#[test]
fn loads_that_nobody_writes_between_two_grid_barriers() {
    accept("", "gridBarrier(); let x = rw[0]; gridBarrier(); if x == 0 { gridBarrier(); } rw[i] = 1;");
    accept("", "loop { rw[i] = 1; gridBarrier(); if rw[0] == 0 { break; } gridBarrier(); }");
    accept("", "loop { atomicAdd(&at, 1); gridBarrier(); if atomicLoad(&at) == 0 { break; } gridBarrier(); }");
    // What the grid agrees on, a workgroup does.
    accept("", "rw[i] = 1; gridBarrier(); let x = rw[0]; gridBarrier(); if x == 0 { workgroupBarrier(); }");
    refuse("", "rw[i] = 1; workgroupBarrier(); if rw[0] == 0 { workgroupBarrier(); }", B, &["rw[0] == 0"]);
    refuse(
        "",
        "rw[i] = 1; gridBarrier(); let x = rw[wg.x]; gridBarrier(); if x == 0 { gridBarrier(); }",
        G,
        &["x == 0"],
    );
    refuse("", "loop { rw[i] = 1; gridBarrier(); if rw[0] == 0 { break; } }", G, &["rw[0] == 0"]);
    refuse(
        "",
        "gridBarrier(); if rw[0] == 0 { rw[1] = 1; } gridBarrier(); if rw[0] == 0 { gridBarrier(); } rw[i] = 1;",
        G,
        &[],
    );
    refuse("", "if rw[0] == 0 { gridBarrier(); } rw[i] = 1;", G, &["rw[0] == 0"]);
}

#[test]
fn grid_barriers_in_helpers_are_told_apart_by_their_calls() {
    let meet = "fn meet() { gridBarrier(); } fn twice() { meet(); meet(); }";
    accept(meet, "loop { rw[i] = 1; meet(); if rw[0] == 0 { break; } meet(); }");
    accept(meet, "loop { rw[i] = 1; twice(); if rw[0] == 0 { break; } twice(); }");
    accept(meet, "rw[i] = 1; twice(); let x = rw[0]; meet(); if x == 1 { meet(); } rw[i] = 2; twice();");
    refuse(meet, "loop { rw[i] = 1; meet(); if rw[0] == 0 { break; } }", G, &["rw[0] == 0"]);
    refuse(meet, "meet(); if rw[0] == 0 { meet(); } rw[i] = 1;", G, &["rw[0] == 0"]);
    // Written behind the barrier in there,
    let put = "fn put(i: u32) { gridBarrier(); rw[i] = 1; } fn more(i: u32) { put(i); }";
    refuse(put, "put(i); if rw[0] == 0 { gridBarrier(); }", G, &["rw[0] == 0"]);
    refuse(put, "more(i); if rw[0] == 0 { gridBarrier(); }", G, &["rw[0] == 0"]);
    // or behind the call, while it is loaded in there.
    let get = "fn found() -> u32 { gridBarrier(); return rw[0]; } fn most() -> u32 { return found(); }";
    accept(get, "rw[i] = 1; if found() == 0 { gridBarrier(); }");
    refuse(get, "if found() == 0 { gridBarrier(); } rw[i] = 1;", G, &["found() == 0"]);
    refuse(get, "let x = most(); rw[i] = 1; gridBarrier(); if x == 0 { gridBarrier(); }", G, &["x == 0"]);
    // More calls than anyone could write out.
    let twice = |j: usize| format!("fn s{j}() {{ if n == {j} {{ s{0}(); }} s{0}(); s{0}(); }}\n", j - 1);
    let many: String = (1..40).map(twice).collect();
    let report = refused(&program(&format!("fn s0() {{ gridBarrier(); }}\n{many}"), "rw[i] = 1; s39(); rw[i] = 2;"));
    assert_eq!(report.diagnostics[0].code, "too-large", "{report}");
}

#[test]
fn grid_barriers_that_some_may_miss() {
    let refuse = |items: &str, body: &str, why: &[&str]| refuse(items, body, G, why);
    refuse("", "if g.x < 5 { gridBarrier(); }", &["g.x < 5", "g"]);
    refuse("", "if i == 0 { rw[0] = 1; } else { gridBarrier(); }", &["i == 0"]);
    refuse("", "if wg.x == 0 { workgroupBarrier(); gridBarrier(); }", &["wg.x == 0", "wg"]);
    refuse("", "for (var j = 0u; j < s.lid.x; j++) { gridBarrier(); }", &["j < s.lid.x"]);
    refuse("", "for (;;) { if g.x == 1 { break; } gridBarrier(); }", &["g.x == 1", "break;"]);
    refuse("", "for (var j = 0u; j < n; j++) { if g.x == j { continue; } gridBarrier(); }", &["g.x == j", "continue;"]);
    refuse("", "switch wg.y { case 1: { gridBarrier(); } default: {} }", &["wg.y"]);
    refuse("", "if atomicAdd(&at, 1) == 1 { gridBarrier(); }", &[]);
    refuse("", "if p == 1 { gridBarrier(); }", &["p == 1"]);
    refuse("", "if one == 1 { gridBarrier(); }", &["one == 1"]);
    refuse("", "if ro[wg.x] == 1 { gridBarrier(); }", &["ro[wg.x] == 1"]);
    refuse("", "rw[i] = 1; if rw[0] == 1 { gridBarrier(); }", &["rw[0] == 1"]);
    refuse("", "var x = n; if g.x > 1 { x = 2; } if x == 2 { gridBarrier(); }", &["x == 2"]);
}

#[test]
fn a_grid_barrier_is_told_with_the_way_to_it() {
    let text = "\
@group(0) @binding(0) var<storage, read_write> sums: array<u32>;
fn meet(x: u32) {
    if x == 0u {
        return;
    }
    gridBarrier();
}
fn add(i: u32, group: u32) {
    sums[i] += 1u;
    meet(group);
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    add(id.x, group.x);
}
";
    expect![[r#"
        error[barrier-divergence]: `gridBarrier` may not be reached by every invocation of the grid
           ┌─ <wgsl>:6:5
           │
         3 │     if x == 0u {
           │        ------- this may differ between them
         4 │         return;
           │         ------- some of them may leave here
         5 │     }
         6 │     gridBarrier();
           │     ^^^^^^^^^^^^^ all invocations of the grid must come here together
           ·
        10 │     meet(group);
           │     ----------- called here
           ·
        13 │ fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
           │                                                                              ----- depends on `workgroup_id`
        14 │     add(id.x, group.x);
           │     ------------------ called here
           │
           = help: move it to where the whole grid passes, or branch on a value that is the same for all
    "#]].assert_eq(&format!("{}\n", refused(text)));
}

/// Others may already write what was loaded: two barriers cure it.
#[test]
fn a_load_that_others_may_overtake_is_told_with_its_cure() {
    let text = "\
@group(0) @binding(0) var<storage, read_write> changed: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    loop {
        changed[id.x] = 1u;
        gridBarrier();
        if changed[0] == 0u { break; }
    }
}
";
    expect![[r#"
        error[barrier-divergence]: `gridBarrier` may not be reached by every invocation of the grid
          ┌─ <wgsl>:6:9
          │
        6 │         gridBarrier();
          │         ^^^^^^^^^^^^^ all invocations of the grid must come here together
        7 │         if changed[0] == 0u { break; }
          │            ----------------   ------ some of them may leave here
          │            │                   
          │            this may differ between them
          │            depends on a load of `changed`, which is storage that some of them may write meanwhile
          │
          = help: put a `gridBarrier()` between the last write to `changed` and that load, and one between the load and the next write: then the value is the same for all
    "#]].assert_eq(&format!("{}\n", refused(text)));
}

#[test]
fn told_with_both_places() {
    let text = "\
fn sync(x: u32) {
    if x == 1u {
        workgroupBarrier();
    }
}
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let half = id.x / 2u;
    sync(half);
}
";
    expect![[r#"
        error[barrier-divergence]: `workgroupBarrier` may not be reached by every invocation of the workgroup
          ┌─ <wgsl>:3:9
          │
        2 │     if x == 1u {
          │        ------- this may differ between them
        3 │         workgroupBarrier();
          │         ^^^^^^^^^^^^^^^^ all invocations of the workgroup must come here together
          ·
        7 │ fn main(@builtin(local_invocation_id) id: vec3<u32>) {
          │                                       -- depends on `local_invocation_id`
        8 │     let half = id.x / 2u;
        9 │     sync(half);
          │     ---------- called here
          │
          = help: move it to where the whole workgroup passes, or branch on a value that is the same for all
    "#]]
    .assert_eq(&format!("{}\n", refused(text)));
}
