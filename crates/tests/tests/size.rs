//! Programs of every shape that is long, deep or wide: each is compiled to a size near that of its
//! text and gives what it should on every device of this machine, or is refused by name.

use std::fmt::Write as _;
use std::sync::Arc;

use seawall_core::check::check;
use seawall_core::device::{Device, Error};
use seawall_core::diag::Report;
use seawall_core::program::{Kernel, Overrides, Program};
use seawall_core::reference;
use seawall_core::schedule::{self, Binding, BufferId, KernelId, Life, Schedule, Step};
use seawall_cpu::{Config, Count};
use seawall_suite::case;
use seawall_suite::run::{self, Bench, Job};

const OUTPUT: &str = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;\n";

/// A kernel of one workgroup over `o`.
fn main_of(declarations: &str, body: &str) -> String {
    format!(
        "{OUTPUT}{declarations}
        @compute @workgroup_size(16) fn main(@builtin(local_invocation_index) id: u32) {{ {body} }}"
    )
}

fn kernel(text: &str) -> Arc<Kernel> {
    let program = Program::wgsl(text).unwrap_or_else(|report| panic!("{report}"));
    program.kernel("main", &Overrides::new()).unwrap_or_else(|report| panic!("{report}"))
}

fn count(text: &str) -> Count {
    seawall_cpu::count(&kernel(text), Config::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn devices() -> [Arc<dyn Device>; 2] {
    let cpu = seawall_cpu::Device::open(Config::default()).unwrap_or_else(|error| panic!("{error}"));
    [Arc::new(reference::Device::new(reference::Config::default())), Arc::new(cpu)]
}

/// Runs a kernel over sixteen numbers, which are the invocations' own numbers times `step`; `f` says
/// what becomes of each.
fn gives(text: &str, step: u32, f: impl Fn(u32) -> u32) {
    let list = |f: &dyn Fn(u32) -> u32| {
        let numbers: Vec<String> = (0..16).map(|i| f(i * step).to_string()).collect();
        numbers.join(", ")
    };
    let source = format!("//! in o = u32[{}]\n//! out o = u32[{}]\n{text}", list(&|x| x), list(&f));
    let case = case::parse(&source).unwrap();
    for device in devices() {
        let bench = Bench::new(device);
        run::on(&bench, "generated", &source, &case).unwrap();
    }
}

/// Refused by name, when it is read or when it is compiled.
fn refused(text: &str, code: &str, name: &str) {
    let report = match Program::wgsl(text).and_then(|program| program.kernel("main", &Overrides::new())) {
        Err(report) => report,
        Ok(kernel) => load(&kernel),
    };
    let [diagnostic] = &report.diagnostics[..] else { panic!("{report}") };
    assert_eq!(diagnostic.code, code, "{report}");
    assert!(diagnostic.message.contains(name), "`{name}` is not in: {report}");
}

/// What the CPU device says of a kernel that it cannot compile.
fn load(kernel: &Arc<Kernel>) -> Report {
    let bytes = 64;
    let binding = Binding { buffer: BufferId(0), offset: 0, bytes };
    let schedule = Schedule {
        kernels: vec![kernel.clone()],
        buffers: vec![schedule::Buffer { name: "o".to_owned(), bytes, life: Life::Transient }],
        hosts: Vec::new(),
        steps: vec![Step::Dispatch { kernel: KernelId(0), grid: [1, 1, 1], bindings: vec![binding] }],
        budget_bytes: None,
    };
    let [_, cpu] = devices();
    match cpu.load(Arc::new(check(schedule).unwrap())) {
        Err(Error::Unsupported(unsupported)) => unsupported.report,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was compiled"),
    }
}

#[test]
fn a_switch_of_ten_thousand_cases() {
    let switch = |cases: u32| {
        let mut body = String::from("var r = 0u; switch o[id] {");
        for i in 0..cases {
            let _ = writeln!(body, "case {i}u: {{ r = {}u; }}", i * 7 % 1000);
        }
        main_of("", &format!("{body} default: {{ r = 5u; }} }} o[id] = r;"))
    };
    gives(&switch(10_000), 700, |x| if x < 10_000 { x * 7 % 1000 } else { 5 });
    assert!(count(&switch(10_000)).instructions < 500_000);
    let (half, whole) = (count(&switch(2000)), count(&switch(4000)));
    assert!(whole.instructions < 5 * half.instructions / 2, "{half:?} {whole:?}");
}

#[test]
fn a_switch_of_many_values_for_each_case() {
    let mut body = String::from("var r = 3; switch bitcast<i32>(o[id]) - 5000 {");
    for i in 0..500 {
        let _ = writeln!(body, "case {}, {}: {{ r = {i}; }}", i * 3 - 700, -i * 5 - 2000);
    }
    let text = main_of("", &format!("{body} default: {{ }} }} o[id] = u32(r);"));
    gives(&text, 395, |x| {
        let x = x as i32 - 5000;
        let found = (0..500).find(|i| x == i * 3 - 700 || x == -i * 5 - 2000);
        found.unwrap_or(3) as u32
    });
}

#[test]
fn thousands_of_early_exits() {
    let exits = |n: u32| {
        let mut body = String::from("let x = o[id];");
        for i in 0..n {
            let _ = writeln!(body, "if x == {i}u {{ o[id] = {}u; return; }}", i * 3);
        }
        main_of("", &format!("{body} o[id] = 1u;"))
    };
    gives(&exits(1500), 125, |x| if x < 1500 { x * 3 } else { 1 });
    let (half, whole) = (count(&exits(500)), count(&exits(1000)));
    assert!(whole.instructions < 5 * half.instructions / 2, "{half:?} {whole:?}");
}

#[test]
fn hundreds_of_else_ifs() {
    let mut body = String::from("let x = o[id]; var r = 0u; if x == 9999u { r = 1u; }");
    for i in 0..380 {
        let _ = write!(body, " else if x == {i}u {{ r = {}u; }}", i + 7);
    }
    gives(&main_of("", &format!("{body} o[id] = r;")), 30, |x| if x < 380 { x + 7 } else { 0 });
}

/// A hundred branches inside one another in each of many functions, one calling the next.
fn deep(functions: u32, last: &str) -> String {
    let mut text = String::new();
    for k in 0..functions {
        let ifs = (0..100).map(|i| format!("if x > {i}u {{ ")).collect::<Vec<String>>().concat();
        let ends = "}".repeat(100);
        let next = k + 1;
        let _ = writeln!(text, "fn f{k}(x: u32) -> u32 {{ var r = x; {ifs} r = f{next}(x + 1u); {ends} return r; }}");
    }
    let _ = writeln!(text, "fn f{functions}(x: u32) -> u32 {{ {last} return x; }}");
    main_of(&text, "o[id] = f0(o[id]);")
}

#[test]
fn branches_inside_branches_through_calls() {
    gives(&deep(200, ""), 20, |x| if x > 99 { x + 200 } else { x });
    let (half, whole) = (count(&deep(20, "")), count(&deep(40, "")));
    assert!(whole.instructions < 5 * half.instructions / 2, "{half:?} {whole:?}");
}

/// Twenty functions, each of which calls the next one twice.
fn tree(depth: u32, parameters: &str, call: impl Fn(u32) -> String, last: &str) -> String {
    let mut text = String::new();
    for k in 0..depth {
        let _ = writeln!(text, "fn f{k}({parameters}) {{ {} {} }}", call(k + 1), call(k + 1));
    }
    let _ = writeln!(text, "fn f{depth}({parameters}) {{ {last} }}");
    text
}

#[test]
fn a_tree_of_calls_is_as_large_as_its_text() {
    let step = |mut x: u32, n: u32| {
        (0..n).for_each(|_| x = x.wrapping_mul(3).wrapping_add(1));
        x
    };
    let places = |depth: u32| {
        let functions = tree(depth, "p: ptr<function, u32>", |k| format!("f{k}(p);"), "*p = *p * 3u + 1u;");
        main_of(&functions, "var a = o[id]; f0(&a); o[id] = a;")
    };
    gives(&places(16), 5, |x| step(x, 1 << 16));
    let globals = tree(16, "", |k| format!("f{k}();"), "a = a * 3u + 1u;");
    let globals = main_of(&format!("var<private> a: u32;\n{globals}"), "a = o[id]; f0(); o[id] = a;");
    gives(&globals, 5, |x| step(x, 1 << 16));
    let (small, large) = (count(&places(20)), count(&places(40)));
    assert!(large.nodes < 3 * small.nodes, "{small:?} {large:?}");
    assert!(large.functions < 21, "{large:?}: the smallest are written out");
}

/// What the functions of the next test do.
mod plain {
    pub(super) fn mix(a: u32, b: &mut [u32; 3]) -> (u32, u32) {
        let mut s = a;
        for i in 0..a % 5 {
            if s % 7 == 3 {
                b[i as usize % 3] = s;
                return (s, i);
            }
            s = s.wrapping_mul(5).wrapping_add(b[(i as usize + 1) % 3]);
        }
        b[0] = b[0].wrapping_add(s);
        (s, 9)
    }
    pub(super) fn twice(a: u32, b: &mut [u32; 3]) -> u32 {
        let x = mix(a, b);
        if x.1 == 9 {
            return x.0;
        }
        let y = mix(x.0, b);
        y.0 ^ y.1
    }
    pub(super) fn many(a: u32) -> u32 {
        let mut t = [a, 1, 2];
        let mut r = 0_u32;
        for k in 0..a % 4 {
            r = r.wrapping_add(twice(a.wrapping_add(k), &mut t));
        }
        if a.is_multiple_of(3) {
            r ^= twice(r, &mut t);
        }
        let sum = t[0].wrapping_mul(3).wrapping_add(t[1].wrapping_mul(5)).wrapping_add(t[2].wrapping_mul(7));
        r.wrapping_add(sum)
    }
}

#[test]
fn called_functions_keep_to_their_lanes() {
    // Lanes leave at different times, in loops around calls and in what is called; and one of two
    // arguments is changed through its pointer.
    let functions = "
        fn mix(a: u32, b: ptr<function, array<u32, 3>>) -> vec2u {
            var s = a;
            for (var i = 0u; i < a % 5u; i++) {
                if s % 7u == 3u { (*b)[i % 3u] = s; return vec2u(s, i); }
                s = s * 5u + (*b)[(i + 1u) % 3u];
            }
            (*b)[0] += s;
            return vec2u(s, 9u);
        }
        fn twice(a: u32, b: ptr<function, array<u32, 3>>) -> u32 {
            let x = mix(a, b);
            if x.y == 9u { return x.x; }
            let y = mix(x.x, b);
            return y.x ^ y.y;
        }
        fn many(a: u32) -> u32 {
            var t = array<u32, 3>(a, 1u, 2u);
            var r = 0u;
            for (var k = 0u; k < a % 4u; k++) { r += twice(a + k, &t); }
            if a % 3u == 0u { r ^= twice(r, &t); }
            return r + t[0] * 3u + t[1] * 5u + t[2] * 7u;
        }";
    let body = (0..120).map(|k| format!("x = many(x + {k}u);\n")).collect::<Vec<String>>().concat();
    let text = main_of(functions, &format!("var x = o[id]; if x % 2u == 1u {{ {body} }} o[id] = x;"));
    assert!(count(&text).functions > 1, "{:?}", count(&text));
    let expected = |x: u32| if x % 2 == 1 { (0..120).fold(x, |x, k| plain::many(x.wrapping_add(k))) } else { x };
    gives(&text, 13, expected);
}

/// Whole structs as arguments and results, arrays in them, and functions called from many places.
#[test]
fn arithmetic_of_fields_gives_the_same_bits() {
    const POINTS: u32 = 19;
    let text = include_str!("../../../bench/kernels/field.wgsl");
    let mut state = 7_u32;
    let mut limbs = |zero: u32| {
        let numbers = (0..POINTS * 48).map(|i| {
            state = state.wrapping_mul(0x9e37_79b1).wrapping_add(0x7f4a_7c15);
            // Some points are the same as others, and some are at infinity.
            if i / 48 % zero == 3 && i % 48 >= 32 { 0 } else { state >> 16 }
        });
        let numbers: Vec<String> = numbers.map(|n| n.to_string()).collect();
        numbers.join(", ")
    };
    let (a, b) = (limbs(5), limbs(7));
    let out = POINTS * 48 * 4;
    let source = format!("//! in a = u32[{a}]\n//! in b = u32[{b}]\n//! out sums = pad[{out}]\n{text}");
    let case = case::parse(&source).unwrap();
    let job = Job::new("field", &source, &case).unwrap();
    let [expected, got] = devices().map(|device| job.outputs(&*device).unwrap());
    assert!(expected == got, "the CPU device gives other bits");
    assert!(expected[0].iter().any(|&byte| byte != 0));
    let Count { functions, instructions, .. } = count(text);
    assert!(functions > 4 && instructions < 100_000, "{functions} functions of {instructions} instructions");
}

#[test]
fn one_variable_in_two_arguments_is_one_variable() {
    let functions = "
        fn step(a: ptr<function, u32>, b: ptr<function, u32>) { *a += 1u; *b = *b * 3u + *a; }
        fn more(a: ptr<function, u32>, b: ptr<function, u32>) { step(a, b); step(b, a); step(a, b); step(a, a); }
        fn most(a: ptr<function, u32>, b: ptr<function, u32>) { more(a, b); more(b, a); more(b, b); }";
    let body = "most(&x, &y);\n".repeat(150);
    let text = main_of(functions, &format!("var x = o[id]; var y = x ^ 5u; {body} o[id] = x ^ y;"));
    assert!(count(&text).functions > 1, "{:?}", count(&text));
    let expected = |x: u32| {
        let mut v = [x, x ^ 5];
        let step = |v: &mut [u32; 2], a: usize, b: usize| {
            v[a] = v[a].wrapping_add(1);
            v[b] = v[b].wrapping_mul(3).wrapping_add(v[a]);
        };
        for _ in 0..150 {
            for (a, b) in [(0, 1), (1, 0), (1, 1)] {
                for (a, b) in [(a, b), (b, a), (a, b), (a, a)] {
                    step(&mut v, a, b);
                }
            }
        }
        v[0] ^ v[1]
    };
    gives(&text, 3, expected);
}

/// What is written there is gone, and reads as zero.
#[test]
fn a_place_outside_its_variable_is_nowhere() {
    let functions = "
        fn step(p: ptr<function, u32>) -> u32 { STEPS return *p + 1u; }
        fn more(p: ptr<function, u32>) -> u32 { let a = step(p); let b = step(p); return a ^ b * 3u ^ step(p); }";
    let functions = functions.replace("STEPS", &"*p += 7u; *p = *p * 3u + 1u; *p ^= *p >> 3u;".repeat(6));
    let body = "s += more(&v[o[id]]);\n".repeat(30);
    let text =
        main_of(&functions, &format!("var v = array<u32, 4>(1u, 2u, 3u, 4u); var s = 0u; {body} o[id] = s + v[0];"));
    let expected = |x: u32| {
        let mut v = [1, 2, 3, 4_u32];
        let mut s = 0_u32;
        for _ in 0..30 {
            let mut step = || {
                let Some(p) = v.get_mut(x as usize) else { return 1 };
                for _ in 0..6 {
                    *p = p.wrapping_add(7).wrapping_mul(3).wrapping_add(1);
                    *p ^= *p >> 3;
                }
                p.wrapping_add(1)
            };
            let (a, b, c) = (step(), step(), step());
            s = s.wrapping_add(a ^ b.wrapping_mul(3) ^ c);
        }
        s.wrapping_add(v[0])
    };
    assert!(count(&text).functions > 1, "{:?}", count(&text));
    gives(&text, 1, expected);
}

#[test]
fn large_variables_are_filled_not_written_out() {
    let body = "var a: array<u32, 100000>; a[o[id]] = 3u; o[id] = a[o[id]] + a[99999u - o[id]];";
    gives(&main_of("", body), 10, |_| 3);
    assert!(count(&main_of("", body)).nodes < 40);
    let private = main_of("var<private> a: array<vec3f, 5000>;", "a[id].y = 2.0; o[id] = u32(a[o[id]].y + 1.0);");
    gives(&private, 1, |_| 3);
    let numbers: Vec<String> = (0..3000).map(|i| format!("{}u", i * 7 % 100)).collect();
    let table = format!("var a = array<u32, 3000>({}); a[5] = 1u; o[id] = a[o[id]];", numbers.join(", "));
    gives(&main_of("", &table), 5, |x| if x == 5 { 1 } else { x * 7 % 100 });
    assert!(count(&main_of("", &table)).nodes < 40);
}

#[test]
fn large_values_are_moved_not_taken_apart() {
    let text = "@group(0) @binding(0) var<storage, read_write> o: array<array<f32, 40000>>;
        @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
            let a = o[id.x];
            o[id.x + 1u] = a;
        }";
    assert!(count(text).nodes < 40, "{:?}", count(text));
    let wide = "struct Row { n: u32, data: array<array<vec3f, 100>, 100>, last: mat4x4f }
        fn next(row: Row) -> Row { var r = row; r.n += 1u; r.data[r.n][3] += vec3(1.0); return r; }";
    let body =
        "var r: Row; for (var i = 0u; i < 3u; i++) { r = next(r); } let s = r; o[id] = s.n + u32(s.data[2][3].y);";
    gives(&main_of(wide, body), 1, |_| 4);
    assert!(count(&main_of(wide, body)).nodes < 1000, "{:?}", count(&main_of(wide, body)));
}

#[test]
fn what_is_too_large_is_refused_by_name() {
    refused(
        &main_of("var<private> huge: array<u32, 10000000>;", "huge[id] = 1u; o[id] = huge[0];"),
        "too-large",
        "huge",
    );
    refused(&main_of("", "var huge: array<u32, 10000000>; huge[id] = 1u; o[id] = huge[0];"), "too-large", "huge");
    let barriers = tree(20, "", |k| format!("f{k}();"), "workgroupBarrier();");
    refused(&main_of(&barriers, "f0(); o[id] = 1u;"), "too-large", "`f4`");
    refused(&deep(200, "workgroupBarrier();"), "too-deep", "deep");
    let loops = "loop { if o[id] > 3u { break; } o[id]++; }\n".repeat(1025);
    refused(&main_of("", &loops), "too-large", "1025 loops");
}

#[test]
fn small_kernels_with_barriers_stay_small() {
    let scan = "
        @group(0) @binding(0) var<storage, read_write> o: array<u32>;
        var<workgroup> t: array<u32, 512>;
        @compute @workgroup_size(256) fn main(
            @builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u
        ) {
            let base = group.x * 512u;
            let i = local.x;
            if base + 2u * i < arrayLength(&o) { t[2u * i] = o[base + 2u * i]; }
            if base + 2u * i + 1u < arrayLength(&o) { t[2u * i + 1u] = o[base + 2u * i + 1u]; }
            var offset = 1u;
            for (var d = 256u; d > 0u; d >>= 1u) {
                workgroupBarrier();
                if i < d { t[offset * (2u * i + 2u) - 1u] += t[offset * (2u * i + 1u) - 1u]; }
                offset *= 2u;
            }
            if i == 0u { t[511] = 0u; }
            for (var d = 1u; d < 512u; d *= 2u) {
                offset >>= 1u;
                workgroupBarrier();
                if i < d {
                    let x = t[offset * (2u * i + 1u) - 1u];
                    t[offset * (2u * i + 1u) - 1u] = t[offset * (2u * i + 2u) - 1u];
                    t[offset * (2u * i + 2u) - 1u] += x;
                }
            }
            workgroupBarrier();
            if base + 2u * i < arrayLength(&o) { o[base + 2u * i] = t[2u * i]; }
            if base + 2u * i + 1u < arrayLength(&o) { o[base + 2u * i + 1u] = t[2u * i + 1u]; }
        }";
    assert!(count(scan).instructions < 3000, "{:?}", count(scan));
}
