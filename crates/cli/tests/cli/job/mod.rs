//! Job files: what they compute.

mod shown;
mod refusals;
mod blocks;
mod queues;
mod drawn;
mod mangled;
#[cfg(unix)]
mod shared;

use expect_test::{Expect, expect};

use crate::support::Dir;

const PICTURE: &str = include_str!("../../../../../examples/picture.toml");
const PICTURE_WGSL: &str = include_str!("../../../../../examples/picture.wgsl");

const WGSL: &str = "\
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> z: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<u32>;
@group(0) @binding(3) var<uniform> n: u32;
@compute @workgroup_size(64)
fn add(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = x[id.x] + n; }
}
@compute @workgroup_size(64)
fn sum(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = x[id.x] + z[id.x]; }
}
";

/// in + 1 = a; a + 10 = b and a + in = c; b + c = out
const DIAMOND: &str = r#"[buffers]
in.source = "iota:64"
a.elements = 64
b.elements = 64
c.bytes = "256 B"
out = { elements = 64, output = true }

[[wave]]
name = "top"
program = "w.wgsl"
entry = "add"
bind = { x = "in", y = "a", n = { value = 1 } }
over = "y"

[[wave]]
name = "left"
program = "w.wgsl"
entry = "add"
bind = { x = "a", y = "b", n = { value = 10 } }
threads = 64

[[wave]]
name = "right"
program = "w.wgsl"
entry = "sum"
bind = { x = "a", z = { buffer = "in", offset = 0 }, y = "c" }
threads = [64, 1]

[[wave]]
name = "bottom"
program = "w.wgsl"
entry = "sum"
bind = { x = "b", z = "c", y = "out" }
workgroups = 1
"#;

fn dir(job: &str) -> Dir {
    Dir::new().with("w.wgsl", WGSL).with("job.toml", job)
}

fn diamond_out() -> String {
    diamond_out_of(1)
}

/// With this number added first, which comes twice.
fn diamond_out_of(n: u32) -> String {
    let out: Vec<u32> = (0..64).map(|i| 3 * i + 10 + 2 * n).collect();
    serde_json::json!({ "out": out }).to_string()
}

/// The diamond with `old` replaced is refused.
fn refused(old: &str, new: &str, expected: &Expect) {
    assert!(DIAMOND.contains(old), "{old}");
    dir(&DIAMOND.replacen(old, new, 1)).expect(&["run", "job.toml"], expected);
}

#[test]
fn the_picture_is_drawn() {
    let dir = Dir::new().with("picture.wgsl", PICTURE_WGSL).with("picture.toml", PICTURE);
    dir.stdout(&["run", "picture.toml"]);
    let bytes = dir.read("picture.png");
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a picture");
    assert_eq!(reader.info().size(), (512, 384));
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
    reader.next_frame(&mut pixels).expect("all of it");
    let mut colours: Vec<&[u8]> = pixels.chunks(4).collect();
    colours.sort_unstable();
    colours.dedup();
    assert!(colours.len() > 1000, "a picture of {} colours", colours.len());
}

#[test]
fn immediates_are_values_too() {
    for device in devices() {
        let dir = dir(DIAMOND).with("w.wgsl", WGSL.replace("@group(0) @binding(3) var<uniform> n", "var<immediate> n"));
        assert_eq!(dir.outputs(&["run", "job.toml", "--device", &device]), diamond_out(), "{device}");
    }
}

/// The devices that can run here.
fn devices() -> Vec<String> {
    let ids = devices_that(|_| true);
    assert!(ids.len() >= 2, "the reference and the CPU device are everywhere: {ids:?}");
    ids
}

/// Those that decide loops and branches by themselves.
fn deciding() -> Vec<String> {
    let ids = devices_that(|device| device["features"]["control"] == true);
    assert!(ids.iter().any(|id| id == "reference"), "{ids:?}");
    ids
}

fn devices_that(can: impl Fn(&serde_json::Value) -> bool) -> Vec<String> {
    let listed: serde_json::Value =
        serde_json::from_str(&Dir::new().stdout(&["devices", "--json"])).expect("one JSON object");
    let listed = listed["devices"].as_array().expect("a list").iter();
    let usable = listed.filter(|device| device["runs"] == true && can(device));
    usable.map(|device| device["id"].as_str().expect("an id").to_owned()).collect()
}

/// The events of a trace, by phase letter.
fn events(dir: &Dir, file: &str, kind: &str) -> Vec<serde_json::Value> {
    let trace: serde_json::Value = serde_json::from_slice(&dir.read(file)).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("a list").iter();
    events.filter(|event| event["ph"] == kind).cloned().collect()
}

#[test]
fn a_diamond_is_computed_on_every_device() {
    for device in devices() {
        let dir = dir(DIAMOND);
        assert_eq!(dir.outputs(&["run", "job.toml", "--device", &device]), diamond_out(), "{device}");
        let tight = dir.outputs(&["run", "job.toml", "--device", &device, "--budget", "1040"]);
        assert_eq!(tight, diamond_out(), "{device}");
    }
}

#[test]
fn a_wave_decides_how_much_the_next_one_runs_and_changes_its_input() {
    let wgsl = "\
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@group(0) @binding(1) var<storage, read_write> grid: array<u32, 3>;
@compute @workgroup_size(1)
fn decide() { grid = array(v[0], 1, 1); }
@compute @workgroup_size(2)
fn more(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] += 10; }
";
    let job = r#"
        [buffers]
        v = { source = [3, 1, 4, 1, 5, 9, 2, 6], output = true }
        grid = {}
        [[wave]]
        name = "decide"
        program = "w.wgsl"
        entry = "decide"
        workgroups = 1
        [[wave]]
        name = "more"
        program = "w.wgsl"
        entry = "more"
        indirect = { buffer = "grid", limit = [LIMIT, 1, 1] }
    "#;
    let dir = Dir::new().with("w.wgsl", wgsl).with("job.toml", job.replace("LIMIT", "4"));
    for device in devices() {
        let outputs = dir.outputs(&["run", "job.toml", "--device", &device]);
        assert_eq!(outputs, r#"{"v":[13,11,14,11,15,19,2,6]}"#, "{device}");
    }
    let dir = dir.with("job.toml", job.replace("LIMIT", "2"));
    for device in devices() {
        let said = dir.failure(1, &["run", "job.toml", "--device", &device]);
        assert_eq!(said, "error: wave `more` found a grid of [3, 1, 1] workgroups, where [2, 1, 1] is the most\n");
    }
}

#[test]
fn a_run_for_people() {
    dir(DIAMOND).expect(
        &["run", "job.toml"],
        &expect![[r#"
            -- stdout
            device cpu: it is the first choice of this build
            4 waves in 3 groups: 256 invocations in … ms
            out: array<u32> = [12, 15, 18, 21, 24, 27, 30, 33, …, 201] (64 elements)
        "#]],
    );
}

#[test]
fn a_tight_budget_splits_and_changes_nothing() {
    let dir = dir(DIAMOND);
    let within = |budget| dir.outputs(&["run", "job.toml", "--budget", budget]);
    assert_eq!(within("1040"), diamond_out());
    assert_eq!(within("64MiB"), diamond_out());
    dir.expect(
        &["explain", "job.toml", "--budget", "1040"],
        &expect![[r#"
        -- stdout
        device cpu: it is the first choice of this build
        4 waves in 4 groups
        group 0: `top`
        group 1: `right`
          group 1 waits: `right` reads `a` after `top` writes it
        group 2: `left`
          group 2 is apart: with the one before it takes 1280 of 1040 bytes
        group 3: `bottom`
          group 3 waits: `bottom` reads `b` after `left` writes it
        memory: at most 1024 bytes on the device, a budget of 1040
    "#]],
    );
}

#[test]
fn a_part_goes_to_the_end_of_its_buffer() {
    let job = r#"
        [buffers]
        x.source = "iota:128"
        out = { elements = 64, output = "out.json" }
        [[wave]]
        name = "only"
        program = "w.wgsl"
        entry = "add"
        bind = { x = { buffer = "x", offset = 256 }, y = "out", n = { value = 1 } }
        over = "x"
    "#;
    let dir = dir(job);
    dir.stdout(&["run", "job.toml"]);
    let out: Vec<u32> = (65..129).collect();
    assert_eq!(dir.read("out.json"), format!("{}\n", serde_json::json!(out)).as_bytes());
}

#[test]
fn the_manuals_job_works() {
    let manual = include_str!("../../../../../docs/job.md");
    let job = manual.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let dir = Dir::new().with("kernels.wgsl", WGSL).with("job.toml", job);
    let y: Vec<u32> = (0..64).map(|x| 2 * x + 1).collect();
    assert_eq!(dir.outputs(&["run", "job.toml"]), serde_json::json!({ "y": y }).to_string());
    assert!(dir.read("y.npy").starts_with(b"\x93NUMPY"));
}

#[test]
fn a_counted_output_is_cut_where_the_device_says() {
    let keep = "\
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> kept: array<u32>;
@group(0) @binding(2) var<storage, read_write> count: u32;
@compute @workgroup_size(1)
fn main() {
    for (var i = 0u; i < arrayLength(&x); i++) {
        if x[i] > 4 { kept[count] = x[i]; count++; }
    }
}
";
    let job = r#"
        [buffers]
        x.source = [1, 5, 3, 9, 7]
        count = {}
        kept = { elements = 5, output = true, count = "count" }
        [[wave]]
        name = "keep"
        program = "keep.wgsl"
        workgroups = 1
    "#;
    let dir = Dir::new().with("keep.wgsl", keep).with("job.toml", job);
    assert_eq!(dir.outputs(&["run", "job.toml"]), r#"{"kept":[5,9,7]}"#);
    // It is fetched when its wave is done, and that is a group of its own.
    for command in ["run", "plan", "explain"] {
        let said = dir.stdout(&[command, "job.toml"]);
        assert!(said.contains("1 wave and 1 fetch of a counted output, in 2 groups"), "{said}");
    }
}
