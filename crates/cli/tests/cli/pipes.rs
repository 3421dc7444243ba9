//! Data through pipes, files by any name, and what is said about them.

use expect_test::expect;

use crate::support::{Dir, double, le, npy, transcript};

fn doubling() -> Dir {
    Dir::new().with("double.wgsl", double("u32"))
}

#[test]
fn numbers_go_through_pipes_in_every_format() {
    let dir = doubling();
    let header = "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }\n";
    let numbers = le(&[1, 2, 3], u32::to_le_bytes);
    for (format, given) in [
        ("csv", b"1\n2\n3\n".to_vec()),
        ("json", b"[1,2,3]".to_vec()),
        ("bin", numbers.clone()),
        ("npy", npy(header, &numbers)),
    ] {
        let (source, sink) = (format!("v={format}:-"), format!("v={format}:-"));
        let output = dir.output_with_stdin(&["run", "double.wgsl", "--in", &source, "--out", &sink], &given);
        assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
        let wanted = match format {
            "csv" => b"2\n4\n6\n".to_vec(),
            "json" => b"[2,4,6]\n".to_vec(),
            _ => le(&[2, 4, 6], u32::to_le_bytes),
        };
        let data = if format == "npy" { &output.stdout[128..] } else { &output.stdout[..] };
        assert_eq!(data, wanted, "{format}");
        // All that is not data is on standard error.
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("wrote: v to standard output: array<u32> of 3 elements"), "{said}");
        assert!(said.contains("v: array<u32> = [2, 4, 6]"), "{said}");
        let args = ["run", "double.wgsl", "--in", &source, "--out", &sink, "-q"];
        assert_eq!(dir.output_with_stdin(&args, &given).stderr, b"", "{format}");
    }
}

#[test]
fn one_run_pipes_into_the_next() {
    let dir = doubling();
    let first = dir.output(&["run", "double.wgsl", "--in", "v=iota:100", "--out", "v=npy:-"]);
    let args = ["run", "double.wgsl", "--in", "v=npy:-", "--json", "--show", "v:5"];
    let second = dir.output_with_stdin(&args, &first.stdout);
    assert!(String::from_utf8_lossy(&second.stdout).contains("\"outputs\":{\"v\":[0,4,8,12,16]}"));
}

#[test]
fn pipes_that_make_no_sense() {
    let dir = doubling();
    let said: String = [
        (1, &["run", "double.wgsl", "--in", "v=-"][..]),
        (1, &["run", "double.wgsl", "--in", "v=iota:3", "--out", "v=-"]),
        (2, &["run", "-", "--in", "v=csv:-"]),
        (2, &["run", "double.wgsl", "--in", "v=iota:3", "--out", "v=csv:-", "--json"]),
        (2, &["run", "double.wgsl", "--in", "v=iota:3", "--out", "v=csv:-", "--out", "v=npy:-"]),
        (1, &["run", "double.wgsl", "--in", "v=png:-"]),
    ]
    .into_iter()
    .map(|(status, args)| match args[1] {
        "-" => {
            let output = dir.output_with_stdin(args, double("u32").as_bytes());
            assert_eq!(output.status.code(), Some(status));
            String::from_utf8_lossy(&output.stderr).into_owned()
        }
        _ => dir.failure(status, args),
    })
    .collect();
    expect![[r#"
        error: --in v: standard input has no extension that says its format
        help: name it, as in npy:-, csv:-, json:- or bin:-
        error: --out v: standard output has no extension that says its format
        help: name it, as in npy:-, csv:-, json:- or bin:-
        error: standard input is read twice: the program and --in v
        error: both --json and `--out v` go to standard output
        error: `v` and `v` both go to standard output
        error: --in v: standard input is a picture, which a texture can be and a buffer cannot
        help: declare it as a texture, as in `@group(0) @binding(0) var photo: texture_2d<f32>;`
    "#]]
    .assert_eq(&said);
}

#[test]
fn a_format_can_be_named_for_any_file() {
    let dir = doubling().with("numbers.dat", "1\n2\n").with("odd", "[7]");
    assert_eq!(dir.outputs(&["run", "double.wgsl", "--in", "v=csv:numbers.dat"]), "{\"v\":[2,4]}");
    assert_eq!(dir.outputs(&["run", "double.wgsl", "--in", "v=json:odd"]), "{\"v\":[14]}");
    dir.stdout(&["run", "double.wgsl", "--in", "v=iota:2", "--out", "v=json:result"]);
    assert_eq!(dir.read("result"), b"[0,2]\n");
}

#[test]
#[cfg(target_os = "linux")]
fn names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let dir = doubling();
    let path = |name: &[u8]| dir.path("").join(OsStr::from_bytes(name));
    std::fs::write(path(b"in\xff.csv"), "1\n2\n").expect("Linux takes any name");
    std::fs::write(path(b"program\xfe.wgsl"), double("u32")).expect("Linux takes any name");
    let mut command = dir.command(&["run"]);
    command.arg(OsStr::from_bytes(b"program\xfe.wgsl"));
    command.arg("--in").arg(OsStr::from_bytes(b"v=in\xff.csv"));
    command.arg("--out").arg(OsStr::from_bytes(b"v=out\xff.json"));
    let output = command.output().expect("the command starts");
    assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
    assert_eq!(std::fs::read(path(b"out\xff.json")).expect("it was written"), b"[2,4]\n");
}

#[test]
fn what_was_written_is_told_and_a_picture_is_not_printed() {
    let text = "@group(0) @binding(0) var<storage, read_write> image: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: u32;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { image[id.x] = 0xff0000ff; count = 12; }
";
    let dir = Dir::new().with("paint.wgsl", text);
    let args = ["run", "paint.wgsl", "--in", "image=zeros:12", "--out", "image=i.png", "--width", "4"];
    dir.expect(
        &args,
        &expect![[r#"
        -- stdout
        device cpu: it is the first choice of this build
        grid 3,1,1 workgroups of 4,1,1: 12 invocations in … ms
        count: u32 = 12
        -- stderr
        note: `count: u32` starts as zeros
        note: the grid covers `image` of 12 elements with 3 workgroups of 4
        wrote: image to `i.png`: a picture of 4 by 3 pixels
    "#]],
    );
    let shown = dir.stdout(&[&args[..], &["--show", "image:2"]].concat());
    assert!(shown.ends_with("image: array<u32> = [4278190335, 4278190335, …] (12 elements)\n"), "{shown}");
    let outputs = dir.outputs(&args);
    assert_eq!(outputs, "{\"count\":12}");
}

#[test]
fn floats_that_json_has_no_number_for_can_fill() {
    let dir = Dir::new().with("double.wgsl", double("f32"));
    for (source, value) in
        [("NaN", "NaN"), ("\"NaN\"", "NaN"), ("Infinity", "Infinity"), ("\"-Infinity\"", "-Infinity")]
    {
        let wanted = format!("{{\"v\":[\"{value}\",\"{value}\"]}}");
        assert_eq!(dir.outputs(&["run", "double.wgsl", "--in", &format!("v=fill:{source}:2")]), wanted);
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let mark = |text: &str| format!("\u{feff}{text}");
    let dir = Dir::new()
        .with("double.wgsl", mark(&double("u32")))
        .with("v.csv", mark("1\n2\n"))
        .with("v.json", mark("[3]"))
        .with("job.toml", mark("[buffers]\nv = { source = [1], output = true }\n[[wave]]\nname = \"w\"\nprogram = \"double.wgsl\"\nthreads = 1\n"));
    assert_eq!(dir.outputs(&["run", "double.wgsl", "--in", "v=v.csv"]), "{\"v\":[2,4]}");
    assert_eq!(dir.outputs(&["run", "double.wgsl", "--in", "v=v.json"]), "{\"v\":[6]}");
    assert_eq!(dir.outputs(&["run", "job.toml"]), "{\"v\":[2]}");
}

#[test]
fn tables_that_are_no_tables_say_where() {
    let dir = doubling()
        .with("ragged.csv", "1,2\n3,4\n5\n")
        .with("quote.csv", "1\n\"2\n3\n")
        .with("bad.json", "[1,\n 2,\n -3]");
    let said: String = ["ragged.csv", "quote.csv", "bad.json"]
        .map(|file| dir.failure(1, &["run", "double.wgsl", "--in", &format!("v={file}")]))
        .concat();
    expect![[r#"
        error: --in v: `ragged.csv`: line 3 has 1 cell, and those before it have 2
        error: --in v: `quote.csv`: line 2: a quote is not closed
        error: --in v: `bad.json`, line 3, column 2: `v[2]` = -3 does not fit in u32
    "#]]
    .assert_eq(&said);
    let quoted = doubling().with("v.csv", "\"1\",\"2\"\n3,4\n");
    assert_eq!(quoted.outputs(&["run", "double.wgsl", "--in", "v=v.csv"]), "{\"v\":[2,4,6,8]}");
}
