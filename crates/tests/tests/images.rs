//! Random kernels that read textures of any format and write others: the same bytes on every device.
//!
//! `SEAWALL_IMAGES=N` runs so many, and `SEAWALL_SEED=X` starts at another seed: a failure says which one
//! replays it.

use std::env;

use seawall::texture::{Dim, Format, Kind, Shape};
use seawall::{Image, Runtime};
use seawall_tests::kernels::rng::Rng;

const COUNT: u64 = 120;

/// A kernel, and the images that it is given.
struct Case {
    text: String,
    source: Shape,
    bytes: Vec<u8>,
    target: Shape,
    /// Whether drivers may round it in another way.
    floats: bool,
}

fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Formats whose texels are numbers whatever their bits are, and one that is given numbers.
fn format(rng: &mut Rng) -> Format {
    let all = Format::ALL.iter().copied().filter(|format| !format.name().contains("float"));
    let all: Vec<Format> = all.chain([Format::Rgba32Float]).collect();
    rng.pick(&all)
}

fn shape(rng: &mut Rng, dim: Dim, format: Format) -> Shape {
    let mut side = |most: usize| 1 + rng.below(most) as u32;
    let size = match dim {
        Dim::D1 => [side(40), 1, 1],
        Dim::D2 => [side(13), side(11), 1],
        Dim::D2Array | Dim::D3 => [side(7), side(6), side(4)],
    };
    Shape::new(dim, format, size).unwrap_or_else(|error| panic!("{error}"))
}

fn case(seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let (dim, format) = (rng.pick(&[Dim::D1, Dim::D2, Dim::D2Array, Dim::D3]), format(&mut rng));
    let source = shape(&mut rng, dim, format);
    let (kind, wide) = match format.kind() {
        Kind::Float => ("f32", Format::Rgba32Float),
        Kind::Sint => ("i32", Format::Rgba32Sint),
        Kind::Uint => ("u32", Format::Rgba32Uint),
    };
    let target = shape(&mut rng, dim, wide);
    // Any place, inside or not.
    let place = |rng: &mut Rng| {
        let mut one = |axis: &str| {
            let (by, past) = (rng.pick(&[1, 1, 1, 1, 2, -1]), rng.below(5) as i32 - 2);
            format!("i32(id.{axis}) * {by} + {past}")
        };
        match dim {
            Dim::D1 => one("x"),
            Dim::D2 => format!("vec2i({}, {})", one("x"), one("y")),
            Dim::D2Array => format!("vec2i({}, {}), {}", one("x"), one("y"), one("z")),
            Dim::D3 => format!("vec3i({}, {}, {})", one("x"), one("y"), one("z")),
        }
    };
    let own = match dim {
        Dim::D1 => "id.x",
        Dim::D2 => "id.xy",
        Dim::D2Array => "id.xy, id.z",
        Dim::D3 => "id",
    };
    let mut value = format!("textureLoad(photo, {}, 0)", place(&mut rng));
    for _ in 0..=rng.below(4) {
        let other = format!("textureLoad(photo, {}, 0)", place(&mut rng));
        value = match (rng.below(5), kind) {
            (0, _) => format!("({value} + {other})"),
            (1, _) => format!("({value} * {other})"),
            (2, _) => format!("max({value}, {other}.wzyx)"),
            (3, "f32") => format!("mix({value}, {other}, 0.25)"),
            (3, _) => format!("({value} ^ {other})"),
            _ => format!("select({value}, {other}, {value} < {other})"),
        };
    }
    let name = dim.name();
    let text = format!(
        "@group(0) @binding(0) var photo: texture_{name}<{kind}>;\n\
         @group(0) @binding(1) var result: texture_storage_{name}<{}, write>;\n\
         @compute @workgroup_size(4, 2)\n\
         fn main(@builtin(global_invocation_id) id: vec3u) {{\n    textureStore(result, {own}, {value});\n}}\n",
        wide.name()
    );
    let count = (source.bytes() / 4 / u64::from(format.words())) as usize;
    let bytes = match format {
        Format::Rgba32Float => (0..4 * count).flat_map(|_| (rng.below(64) as f32 / 8.0).to_le_bytes()).collect(),
        _ => (0..count * format.packed_bytes() as usize).map(|_| rng.below(256) as u8).collect(),
    };
    Case { text, source, bytes, target, floats: kind == "f32" }
}

fn run(runtime: &Runtime, case: &Case) -> Result<Vec<u8>, seawall::Error> {
    let kernel = runtime.kernel(&case.text)?;
    let photo = runtime.image_from(case.source, &case.bytes)?;
    let result: Image = runtime.image(case.target)?;
    runtime.call(&kernel).bind("photo", &photo).bind("result", &result).over("result").run()?;
    result.to_bytes()
}

#[test]
fn every_device_gives_the_same() {
    let open = |(id, _): (String, _)| (id.clone(), Runtime::builder().device(&id).open().expect("it was there before"));
    let runtimes: Vec<(String, Runtime)> = seawall_tests::devices().into_iter().map(open).collect();
    let reference = Runtime::builder().device("reference").open().expect("it is always there");
    let (first, count) = (number("SEAWALL_SEED", 1), number("SEAWALL_IMAGES", COUNT));
    for seed in first..first + count {
        let case = case(seed);
        let told = || format!("SEAWALL_SEED={seed} SEAWALL_IMAGES=1, from {:?}\n{}", case.source, case.text);
        let expected = run(&reference, &case).unwrap_or_else(|error| panic!("{error}\n{}", told()));
        for (id, runtime) in runtimes.iter().filter(|(id, _)| !case.floats || !id.starts_with("gpu")) {
            let got = run(runtime, &case).unwrap_or_else(|error| panic!("{id}: {error}\n{}", told()));
            assert_eq!(got, expected, "{id}: {}", told());
        }
    }
}

/// Most of them write something.
#[test]
fn pictures_are_not_blank() {
    let reference = Runtime::builder().device("reference").open().expect("it is always there");
    let blank = (1..=20).filter(|&seed| {
        let bytes = run(&reference, &case(seed)).unwrap_or_else(|error| panic!("{seed}: {error}"));
        bytes.iter().all(|&byte| byte == 0)
    });
    let blank = blank.count();
    assert!(blank < 8, "{blank} of 20 pictures are blank");
}
