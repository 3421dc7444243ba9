//! Values, sizes and files.

use expect_test::expect;

use crate::support::{Dir, double, keep};

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
    let sources =
        ["zeros:99999999999", "random:18446744073709551615", "iota:4611686018427387903", "fill:1:99999999999"];
    let said: String = sources.into_iter().map(refuse).collect();
    expect![[r#"
        error: --in v: too large: 399999999996 bytes; this command takes 274877906944 at most for one buffer
        error: --in v: too large: more than 2^64 bytes; this command takes 274877906944 at most for one buffer
        error: --in v: too large: 18446744073709551612 bytes; this command takes 274877906944 at most for one buffer
        error: --in v: too large: 399999999996 bytes; this command takes 274877906944 at most for one buffer
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
            error: --in v: `s.npy`: array<S, 2> is not one kind of number throughout, as NPY needs
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
            error: --in v: `t.csv`: T has members before its runtime-sized array, which a table has no place for
        "#]],
    );
}
