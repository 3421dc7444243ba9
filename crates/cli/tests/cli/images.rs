//! Pictures in and out: textures, from the command line and in jobs.

use expect_test::expect;

use crate::support::{Dir, npy};

const INVERT: &str = "@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let colour = textureLoad(photo, id.xy, 0);
    textureStore(result, id.xy, vec4f(1.0 - colour.rgb, colour.a));
}
";

fn png(width: u32, height: u32, color: png::ColorType, data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    file
}

fn pixels(file: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut data).unwrap();
    data.truncate(info.buffer_size());
    (info.width, info.height, data)
}

#[test]
fn a_picture_goes_in_and_one_comes_out() {
    let photo = png(3, 1, png::ColorType::Rgba, &[0, 1, 2, 3, 100, 200, 255, 128, 255, 254, 253, 252]);
    let dir = Dir::new().with("invert.wgsl", INVERT).with("photo.png", photo);
    dir.expect(
        &["run", "invert.wgsl", "--in", "photo=photo.png", "--out", "result=out.png"],
        &expect![[r#"
            -- stdout
            device cpu: it is the first choice of this build
            grid 1,1,1 workgroups of 8,8,1: 64 invocations in … ms
            -- stderr
            note: `result: texture_storage_2d<rgba8unorm, write>` is as large as `photo`, 3 x 1 texels of rgba8unorm
            note: the grid covers `result` of 3 x 1 texels of rgba8unorm with workgroups of 8 x 8 x 1
            wrote: result to `out.png`: a picture of 3 by 1 pixels
        "#]],
    );
    let inverted = vec![255, 254, 253, 3, 155, 55, 0, 128, 0, 1, 2, 252];
    assert_eq!(pixels(&dir.read("out.png")), (3, 1, inverted));
}

#[test]
fn grey_pictures_and_arrays() {
    let grey = png(2, 1, png::ColorType::Grayscale, &[10, 200]);
    let floats: Vec<u8> = [0.0f32, 0.5, 1.0, 2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let array = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", &floats);
    let dir = Dir::new().with("invert.wgsl", INVERT).with("grey.png", grey).with("floats.npy", array);
    dir.stdout(&["run", "invert.wgsl", "--in", "photo=grey.png", "--out", "result=out.png"]);
    assert_eq!(pixels(&dir.read("out.png")).2, [245, 245, 245, 255, 55, 55, 55, 255]);
    dir.stdout(&["run", "invert.wgsl", "--in", "photo=floats.npy", "--out", "result=out.bin"]);
    // One channel is red: green and blue are zero.
    assert_eq!(dir.read("out.bin"), [255, 255, 255, 255, 128, 255, 255, 255, 0, 255, 255, 255, 0, 255, 255, 255]);
}

#[test]
fn a_job_has_images() {
    let photo = png(2, 2, png::ColorType::Rgb, &[0, 0, 0, 10, 20, 30, 40, 50, 60, 255, 255, 255]);
    let job = "[buffers]\nphoto.source = \"photo.png\"\nbetween = {}\nresult = { output = \"out.png\" }\n\
        [[wave]]\nname = \"once\"\nprogram = \"invert.wgsl\"\nbind.result = \"between\"\nover = \"result\"\n\
        [[wave]]\nname = \"twice\"\nprogram = \"invert.wgsl\"\nbind.photo = \"between\"\nover = \"result\"\n";
    let dir = Dir::new().with("invert.wgsl", INVERT).with("photo.png", photo).with("job.toml", job);
    dir.stdout(&["run", "job.toml"]);
    let same = vec![0, 0, 0, 255, 10, 20, 30, 255, 40, 50, 60, 255, 255, 255, 255, 255];
    assert_eq!(pixels(&dir.read("out.png")), (2, 2, same));
}

#[test]
fn files_that_are_no_images() {
    let dir = Dir::new().with("invert.wgsl", INVERT).with("text.png", "hello").with("cut.png", b"\x89PNG\r\n\x1a\n");
    let dir = dir.with("cut.jpg", [0xff, 0xd8, 0xff, 0xe0]);
    let told = |source: &str| dir.failure(1, &["run", "invert.wgsl", "--in", &format!("photo={source}")]);
    assert!(told("text.png").contains("error: --in photo: `text.png`: this is neither a PNG nor a JPEG"));
    assert!(told("cut.png").contains("error: --in photo: `cut.png`: the PNG cannot be read: "));
    assert!(told("cut.jpg").contains("error: --in photo: `cut.jpg`: the JPEG cannot be read: "));
    assert!(told("zeros:4x4x4").contains("`4x4x4` has 3 dimensions; a 2d image has 2"));
    assert!(told("iota:4").contains("this is no image"));
    let none = dir.failure(1, &["run", "invert.wgsl"]);
    assert!(none.contains("photo: texture_2d<f32>") && none.contains("photo.png"), "{none}");
}

/// A grey JPEG of two blocks, written out bit by bit: no frequency but the lowest, all quantisers one. Its
/// first block is 200 and its second 40: 8 * (200 - 128) is 576, of ten bits, and the step to 8 * (40 - 128)
/// is -1280, of eleven. The codes are `0` for ten bits, `10` for eleven, and `0` for the end of a block.
fn jpeg() -> Vec<u8> {
    let part = |marker: u8, bytes: &[u8]| [&[0xff, marker, 0, bytes.len() as u8 + 2], bytes].concat();
    let counts = |codes: &[u8]| [codes, &vec![0; 16 - codes.len()]].concat();
    let quantisers = [&[0][..], &[1; 64]].concat();
    let bits = "0".to_owned() + "1001000000" + "0" + "10" + "01011111111" + "0" + "111111";
    let bits = (0..bits.len() / 8).map(|at| u8::from_str_radix(&bits[8 * at..8 * at + 8], 2).unwrap());
    let parts = [
        vec![0xff, 0xd8],
        part(0xdb, &quantisers),
        part(0xc0, &[8, 0, 8, 0, 16, 1, 1, 0x11, 0]),
        part(0xc4, &[&[0x00][..], &counts(&[1, 1]), &[10, 11]].concat()),
        part(0xc4, &[&[0x10][..], &counts(&[1]), &[0]].concat()),
        part(0xda, &[1, 1, 0, 0, 63, 0]),
        bits.collect(),
        vec![0xff, 0xd9],
    ];
    parts.concat()
}

#[test]
fn a_jpeg_goes_in() {
    let dir = Dir::new().with("invert.wgsl", INVERT).with("photo.jpg", jpeg());
    dir.stdout(&["run", "invert.wgsl", "--in", "photo=photo.jpg", "--out", "result=out.png"]);
    let row: Vec<u8> = [55_u8, 215].iter().flat_map(|&grey| [grey, grey, grey, 255].repeat(8)).collect();
    assert_eq!(pixels(&dir.read("out.png")), (16, 8, row.repeat(8)));
}
