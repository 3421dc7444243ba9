use seawall_core::program::{Access, Effects};

use super::kernel;

const READS: Effects = Effects { reads: true, writes: false, updates: false };
const WRITES: Effects = Effects { reads: false, writes: true, updates: false };
const UPDATES: Effects = Effects { reads: false, writes: false, updates: true };
const ORDERED: Effects = Effects { reads: true, writes: false, updates: true };
const BOTH: Effects = Effects { reads: true, writes: true, updates: false };
const NONE: Effects = Effects { reads: false, writes: false, updates: false };

const BUFFERS: &str = "\
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read> r: array<u32>;
@group(1) @binding(0) var<storage, read_write> c: atomic<u32>;
@group(1) @binding(1) var<storage, read_write> d: array<atomic<i32>>;
@group(1) @binding(2) var<uniform> u: vec4<u32>;
var<private> p: u32;
var<workgroup> w: array<u32, 4>;
";

/// The buffers that `items` and the body of `main` touch, by name.
fn effects(items: &str, body: &str) -> Vec<(String, Effects)> {
    let kernel = kernel(&format!("{BUFFERS}{items}\n@compute @workgroup_size(1) fn main() {{ {body} }}\n"));
    kernel.buffers.iter().map(|buffer| (buffer.name.clone(), buffer.effects)).collect()
}

fn check(items: &str, body: &str, expected: &[(&str, Effects)]) {
    let expected: Vec<(String, Effects)> = expected.iter().map(|(name, done)| ((*name).to_owned(), *done)).collect();
    assert_eq!(effects(items, body), expected, "{items}\n{body}");
}

#[test]
fn plain() {
    check("", "", &[]);
    check("", "a[0] = 1;", &[("a", WRITES)]);
    check("", "p = a[0];", &[("a", READS)]);
    check("", "a[0] += 1;", &[("a", BOTH)]);
    check("", "a[0] = r[1] + u.x;", &[("a", WRITES), ("r", READS), ("u", READS)]);
    check("", "let q = &a[3]; *q = 2;", &[("a", WRITES)]);
    check("", "w[0] = 1; p = w[1];", &[]);
}

#[test]
fn length_alone() {
    check("", "p = arrayLength(&a);", &[("a", NONE)]);
    check("fn n() -> u32 { return arrayLength(&a); }", "p = n();", &[("a", NONE)]);
}

#[test]
fn atomics() {
    check("", "p = atomicLoad(&c);", &[("c", READS)]);
    check("", "atomicStore(&c, 1);", &[("c", WRITES)]);
    check("", "atomicAdd(&d[0], 1);", &[("d", UPDATES)]);
    check("", "atomicSub(&c, 1); atomicAdd(&c, 2);", &[("c", UPDATES)]);
    check("", "atomicMax(&c, atomicLoad(&c));", &[("c", ORDERED)]);
    // What the others do before or after can be told from these.
    for seen in [
        "let x = atomicCompareExchangeWeak(&c, 0, 1);",
        "atomicExchange(&c, 1);",
        "atomicMax(&c, 1);",
        "atomicMin(&c, 1);",
        "atomicAnd(&c, 1);",
        "atomicOr(&c, 1);",
        "atomicXor(&c, 1);",
        "p = atomicAdd(&c, 1);",
        "if atomicAdd(&c, 1) == 2 { p = 1; }",
        "atomicAdd(&c, 1); atomicMax(&c, 7);",
    ] {
        check("", seen, &[("c", ORDERED)]);
    }
    check("fn take() -> u32 { return atomicAdd(&c, 1); }", "take();", &[("c", ORDERED)]);
}

#[test]
fn through_helpers() {
    check("fn f() { a[0] = b[0]; }", "f();", &[("a", WRITES), ("b", READS)]);
    check("fn f() { a[0] = 1; } fn g() { f(); } fn h() { g(); p = b[0]; }", "h();", &[("a", WRITES), ("b", READS)]);
    check("fn unused() { a[0] = 1; }", "p = b[0];", &[("b", READS)]);
    check(
        "fn f() { a[0] = 1; }",
        "if u.x == 1 { loop { switch u.y { case 1: { f(); } default: {} } break; } }",
        &[("a", WRITES), ("u", READS)],
    );
}

#[test]
fn through_pointers() {
    check("", "let q = &a; let r0 = &(*q)[1]; *r0 = 2;", &[("a", WRITES)]);
    check("", "let q = &a[2]; p = *q;", &[("a", READS)]);
    check("", "let q = &d[1]; atomicSub(q, 1);", &[("d", UPDATES)]);
    check("fn f() { let q = &b[0]; *q += 1; }", "f();", &[("b", BOTH)]);
}

#[test]
fn through_pointers_that_functions_take() {
    let put = "fn put(q: ptr<storage, u32, read_write>) { *q = 1; }";
    check(put, "put(&a[0]);", &[("a", WRITES)]);
    check(put, "var i = 1; put(&a[i]); put(&b[i]);", &[("a", WRITES), ("b", WRITES)]);
    check(&format!("{put} fn unused(q: ptr<storage, u32, read_write>) {{ put(q); }}"), "put(&b[0]);", &[("b", WRITES)]);
    let outer = "fn outer(q: ptr<storage, array<u32>, read_write>, k: u32) { put(&q[k]); }";
    check(&format!("{put} {outer}"), "outer(&a, 3);", &[("a", WRITES)]);
    check("fn up(q: ptr<storage, atomic<i32>, read_write>) { atomicAdd(q, 1); }", "up(&d[1]);", &[("d", UPDATES)]);
}

#[test]
fn pointers_to_other_memory_touch_no_buffer() {
    check("fn put(q: ptr<function, u32>) { *q = a[0]; }", "var x = 0u; put(&x);", &[("a", READS)]);
    check("fn put(q: ptr<private, u32>) { *q = 1; }", "put(&p);", &[]);
    check(
        "fn put(q: ptr<private, u32>) { *q = b[0]; } fn outer(q: ptr<private, u32>) { put(q); }",
        "outer(&p);",
        &[("b", READS)],
    );
}

#[test]
fn the_table() {
    let text = format!("{BUFFERS}@compute @workgroup_size(4, 2) fn main() {{ d[0] = atomic(); a[1] = u.y + r[0]; }}")
        .replace("d[0] = atomic();", "atomicAdd(&d[0], 1);");
    let kernel = kernel(&text);
    let rows: Vec<_> =
        kernel.buffers.iter().map(|b| (b.name.as_str(), b.group, b.binding, b.access, b.min_bytes)).collect();
    assert_eq!(
        rows,
        [
            ("a", 0, 0, Access::ReadWrite, 4),
            ("r", 0, 2, Access::Read, 4),
            ("d", 1, 1, Access::ReadWrite, 4),
            ("u", 1, 2, Access::Uniform, 16),
        ]
    );
    assert_eq!(kernel.workgroup_size, [4, 2, 1]);
    assert_eq!(super::covered(&text, kernel.buffer("r").unwrap().span), "var<storage, read> r: array<u32>;");
}
