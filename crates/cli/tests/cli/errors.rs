//! Each mistake, with exact words and status: 1 for the program and its inputs, 2 for the
//! command line by itself, 3 for the world.

mod data;
mod ends;

use expect_test::expect;

use crate::support::{Dir, double, keep};

const SAXPY: &str = include_str!("../../../../examples/saxpy.wgsl");

fn saxpy() -> Dir {
    Dir::new().with("saxpy.wgsl", SAXPY)
}

#[test]
fn a_missing_uniform_shows_an_example() {
    saxpy().expect(
        &["run", "saxpy.wgsl", "--in", "x=iota:8", "--in", "y=zeros:8"],
        &expect![[r#"
            status 1
            -- stderr
            error: `main` reads `p: P`, which has no value
            help: say what it holds, for example --in 'p={"a":1.0,"n":1}'
        "#]],
    );
}

#[test]
fn a_missing_read_only_array_shows_an_example() {
    saxpy().expect(
        &["run", "saxpy.wgsl", "--in", "p={\"a\":1,\"n\":8}", "--in", "y=zeros:8"],
        &expect![[r#"
            status 1
            -- stderr
            error: `main` reads `x: array<f32>`, which has no value
            help: say what it holds, for example --in x=iota:1000
        "#]],
    );
}

#[test]
fn a_missing_runtime_sized_output_suggests_zeros() {
    saxpy().expect(
        &["run", "saxpy.wgsl", "--in", "p={\"a\":1,\"n\":8}", "--in", "x=iota:8"],
        &expect![[r#"
            status 1
            -- stderr
            error: `main` writes `y: array<f32>`, which has no size yet
            help: say what it holds, for example --in y=zeros:1000
        "#]],
    );
}

#[test]
fn unknown_buffers_get_a_suggestion() {
    let dir = Dir::new()
        .with("double.wgsl", double("u32").replace("v:", "values:").replace("v[", "values[").replace("&v", "&values"));
    dir.expect(
        &["run", "double.wgsl", "--in", "vlaues=iota:8"],
        &expect![[r#"
        status 1
        -- stderr
        error: --in: `main` uses no buffer `vlaues`; it uses values
        help: did you mean `values`?
    "#]],
    );
    dir.expect(
        &["run", "double.wgsl", "--in", "values=iota:8", "--out", "other=a.npy"],
        &expect![[r#"
        status 1
        -- stderr
        error: --out: `main` uses no buffer `other`; it uses values
    "#]],
    );
    dir.expect(
        &["run", "double.wgsl", "--in", "values=iota:8", "--show", "value"],
        &expect![[r#"
        status 1
        -- stderr
        error: --show: `main` uses no buffer `value`; it uses values
        help: did you mean `values`?
    "#]],
    );
}

#[test]
fn entry_points() {
    let two = "@compute @workgroup_size(1) fn first() {} @compute @workgroup_size(1) fn second() {}";
    let dir = Dir::new().with("two.wgsl", two).with("none.wgsl", "const a = 1;");
    dir.expect(
        &["run", "two.wgsl", "--grid", "1"],
        &expect![[r#"
        status 1
        -- stderr
        error: `two.wgsl` has several entry points: first, second
        help: choose one with --entry NAME
    "#]],
    );
    dir.expect(
        &["run", "two.wgsl", "--entry", "frist", "--grid", "1"],
        &expect![[r#"
        status 1
        -- stderr
        error: there is no entry point `frist`; there is first, second
        help: did you mean `first`?
    "#]],
    );
    for command in ["run", "check"] {
        let said = dir.failure(1, &[command, "none.wgsl"]);
        assert!(said.contains("has no compute entry point"), "{said}");
    }
}

#[test]
fn repeated_options() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    dir.expect(
        &["run", "double.wgsl", "--in", "v=iota:8", "--in", "v=iota:9"],
        &expect![[r#"
        status 2
        -- stderr
        error: --in says `v` twice
    "#]],
    );
    dir.expect(
        &["run", "double.wgsl", "--in", "v=iota:8", "--show", "v", "--show", "v:2"],
        &expect![[r#"
        status 2
        -- stderr
        error: --show says `v` twice
    "#]],
    );
    dir.expect(
        &["run", "double.wgsl", "--in", "v=iota:8", "--out", "v=a.npy", "--out", "v=./a.npy"],
        &expect![[r#"
            status 2
            -- stderr
            error: `v` and `v` both go to `./a.npy`
        "#]],
    );
}

#[test]
fn overrides() {
    let text = "override size: u32; override scale = 1.0;
        @group(0) @binding(0) var<storage, read_write> v: array<f32>;
        @compute @workgroup_size(size) fn main() { v[0] = scale; }";
    let dir = Dir::new().with("over.wgsl", text);
    let run = |set: &'static str| ["run", "over.wgsl", "--in", "v=zeros:1", "--set", set];
    dir.expect(
        &run("size=many"),
        &expect![[r#"
        status 2
        -- stderr
        error: invalid value 'size=many' for '--set <OVERRIDE=VALUE>': `many` is neither a number nor true or false

        For more information, try '--help'.
    "#]],
    );
    dir.expect(
        &run("size=NaN"),
        &expect![[r#"
        status 2
        -- stderr
        error: invalid value 'size=NaN' for '--set <OVERRIDE=VALUE>': `NaN` is not finite

        For more information, try '--help'.
    "#]],
    );
    dir.expect(
        &run("size"),
        &expect![[r#"
        status 2
        -- stderr
        error: invalid value 'size' for '--set <OVERRIDE=VALUE>': expected NAME=…

        For more information, try '--help'.
    "#]],
    );
    dir.expect(
        &["run", "over.wgsl", "--in", "v=zeros:1", "--set", "size=1", "--set", "size=2"],
        &expect![[r#"
        status 2
        -- stderr
        error: --set says `size` twice
    "#]],
    );
    for set in ["sise=4", "size=-1", "size=0", "size=0.5", "size=1e300"] {
        let said = dir.failure(1, &run(set));
        assert!(said.contains("size") || said.contains("override"), "{set}: {said}");
    }
}

#[test]
fn grids() {
    let dir = Dir::new().with("double.wgsl", double("u32")).with("one.wgsl", keep("", "u32"));
    let run = |option: &'static str, grid: &'static str| ["run", "double.wgsl", "--in", "v=iota:8", option, grid];
    dir.expect(
        &run("--grid", "0,1,1"),
        &expect![[r#"
        status 2
        -- stderr
        error: invalid value '0,1,1' for '--grid <X[,Y[,Z]]>': a dimension of 0 runs nothing

        For more information, try '--help'.
    "#]],
    );
    dir.expect(
        &run("--grid", "1,2,3,4"),
        &expect![[r#"
        status 2
        -- stderr
        error: invalid value '1,2,3,4' for '--grid <X[,Y[,Z]]>': at most three dimensions

        For more information, try '--help'.
    "#]],
    );
    dir.expect(
        &run("--threads", "-1"),
        &expect![[r#"
            status 2
            -- stderr
            error: invalid value '-1' for '--threads <X[,Y[,Z]]>': `-1` is not a number from 1 to 4294967295

            For more information, try '--help'.
        "#]],
    );
    dir.expect(&run("--threads", "99999999999"), &expect![[r#"
        status 2
        -- stderr
        error: invalid value '99999999999' for '--threads <X[,Y[,Z]]>': `99999999999` is not a number from 1 to 4294967295

        For more information, try '--help'.
    "#]]);
    dir.expect(
        &run("--grid", "4294967295"),
        &expect![[r#"
        status 1
        -- stderr
        error: 4294967295 workgroups of 4 invocations in dimension 0 are over 2^32 invocations
    "#]],
    );
    dir.expect(
        &["run", "double.wgsl", "--in", "v=iota:8", "--grid", "1", "--threads", "1"],
        &expect![[r#"
        status 2
        -- stderr
        error: the argument '--grid <X[,Y[,Z]]>' cannot be used with '--threads <X[,Y[,Z]]>'

        Usage: seawall run --in <NAME=SOURCE> --grid <X[,Y[,Z]]> <FILE>

        For more information, try '--help'.
    "#]],
    );
    dir.expect(
        &["run", "one.wgsl"],
        &expect![[r#"
        status 1
        -- stderr
        note: `v: u32` starts as zeros
        error: `main` writes no runtime-sized buffer to take the grid from
        help: say how much to run with --threads X[,Y[,Z]] or --grid X[,Y[,Z]]
    "#]],
    );
}
