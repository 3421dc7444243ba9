//! What a good run says, option by option.

use expect_test::expect;

use crate::support::{Dir, double, keep, transcript};

const SAXPY: &str = include_str!("../../../../examples/saxpy.wgsl");
const REDUCE: &str = include_str!("../../../../examples/reduce.wgsl");
const MANDELBROT: &str = include_str!("../../../../examples/mandelbrot.wgsl");

#[test]
fn saxpy_as_json() {
    let dir = Dir::new().with("saxpy.wgsl", SAXPY);
    let p = "p={\"a\":2.0,\"n\":10}";
    let args = ["run", "saxpy.wgsl", "--in", "x=iota:10", "--in", "y=fill:1:10", "--in", p, "--json"];
    dir.expect(&args, &expect![[r#"
        -- stdout
        {"device":"cpu","because":"it is the first choice of this build","outputs":{"y":[1.0,3.0,5.0,7.0,9.0,11.0,13.0,15.0,17.0,19.0]},"stats":{"code":["made: a new kernel"],"dispatches":1,"workgroups":1,"invocations":64,"barriers":2,"uploaded_bytes":88,"downloaded_bytes":40,"peak_bytes":0,"elapsed_ms":…}}
        -- stderr
        note: the grid covers `y` of 10 elements with 1 workgroup of 64
    "#]]);
}

#[test]
fn saxpy_of_a_thousand_is_two_x_plus_one() {
    let dir = Dir::new().with("saxpy.wgsl", SAXPY);
    let p = "p={\"a\":2.0,\"n\":1000}";
    let outputs = dir.outputs(&["run", "saxpy.wgsl", "--in", "x=iota:1000", "--in", "y=fill:1:1000", "--in", p]);
    let y: Vec<f32> = (0..1000).map(|x| 2.0 * x as f32 + 1.0).collect();
    assert_eq!(outputs, serde_json::json!({ "y": y }).to_string());
}

#[test]
fn a_summary_for_people() {
    let dir = Dir::new().with("saxpy.wgsl", SAXPY);
    let p = "p={\"a\":2.0,\"n\":1000}";
    dir.expect(
        &["run", "saxpy.wgsl", "--in", "x=iota:1000", "--in", "y=fill:1:1000", "--in", p],
        &expect![[r#"
            -- stdout
            device cpu: it is the first choice of this build
            grid 16,1,1 workgroups of 64,1,1: 1024 invocations in … ms
            y: array<f32> = [1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0, …, 1999.0] (1000 elements)
            -- stderr
            note: the grid covers `y` of 1000 elements with 16 workgroups of 64
        "#]],
    );
}

#[test]
fn reduce_adds_everything_whatever_the_order() {
    let dir = Dir::new().with("reduce.wgsl", REDUCE);
    let args = ["run", "reduce.wgsl", "--in", "x=iota:1000", "--threads", "1000"];
    dir.expect(
        &args,
        &expect![[r#"
        -- stdout
        device cpu: it is the first choice of this build
        grid 8,1,1 workgroups of 128,1,1: 1024 invocations in … ms
        total: atomic<u32> = 499500
        -- stderr
        note: `total: atomic<u32>` starts as zeros
    "#]],
    );
    dir.expect(
        &[args.as_slice(), &["--seed", "1"]].concat(),
        &expect![[r#"
        -- stdout
        device reference: only it takes a seed
        grid 8,1,1 workgroups of 128,1,1: 1024 invocations in … ms
        total: atomic<u32> = 499500
        -- stderr
        note: `total: atomic<u32>` starts as zeros
    "#]],
    );
    for seed in ["0", "7", "18446744073709551615"] {
        let args: Vec<&str> = args.iter().copied().chain(["--seed", seed]).collect();
        assert_eq!(dir.outputs(&args), "{\"total\":499500}", "seed {seed}");
    }
}

#[test]
fn mandelbrot_draws_a_picture() {
    let dir = Dir::new().with("mandelbrot.wgsl", MANDELBROT);
    let args = [
        "run",
        "mandelbrot.wgsl",
        "--in",
        "image=zeros:384",
        "--out",
        "image=m.png",
        "--width",
        "24",
        "--set",
        "width=24",
    ];
    dir.stdout(&args);
    let decoder = png::Decoder::new(std::io::Cursor::new(dir.read("m.png")));
    let mut reader = decoder.read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("a picture");
    assert_eq!((info.width, info.height, info.color_type), (24, 16, png::ColorType::Rgba));
    let pixel = |x: usize, y: usize| &pixels[(y * 24 + x) * 4..][..4];
    assert_eq!(pixel(14, 8), [0, 0, 0, 255], "the heart is black");
    assert!(pixel(0, 0)[2] > pixel(0, 0)[0], "the corner is blue");
}

#[test]
fn show_chooses_and_cuts() {
    let dir = Dir::new().with("saxpy.wgsl", SAXPY);
    let base = ["run", "saxpy.wgsl", "--in", "x=iota:20", "--in", "y=zeros:20", "--in", "p={\"a\":2,\"n\":20}"];
    let with = |more: &[&'static str]| [base.as_slice(), more].concat();
    dir.expect(
        &with(&["--show", "x:3", "--show", "p"]),
        &expect![[r#"
            -- stdout
            device cpu: it is the first choice of this build
            grid 1,1,1 workgroups of 64,1,1: 64 invocations in … ms
            x: array<f32> = [0.0, 1.0, 2.0, …] (20 elements)
            p: P = {"a": 2.0, "n": 20}
            -- stderr
            note: the grid covers `y` of 20 elements with 1 workgroup of 64
        "#]],
    );
    dir.expect(
        &with(&["--show", "y:0"]),
        &expect![[r#"
            -- stdout
            device cpu: it is the first choice of this build
            grid 1,1,1 workgroups of 64,1,1: 64 invocations in … ms
            y: array<f32> = […] (20 elements)
            -- stderr
            note: the grid covers `y` of 20 elements with 1 workgroup of 64
        "#]],
    );
    assert_eq!(dir.outputs(&with(&["--show", "y:2", "--show", "x:1"])), "{\"y\":[0.0,2.0],\"x\":[0.0]}");
    assert_eq!(dir.outputs(&with(&["--show", "p"])), "{\"p\":{\"a\":2.0,\"n\":20}}");
}

#[test]
fn grids_by_workgroups_and_by_threads() {
    let count = "@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;
        @compute @workgroup_size(2, 3) fn main() { atomicAdd(&n, 1u); }";
    let dir = Dir::new().with("count.wgsl", count);
    let ran = |option: &'static str, grid: &'static str| dir.outputs(&["run", "count.wgsl", option, grid]);
    assert_eq!(ran("--grid", "5"), "{\"n\":30}");
    assert_eq!(ran("--grid", "2,2,2"), "{\"n\":48}");
    assert_eq!(ran("--threads", "3,4"), "{\"n\":24}");
    assert_eq!(ran("--threads", "1,1,3"), "{\"n\":18}");
}

#[test]
fn overrides_by_name_and_by_id() {
    let text = "@id(3) override scale: f32; override flag = false; override size = 1u;
        @group(0) @binding(0) var<storage, read_write> v: array<f32>;
        @compute @workgroup_size(size) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            v[id.x] = select(1.0, scale, flag);
        }";
    let dir = Dir::new().with("over.wgsl", text);
    let base = ["run", "over.wgsl", "--in", "v=zeros:4", "--grid", "1"];
    let with = |more: &[&'static str]| dir.outputs(&[base.as_slice(), more].concat());
    assert_eq!(with(&["--set", "3=2.5"]), "{\"v\":[1.0,0.0,0.0,0.0]}");
    assert_eq!(with(&["--set", "3=2.5", "--set", "flag=true", "--set", "size=3"]), "{\"v\":[2.5,2.5,2.5,0.0]}");
}

#[test]
fn entry_points_by_name() {
    let two = "@group(0) @binding(0) var<storage, read_write> n: u32;
        @compute @workgroup_size(1) fn first() { n = 1; } @compute @workgroup_size(1) fn second() { n = 2; }";
    let dir = Dir::new().with("two.wgsl", two);
    assert_eq!(dir.outputs(&["run", "two.wgsl", "--entry", "second", "--grid", "1"]), "{\"n\":2}");
}

#[test]
fn a_program_from_standard_input() {
    let dir = Dir::new();
    let output = dir.output_with_stdin(&["run", "-", "--in", "v=iota:5"], double("u32").as_bytes());
    expect![[r#"
        -- stdout
        device cpu: it is the first choice of this build
        grid 2,1,1 workgroups of 4,1,1: 8 invocations in … ms
        v: array<u32> = [0, 2, 4, 6, 8]
        -- stderr
        note: the grid covers `v` of 5 elements with 2 workgroups of 4
    "#]]
    .assert_eq(&transcript(&output));
    let output = dir.output_with_stdin(&["check", "-"], b"fn main( {}");
    let said = transcript(&output);
    assert!(said.starts_with("status 1\n-- stderr\nerror[") && said.contains("<stdin>:1:10"), "{said}");
}

#[test]
fn the_device_that_was_asked_for() {
    let dir = Dir::new().with("keep.wgsl", keep("", "u32"));
    dir.expect(
        &["run", "keep.wgsl", "--grid", "1", "--device", "reference"],
        &expect![[r#"
            -- stdout
            device reference: it was asked for
            grid 1,1,1 workgroups of 1,1,1: 1 invocation in … ms
            v: u32 = 0
            -- stderr
            note: `v: u32` starts as zeros
        "#]],
    );
    let output = dir.command(&["run", "keep.wgsl", "--grid", "1"]).env("SEAWALL_DEVICE", "reference").output();
    expect![[r#"
        -- stdout
        device reference: the environment asks for it
        grid 1,1,1 workgroups of 1,1,1: 1 invocation in … ms
        v: u32 = 0
        -- stderr
        note: `v: u32` starts as zeros
    "#]]
    .assert_eq(&transcript(&output.expect("the command starts")));
}

#[test]
fn products_and_sums_are_rounded_twice_unless_the_user_says_otherwise() {
    let text = "@group(0) @binding(0) var<storage, read_write> v: array<f32, 8>;
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { v[i] = v[i] * v[i] - 1.0; }";
    let dir = Dir::new().with("square.wgsl", text);
    let args = ["run", "square.wgsl", "--grid", "1", "--in", "v=fill:1.1:8"];
    let twice = dir.outputs(&args);
    assert_eq!(twice, format!("{{\"v\":[{}]}}", ["0.21000004"; 8].join(",")));
    assert_eq!(dir.outputs(&[args.as_slice(), &["--device", "reference", "--contract"]].concat()), twice);
    let once = dir.outputs(&[args.as_slice(), &["--contract"]].concat());
    // A machine without such an instruction rounds twice all the same.
    assert!(once == twice || once == format!("{{\"v\":[{}]}}", ["0.21000005"; 8].join(",")), "{once}");
}

#[test]
fn floats_that_json_lacks_go_in_and_come_out() {
    let dir = Dir::new().with("keep.wgsl", keep("", "array<f32, 6>"));
    let value = "[\"NaN\",\"Infinity\",\"-Infinity\",-0.0,1e-45,0.1]";
    let outputs = dir.outputs(&["run", "keep.wgsl", "--grid", "1", "--in", &format!("v={value}")]);
    assert_eq!(outputs, format!("{{\"v\":{value}}}"));
}

#[test]
fn every_scalar_type_keeps_its_extremes() {
    for (ty, value) in [
        ("u32", "[0,4294967295]"),
        ("i32", "[-2147483648,2147483647]"),
        ("u64", "[0,18446744073709551615]"),
        ("i64", "[-9223372036854775808,9223372036854775807]"),
        ("f32", "[3.4028235e38,1.1754944e-38]"),
        ("f64", "[1.7976931348623157e308,5e-324]"),
        ("f16", "[65500.0,0.1]"),
        ("vec3<f32>", "[[1.0,2.0,3.0],[4.0,5.0,6.0]]"),
        ("mat2x3<f32>", "[[[1.0,2.0,3.0],[4.0,5.0,6.0]],[[7.0,8.0,9.0],[10.0,11.0,12.0]]]"),
        ("array<vec2<i32>, 2>", "[[[1,2],[3,4]],[[5,6],[7,8]]]"),
    ] {
        let enable = if ty == "f16" { "enable f16;" } else { "" };
        let dir = Dir::new().with("keep.wgsl", keep(enable, &format!("array<{ty}, 2>")));
        let outputs = dir.outputs(&["run", "keep.wgsl", "--grid", "1", "--in", &format!("v={value}")]);
        assert_eq!(outputs, format!("{{\"v\":{value}}}"), "{ty}");
    }
}

#[test]
fn structs_nest_and_may_end_in_a_runtime_sized_array() {
    let structs = "struct Q { w: vec3<f32>, k: u32 } struct T { n: atomic<u32>, q: Q, t: array<Q> }";
    let text = keep(structs, "T").replace("v = v", "atomicAdd(&v.n, arrayLength(&v.t)); v.t[1].k = 9u");
    let dir = Dir::new().with("tail.wgsl", text);
    let q = "{\"w\":[1.0,2.0,3.0],\"k\":4}";
    let value = format!("v={{\"t\":[{q},{q},{q}],\"n\":1,\"q\":{q}}}");
    dir.expect(&["run", "tail.wgsl", "--grid", "1", "--in", &value], &expect![[r#"
        -- stdout
        device cpu: it is the first choice of this build
        grid 1,1,1 workgroups of 1,1,1: 1 invocation in … ms
        v: T = {"n": 4, "q": {"w": [1.0, 2.0, 3.0], "k": 4}, "t": [{"w": [1.0, 2.0, 3.0], "k": 4}, {"w": [1.0, 2.0, 3.0], "k": 9}, {"w": [1.0, 2.0, 3.0], "k": 4}]}
    "#]]);
    dir.expect(&["run", "tail.wgsl", "--in", "v=iota:3"], &expect![[r#"
        -- stdout
        device cpu: it is the first choice of this build
        grid 3,1,1 workgroups of 1,1,1: 3 invocations in … ms
        v: T = {"n": 9, "q": {"w": [0.0, 0.0, 0.0], "k": 0}, "t": [{"w": [0.0, 0.0, 0.0], "k": 0}, {"w": [1.0, 1.0, 1.0], "k": 9}, {"w": [2.0, 2.0, 2.0], "k": 2}]}
        -- stderr
        note: the grid covers `v` of 3 elements with 3 workgroups of 1
    "#]]);
}

#[test]
fn a_reader_that_closes_the_pipe_is_no_failure() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    let mut command = dir.command(&["run", "double.wgsl", "--in", "v=iota:100000", "--grid", "1", "--json"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(transcript(&output), "");
}
