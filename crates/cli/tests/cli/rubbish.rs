//! Rubbish in: a clear error each time, never a panic.

use expect_test::expect;

use crate::support::{Dir, double, npy, transcript};

const HEADER: &str = "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }\n";

fn run(dir: &Dir, status: i32, source: &str) -> String {
    let said = dir.failure(status, &["run", "double.wgsl", "--in", &format!("v={source}")]);
    assert!(said.starts_with("error: ") && !said.contains("panicked"), "{said}");
    said
}

fn with_npy(file: &[u8]) -> String {
    run(&Dir::new().with("double.wgsl", double("u32")).with("v.npy", file), 1, "v.npy")
}

#[test]
fn npy_truncated_at_every_byte() {
    let whole = npy(HEADER, &[0; 12]);
    let mut said: Vec<String> = (0..whole.len()).map(|len| with_npy(&whole[..len])).collect();
    said.dedup();
    expect![[r#"
        error: --in v: `v.npy`: not an npy file: it does not begin with \x93NUMPY
        error: --in v: `v.npy`: the file ends inside its header
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 0
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 1
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 2
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 3
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 4
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 5
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 6
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 7
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 8
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 9
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 10
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 11
    "#]]
    .assert_eq(&said.concat());
    let longer = [whole.as_slice(), &[0]].concat();
    expect![[r#"
        error: --in v: `v.npy`: its shape (3,) needs 12 bytes of data, and there are 13
    "#]]
    .assert_eq(&with_npy(&longer));
}

#[test]
fn npy_with_every_byte_of_its_header_changed() {
    let whole = npy(HEADER, &[0; 12]);
    let dir = Dir::new().with("double.wgsl", double("u32"));
    for at in 0..whole.len() - 12 {
        let mut file = whole.clone();
        file[at] ^= 0x55;
        std::fs::write(dir.path("v.npy"), &file).expect("a file");
        let output = dir.output(&["run", "double.wgsl", "--in", "v=v.npy"]);
        assert_eq!(output.status.code(), Some(1), "byte {at}\n{}", transcript(&output));
    }
}

#[test]
fn npy_headers_that_are_none() {
    let headers = [
        "",
        "{}",
        "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), } x",
        "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
        "{'descr': '<u4', 'descr': '<u4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<u4', 'fortran_order': False}",
        "{'descr': '<u4', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': '<u4', 'fortran_order': True, 'shape': (3,)}",
        "{'descr': '>u4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': [('a', '<u4')], 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<u4', 'fortran_order': False, 'shape': 3}",
        "{'descr': '<u4', 'fortran_order': False, 'shape': (-3,)}",
        "{'descr': '<u4', 'fortran_order': False, 'shape': (4,)}",
        "{'descr': '<u4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<u4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296)}",
        "{'descr': '<u4', 'fortran_order': False, 'shape': (0,)}",
        "{'descr': '<u4\\x00', 'fortran_order': False, 'shape': (3,)}",
    ];
    let said: String = headers.iter().map(|header| with_npy(&npy(header, &[0; 12]))).collect();
    expect![[r#"
        error: --in v: `v.npy`: its header is malformed at byte 0: expected `{`
        error: --in v: `v.npy`: its header lacks `descr`
        error: --in v: `v.npy`: its header is malformed at byte 58: expected nothing but spaces after `}`
        error: --in v: `v.npy`: its header says `more` twice, or says something unknown
        error: --in v: `v.npy`: its header says `descr` twice, or says something unknown
        error: --in v: `v.npy`: its header lacks `shape`
        error: --in v: `v.npy`: its header is malformed at byte 34: expected True or False
        error: --in v: `v.npy`: it is stored column by column (fortran_order)
        help: save it with numpy.ascontiguousarray(a)
        error: --in v: `v.npy`: its elements are `>u4`, which is big-endian
        help: convert it with a.astype('<u4')
        error: --in v: `v.npy`: its elements are `|O`; little-endian i4, u4, f4, f2, i8, u8 and f8 are known
        error: --in v: `v.npy`: its elements are structs, which are not supported
        help: save an array for each of its fields, as in numpy.save('x.npy', a['x'])
        error: --in v: `v.npy`: its elements are f32, and the buffer's are u32
        help: convert it with a.astype('<u4')
        error: --in v: `v.npy`: its header is malformed at byte 50: expected a shape such as (3, 4)
        error: --in v: `v.npy`: its header is malformed at byte 51: expected a size
        error: --in v: `v.npy`: its shape (4,) needs 16 bytes of data, and there are 12
        error: --in v: `v.npy`: its header is malformed at byte 51: expected a size
        error: --in v: `v.npy`: its shape (4294967296, 4294967296, 4294967296) overflows
        error: --in v: `v.npy`: its shape (0,) needs 0 bytes of data, and there are 12
        error: --in v: `v.npy`: its header is malformed at byte 14: expected the end of a plain string
    "#]]
    .assert_eq(&said);
    let deep = format!("{{'descr': '<u4', 'fortran_order': False, 'shape': ({})}}", "1,".repeat(1000));
    expect![[r#"
        error: --in v: `v.npy`: its shape has 65 dimensions, over the limit of 64
    "#]]
    .assert_eq(&with_npy(&npy(&deep, &[0; 4])));
    let long = [b"\x93NUMPY\x02\x00".as_slice(), &u32::MAX.to_le_bytes(), &[b' '; 100]].concat();
    expect![[r#"
        error: --in v: `v.npy`: its header of 4294967295 bytes is over the limit of 10000
    "#]]
    .assert_eq(&with_npy(&long));
}

#[test]
fn csv_that_is_none() {
    let said: String = ["a,b\n", "1,2\n3,x\n", "1;2", "1,,2", "1.5", "-1", "4294967296", "\u{fffd}"]
        .into_iter()
        .map(|text| run(&Dir::new().with("double.wgsl", double("u32")).with("v.csv", text), 1, "v.csv"))
        .collect();
    expect![[r#"
        error: --in v: `v.csv`: line 1, cell 1: `a` is not a number
        error: --in v: `v.csv`: line 2, cell 2: `x` is not a number
        error: --in v: `v.csv`: line 1, cell 1: `1;2` is not a number
        error: --in v: `v.csv`: line 1, cell 2: `` is not a number
        error: --in v: `v.csv`: line 1, cell 1: `1.5` is a fraction, where u32 takes whole numbers
        error: --in v: `v.csv`: line 1, cell 1: `-1` does not fit in u32
        error: --in v: `v.csv`: line 1, cell 1: `4294967296` does not fit in u32
        error: --in v: `v.csv`: line 1, cell 1: `�` is not a number
    "#]]
    .assert_eq(&said);
    let dir = Dir::new().with("double.wgsl", double("u32")).with("v.csv", b"1,\xff\n").with("empty.csv", "");
    expect![[r#"
        error: --in v: `v.csv`: CSV parse error: record 0 (line 1, field: 1, byte: 0): invalid utf-8: invalid UTF-8 in field 1 near byte index 0
        error: --in v: it needs at least 1 element (4 bytes), not 0
    "#]].assert_eq(&(run(&dir, 1, "v.csv") + &run(&dir, 1, "empty.csv")));
    let dir = Dir::new().with("double.wgsl", double("vec3<u32>")).with("v.csv", "1,2,3\n4,5\n");
    expect![[r#"
        error: --in v: `v.csv`: line 2 has 2 cells, and those before it have 3
    "#]]
    .assert_eq(&run(&dir, 1, "v.csv"));
}

#[test]
fn raw_bytes_that_are_no_elements() {
    let dir = Dir::new().with("double.wgsl", double("u32")).with("v.bin", [0; 7]).with("empty.bin", "");
    expect![[r#"
        error: --in v: `v.bin`: 7 bytes are not a multiple of 4
        error: --in v: it needs at least 1 element (4 bytes), not 0
    "#]]
    .assert_eq(&(run(&dir, 1, "v.bin") + &run(&dir, 1, "empty.bin")));
}

#[test]
fn json_that_is_none() {
    let dir = Dir::new()
        .with("double.wgsl", double("u32"))
        .with("deep.json", "[".repeat(1 << 20))
        .with("nested.json", "[".repeat(1000) + &"]".repeat(1000))
        .with("bytes.json", b"[1,\xff]")
        .with("empty.json", "")
        .with("digits.json", format!("[{}]", "9".repeat(1 << 20)));
    let files = ["deep.json", "nested.json", "bytes.json", "empty.json", "digits.json", "[1,2", "{", "\"x"];
    let said: String = files.into_iter().map(|file| run(&dir, 1, file)).collect();
    expect![[r#"
        error: --in v: `deep.json`: `v` is not JSON: EOF while parsing a list at line 1 column 1048576
        error: --in v: `nested.json`, line 1, column 2: `v[0]` should be a number for u32, not an array
        error: --in v: `bytes.json` is not UTF-8 at byte 3
        error: --in v: `empty.json`: `v` is not JSON: EOF while parsing a value at line 1 column 0
        error: --in v: `digits.json`, line 1, column 2: `v[0]` = 99999999999999999999999999999999… does not fit in u32
        error: --in v: `v` is not JSON: EOF while parsing a list at line 1 column 4
        error: --in v: `v` is not JSON: EOF while parsing an object at line 1 column 1
        error: --in v: `v` is not JSON: EOF while parsing a string at line 1 column 2
    "#]]
    .assert_eq(&said);
}

#[test]
fn directories_and_missing_files() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    std::fs::create_dir(dir.path("dir.bin")).expect("a directory");
    expect![[r#"
        error: --in v: cannot read `dir.bin`: Is a directory (os error 21)
        error: --in v: cannot read `missing.bin`: No such file or directory (os error 2)
    "#]]
    .assert_eq(&(run(&dir, 3, "dir.bin") + &run(&dir, 3, "missing.bin")));
    expect![[r#"
        error: cannot read `.`: Is a directory (os error 21)
        error: cannot read `missing.wgsl`: No such file or directory (os error 2)
    "#]]
    .assert_eq(&(dir.failure(3, &["run", "."]) + &dir.failure(3, &["check", "missing.wgsl"])));
}

#[test]
fn programs_that_are_none() {
    let dir = Dir::new()
        .with("parens.wgsl", format!("const a = {};", "(".repeat(1 << 20)))
        .with("braces.wgsl", format!("fn f() {}", "{".repeat(1 << 20)))
        .with("minus.wgsl", format!("const a = {}1;", "-".repeat(1 << 20)))
        .with("types.wgsl", format!("var<private> a: {}u32;", "array<".repeat(1 << 18)))
        .with("bytes.wgsl", b"const a = 1;\n// \xff\n")
        .with("zeros.wgsl", [0; 64])
        .with("self.wgsl", "fn f() { f(); } @compute @workgroup_size(1) fn main() { f(); }")
        .with("cycle.wgsl", "struct A { b: B } struct B { a: A }")
        .with("empty.wgsl", "");
    for name in ["parens", "braces", "minus", "types", "bytes", "zeros", "self", "cycle", "empty"] {
        let output = dir.output(&["run", &format!("{name}.wgsl")]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", &said[..said.floor_char_boundary(2000)]);
        assert!(said.starts_with("error") && !said.contains("panicked"), "{name}");
    }
    dir.expect(
        &["check", "bytes.wgsl"],
        &expect![[r#"
        status 1
        -- stderr
        error: `bytes.wgsl` is not UTF-8 at byte 16
    "#]],
    );
}
