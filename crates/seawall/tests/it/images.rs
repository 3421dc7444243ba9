//! Images in calls and graphs, and what is said of those that do not fit.

use seawall::program::texture::Misfit;
use seawall::texture::{Address, Format, Sampler, Shape};
use seawall::{Error, Graph, Role, Texels};

use super::graph::everywhere;

const COPY: &str = "
@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var how: sampler;
@group(0) @binding(2) var to: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(4, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let at = (vec2f(id.xy) + 0.5) / vec2f(textureDimensions(to));
    textureStore(to, id.xy, textureSampleLevel(photo, how, at * 2.0, 0.0));
}";

/// Twice in each direction what `photo` is, in `to`.
fn tiled(photo: &[u8]) -> Vec<u8> {
    let texel = |x: usize, y: usize| &photo[(y % 2 * 3 + x % 3) * 4..][..4];
    (0..4).flat_map(|y| (0..6).flat_map(move |x| texel(x, y))).copied().collect()
}

#[test]
fn a_kernel_takes_images_of_any_size_and_format() {
    for runtime in everywhere() {
        let kernel = runtime.kernel(COPY).unwrap();
        let to = runtime.image(Shape::d2(Format::Rgba8Unorm, 6, 4).unwrap()).unwrap();
        let bytes: Vec<u8> = (0..24).map(|i| i * 10).collect();
        let repeat = Sampler::nearest().addressed(Address::Repeat);
        let photo = runtime.image_from(Shape::d2(Format::Rgba8Unorm, 3, 2).unwrap(), &bytes).unwrap();
        runtime.call(&kernel).bind("photo", &photo).bind("to", &to).sampler("how", repeat).over("to").run().unwrap();
        assert_eq!(to.to_bytes().unwrap(), tiled(&bytes));
        // The same numbers as floats, and as one channel.
        let floats: Vec<f32> = bytes.iter().map(|&byte| f32::from(byte) / 255.0).collect();
        let shape = Shape::d2(Format::Rgba32Float, 3, 2).unwrap();
        let call = runtime.call(&kernel).bind("photo", Texels(shape, &floats)).bind("to", &to);
        call.sampler("how", repeat).over("to").run().unwrap();
        assert_eq!(to.to_bytes().unwrap(), tiled(&bytes));
        let grey = runtime.image_from(Shape::d2(Format::R8Unorm, 3, 2).unwrap(), &[1, 2, 3, 4, 5, 6]).unwrap();
        runtime.call(&kernel).bind("photo", &grey).bind("to", &to).sampler("how", repeat).over("to").run().unwrap();
        let red: Vec<u8> = [1, 2, 3, 4, 5, 6].iter().flat_map(|&red| [red, 0, 0, 255]).collect();
        assert_eq!(to.to_bytes().unwrap(), tiled(&red));
        runtime.prepare(&kernel).unwrap();
    }
}

const TURN: &str = "
@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var to: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(4, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(to, id.xy, textureLoad(photo, textureDimensions(photo) - 1 - id.xy, 0));
}";

#[test]
fn a_graph_has_images_as_data() {
    for runtime in everywhere() {
        let kernel = runtime.kernel(TURN).unwrap();
        let shape = Shape::d2(Format::Rgba8Unorm, 3, 2).unwrap();
        let mut graph = Graph::new();
        graph.image(Role::Input, "photo", shape).image(Role::Output, "half", shape);
        graph.image(Role::Output, "result", shape);
        graph.wave("turn", &kernel).bind("photo", "photo").bind("to", "half").over("to");
        graph.wave("again", &kernel).bind("photo", "half").bind("to", "result").over("to");
        let compiled = runtime.compile(&graph).unwrap();
        assert!(compiled.peak_bytes() >= 3 * shape.bytes());
        let bytes: Vec<u8> = (0..24).map(|i| i * 10).collect();
        let photo = runtime.image_from(shape, &bytes).unwrap();
        let (mut half, mut result) = (vec![0u8; 24], vec![0u32; 6]);
        compiled.call().bind("photo", &photo).bind("half", &mut half).bind("result", &mut result).run().unwrap();
        let turned: Vec<u8> = bytes.chunks(4).rev().flatten().copied().collect();
        assert_eq!(half, turned);
        assert_eq!(bytemuck::cast_slice::<u32, u8>(&result), bytes);
        let other = runtime.image(Shape::d2(Format::Rgba8Unorm, 2, 3).unwrap()).unwrap();
        let run = compiled.call().bind("photo", &other).bind("half", &mut half).bind("result", &mut result).run();
        assert_eq!(
            run.unwrap_err().to_string(),
            "`photo` is 3 x 2 texels of rgba8unorm, but 2 x 3 texels of rgba8unorm are bound"
        );
        let mut graph = Graph::new();
        graph.image(Role::Input, "photo", shape).output::<u32>("words", 6);
        graph.wave("turn", &kernel).bind("photo", "photo").bind("to", "words").threads([3, 2]);
        let told = runtime.compile(&graph).unwrap_err().to_string();
        assert_eq!(told, "wave `turn`: no image is bound to `to: texture_storage_2d<rgba8unorm, write>`");
    }
}

#[test]
fn what_does_not_fit_is_told() {
    let runtime = everywhere().into_iter().next().unwrap();
    let kernel = runtime.kernel(COPY).unwrap();
    let image = |shape: Result<Shape, _>| runtime.image(shape.unwrap()).unwrap();
    let (photo, to) = (image(Shape::d2(Format::Rgba8Unorm, 2, 2)), image(Shape::d2(Format::Rgba8Unorm, 2, 2)));
    let call = || runtime.call(&kernel).workgroups(1);
    let told = |call: seawall::Call<'_>| call.run().unwrap_err().to_string();
    let how = Sampler::linear();
    assert_eq!(
        told(call().bind("photo", &photo).sampler("how", how)),
        "no image is bound to `to: texture_storage_2d<rgba8unorm, write>`"
    );
    assert_eq!(told(call().bind("photo", &photo).bind("to", &to)), "nothing is bound to `how: sampler`");
    let wrong = image(Shape::d2(Format::Rgba8Uint, 2, 2));
    assert_eq!(
        told(call().bind("photo", &wrong).bind("to", &to).sampler("how", how)),
        "`photo: texture_2d<f32>` cannot be bound to 2 x 2 texels of rgba8uint: such texels are seen as u32"
    );
    let wrong = image(Shape::d2(Format::R32Float, 2, 2));
    assert_eq!(
        told(call().bind("photo", &photo).bind("to", &wrong).sampler("how", how)),
        "`to: texture_storage_2d<rgba8unorm, write>` cannot be bound to 2 x 2 texels of r32float: \
         its texels are rgba8unorm"
    );
    let wrong = image(Shape::d3(Format::Rgba8Unorm, 2, 2, 2));
    let error = call().bind("photo", &wrong).bind("to", &to).sampler("how", how).run().unwrap_err();
    let Error::Texture(misfit) = error else { panic!("{error}") };
    assert!(matches!(*misfit, Misfit::Image { why, .. } if why == "that is a 3d image"));
    let error = told(call().bind("photo", &photo).bind("to", &to).sampler("how", how).sampler("who", how));
    assert_eq!(error, "`main` uses no sampler `who`; it uses how");
    let shape = Shape::d2(Format::Rgba8Unorm, 2, 2).unwrap();
    assert_eq!(
        told(call().bind("photo", Texels(shape, &[0u32; 3])).bind("to", &to).sampler("how", how)),
        "`photo: texture_2d<f32>` needs exactly 16 bytes, but 12 bytes are bound"
    );
    assert_eq!(
        runtime.image_from(shape, &[0; 15]).unwrap_err().to_string(),
        "2 x 2 texels of rgba8unorm are 16 bytes, not 15"
    );
    assert_eq!(
        told(call().bind("photo", &photo).bind("to", &to).bind("two", &to).sampler("how", how)),
        "`main` uses no buffer `two`; it uses photo, to"
    );
}
