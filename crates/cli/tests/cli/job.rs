//! Job files: what they compute, how they are planned, and what is said of wrong ones.

use expect_test::{Expect, expect};

use crate::support::Dir;

const PICTURE: &str = include_str!("../../../../examples/picture.toml");
const PICTURE_WGSL: &str = include_str!("../../../../examples/picture.wgsl");

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
    let out: Vec<u32> = (0..64).map(|i| 3 * i + 12).collect();
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
fn a_diamond_is_computed_on_both_devices() {
    for device in ["reference", "cpu"] {
        assert_eq!(dir(DIAMOND).outputs(&["run", "job.toml", "--device", device]), diamond_out(), "{device}");
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
        out: array<u32> = [12,15,18,21,24,27,30,33] … 64 elements
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
fn a_budget_that_no_plan_can_keep_is_refused() {
    dir(DIAMOND).expect(
        &["run", "job.toml", "--budget", "512"],
        &expect![[r#"
        status 1
        -- stderr
        error: wave `top` needs 768 bytes at once, over the budget of 512
    "#]],
    );
    let within = format!("budget = \"1 KB\"\n{DIAMOND}");
    assert_eq!(dir(&within).outputs(&["run", "job.toml", "--budget", "1MiB"]), diamond_out());
    let within = within.replace("1 KB", "500");
    dir(&within).expect(
        &["plan", "job.toml"],
        &expect![[r#"
        status 1
        -- stderr
        error: wave `top` needs 768 bytes at once, over the budget of 500
    "#]],
    );
}

#[test]
fn a_plan() {
    dir(DIAMOND).expect(
        &["plan", "job.toml"],
        &expect![[r#"
        -- stdout
        plan: 4 waves in 3 groups
        group 0: `top`
        group 1: `left` `right`
        group 2: `bottom`
        group 1 waits: `left` reads `a` after `top` writes it
        group 2 waits: `bottom` reads `b` after `left` writes it
        kernel k0 = add
        kernel k1 = add
        kernel k2 = sum
        kernel k3 = sum
        buffer b0 = in 256 bytes transient
        buffer b1 = values 256 bytes transient
        buffer b2 = a 256 bytes transient
        buffer b3 = values 256 bytes transient
        buffer b4 = b 256 bytes transient
        buffer b5 = c 256 bytes transient
        buffer b6 = out 256 bytes transient
        host h0 = in 256 bytes read
        host h1 = out 256 bytes read-write
        host h2 = values 512 bytes read
        upload h0[0] -> b0[0+256]
        upload h2[0] -> b1[0+256]
        barrier
        dispatch k0 grid 1,1,1 b0[0+256] b2[0+256] b1[0+4]
        free b1
        upload h2[256] -> b3[0+256]
        barrier
        dispatch k1 grid 1,1,1 b2[0+256] b4[0+256] b3[0+4]
        dispatch k2 grid 1,1,1 b2[0+256] b0[0+256] b5[0+256]
        free b0
        free b2
        free b3
        barrier
        dispatch k3 grid 1,1,1 b4[0+256] b5[0+256] b6[0+256]
        free b4
        free b5
        barrier
        download b6[0+256] -> h1[0]
        free b6
        at most 1280 bytes on the device
    "#]],
    );
    let text = dir(DIAMOND).stdout(&["plan", "job.toml", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["groups"], serde_json::json!([["top"], ["left", "right"], ["bottom"]]));
    assert_eq!(json["evicted_bytes"], 0);
}

#[test]
fn an_explanation() {
    dir(DIAMOND).expect(
        &["explain", "job.toml"],
        &expect![[r#"
        -- stdout
        device cpu: it is the first choice of this build
        4 waves in 3 groups
        group 0: `top`
        group 1: `left`, `right`
          group 1 waits: `left` reads `a` after `top` writes it
        group 2: `bottom`
          group 2 waits: `bottom` reads `b` after `left` writes it
        memory: at most 1280 bytes on the device, no budget
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
    let manual = include_str!("../../../../docs/job.md");
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
}

#[test]
fn what_is_not_toml() {
    refused(
        "a.elements = 64",
        "a.elements = ",
        &expect![[r#"
        status 1
        -- stderr
        error[job-syntax]: string values must be quoted, expected literal string
          ┌─ job.toml:3:14
          │
        3 │ a.elements = 
          │              ^ here

    "#]],
    );
}

#[test]
fn an_unknown_key() {
    refused(
        "workgroups = 1",
        "workgroup = 1",
        &expect![[r#"
        status 1
        -- stderr
        error[job-syntax]: unknown field `workgroup`, expected one of `name`, `program`, `entry`, `set`, `bind`, `workgroups`, `threads`, `over`, `indirect`, `after`
           ┌─ job.toml:34:1
           │
        34 │ workgroup = 1
           │ ^^^^^^^^^ here

    "#]],
    );
}

#[test]
fn a_value_of_the_wrong_kind() {
    refused(
        "threads = 64",
        "threads = [1, 2, 3, 4]",
        &expect![[r#"
        status 1
        -- stderr
        error[job-syntax]: expected one to three whole numbers, as in 64 or [16, 16]
           ┌─ job.toml:20:11
           │
        20 │ threads = [1, 2, 3, 4]
           │           ^^^^^^^^^^^^ here

    "#]],
    );
}

#[test]
fn an_unknown_buffer() {
    refused(
        "z = \"c\", y = \"out\"",
        "z = \"c\", y = \"ou\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no buffer `ou`
           ┌─ job.toml:33:32
           │
        33 │ bind = { x = "b", z = "c", y = "ou" }
           │                                ^^^^ no such buffer
           │
           = help: did you mean `out`?

    "#]],
    );
}

#[test]
fn an_unknown_buffer_of_the_program() {
    refused(
        "{ x = \"b\"",
        "{ xx = \"b\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: `sum` uses no buffer `xx`
           ┌─ job.toml:33:10
           │
        33 │ bind = { xx = "b", z = "c", y = "out" }
           │          ^^ not a buffer of `sum`
           │
           = help: did you mean `x`?

    "#]],
    );
}

#[test]
fn an_unbound_buffer() {
    refused(
        "z = \"c\", ",
        "",
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: wave `bottom` says nothing of `z: array<u32>`
           ┌─ job.toml:30:8
           │
        30 │ name = "bottom"
           │        ^^^^^^^^ this wave
           │
           = help: bind it, as in bind.z = "BUFFER", or call a buffer so

    "#]],
    );
}

#[test]
fn a_buffer_without_a_size() {
    refused(
        "a.elements = 64",
        "a = {}",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: buffer `a: array<u32>` has no size
          ┌─ job.toml:3:1
          │
        3 │ a = {}
          │ ^ how large?
          │
          = help: say how many elements = N it has, or what source = … it starts from

    "#]],
    );
}

#[test]
fn a_buffer_that_nobody_binds() {
    refused(
        "a.elements = 64",
        "a.elements = 64\nspare.elements = 1",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: no wave binds buffer `spare`
          ┌─ job.toml:4:1
          │
        4 │ spare.elements = 1
          │ ^^^^^ not used
          │
          = help: bind it or leave it out

    "#]],
    );
}

#[test]
fn a_source_that_is_none() {
    refused(
        "\"iota:64\"",
        "\"iota:many\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: buffer `in`: `many` is not a number of elements
          ┌─ job.toml:2:13
          │
        2 │ in.source = "iota:many"
          │             ^^^^^^^^^^^ from here
          │
          = help: write a whole number, as in zeros:1000

    "#]],
    );
}

#[test]
fn a_file_that_is_not_there() {
    refused(
        "\"iota:64\"",
        "\"nowhere.npy\"",
        &expect![[r#"
        status 3
        -- stderr
        error: buffer `in`: cannot read `nowhere.npy`: No such file or directory (os error 2)
    "#]],
    );
}

#[test]
fn a_picture_without_a_width() {
    refused(
        "output = true",
        "output = \"o.png\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: buffer `out`: the picture's width is not known
          ┌─ job.toml:6:33
          │
        6 │ out = { elements = 64, output = "o.png" }
          │                                 ^^^^^^^ to here
          │
          = help: say it with width = W

    "#]],
    );
}

#[test]
fn two_buffers_for_one_file() {
    let both = "out = { elements = 64, output = \"o.bin\" }\nb.output = \"o.bin\"\n";
    refused(
        "out = { elements = 64, output = true }\n",
        both,
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: `b` and `out` both go to `o.bin`
          ┌─ job.toml:6:33
          │
        6 │ out = { elements = 64, output = "o.bin" }
          │                                 ^^^^^^^ the second

    "#]],
    );
}

#[test]
fn two_grids() {
    refused(
        "threads = 64",
        "threads = 64\nworkgroups = 1",
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: wave `left` has two grids
           ┌─ job.toml:20:11
           │
        20 │ threads = 64
           │           ^^ one of them
           │
           = help: threads, workgroups, over and indirect exclude each other

    "#]],
    );
}

#[test]
fn no_grid() {
    refused(
        "threads = 64",
        "",
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: wave `left` has no grid
           ┌─ job.toml:16:8
           │
        16 │ name = "left"
           │        ^^^^^^ this wave
           │
           = help: say how much to run with threads, workgroups, over or indirect

    "#]],
    );
}

#[test]
fn an_unknown_entry() {
    refused(
        "entry = \"add\"",
        "entry = \"ad\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no entry point `ad`
           ┌─ job.toml:11:9
           │
        11 │ entry = "ad"
           │         ^^^^ no such entry point
           │
           = help: did you mean `add`?

    "#]],
    );
}

#[test]
fn an_entry_to_choose() {
    refused(
        "entry = \"add\"\n",
        "",
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: `w.wgsl` has several entry points: add, sum
           ┌─ job.toml:10:11
           │
        10 │ program = "w.wgsl"
           │           ^^^^^^^^ which of them?
           │
           = help: choose one with entry = "NAME"

    "#]],
    );
}

#[test]
fn waves_that_wait_for_each_other() {
    refused(
        "workgroups = 1",
        "workgroups = 1\nafter = [\"bottom\"]",
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: waves wait for each other: `bottom` after `bottom`
           ┌─ job.toml:30:8
           │
        30 │ name = "bottom"
           │        ^^^^^^^^ here

    "#]],
    );
}

#[test]
fn an_unknown_wave() {
    refused(
        "workgroups = 1",
        "workgroups = 1\nafter = [\"lef\"]",
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no wave `lef`
           ┌─ job.toml:35:10
           │
        35 │ after = ["lef"]
           │          ^^^^^ no such wave
           │
           = help: did you mean `left`?

    "#]],
    );
}

#[test]
fn a_wave_that_changes_an_input() {
    refused(
        "y = \"a\"",
        "y = \"in\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: wave `top` changes `in` as `y`, but it is an input
           ┌─ job.toml:12:24
           │
        12 │ bind = { x = "in", y = "in", n = { value = 1 } }
           │                        ^^^^ here

    "#]],
    );
}

#[test]
fn options_that_a_job_file_speaks_for() {
    dir(DIAMOND).expect(
        &["run", "job.toml", "--in", "in=iota:64"],
        &expect![[r#"
        status 2
        -- stderr
        error: `--in` is not for job files: they say it themselves
    "#]],
    );
    dir(DIAMOND).expect(
        &["plan", "job.toml", "--svg", "p.svg"],
        &expect![[r#"
        status 2
        -- stderr
        error: `--svg` is not for job files: only waves in JSON are drawn
    "#]],
    );
    dir(DIAMOND).expect(
        &["run", "w.wgsl", "--budget", "1KiB"],
        &expect![[r#"
        status 2
        -- stderr
        error: `--budget` is for job files (.toml) only
    "#]],
    );
    dir(DIAMOND).expect(&["run", "job.toml", "--budget", "much"], &expect![[r#"
        status 2
        -- stderr
        error: invalid value 'much' for '--budget <BYTES>': `much` is not a number of bytes, such as 65536, 64KiB or 1GiB

        For more information, try '--help'.
    "#]]);
}
