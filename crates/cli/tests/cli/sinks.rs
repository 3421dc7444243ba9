//! Every file that a buffer may go to, and back again.

use expect_test::expect;

use crate::support::{Dir, double, keep, le};

#[test]
fn what_is_written_can_be_read() {
    for ty in [
        "u32",
        "i32",
        "f32",
        "f16",
        "u64",
        "i64",
        "f64",
        "vec2<f32>",
        "vec3<f32>",
        "vec4<u32>",
        "mat2x2<f32>",
        "mat3x3<f32>",
    ] {
        let dir = Dir::new().with("double.wgsl", double(ty));
        for file in ["a.npy", "a.bin", "a.csv", "a.json"] {
            let out = format!("v={file}");
            let before = dir.outputs(&["run", "double.wgsl", "--in", "v=iota:7", "--out", &out]);
            let text = double(ty).replace(" + v[id.x]", "");
            let dir = Dir::new().with("keep.wgsl", text).with(file, dir.read(file));
            let after = dir.outputs(&["run", "keep.wgsl", "--in", &out]);
            assert_eq!(before, after, "{ty} through {file}");
        }
    }
}

#[test]
fn npy_has_the_shape_of_the_buffer() {
    let header = |ty: &str, args: &[&str]| {
        let dir = Dir::new().with("keep.wgsl", keep("", ty).replace("v = v", "_ = v[0]; v[0] = v[0]"));
        dir.stdout(&[["run", "keep.wgsl", "--grid", "1", "--out", "v=v.npy"].as_slice(), args].concat());
        let file = dir.read("v.npy");
        let data = file.iter().position(|&byte| byte == b'\n').expect("the end of the header") + 1;
        assert_eq!(data % 64, 0);
        String::from_utf8_lossy(&file[10..data]).trim_end().to_owned()
    };
    expect!["{'descr': '<f4', 'fortran_order': False, 'shape': (5, 3), }"]
        .assert_eq(&header("array<vec3<f32>>", &["--in", "v=zeros:5"]));
    expect!["{'descr': '<u4', 'fortran_order': False, 'shape': (2, 3), }"]
        .assert_eq(&header("array<array<u32, 3>, 2>", &[]));
    expect!["{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }"].assert_eq(&header("vec4<i32>", &[]));
}

#[test]
fn npy_leaves_the_padding_out() {
    let dir = Dir::new().with("double.wgsl", double("vec3<u32>"));
    dir.stdout(&["run", "double.wgsl", "--in", "v=[[1,2,3],[4,5,6]]", "--out", "v=v.npy"]);
    assert_eq!(&dir.read("v.npy")[128..], le(&[2, 4, 6, 8, 10, 12], u32::to_le_bytes));
}

#[test]
fn text_files() {
    let structs = keep("struct S { a: vec2<f32>, n: u32 }", "array<S>").replace("v = v", "v[0].n = 7u");
    let dir = Dir::new().with("s.wgsl", structs);
    let args = ["run", "s.wgsl", "--in", "v=iota:3", "--grid", "1", "--out", "v=v.csv", "--out", "v=v.json"];
    dir.stdout(&args);
    expect![[r#"
        0.0,0.0,7
        1.0,1.0,1
        2.0,2.0,2
    "#]]
    .assert_eq(&String::from_utf8(dir.read("v.csv")).expect("text"));
    expect![[r#"
        [{"a":[0.0,0.0],"n":7},{"a":[1.0,1.0],"n":1},{"a":[2.0,2.0],"n":2}]
    "#]]
    .assert_eq(&String::from_utf8(dir.read("v.json")).expect("text"));
}

fn pixels(file: &[u8]) -> (u32, u32, png::ColorType, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("a picture");
    (info.width, info.height, info.color_type, pixels)
}

#[test]
fn pictures_in_colour_and_grey() {
    let dir = Dir::new().with("u.wgsl", double("u32")).with("f.wgsl", double("f32"));
    dir.stdout(&["run", "u.wgsl", "--in", "v=fill:67305985:6", "--out", "v=u.png", "--width", "3"]);
    assert_eq!(pixels(&dir.read("u.png")), (3, 2, png::ColorType::Rgba, [2, 4, 6, 8].repeat(6)));
    let levels = "v=[-1, 0, 0.25, 0.5, \"NaN\", \"Infinity\"]";
    dir.stdout(&["run", "f.wgsl", "--in", levels, "--out", "v=f.png", "--width", "2"]);
    assert_eq!(pixels(&dir.read("f.png")), (2, 3, png::ColorType::Grayscale, vec![0, 0, 128, 255, 0, 255]));
}

#[test]
fn a_picture_of_rows_knows_its_width() {
    let dir = Dir::new().with("rows.wgsl", keep("", "array<array<f32, 4>, 2>"));
    dir.stdout(&["run", "rows.wgsl", "--grid", "1", "--out", "v=v.png"]);
    assert_eq!(pixels(&dir.read("v.png")), (4, 2, png::ColorType::Grayscale, vec![0; 8]));
}

#[test]
fn inputs_can_be_written_too() {
    let dir = Dir::new().with("saxpy.wgsl", include_str!("../../../../examples/saxpy.wgsl"));
    let p = "p={\"a\":2.0,\"n\":2}";
    dir.stdout(&[
        "run",
        "saxpy.wgsl",
        "--in",
        "x=iota:2",
        "--in",
        "y=zeros:2",
        "--in",
        p,
        "--out",
        "p=p.json",
        "--out",
        "y=y.bin",
    ]);
    assert_eq!(dir.read("p.json"), b"{\"a\":2.0,\"n\":2}\n");
    assert_eq!(dir.read("y.bin"), le(&[0.0, 2.0], f32::to_le_bytes));
}
