//! Each rule of the sanitizer with a program that breaks it, and one that nearly does.

use seawall_core::device::{Control, Device as _, Error, Host, Io};
use seawall_core::diag::Severity;
use seawall_core::reference::{Config, Device};
use seawall_core::sanitize::{self, Arithmetic, Finding, Findings, Workgroups};
use seawall_core::schedule::{Life, Step};

use super::support::{schedule, to_bytes};

const HEAD: &str = "
    @group(0) @binding(0) var<storage, read_write> out: array<u32>;
    var<workgroup> tile: array<u32, 4>;
    var<workgroup> count: atomic<u32>;
    @compute @workgroup_size(4)
    fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32,
            @builtin(workgroup_id) group: vec3<u32>) {";

pub(super) fn found_with(wgsl: &str, grid: u32, words: usize, config: Config) -> Findings {
    let zeros = vec![0; words];
    let schedule = schedule(wgsl, [grid, 1, 1], &[("out", &zeros)], Life::Transient);
    let mut bytes = to_bytes(&zeros);
    let io = Io { hosts: vec![Host::Write(&mut bytes)], residents: Vec::new() };
    let loaded = Device::new(config).load(schedule).unwrap_or_else(|error| panic!("{error}"));
    match loaded.run(io, &Control::default()) {
        Ok(stats) => stats.findings.expect("the sanitizer looked on"),
        Err(Error::Unsound(findings)) => *findings,
        Err(error) => panic!("{error}"),
    }
}

fn config() -> Config {
    Config { sanitize: Some(sanitize::Config::default()), ..Config::default() }
}

/// What a body shows with three workgroups of four invocations and twelve words of `out`.
fn found(body: &str) -> Findings {
    found_with(&format!("{HEAD}\n{body}\n}}"), 3, 12, config())
}

fn codes(findings: &Findings) -> Vec<&'static str> {
    findings.list.iter().map(|finding| finding.diagnostic.code).collect()
}

/// The body has this one finding, with these places.
fn only(body: &str, code: &str, lines: &[&str]) -> Finding {
    let found = found(body);
    assert_eq!(codes(&found), [code], "{body}\n{found}");
    let finding = found.list[0].clone();
    let text = &finding.source.text;
    let mut places: Vec<&str> = finding
        .diagnostic
        .labels
        .iter()
        .map(|label| text.get(label.span.start as usize..label.span.end as usize).expect("a span of the text"))
        .collect();
    places.sort_unstable();
    assert_eq!(places, lines, "{found}");
    finding
}

fn clean(body: &str) {
    let found = found(body);
    assert_eq!(codes(&found), [""; 0], "{body}\n{found}");
}

#[test]
fn invocations_of_a_workgroup_race_without_its_barrier() {
    let race = only("tile[i] = i; let a = tile[3u - i]; out[id.x] = a;", "race", &["tile[3u - i]", "tile[i]"]);
    assert_eq!(race.diagnostic.severity, Severity::Error);
    // In order, 0 and 1 have read what 3 and 2 write later, and these read what 0 and 1 have written.
    assert_eq!(race.count, 3 * 4);
    clean("tile[i] = i; workgroupBarrier(); let a = tile[3u - i]; out[id.x] = a;");
    clean("tile[i] = i; let a = tile[i]; out[id.x] = a;");
}

#[test]
fn each_barrier_orders_its_own_memory() {
    let storage = "out[id.x] = i; BARRIER let a = out[4u * group.x + 3u - i]; storageBarrier(); out[id.x] = a;";
    clean(&storage.replace("BARRIER", "storageBarrier();"));
    let wrong = storage.replace("BARRIER", "workgroupBarrier();");
    let race = only(&wrong, "race", &["out[4u * group.x + 3u - i]", "out[id.x]"]);
    assert!(race.diagnostic.help[0].contains("storageBarrier"), "{:?}", race.diagnostic.help);
    let shared = "tile[i] = i; BARRIER let a = tile[3u - i]; out[id.x] = a;";
    clean(&shared.replace("BARRIER", "workgroupBarrier();"));
    only(&shared.replace("BARRIER", "storageBarrier();"), "race", &["tile[3u - i]", "tile[i]"]);
    clean("if i == 0u { tile[0] = 7u; } let a = workgroupUniformLoad(&tile[0]); tile[i] = a; out[id.x] = a;");
}

#[test]
fn nothing_but_the_grid_orders_workgroups() {
    let read = "out[id.x] = i; BARRIER let a = out[11u - id.x]; gridBarrier(); out[id.x] = a;";
    clean(&read.replace("BARRIER", "gridBarrier();"));
    let race = only(&read.replace("BARRIER", "storageBarrier();"), "race", &["out[11u - id.x]", "out[id.x]"]);
    assert!(race.diagnostic.help[0].contains("gridBarrier"), "{:?}", race.diagnostic.help);
    let example = race.example.expect("who did it");
    assert_eq!((example.kernel.as_str(), example.element.as_str()), ("main", "out[8]"));
    assert_eq!(example.other, Some(([0, 0, 0], [3, 0, 0])), "{example:?}");
}

#[test]
fn atomics_do_not_race_with_each_other() {
    let body = "atomicAdd(&count, 1u); workgroupBarrier(); let a = atomicLoad(&count); out[id.x] = a;";
    clean(body);
    clean(&body.replace("workgroupBarrier();", ""));
    clean("atomicStore(&count, i); out[id.x] = atomicLoad(&count);");
    let plain = only("out[group.x] += 1u;", "race", &["out[group.x]"]);
    assert_eq!(plain.diagnostic.labels.len(), 1);
}

#[test]
fn writes_of_one_value_are_told_apart() {
    let note = only("out[0] = 7u;", "race-same-value", &["out[0]"]);
    assert_eq!(note.diagnostic.severity, Severity::Note);
    only("out[0] = i;", "race", &["out[0]"]);
    only("tile[0] = 7u; out[id.x] = 1u;", "race-same-value", &["tile[0]"]);
    // A value that was another one before does not make it harmless.
    only("if id.x == 0u { out[0] = 6u; } if id.x < 2u { out[0] = 7u; }", "race", &["out[0]", "out[0]"]);
    let strict = sanitize::Config { strict: true, ..sanitize::Config::default() };
    let text = format!("{HEAD} out[0] = 7u; }}");
    let strict = found_with(&text, 3, 12, Config { sanitize: Some(strict), ..Config::default() });
    assert!(strict.has_errors() && codes(&strict) == ["race-same-value"]);
}

#[test]
fn components_of_a_vector_belong_together() {
    let head = "
        @group(0) @binding(0) var<storage, read_write> out: array<vec4<u32>>;
        @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {";
    let component = found_with(&format!("{head} out[0][i] = i; }}"), 1, 16, config());
    assert_eq!(codes(&component), ["race-component"], "{component}");
    assert_eq!(component.list[0].diagnostic.severity, Severity::Note);
    let whole = found_with(&format!("{head} out[i] = vec4(i); }}"), 1, 16, config());
    assert_eq!(codes(&whole), [""; 0]);
    let read = found_with(
        &format!("{head} if i == 0u {{ out[1].x = out[0].y; }} else {{ out[1].z = 1u; }} }}"),
        1,
        16,
        config(),
    );
    assert_eq!(codes(&read), ["race-component", "race-same-value"], "{read}");
}

#[test]
fn padding_is_not_touched() {
    let head = "
        struct Padded { a: vec3<u32>, b: u32, c: array<vec3<u32>, 2> }
        @group(0) @binding(0) var<storage, read_write> out: Padded;
        @compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) {";
    let run = |body: &str| codes(&found_with(&format!("{head} {body} }}"), 1, 12, config()));
    assert_eq!(run("if i == 0u { out.a = vec3(1u); } else { out.b = 2u; }"), [""; 0]);
    assert_eq!(run("if i == 0u { out.c = array(vec3(1u), vec3(2u)); } else { out.c[1] = vec3(3u); }"), ["race"]);
    assert_eq!(run("if i == 0u { out.c[0] = vec3(1u); } else { out.c[1] = vec3(2u); }"), [""; 0]);
}

#[test]
fn halves_and_bytes_of_a_word_can_be_apart() {
    let halves = "enable f16;
        @group(0) @binding(0) var<storage, read_write> out: array<f16>;
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { out[INDEX] = f16(i); }";
    assert_eq!(codes(&found_with(&halves.replace("INDEX", "i"), 1, 4, config())), [""; 0]);
    assert_eq!(codes(&found_with(&halves.replace("INDEX", "i / 2u"), 1, 4, config())), ["race"]);
    let bytes = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        var<workgroup> flags: array<bool, 8>;
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
            flags[INDEX] = i % 3u == 0u;
            workgroupBarrier();
            out[i] = u32(flags[i]);
        }";
    assert_eq!(codes(&found_with(&bytes.replace("INDEX", "i"), 1, 8, config())), [""; 0]);
    assert_eq!(codes(&found_with(&bytes.replace("INDEX", "i ^ (i & 1u)"), 1, 8, config())), ["uninitialised", "race"]);
}

#[test]
fn indices_are_told_where_they_are_used() {
    let outside = only("out[id.x + 1u] = i;", "out-of-bounds", &["out[id.x + 1u]"]);
    assert!(outside.diagnostic.labels[0].text.starts_with("index 12, but there are 12 elements"));
    assert_eq!(outside.count, 1);
    let negative =
        only("let a = array(1u, 2u, 3u, 4u); out[id.x] = a[i32(i) - 1];", "out-of-bounds", &["a[i32(i) - 1]"]);
    assert!(negative.diagnostic.labels[0].text.starts_with("index -1, but there are 4 elements"));
    assert_eq!(negative.count, 3);
    only("var a = array(1u, 2u, 3u); a[i] = 7u; out[id.x] = a[0];", "out-of-bounds", &["a[i]"]);
    only("var v = vec3(1u); out[id.x] = v[i];", "out-of-bounds", &["v[i]"]);
    only("let m = mat2x2(1.0, 2.0, 3.0, 4.0); out[id.x] = u32(m[i / 2u][i]);", "out-of-bounds", &["m[i / 2u][i]"]);
    let both = found("out[id.x] = tile[i + 1u];");
    assert_eq!(codes(&both), ["uninitialised", "out-of-bounds"], "{both}");
    // A pointer that nobody follows does no harm.
    clean("let p = &out[id.x + 1u]; if id.x < 11u { *p = i; }");
    clean("if id.x + 1u < arrayLength(&out) { out[id.x + 1u] = i; }");
}

#[test]
fn zeros_that_nobody_wrote_are_told() {
    let read = only("out[id.x] = tile[i];", "uninitialised", &["tile[i]", "var<workgroup> tile: array<u32, 4>;"]);
    assert_eq!((read.diagnostic.severity, read.count), (Severity::Warning, 12));
    clean("tile[i] = 0u; out[id.x] = tile[i];");
    // Counting from zero is what zeros are for; the least of nothing is not.
    clean("atomicAdd(&count, 1u); workgroupBarrier(); out[id.x] = atomicLoad(&count);");
    let least = "atomicMin(&count, i); workgroupBarrier(); out[id.x] = atomicLoad(&count);";
    assert_eq!(codes(&found(least)), ["uninitialised"]);
    clean(
        "if i == 0u { atomicStore(&count, 9u); } workgroupBarrier(); atomicMin(&count, i); workgroupBarrier(); out[id.x] = atomicLoad(&count);",
    );
}

#[test]
fn arithmetic_is_looked_at_when_asked() {
    let body = "
        let zero = f32(i) * 0.0;
        let a = 7u / (i / 4u);
        let b = 1u << (32u + i);
        let c = u32(-1.0 - zero);
        let d = zero / zero;
        let e = 4294967295u + i;
        out[id.x] = a + b * 0u + c + u32(d == 0.0) + e * 0u;";
    assert_eq!(codes(&found(body)), [""; 0]);
    let text = format!("{HEAD} {body} }}");
    let with = |arithmetic| {
        let sanitize = Some(sanitize::Config { arithmetic, ..sanitize::Config::default() });
        codes(&found_with(&text, 1, 12, Config { sanitize, ..Config::default() }))
    };
    let none = Arithmetic::default();
    assert_eq!(with(Arithmetic { division: true, ..none }), ["division-by-zero"]);
    assert_eq!(with(Arithmetic { shift: true, ..none }), ["shift-width"]);
    assert_eq!(with(Arithmetic { conversion: true, ..none }), ["conversion"]);
    assert_eq!(with(Arithmetic { nan: true, ..none }), ["made-nan"]);
    assert_eq!(with(Arithmetic { overflow: true, ..none }), ["overflow"]);
    assert_eq!(with(Arithmetic::ALL), ["division-by-zero", "shift-width", "conversion", "made-nan", "overflow"]);
}

#[test]
fn a_line_can_be_allowed_if_it_says_why() {
    clean("out[0] = i; // seawall: allow(race) because any of them will do");
    clean("// seawall: allow(race) because any of them will do\nout[0] = i;");
    let body = "out[0] = i; // seawall: allow(race)";
    assert_eq!(codes(&found(body)), ["race", "unused-allow"]);
    let unused = found("out[id.x] = i; // seawall: allow(race) because it looks like one");
    assert_eq!(codes(&unused), ["unused-allow"]);
    assert_eq!(unused.list[0].diagnostic.message, "`allow(race)` silences nothing");
    assert_eq!(
        codes(&found("out[0] = i; // seawall: allow(out-of-bounds) because of nothing")),
        ["race", "unused-allow"]
    );
}

#[test]
fn workgroups_can_be_left_out() {
    let body = "out[group.x] = i;";
    let only = |first, end| {
        let sanitize =
            Some(sanitize::Config { workgroups: Some(Workgroups { first, end }), ..sanitize::Config::default() });
        found_with(&format!("{HEAD} {body} }}"), 3, 12, Config { sanitize, ..Config::default() })
    };
    let some = only(1, 2);
    assert_eq!((some.watched, some.workgroups, some.list[0].count), (1, 3, 3));
    assert_eq!(some.list[0].example.as_ref().expect("who did it").workgroup, [1, 0, 0]);
    assert!(some.left_out().expect("two are left out").starts_with("1 of 3 workgroups"));
    assert_eq!(codes(&only(3, 9)), [""; 0]);
    assert_eq!(found(body).left_out(), None);
}

#[test]
fn shadow_memory_counts_against_the_budget() {
    let text = format!("{HEAD} out[id.x] = i; }}");
    let checked = schedule(&text, [3, 1, 1], &[("out", &[0; 12])], Life::Transient);
    let run = |budget_bytes: u64| {
        let limited = seawall_core::schedule::Schedule { budget_bytes: Some(budget_bytes), ..(**checked).clone() };
        let checked = std::sync::Arc::new(seawall_core::check::check(limited).expect("the data fits"));
        let mut bytes = [0; 48];
        let io = Io { hosts: vec![Host::Write(&mut bytes)], residents: Vec::new() };
        Device::new(config()).load(checked).expect("it loads").run(io, &Control::default())
    };
    // Twelve words of `out`, and five of workgroup memory in twenty: the tile, and the counter on 16 bytes.
    let shadow = 64 * (12 + checked_words());
    let stats = run(48 + shadow).expect("it fits");
    assert_eq!(stats.peak_bytes, 48 + shadow);
    let Err(Error::OverBudget { bytes, used_bytes, budget_bytes, .. }) = run(48 + shadow - 1) else {
        panic!("it does not fit")
    };
    assert_eq!((bytes, used_bytes, budget_bytes), (shadow, 48, 48 + shadow - 1));
}

/// Words of workgroup memory: a tile of four and a counter, each at a multiple of 16 bytes.
fn checked_words() -> u64 {
    8
}

#[test]
fn what_steps_leave_unwritten_is_told() {
    let text = format!("{HEAD} out[id.x] = out[id.x] + 1u; }}");
    let checked = schedule(&text, [3, 1, 1], &[("out", &[0; 12])], Life::Transient);
    let run = |change: &dyn Fn(&mut Step) -> bool| {
        let mut plain = (**checked).clone();
        plain.steps.retain_mut(|step| change(step));
        let checked = std::sync::Arc::new(seawall_core::check::check(plain).expect("it is sound"));
        let mut bytes = [0; 48];
        let io = Io { hosts: vec![Host::Write(&mut bytes)], residents: Vec::new() };
        let stats = Device::new(config()).load(checked).expect("it loads").run(io, &Control::default());
        stats.expect("no error").findings.expect("the sanitizer looked on")
    };
    assert_eq!(codes(&run(&|_| true)), [""; 0]);
    let none = run(&|step| !matches!(step, Step::Upload { .. }));
    assert_eq!((codes(&none), none.list[0].count), (vec!["uninitialised"], 12));
    let half = run(&|step| {
        if let Step::Upload { to, .. } = step {
            to.bytes = 32;
        }
        true
    });
    assert_eq!((codes(&half), half.list[0].count), (vec!["uninitialised"], 4));
    assert_eq!(half.list[0].example.as_ref().expect("who did it").element, "out[8]");
    let cleared = run(&|step| {
        if let Step::Upload { to, .. } = *step {
            *step = Step::Clear { range: to };
        }
        true
    });
    assert_eq!(codes(&cleared), [""; 0]);
}
