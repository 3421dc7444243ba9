//! What a file is, by its content, and job files with the command line's own words.

use expect_test::expect;

use crate::support::{Dir, double, transcript};

const JOB: &str = "[buffers]
v = { source = [1, 2, 3], output = true }
more = { elements = 3 }
[[wave]]
name = \"twice\"
program = \"scale.wgsl\"
bind = { x = \"v\", y = \"more\" }
over = \"y\"
[[wave]]
name = \"back\"
program = \"scale.wgsl\"
bind = { x = \"more\", y = \"v\" }
set = { by = 3 }
over = \"y\"
";

const SCALE: &str = "@id(5) override by: u32 = 2;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = by * x[id.x]; }
}
";

const WAVES: &str = "{\"waves\": [{}, {}], \"edges\": [[0, 1]]}";

fn dir() -> Dir {
    Dir::new()
        .with("scale.wgsl", SCALE)
        .with("job.toml", JOB)
        .with("waves.json", WAVES)
        .with("double.wgsl", double("u32"))
}

#[test]
fn check_says_what_each_file_is() {
    let dir = dir();
    dir.expect(
        &["check", "job.toml"],
        &expect![[r#"
        -- stdout
        job: 2 waves
          buffer  type        bytes  role
          v       array<u32>  12     inout
          more    array<u32>  12     transient
    "#]],
    );
    dir.expect(
        &["check", "waves.json"],
        &expect![[r#"
        -- stdout
        waves to plan: 2 waves and 1 edge
    "#]],
    );
    // The content says it, whatever the file is called.
    for (text, begins) in [(JOB, "job: 2 waves"), (WAVES, "waves to plan: 2 waves and 1 edge"), (SCALE, "overrides")] {
        let output = dir.output_with_stdin(&["check", "-"], text.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
        assert!(String::from_utf8_lossy(&output.stdout).starts_with(begins), "{}", transcript(&output));
    }
    let job = dir.output_with_stdin(&["run", "-", "--json"], JOB.as_bytes());
    assert!(String::from_utf8_lossy(&job.stdout).contains("\"v\":[6,12,18]"), "{}", transcript(&job));
}

#[test]
fn a_file_of_another_kind_is_named() {
    let dir = dir().with("spirv.bin", [0x03, 0x02, 0x23, 0x07, 0, 0, 1, 0]);
    let said: String = [
        &["plan", "scale.wgsl"][..],
        &["explain", "scale.wgsl"],
        &["run", "waves.json"],
        &["explain", "waves.json"],
        &["plan", "spirv.bin"],
        &["dump", "--stage", "program", "job.toml"],
    ]
    .into_iter()
    .map(|args| dir.failure(1, args))
    .collect();
    expect![[r#"
        error: `scale.wgsl` is a WGSL program, and not a job file or waves to plan
        help: `seawall run` and `check` take it; docs/job.md says how to make a job of it
        error: `scale.wgsl` is a WGSL program, and not a job file
        help: `seawall check` says what it is
        error: `waves.json` is a list of waves to plan, and not a program or a job file
        help: `seawall plan` takes it
        error: `waves.json` is a list of waves to plan, and not a job file
        help: `seawall check` says what it is
        error: `spirv.bin` is a SPIR-V program, and not a job file or waves to plan
        help: `seawall run` and `check` take it; docs/job.md says how to make a job of it
        error: `job.toml` is a job file, and not a program
        help: `seawall run`, `plan`, `explain` and `check` take it
    "#]]
    .assert_eq(&said);
}

#[test]
fn the_command_line_goes_before_the_job_file() {
    let dir = dir();
    assert_eq!(dir.outputs(&["run", "job.toml"]), "{\"v\":[6,12,18]}");
    assert_eq!(dir.outputs(&["run", "job.toml", "--in", "v=[4,5,6]"]), "{\"v\":[24,30,36]}");
    // By name or by id, in every wave that has it.
    assert_eq!(dir.outputs(&["run", "job.toml", "--set", "by=1"]), "{\"v\":[1,2,3]}");
    assert_eq!(dir.outputs(&["run", "job.toml", "--set", "5=10"]), "{\"v\":[100,200,300]}");
    dir.stdout(&["run", "job.toml", "--out", "more=more.json", "--out", "v=csv:v"]);
    assert_eq!((dir.read("more.json"), dir.read("v")), (b"[2,4,6]\n".to_vec(), b"6\n12\n18\n".to_vec()));
    let shown = dir.stdout(&["run", "job.toml", "--show", "v:1"]);
    assert!(shown.ends_with("v: array<u32> = [6, …] (3 elements)\n"), "{shown}");
    let piped = dir.output(&["run", "job.toml", "--out", "v=csv:-"]);
    assert_eq!(piped.stdout, b"6\n12\n18\n");
    let said: String = [
        (1, &["--in", "w=[1]"][..]),
        (1, &["--out", "w=w.csv"]),
        (1, &["--set", "bye=1"]),
        (1, &["--show", "more"]),
        (1, &["--in", "v=[1,-2]"]),
        (2, &["--in", "v=[1]", "--in", "v=[2]"]),
    ]
    .into_iter()
    .map(|(status, args)| dir.failure(status, &[&["run", "job.toml"], args].concat()))
    .collect();
    expect![[r#"
        error: --in: the job has no buffer `w`; it has more, v
        error: --out: `w` is no output of the job; those are more, v
        error: --set: no program of the job has an override `bye`; there is by
        help: did you mean `by`?
        error: --show: `more` is no output of the job; those are v
        error: --in v: `v[1]` = -2 does not fit in u32
        error: --in says `v` twice
    "#]]
    .assert_eq(&said);
}

#[test]
fn a_job_that_is_none_is_told_in_the_words_of_jobs() {
    let said: String = ["[buffers]\nx = 3\n", "x = 3\n", "wave = 3\n", "[queues]\nq = 1\n", "[loops]\nl = true\n"]
        .map(|text| Dir::new().with("job.toml", text).failure(1, &["run", "job.toml"]))
        .concat();
    assert!(!said.contains("struct "), "{said}");
    expect![[r#"
        error[job-syntax]: expected a buffer, such as { elements = 64, output = true }, found 3
          ┌─ job.toml:2:5
          │
        2 │ x = 3
          │     ^ here

        error[job-syntax]: `x` is no key here
          ┌─ job.toml:1:1
          │
        1 │ x = 3
          │ ^ here
          │
          = help: the keys here are budget, buffers, values, wave, loops, branches, drains, queues

        error[job-syntax]: expected tables that begin with [[wave]], found 3
          ┌─ job.toml:1:8
          │
        1 │ wave = 3
          │        ^ here

        error[job-syntax]: expected a queue, such as { capacity = 1000, entry = "u32" }, found 1
          ┌─ job.toml:2:5
          │
        2 │ q = 1
          │     ^ here

        error[job-syntax]: expected a loop, such as { while = "BUFFER", limit = 100 }, found true
          ┌─ job.toml:2:5
          │
        2 │ l = true
          │     ^^^^ here

    "#]]
    .assert_eq(&said);
}
