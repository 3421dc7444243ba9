//! Each mistake, with exact words and status: 1 for the program and its inputs, 2 for the
//! command line by itself, 3 for the world.

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
    for set in ["sise=4", "size=-1", "size=0", "size=1.5", "size=1e300"] {
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

#[test]
fn values_name_the_place() {
    let structs = "struct Q { w: vec2<f32>, k: array<i32, 2> } struct P { a: f32, n: u32, q: Q }";
    let dir = Dir::new().with("p.wgsl", keep(structs, "P"));
    let refuse = |value: &str| dir.failure(1, &["run", "p.wgsl", "--grid", "1", "--in", &format!("v={value}")]);
    let said: String = [
        r#"{"a":1,"n":2}"#,
        r#"{"a":1,"n":2,"q":{"w":[1,2],"k":[1,2]},"z":1}"#,
        r#"{"a":1,"n":2,"n":3,"q":{"w":[1,2],"k":[1,2]}}"#,
        r#"{"a":1,"n":2.5,"q":{"w":[1,2],"k":[1,2]}}"#,
        r#"{"a":1,"n":-1,"q":{"w":[1,2],"k":[1,2]}}"#,
        r#"{"a":1,"n":4294967296,"q":{"w":[1,2],"k":[1,2]}}"#,
        r#"{"a":1e39,"n":1,"q":{"w":[1,2],"k":[1,2]}}"#,
        r#"{"a":"nan","n":1,"q":{"w":[1,2],"k":[1,2]}}"#,
        r#"{"a":true,"n":1,"q":{"w":[1,2],"k":[1,2]}}"#,
        r#"{"a":1,"n":"NaN","q":{"w":[1,2],"k":[1,2]}}"#,
        r#"{"a":1,"n":1,"q":{"w":[1,2,3],"k":[1,2]}}"#,
        r#"{"a":1,"n":1,"q":{"w":[1,null],"k":[1,2]}}"#,
        r#"{"a":1,"n":1,"q":{"w":[1,2],"k":[1,2147483648]}}"#,
        r#"{"a":1,"n":1,"q":[1,2]}"#,
        "[1,2,3]",
        "7",
        r#"{"a":1,"#,
        r#"{"a":01}"#,
    ]
    .into_iter()
    .map(refuse)
    .collect();
    expect![[r#"
        error: --in v: `v.q` is missing
        error: --in v: `v.z` is no member of `P`, which has `a`, `n`, `q`
        error: --in v: `v.n` is given twice
        error: --in v: `v.n` = 2.5 is a fraction, where u32 takes whole numbers
        error: --in v: `v.n` = -1 does not fit in u32
        error: --in v: `v.n` = 4294967296 does not fit in u32
        error: --in v: `v.a` = 1e39 does not fit in f32
        error: --in v: `v.a` should be a number for f32, not a string
        error: --in v: `v.a` should be a number for f32, not a truth value
        error: --in v: `v.n` should be a number for u32, not a string
        error: --in v: `v.q.w` should have 2 elements, not 3
        error: --in v: `v.q.w[1]` should be a number for f32, not null
        error: --in v: `v.q.k[1]` = 2147483648 does not fit in i32
        error: --in v: `v.q` should be an object for Q, not an array
        error: --in v: `v` should be an object for P, not an array
        error: --in v: `v` should be an object for P, not a number
        error: --in v: `v` is not JSON: EOF while parsing an object at line 1 column 7
        error: --in v: `v` is not JSON: invalid number at line 1 column 7
    "#]]
    .assert_eq(&said);
}

#[test]
fn sizes_that_are_none() {
    let dir = Dir::new().with("double.wgsl", double("u32")).with("four.wgsl", keep("", "array<u32, 4>"));
    let refuse = |source: &str| dir.failure(1, &["run", "double.wgsl", "--in", &format!("v={source}")]);
    let sources = [
        "zeros:99999999999999999999",
        "zeros:-1",
        "zeros:NaN",
        "zeros:",
        "zeros:1e3",
        "zeros:0",
        "zeros",
        "iota: 1",
        "fill",
        "fill:1",
        "fill:x:3",
        "fill:-1:3",
        "fill:[1]:3",
        "random:4:x",
        "random:4:-1",
        "[]",
    ];
    let said: String = sources.into_iter().map(refuse).collect();
    expect![[r#"
        error: --in v: `99999999999999999999` is not a number of elements
        help: write a whole number, as in zeros:1000
        error: --in v: `-1` is not a number of elements
        help: write a whole number, as in zeros:1000
        error: --in v: `NaN` is not a number of elements
        help: write a whole number, as in zeros:1000
        error: --in v: `` is not a number of elements
        help: write a whole number, as in zeros:1000
        error: --in v: `1e3` is not a number of elements
        help: write a whole number, as in zeros:1000
        error: --in v: it needs at least 1 element (4 bytes), not 0
        error: --in v: the number of elements is missing
        help: write it after a colon, as in zeros:1000
        error: --in v: ` 1` is not a number of elements
        help: write a whole number, as in zeros:1000
        error: --in v: `fill` needs a value, as in fill:1.5:1000
        error: --in v: the number of elements is missing
        help: write it after a colon, as in zeros:1000
        error: --in v: `v` = x is not a number
        error: --in v: `v` = -1 does not fit in u32
        error: --in v: `v` should be a number for u32, not an array
        error: --in v: `x` is not a seed
        error: --in v: `-1` is not a seed
        error: --in v: it needs at least 1 element (4 bytes), not 0
    "#]]
    .assert_eq(&said);
    dir.expect(
        &["run", "four.wgsl", "--grid", "1", "--in", "v=zeros:5"],
        &expect![[r#"
        status 1
        -- stderr
        error: --in v: it has 4 elements, not 5
    "#]],
    );
    dir.expect(
        &["run", "four.wgsl", "--grid", "1", "--in", "v=[1,2,3]"],
        &expect![[r#"
        status 1
        -- stderr
        error: --in v: `v` should have 4 elements, not 3
    "#]],
    );
}

#[test]
fn sizes_that_no_memory_holds() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    let refuse = |source: &str| dir.failure(3, &["run", "double.wgsl", "--in", &format!("v={source}")]);
    let sources = ["zeros:2684354560", "random:18446744073709551615", "iota:4611686018427387903", "fill:1:99999999999"];
    let said: String = sources.into_iter().map(refuse).collect();
    expect![[r#"
        error: --in v: too large: 10737418240 bytes are over the limit of 4294967296 bytes for one buffer
        error: --in v: too large: more than 2^64 bytes are over the limit of 4294967296 bytes for one buffer
        error: --in v: too large: 18446744073709551612 bytes are over the limit of 4294967296 bytes for one buffer
        error: --in v: too large: 399999999996 bytes are over the limit of 4294967296 bytes for one buffer
    "#]]
    .assert_eq(&said);
}

#[test]
fn a_tail_that_is_shorter_than_its_padding() {
    let dir = Dir::new()
        .with("tail.wgsl", keep("struct T { a: vec4<f32>, t: array<u32> }", "T").replace("v = v", "v.t[0] = 1"));
    dir.expect(
        &["run", "tail.wgsl", "--grid", "1", "--in", "v=zeros:1"],
        &expect![[r#"
            status 1
            -- stderr
            error: --in v: it needs at least 4 elements (32 bytes), not 1
        "#]],
    );
}

#[test]
fn sources_that_are_none() {
    let dir = Dir::new().with("double.wgsl", double("u32")).with("v.xyz", "");
    for (source, expected) in [
        (
            "v.xyz",
            expect![[r#"
            status 1
            -- stderr
            error: --in v: the extension of `v.xyz` is unknown
            help: a source is a file (.npy, .bin, .csv, .json), a JSON value, or zeros:N, iota:N, fill:VALUE:N, random:N[:SEED]
        "#]],
        ),
        (
            "nothing",
            expect![[r#"
            status 1
            -- stderr
            error: --in v: `nothing` is no source
            help: a source is a file (.npy, .bin, .csv, .json), a JSON value, or zeros:N, iota:N, fill:VALUE:N, random:N[:SEED]
        "#]],
        ),
        (
            "missing.npy",
            expect![[r#"
            status 3
            -- stderr
            error: --in v: cannot read `missing.npy`: No such file or directory (os error 2)
        "#]],
        ),
        (
            ".",
            expect![[r#"
            status 1
            -- stderr
            error: --in v: `.` is no source
            help: a source is a file (.npy, .bin, .csv, .json), a JSON value, or zeros:N, iota:N, fill:VALUE:N, random:N[:SEED]
        "#]],
        ),
    ] {
        dir.expect(&["run", "double.wgsl", "--in", &format!("v={source}")], &expected);
    }
    dir.expect(
        &["run", "double.wgsl", "--in", "v"],
        &expect![[r#"
        status 2
        -- stderr
        error: invalid value 'v' for '--in <NAME=SOURCE>': expected NAME=…

        For more information, try '--help'.
    "#]],
    );
    dir.expect(
        &["run", "double.wgsl", "--in", "=iota:3"],
        &expect![[r#"
        status 2
        -- stderr
        error: invalid value '=iota:3' for '--in <NAME=SOURCE>': expected NAME=…

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn files_that_cannot_be_written() {
    let dir = Dir::new().with("double.wgsl", double("u32")).with("file", "");
    std::fs::create_dir(dir.path("dir.npy")).expect("a directory");
    for (file, expected) in [
        (
            "v.xyz",
            expect![[r#"
            status 1
            -- stderr
            error: --out v: the extension of `v.xyz` is unknown
            help: what can be written: .npy, .bin, .csv, .json, .png
        "#]],
        ),
        (
            "v",
            expect![[r#"
            status 1
            -- stderr
            error: --out v: the extension of `v` is unknown
            help: what can be written: .npy, .bin, .csv, .json, .png
        "#]],
        ),
        (
            "dir.npy",
            expect![[r#"
            status 3
            -- stderr
            error: --out v: cannot write `dir.npy`: is a directory
        "#]],
        ),
        (
            "missing/v.npy",
            expect![[r#"
                status 3
                -- stderr
                error: --out v: cannot write `missing/v.npy`: there is no directory `missing`
            "#]],
        ),
        (
            "file/v.npy",
            expect![[r#"
                status 3
                -- stderr
                error: --out v: cannot write `file/v.npy`: there is no directory `file`
            "#]],
        ),
        (
            "v.png",
            expect![[r#"
            status 1
            -- stderr
            error: --out v: the picture's width is not known
            help: give it with --width W
        "#]],
        ),
    ] {
        dir.expect(&["run", "double.wgsl", "--in", "v=iota:4", "--out", &format!("v={file}")], &expected);
    }
    dir.expect(
        &["run", "double.wgsl", "--in", "v=iota:4", "--out", "v=v.png", "--width", "3"],
        &expect![[r#"
        status 1
        -- stderr
        error: --out v: 4 pixels do not make rows of 3
    "#]],
    );
    dir.expect(
        &["run", "double.wgsl", "--in", "v=iota:4", "--out", "v=v.png", "--width", "0"],
        &expect![[r#"
        status 1
        -- stderr
        error: --out v: 4 pixels do not make rows of 0
    "#]],
    );
}

#[test]
fn structs_do_not_go_into_every_file() {
    let structs = "struct S { a: f32, n: u32 } struct T { n: u32, t: array<u32> }";
    let dir = Dir::new()
        .with("s.wgsl", keep(structs, "array<S, 2>"))
        .with("t.wgsl", keep(structs, "T").replace("v = v", "v.t[0] = 1"))
        .with("t.csv", "1,2,3")
        .with("s.npy", crate::support::npy("{'descr': '<u4', 'fortran_order': False, 'shape': (4,), }", &[0; 16]));
    dir.expect(
        &["run", "s.wgsl", "--grid", "1", "--out", "v=v.npy"],
        &expect![[r#"
        status 1
        -- stderr
        note: `v: array<S, 2>` starts as zeros
        error: --out v: array<S, 2> is not one kind of number throughout, as NPY needs
        help: write it as .json, .csv or .bin
    "#]],
    );
    dir.expect(
        &["run", "s.wgsl", "--grid", "1", "--in", "v=s.npy"],
        &expect![[r#"
        status 1
        -- stderr
        error: --in v: s.npy: array<S, 2> is not one kind of number throughout, as NPY needs
    "#]],
    );
    dir.expect(
        &["run", "s.wgsl", "--grid", "1", "--out", "v=v.png", "--width", "1"],
        &expect![[r#"
        status 1
        -- stderr
        note: `v: array<S, 2>` starts as zeros
        error: --out v: array<S, 2> is no picture: its elements must be u32 (packed colours) or f32 (grey)
    "#]],
    );
    dir.expect(
        &["run", "t.wgsl", "--grid", "1", "--in", "v=zeros:4", "--out", "v=v.csv"],
        &expect![[r#"
        status 1
        -- stderr
        error: --out v: T has members before its runtime-sized array, which a table has no place for
        help: write it as .json or .bin
    "#]],
    );
    dir.expect(
        &["run", "t.wgsl", "--grid", "1", "--in", "v=t.csv"],
        &expect![[r#"
        status 1
        -- stderr
        error: --in v: t.csv: T has members before its runtime-sized array, which a table has no place for
    "#]],
    );
}

#[test]
fn devices_that_are_none() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    dir.expect(
        &["run", "double.wgsl", "--in", "v=iota:4", "--device", "abacus"],
        &expect![[r#"
            status 3
            -- stderr
            note: the grid covers `v` of 4 elements with 1 workgroup of 4
            error: there is no device `abacus`; this build has cpu, gpu, reference
            help: `seawall devices` lists what can run here
        "#]],
    );
    let mut command = dir.command(&["run", "double.wgsl", "--in", "v=iota:4"]);
    let output = command.env("SEAWALL_DEVICE", "abacus").output().expect("the command starts");
    expect![[r#"
        status 3
        -- stderr
        note: the grid covers `v` of 4 elements with 1 workgroup of 4
        error: there is no device `abacus`; this build has cpu, gpu, reference
        help: `seawall devices` lists what can run here
    "#]]
    .assert_eq(&crate::support::transcript(&output));
}

#[test]
fn what_only_the_reference_device_does() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    let base = ["run", "double.wgsl", "--in", "v=iota:4", "--grid", "1"];
    dir.expect(
        &[base.as_slice(), &["--device", "cpu", "--seed", "1"]].concat(),
        &expect![[r#"
            status 2
            -- stderr
            error: a seed is for the `reference` device, but device `cpu` is asked for
        "#]],
    );
    let mut command = dir.command(&[base.as_slice(), &["--steps", "1000"]].concat());
    let output = command.env("SEAWALL_DEVICE", "cpu").output().expect("the command starts");
    expect![[r#"
        status 2
        -- stderr
        error: a limit of statements is for the `reference` device, but device `cpu` is asked for
    "#]]
    .assert_eq(&crate::support::transcript(&output));
    dir.expect(
        &[base.as_slice(), &["--steps", "1000"]].concat(),
        &expect![[r#"
            -- stdout
            device reference: it alone counts statements
            grid 1,1,1 workgroups of 4,1,1: 4 invocations in … ms
            v: array<u32> = [0,2,4,6]
        "#]],
    );
}

#[test]
fn an_endless_loop_is_ended() {
    let text = "@group(0) @binding(0) var<storage, read_write> v: u32;
@compute @workgroup_size(1)
fn main() {
    loop {
        v += 1u;
        if v == 0u { break; }
    }
}
";
    let dir = Dir::new().with("endless.wgsl", text);
    let said = dir.failure(1, &["run", "endless.wgsl", "--grid", "1", "--steps", "1000"]);
    assert!(said.contains("endless.wgsl:4:5") && said.ends_with("help: --steps N sets the limit\n"), "{said}");
}

#[test]
fn a_deadline_ends_the_run() {
    let text = "@group(0) @binding(0) var<storage, read_write> v: u32;
@compute @workgroup_size(1)
fn main() {
    while v != 1u {
        v += 2u;
    }
}
";
    let dir = Dir::new().with("endless.wgsl", text);
    for device in ["cpu", "reference"] {
        dir.expect(
            &["run", "endless.wgsl", "--grid", "1", "--seconds", "0.5", "--device", device],
            &expect![[r#"
                status 1
                -- stderr
                note: `v: u32` starts as zeros
                error[deadline]: the run was not done at its deadline, in `main`
                  ┌─ endless.wgsl:4:5
                  │
                4 │     while v != 1u {
                  │     ^^^^^^^^^^^^^^^ still going round here

                help: --seconds N sets the deadline
            "#]],
        );
    }
    for wrong in ["0", "-1", "NaN", "soon", "1e30"] {
        let said = dir.failure(2, &["run", "endless.wgsl", "--grid", "1", &format!("--seconds={wrong}")]);
        assert!(said.contains(&format!("`{wrong}` is not a positive number of seconds")), "{said}");
    }
}

/// Nobody set a deadline, but whoever started it can end it.
#[test]
#[cfg(unix)]
fn a_signal_ends_an_endless_run() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};

    let text = "@compute @workgroup_size(64) fn main() { loop {} }";
    let dir = Dir::new().with("endless.wgsl", text);
    let mut command = dir.command(&["run", "endless.wgsl", "--grid", "100000"]);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(run.try_wait().expect("it can be asked"), None, "it is endless");
    let kill = format!("kill -TERM {}", run.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    assert_eq!(run.wait().expect("it ends").signal(), Some(15));
}

#[test]
fn languages_that_are_not_built_in() {
    let dir = Dir::new().with("a.spv", "").with("a.comp", "");
    if !cfg!(feature = "spirv") {
        dir.expect(
            &["check", "a.spv"],
            &expect![[r#"
            status 3
            -- stderr
            error: this build reads no SPIR-V (`a.spv`)
            help: build it with --features spirv
        "#]],
        );
    }
    if !cfg!(feature = "glsl") {
        dir.expect(
            &["check", "a.comp"],
            &expect![[r#"
            status 3
            -- stderr
            error: this build reads no GLSL (`a.comp`)
            help: build it with --features glsl
        "#]],
        );
    }
}
