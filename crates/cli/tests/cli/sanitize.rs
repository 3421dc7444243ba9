//! `run --sanitize` and `test --sanitize`, by everything that they say.

use expect_test::expect;

use crate::support::{Dir, transcript};

const SUM: &str = "@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> sum: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    sum[0] += x[id.x];
}
";

const COPY: &str = "@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    y[id.x] = x[id.x];
}
";

const RUN: [&str; 9] = ["run", "--sanitize", "sum.wgsl", "--in", "x=iota:8", "--in", "sum=zeros:1", "--threads", "8"];

fn dir() -> Dir {
    Dir::new().with("sum.wgsl", SUM).with("copy.wgsl", COPY)
}

#[test]
fn a_race_is_an_error() {
    dir().expect(
        &RUN,
        &expect![[r#"
        status 1
        -- stderr
        error[race]: `sum` is written and read by different workgroups, which nothing orders
          ┌─ sum.wgsl:5:5
          │
        5 │     sum[0] += x[id.x];
          │     ^^^^^^ written and read by invocation 0 of workgroup 0 and invocation 0 of workgroup 1
          │
          = note: seen 21 times, first at `sum[0]`
          = help: no barrier of a workgroup orders others: use atomics, `gridBarrier();`, or a dispatch for each

        error: the sanitizer found 1 error in 2 workgroups
    "#]],
    );
}

#[test]
fn programs_get_an_object() {
    let output = dir().output(&[&RUN[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", transcript(&output));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let [finding] = object["findings"].as_array().expect("a list").as_slice() else { panic!("{object}") };
    assert_eq!(
        (&finding["code"], &finding["severity"], &finding["file"]),
        (&"race".into(), &"error".into(), &"sum.wgsl".into())
    );
    assert_eq!((&finding["places"][0]["line"], &finding["places"][0]["column"]), (&5.into(), &5.into()));
    assert_eq!(finding["places"][0]["source"], "sum[0] += x[id.x];");
    assert_eq!(finding["example"]["element"], "sum[0]");
    assert_eq!(object["watched"], serde_json::json!({ "workgroups": 2, "of": 2 }));
    let clean = dir().output(&["run", "--sanitize", "copy.wgsl", "--in", "x=iota:8", "--in", "y=zeros:8", "--json"]);
    assert_eq!(clean.status.code(), Some(0), "{}", transcript(&clean));
    let object: serde_json::Value = serde_json::from_slice(&clean.stdout).expect("one JSON object");
    assert_eq!((&object["findings"], &object["outputs"]["y"][7]), (&serde_json::json!([]), &7.into()));
}

#[test]
fn what_is_sound_is_said_to_be() {
    dir().expect(
        &["run", "--sanitize", "copy.wgsl", "--in", "x=iota:8", "--in", "y=zeros:8"],
        &expect![[r#"
        -- stdout
        device reference: only it finds races
        grid 2,1,1 workgroups of 4,1,1: 8 invocations in … ms
        y: array<u32> = [0, 1, 2, 3, 4, 5, 6, 7]
        -- stderr
        note: the grid covers `y` of 8 elements with 2 workgroups of 4
        note: the sanitizer found nothing wrong in 2 workgroups
    "#]],
    );
    dir().expect(
        &[
            "run",
            "--sanitize",
            "copy.wgsl",
            "--in",
            "x=iota:8",
            "--in",
            "y=zeros:8",
            "--workgroups",
            "1..2",
            "--show",
            "y:1",
        ],
        &expect![[r#"
            -- stdout
            device reference: only it finds races
            grid 2,1,1 workgroups of 4,1,1: 8 invocations in … ms
            y: array<u32> = [0, …] (8 elements)
            -- stderr
            note: the grid covers `y` of 8 elements with 2 workgroups of 4
            note: the sanitizer found nothing wrong; 1 of 2 workgroups were watched: what the others did is not known
        "#]],
    );
}

#[test]
fn notes_are_errors_if_asked() {
    let same = COPY.replace("y[id.x] = x[id.x]", "y[0] = x[0]");
    let dir = dir().with("same.wgsl", same);
    let run = ["run", "--sanitize", "same.wgsl", "--in", "x=iota:8", "--in", "y=zeros:8", "--show", "y:1"];
    assert_eq!(dir.output(&run).status.code(), Some(0));
    let strict = dir.failure(1, &[&run[..], &["--strict"]].concat());
    assert!(strict.contains("\nerror[race-same-value]"), "{strict}");
}

#[test]
fn options_go_with_the_sanitizer() {
    let dir = dir();
    for option in ["--strict", "--workgroups=0..1", "--arithmetic"] {
        let said = dir.failure(2, &["run", "copy.wgsl", option]);
        assert!(said.contains("--sanitize"), "{said}");
    }
    for range in ["4", "4..4", "4..x", "-1..2"] {
        dir.failure(2, &["run", "--sanitize", "copy.wgsl", &format!("--workgroups={range}")]);
    }
    dir.failure(2, &["run", "--sanitize", "copy.wgsl", "--arithmetic=shifts"]);
    dir.failure(2, &["bench", "--sanitize", "copy.wgsl"]);
    let said =
        dir.failure(2, &["run", "--sanitize", "copy.wgsl", "--in", "x=iota:8", "--in", "y=zeros:8", "--device", "cpu"]);
    assert!(said.contains("the sanitizer is for the `reference` device"), "{said}");
}

#[test]
fn arithmetic_is_looked_at_if_asked() {
    let divided = COPY.replace("= x[id.x]", "= 7u / x[id.x]");
    let dir = dir().with("divided.wgsl", divided);
    let run = ["run", "--sanitize", "divided.wgsl", "--in", "x=iota:8", "--in", "y=zeros:8", "--show", "y:1"];
    let said = |more: &[&str]| String::from_utf8(dir.output(&[&run[..], more].concat()).stderr).expect("text");
    assert!(!said(&[]).contains("division-by-zero"));
    assert!(!said(&["--arithmetic=shift,nan"]).contains("division-by-zero"));
    assert!(said(&["--arithmetic"]).contains("warning[division-by-zero]"));
    assert!(said(&["--arithmetic=division"]).contains("warning[division-by-zero]"));
    dir.failure(1, &[&run[..], &["--arithmetic=division", "--strict"]].concat());
}

const JOB: &str = r#"
[buffers]
x.source = "iota:8"
y.elements = 8
sum = { elements = 1, output = true }

[[wave]]
name = "copy"
program = "copy.wgsl"
over = "y"

[[wave]]
name = "sum"
program = "sum.wgsl"
bind = { x = "y" }
threads = 8
"#;

#[test]
fn jobs_are_looked_at_too() {
    let dir = dir().with("job.toml", JOB);
    let said = dir.failure(1, &["run", "--sanitize", "job.toml"]);
    assert!(said.contains("error[race]: `sum` is"), "{said}");
    let counted = SUM.replace("array<u32>;\n@compute", "array<atomic<u32>>;\n@compute");
    let counted = counted.replace("sum[0] += x[id.x]", "atomicAdd(&sum[0], x[id.x])");
    let dir = dir.with("sum.wgsl", counted);
    let done = dir.output(&["run", "--sanitize", "job.toml"]);
    assert_eq!(done.status.code(), Some(0), "{}", transcript(&done));
    assert!(String::from_utf8_lossy(&done.stderr).contains("the sanitizer found nothing wrong in 4 workgroups"));
}

#[test]
fn tests_say_what_is_to_be_found() {
    let test = format!("//! in x = u32[1 x 8]\n//! grid 2\n//! out sum = u32[8]\n{SUM}");
    let dir =
        Dir::new().with("plain.wgsl", &test).with("said.wgsl", test.replace("//! grid", "//! finds race\n//! grid"));
    let output = dir.output(&["test", "--sanitize", "."]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the sanitizer was to find nothing; in plain order it found"), "{said}");
    assert!(said.lines().any(|line| line.starts_with("ok ") && line.ends_with("said.wgsl")), "{said}");
    assert!(said.ends_with("1 passed, 1 failed\n"), "{said}");
}
