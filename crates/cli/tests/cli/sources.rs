//! Every source that a buffer may come from.

use expect_test::expect;

use crate::support::{Dir, double, keep, le, npy};

/// `v` after the run, whose kernel leaves it alone.
fn kept(dir: &Dir, source: &str) -> String {
    dir.outputs(&["run", "keep.wgsl", "--grid", "1", "--in", &format!("v={source}")])
}

fn keeper(ty: &str) -> Dir {
    let touch = keep("enable f16;", ty).replace("v = v", "v[0] = v[0]");
    Dir::new().with("keep.wgsl", touch)
}

#[test]
fn generators() {
    let dir = keeper("array<f32>");
    assert_eq!(kept(&dir, "zeros:3"), "{\"v\":[0.0,0.0,0.0]}");
    assert_eq!(kept(&dir, "iota:4"), "{\"v\":[0.0,1.0,2.0,3.0]}");
    assert_eq!(kept(&dir, "fill:-1.5:2"), "{\"v\":[-1.5,-1.5]}");
    assert_eq!(kept(&dir, "fill:NaN:1"), "{\"v\":[\"NaN\"]}");
    assert_eq!(kept(&dir, "random:3"), kept(&dir, "random:3:0"));
    assert_ne!(kept(&dir, "random:3"), kept(&dir, "random:3:1"));
}

#[test]
fn random_numbers_are_the_same_everywhere() {
    for (ty, expected) in [
        ("array<u32>", expect![[r#"{"v":[3184996902,686809907,1196582743]}"#]]),
        ("array<i32>", expect![[r#"{"v":[-1109970394,686809907,1196582743]}"#]]),
        ("array<f32>", expect![[r#"{"v":[0.74156487,0.15991038,0.2786011]}"#]]),
        ("array<f16>", expect![[r#"{"v":[0.741,0.1597,0.2783]}"#]]),
        ("array<u64>", expect![[r#"{"v":[13679457532755275413,2949826092126892291,5139283748462763858]}"#]]),
        ("array<f64>", expect![[r#"{"v":[0.7415648787718233,0.1599103928769201,0.27860113025513866]}"#]]),
        (
            "array<vec2<f32>>",
            expect![[r#"{"v":[[0.74156487,0.15991038],[0.2786011,0.34419066],[0.038030148,0.868228]]}"#]],
        ),
    ] {
        expected.assert_eq(&kept(&keeper(ty), "random:3:42"));
    }
}

#[test]
fn generators_fill_every_scalar_of_an_element() {
    let dir = keeper("array<vec3<u32>>");
    assert_eq!(kept(&dir, "iota:2"), "{\"v\":[[0,0,0],[1,1,1]]}");
    assert_eq!(kept(&dir, "fill:7:1"), "{\"v\":[[7,7,7]]}");
    assert_eq!(kept(&dir, "fill:[1,2,3]:2"), "{\"v\":[[1,2,3],[1,2,3]]}");
    let structs = keep("struct S { a: f32, n: u32 }", "array<S>").replace("v = v", "v[0] = v[0]");
    let dir = Dir::new().with("keep.wgsl", structs);
    assert_eq!(kept(&dir, "fill:{\"a\":1,\"n\":2}:1"), "{\"v\":[{\"a\":1.0,\"n\":2}]}");
}

#[test]
fn a_fixed_size_needs_no_count() {
    let dir = Dir::new().with("keep.wgsl", keep("struct S { a: f32, n: u32 }", "array<S, 2>"));
    assert_eq!(kept(&dir, "zeros"), "{\"v\":[{\"a\":0.0,\"n\":0},{\"a\":0.0,\"n\":0}]}");
    assert_eq!(kept(&dir, "iota:2"), "{\"v\":[{\"a\":0.0,\"n\":0},{\"a\":1.0,\"n\":1}]}");
    assert_eq!(kept(&dir, "fill:{\"a\":1,\"n\":2}"), "{\"v\":[{\"a\":1.0,\"n\":2},{\"a\":1.0,\"n\":2}]}");
    assert_eq!(kept(&dir, "fill:3"), "{\"v\":[{\"a\":3.0,\"n\":3},{\"a\":3.0,\"n\":3}]}");
}

#[test]
fn inline_numbers_in_many_spellings() {
    let dir = keeper("array<i32>");
    assert_eq!(kept(&dir, " [1, -2, 3.0, 1e3, true, false]".trim_start()), "{\"v\":[1,-2,3,1000,1,0]}");
    let dir = Dir::new().with("keep.wgsl", keep("", "f32"));
    assert_eq!(kept(&dir, "2.5"), "{\"v\":2.5}");
    assert_eq!(kept(&dir, "\"Infinity\""), "{\"v\":\"Infinity\"}");
    assert_eq!(kept(&dir, "16777217"), "{\"v\":16777216.0}");
}

#[test]
fn json_files() {
    let dir = keeper("array<vec2<f32>>").with("v.json", "[[1, 2],\n [3.5, 4]]\n");
    assert_eq!(kept(&dir, "v.json"), "{\"v\":[[1.0,2.0],[3.5,4.0]]}");
}

#[test]
fn csv_files_row_by_row() {
    let dir = keeper("array<f32>").with("v.csv", "1, 2.5\n-4,NaN\n\n inf,1e3\n");
    assert_eq!(kept(&dir, "v.csv"), "{\"v\":[1.0,2.5,-4.0,\"NaN\",\"Infinity\",1000.0]}");
    let structs = keep("struct S { a: vec3<f32>, n: u32 }", "array<S>").replace("v = v", "v[0] = v[0]");
    let dir = Dir::new().with("keep.wgsl", structs).with("v.csv", "1,2,3,4\n5,6,7,8\n");
    assert_eq!(kept(&dir, "v.csv"), "{\"v\":[{\"a\":[1.0,2.0,3.0],\"n\":4},{\"a\":[5.0,6.0,7.0],\"n\":8}]}");
}

#[test]
fn raw_files() {
    let dir = keeper("array<vec3<u32>>").with("v.bin", le(&[1, 2, 3, 0, 4, 5, 6, 0], u32::to_le_bytes));
    assert_eq!(kept(&dir, "v.bin"), "{\"v\":[[1,2,3],[4,5,6]]}");
}

#[test]
fn npy_files_of_every_type() {
    for (descr, ty, data, expected) in [
        ("<u4", "u32", le(&[1, 2, u32::MAX], u32::to_le_bytes), "[1,2,4294967295]"),
        ("<i4", "i32", le(&[1, -2, i32::MIN], i32::to_le_bytes), "[1,-2,-2147483648]"),
        ("<f4", "f32", le(&[1.0, -2.5, f32::NAN], f32::to_le_bytes), "[1.0,-2.5,\"NaN\"]"),
        ("<f2", "f16", le(&[0x3c00, 0xc000, 0x7c00], u16::to_le_bytes), "[1.0,-2.0,\"Infinity\"]"),
        ("<u8", "u64", le(&[1, 2, u64::MAX], u64::to_le_bytes), "[1,2,18446744073709551615]"),
        ("<i8", "i64", le(&[1, -2, i64::MIN], i64::to_le_bytes), "[1,-2,-9223372036854775808]"),
        ("<f8", "f64", le(&[1.0, -2.5, 0.1], f64::to_le_bytes), "[1.0,-2.5,0.1]"),
    ] {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (3,), }}\n");
        let dir = keeper(&format!("array<{ty}>")).with("v.npy", npy(&header, &data));
        assert_eq!(kept(&dir, "v.npy"), format!("{{\"v\":{expected}}}"), "{descr}");
    }
}

#[test]
fn npy_shapes_are_flattened_down_to_the_element() {
    let data = le(&[1, 2, 3, 4, 5, 6], u32::to_le_bytes);
    let file = |shape: &str| npy(&format!("{{\"shape\":{shape},'fortran_order':False,'descr':'<u4'}}"), &data);
    let dir = keeper("array<vec3<u32>>")
        .with("a.npy", file("(2,3)"))
        .with("b.npy", file("(1,2,3)"))
        .with("c.npy", file("(3,2)"))
        .with("d.npy", file("(6,)"));
    assert_eq!(kept(&dir, "a.npy"), "{\"v\":[[1,2,3],[4,5,6]]}");
    assert_eq!(kept(&dir, "b.npy"), "{\"v\":[[1,2,3],[4,5,6]]}");
    let run = |source: &'static str| dir.failure(1, &["run", "keep.wgsl", "--grid", "1", "--in", source]);
    expect![[r#"
        error: --in v: `c.npy`: its shape (3, 2) does not end in (3,), the shape of vec3<u32>
        error: --in v: `d.npy`: its shape (6,) does not end in (3,), the shape of vec3<u32>
    "#]]
    .assert_eq(&[run("v=c.npy"), run("v=d.npy")].concat());
    let dir = keeper("array<u32>").with("c.npy", file("(3,2)"));
    assert_eq!(kept(&dir, "c.npy"), "{\"v\":[1,2,3,4,5,6]}");
    let dir = Dir::new().with("keep.wgsl", keep("", "array<u32, 6>")).with("a.npy", file("(2,3)"));
    assert_eq!(kept(&dir, "a.npy"), "{\"v\":[1,2,3,4,5,6]}");
    let dir = Dir::new().with("keep.wgsl", keep("", "vec3<u32>")).with("a.npy", file("(2,3)"));
    expect![[r#"
        error: --in v: `a.npy`: its shape (2, 3) has 2 elements, and the buffer has 1
    "#]]
    .assert_eq(&dir.failure(1, &["run", "keep.wgsl", "--grid", "1", "--in", "v=a.npy"]));
}

#[test]
fn npy_versions_two_and_three() {
    let header = b"{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }\n";
    for version in [2, 3] {
        let mut file = b"\x93NUMPY".to_vec();
        file.extend([version, 0]);
        file.extend((header.len() as u32).to_le_bytes());
        file.extend(header);
        file.extend(7_u32.to_le_bytes());
        assert_eq!(kept(&keeper("array<u32>").with("v.npy", file), "v.npy"), "{\"v\":[7]}");
    }
}

#[test]
fn the_longest_output_decides_the_grid() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    assert_eq!(dir.outputs(&["run", "double.wgsl", "--in", "v=iota:9"]), "{\"v\":[0,2,4,6,8,10,12,14,16]}");
}
