//! Textures: sampled, stored to, copied and seen in part.

use wgpu::{BindingResource, TextureDimension as Dimension, TextureFormat as Format};

use crate::gpu::{self, Gpu};

const ALL: wgpu::TextureUsages = wgpu::TextureUsages::COPY_SRC
    .union(wgpu::TextureUsages::COPY_DST)
    .union(wgpu::TextureUsages::TEXTURE_BINDING)
    .union(wgpu::TextureUsages::STORAGE_BINDING);

fn extent([width, height, depth_or_array_layers]: [u32; 3]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers }
}

fn texture(gpu: &Gpu, dimension: Dimension, format: Format, size: [u32; 3], levels: u32) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: extent(size),
        mip_level_count: levels,
        sample_count: 1,
        dimension,
        format,
        usage: ALL,
        view_formats: &[],
    })
}

fn d2(gpu: &Gpu, format: Format, width: u32, height: u32) -> wgpu::Texture {
    texture(gpu, Dimension::D2, format, [width, height, 1], 1)
}

/// A box of texels of a level.
#[derive(Clone, Copy)]
struct Part {
    level: u32,
    origin: [u32; 3],
    size: [u32; 3],
}

impl Part {
    fn level(level: u32, size: [u32; 3]) -> Self {
        Self { level, origin: [0; 3], size }
    }

    fn info(self, texture: &wgpu::Texture) -> wgpu::TexelCopyTextureInfo<'_> {
        let [x, y, z] = self.origin;
        let (mip_level, origin) = (self.level, wgpu::Origin3d { x, y, z });
        wgpu::TexelCopyTextureInfo { texture, mip_level, origin, aspect: wgpu::TextureAspect::All }
    }
}

/// Texels stand close together in `texels`.
fn write(gpu: &Gpu, texture: &wgpu::Texture, part: Part, texels: &[u8]) {
    let rows = part.size[1] * part.size[2];
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(texels.len() as u32 / rows),
        rows_per_image: Some(part.size[1]),
    };
    gpu.queue.write_texture(part.info(texture), texels, layout, extent(part.size));
}

/// Texels by rows of 256 bytes, which are taken away.
fn read(gpu: &Gpu, texture: &wgpu::Texture, part: Part) -> Vec<u8> {
    let [width, height, depth] = part.size;
    let row = width * texture.format().block_copy_size(None).unwrap();
    let pitch = row.next_multiple_of(256);
    let bytes = vec![0xeeu8; (pitch * height * depth) as usize + 256];
    let buffer = gpu.buffer(&bytes, wgpu::BufferUsages::empty());
    let layout = wgpu::TexelCopyBufferLayout { offset: 256, bytes_per_row: Some(pitch), rows_per_image: Some(height) };
    let mut encoder = gpu.encoder();
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(part.info(texture), to, extent(part.size));
    gpu.queue.submit([encoder.finish()]);
    let found = gpu.read::<u8>(&buffer);
    assert!(found[..256].iter().all(|byte| *byte == 0xee), "what comes before is left alone");
    let rows = found[256..].chunks(pitch as usize);
    rows.clone().for_each(|row_of| assert!(row_of[row as usize..].iter().all(|byte| *byte == 0xee)));
    rows.flat_map(|padded| &padded[..row as usize]).copied().collect()
}

fn view(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn seen(view: &wgpu::TextureView) -> BindingResource<'_> {
    BindingResource::TextureView(view)
}

#[test]
fn a_picture_is_turned_around() {
    let gpu = gpu::open();
    let turn = gpu.pipeline(
        "@group(0) @binding(0) var photo: texture_2d<f32>;
         @group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;
         @compute @workgroup_size(4, 4)
         fn main(@builtin(global_invocation_id) id: vec3u) {
             let size = textureDimensions(photo);
             if all(id.xy < size) { textureStore(result, size - 1u - id.xy, 1.0 - textureLoad(photo, id.xy, 0)); }
         }",
    );
    let (photo, result) = (d2(&gpu, Format::Rgba8Unorm, 5, 3), d2(&gpu, Format::Rgba8Unorm, 5, 3));
    let texels: Vec<u8> = (0..60).map(|i| i * 4).collect();
    write(&gpu, &photo, Part::level(0, [5, 3, 1]), &texels);
    gpu.run_with(&turn, vec![seen(&view(&photo)), seen(&view(&result))], [2, 1, 1]);
    let expected = texels.chunks(4).rev().flat_map(|texel| texel.iter().map(|byte| 255 - byte));
    assert_eq!(read(&gpu, &result, Part::level(0, [5, 3, 1])), expected.collect::<Vec<u8>>());
}

const SAMPLE: &str = "
    @group(0) @binding(0) var photo: texture_2d<f32>;
    @group(0) @binding(1) var how: sampler;
    @group(0) @binding(2) var<storage, read_write> v: array<f32>;
    @compute @workgroup_size(1)
    fn main(@builtin(global_invocation_id) id: vec3u) {
        v[id.x] = textureSampleLevel(photo, how, vec2f(f32(id.x) / 4.0, 0.5), 0.0).r;
    }";

#[test]
fn samplers_filter_and_wrap() {
    let gpu = gpu::open();
    let sample = gpu.pipeline(SAMPLE);
    let photo = d2(&gpu, Format::R32Float, 2, 1);
    write(&gpu, &photo, Part::level(0, [2, 1, 1]), bytemuck::cast_slice(&[1.0f32, 3.0]));
    let sampled = |filter, address| {
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: address,
            mag_filter: filter,
            min_filter: filter,
            ..wgpu::SamplerDescriptor::default()
        });
        let v = gpu.storage(&[0f32; 7]);
        let photo = view(&photo);
        let bound = vec![seen(&photo), BindingResource::Sampler(&sampler), v.as_entire_binding()];
        gpu.run_with(&sample, bound, [7, 1, 1]);
        gpu.read::<f32>(&v)
    };
    // Quarters of the way over two texels, whose middles are at 1/4 and 3/4.
    let (clamp, repeat, mirror) =
        (wgpu::AddressMode::ClampToEdge, wgpu::AddressMode::Repeat, wgpu::AddressMode::MirrorRepeat);
    assert_eq!(sampled(wgpu::FilterMode::Linear, clamp), [1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0]);
    assert_eq!(sampled(wgpu::FilterMode::Linear, repeat), [2.0, 1.0, 2.0, 3.0, 2.0, 1.0, 2.0]);
    assert_eq!(sampled(wgpu::FilterMode::Linear, mirror), [1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 2.0]);
    assert_eq!(sampled(wgpu::FilterMode::Nearest, clamp), [1.0, 1.0, 3.0, 3.0, 3.0, 3.0, 3.0]);
    assert_eq!(sampled(wgpu::FilterMode::Nearest, repeat), [1.0, 1.0, 3.0, 3.0, 1.0, 1.0, 3.0]);
}

/// One pipeline for textures of several formats, each of which needs code of its own, in one submission.
#[test]
fn a_pipeline_takes_textures_of_any_format() {
    let gpu = gpu::open();
    let load = gpu.pipeline(
        "@group(0) @binding(0) var photo: texture_2d<f32>;
         @group(0) @binding(1) var<storage, read_write> v: array<vec4f>;
         @compute @workgroup_size(1)
         fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] = textureLoad(photo, id.xy, 0); }",
    );
    let pictures: [(Format, &[u8], [f32; 4]); 8] = [
        (Format::R8Unorm, &[51, 255], [0.2, 0.0, 0.0, 1.0]),
        (Format::Rg8Snorm, &[127, 129, 0, 0], [1.0, -1.0, 0.0, 1.0]),
        (Format::Bgra8Unorm, &[0, 51, 255, 255, 0, 0, 0, 0], [1.0, 0.2, 0.0, 1.0]),
        (Format::R16Float, &[0, 0x3c, 0, 0], [1.0, 0.0, 0.0, 1.0]),
        (Format::Rg16Unorm, &[255, 255, 0, 0, 9, 9, 9, 9], [1.0, 0.0, 0.0, 1.0]),
        (Format::Rgba16Float, &[0, 0x3c, 0, 0x40, 0, 0xbc, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1.0, 2.0, -1.0, 0.0]),
        (Format::Rgb10a2Unorm, &[0xff, 3, 0, 0xc0, 0, 0, 0, 0], [1.0, 0.0, 0.0, 1.0]),
        (Format::Rgb9e5Ufloat, &[0, 1, 0, 0x80, 0, 0, 0, 0], [1.0, 0.0, 0.0, 1.0]),
    ];
    let mut encoder = gpu.encoder();
    let mut results = Vec::new();
    for (format, texels, expected) in &pictures {
        let photo = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: extent([2, 1, 1]),
            mip_level_count: 1,
            sample_count: 1,
            dimension: Dimension::D2,
            format: *format,
            usage: wgpu::TextureUsages::COPY_DST | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        write(&gpu, &photo, Part::level(0, [2, 1, 1]), texels);
        let v = gpu.storage(&[[9f32; 4]]);
        let group = gpu.group_of(&load, vec![seen(&view(&photo)), v.as_entire_binding()]);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&load);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
        results.push((format, v, expected));
    }
    gpu.queue.submit([encoder.finish()]);
    for (format, v, expected) in results {
        assert_eq!(gpu.read::<[f32; 4]>(&v), [*expected], "{format:?}");
    }
}

/// Of every size that texels have, in a buffer and in a texture.
#[test]
fn boxes_of_texels_go_in_and_come_out() {
    let gpu = gpu::open();
    let formats =
        [Format::R8Uint, Format::Rg8Uint, Format::R16Sint, Format::Rgba8Uint, Format::Rg32Float, Format::Rgba32Uint];
    for format in formats {
        let bytes = format.block_copy_size(None).unwrap() as usize;
        for (dimension, size) in [(Dimension::D1, [7, 1, 1]), (Dimension::D2, [7, 5, 3]), (Dimension::D3, [7, 5, 3])] {
            let texture = texture(&gpu, dimension, format, size, 1);
            let count = size.iter().product::<u32>() as usize;
            let mut expected: Vec<u8> = (0..count * bytes).map(|i| i as u8).collect();
            write(&gpu, &texture, Part::level(0, size), &expected);
            // A smaller box, inside of that.
            let part = Part { level: 0, origin: size.map(|n| n / 3), size: size.map(|n| n.div_ceil(2)) };
            let texels = vec![0xabu8; part.size.iter().product::<u32>() as usize * bytes];
            write(&gpu, &texture, part, &texels);
            for at in 0..count {
                let place = [at % 7, at / 7 % size[1] as usize, at / 7 / size[1] as usize];
                let inside = (0..3).all(|axis| {
                    let from = part.origin[axis] as usize;
                    (from..from + part.size[axis] as usize).contains(&place[axis])
                });
                if inside {
                    expected[at * bytes..(at + 1) * bytes].fill(0xab);
                }
            }
            assert_eq!(read(&gpu, &texture, Part::level(0, size)), expected, "{format:?} {dimension:?}");
            assert_eq!(read(&gpu, &texture, part), texels, "{format:?} {dimension:?}");
        }
    }
}

#[test]
fn textures_are_copied_to_textures_and_cleared() {
    let gpu = gpu::open();
    for (format, bytes) in [(Format::R8Unorm, 1), (Format::Rgba16Uint, 8)] {
        let from = texture(&gpu, Dimension::D2, format, [6, 4, 2], 1);
        let to = texture(&gpu, Dimension::D2, format, [4, 4, 3], 1);
        let texels: Vec<u8> = (0..48 * bytes).map(|i| i as u8).collect();
        write(&gpu, &from, Part::level(0, [6, 4, 2]), &texels);
        write(&gpu, &to, Part::level(0, [4, 4, 3]), &vec![0x55; 48 * bytes]);
        let mut encoder = gpu.encoder();
        let source = Part { level: 0, origin: [3, 1, 0], size: [2, 3, 2] };
        let target = Part { level: 0, origin: [1, 0, 1], size: [2, 3, 2] };
        encoder.copy_texture_to_texture(source.info(&from), target.info(&to), extent(source.size));
        let first = wgpu::ImageSubresourceRange { array_layer_count: Some(1), ..Default::default() };
        encoder.clear_texture(&to, &first);
        gpu.queue.submit([encoder.finish()]);
        let mut expected = vec![0x55; 48 * bytes];
        expected[..16 * bytes].fill(0);
        for (z, y, x) in (0..2).flat_map(|z| (0..3).flat_map(move |y| (0..2).map(move |x| (z, y, x)))) {
            let (here, there) = ((z + 1) * 16 + y * 4 + x + 1, z * 24 + (y + 1) * 6 + x + 3);
            expected[here * bytes..(here + 1) * bytes].copy_from_slice(&texels[there * bytes..(there + 1) * bytes]);
        }
        assert_eq!(read(&gpu, &to, Part::level(0, [4, 4, 3])), expected, "{format:?}");
    }
}

#[test]
fn what_was_never_written_is_zero() {
    let gpu = gpu::open();
    let texture = texture(&gpu, Dimension::D2, Format::Rg8Uint, [3, 3, 2], 2);
    write(&gpu, &texture, Part { level: 0, origin: [1, 1, 1], size: [1, 1, 1] }, &[7, 8]);
    let mut expected = [0; 36];
    expected[26..28].copy_from_slice(&[7, 8]);
    assert_eq!(read(&gpu, &texture, Part::level(0, [3, 3, 2])), expected);
    assert_eq!(read(&gpu, &texture, Part::level(1, [1, 1, 2])), [0; 4]);
}

/// Each level from the one before, as mipmaps are made: two views of one texture in a dispatch, one of them written.
#[test]
fn levels_are_made_from_each_other() {
    let gpu = gpu::open();
    let halve = gpu.pipeline(
        "@group(0) @binding(0) var source: texture_2d<f32>;
         @group(0) @binding(1) var to: texture_storage_2d<r32float, write>;
         @compute @workgroup_size(8, 8)
         fn main(@builtin(global_invocation_id) id: vec3u) {
             if any(id.xy >= textureDimensions(to)) { return; }
             var sum = 0.0;
             for (var i = 0u; i < 4u; i += 1u) { sum += textureLoad(source, id.xy * 2u + vec2u(i & 1u, i >> 1u), 0).r; }
             textureStore(to, id.xy, vec4f(sum));
         }",
    );
    let texture = texture(&gpu, Dimension::D2, Format::R32Float, [8, 8, 1], 4);
    let numbers: Vec<f32> = (0..64).map(|i| i as f32).collect();
    write(&gpu, &texture, Part::level(0, [8, 8, 1]), bytemuck::cast_slice(&numbers));
    let level = |level| {
        let one = wgpu::TextureViewDescriptor { base_mip_level: level, mip_level_count: Some(1), ..Default::default() };
        texture.create_view(&one)
    };
    let groups: Vec<_> = (1..4).map(|on| gpu.group_of(&halve, vec![seen(&level(on - 1)), seen(&level(on))])).collect();
    gpu.pass(|pass| {
        pass.set_pipeline(&halve);
        for group in &groups {
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(1, 1, 1);
        }
    });
    let last = read(&gpu, &texture, Part::level(3, [1, 1, 1]));
    assert_eq!(bytemuck::cast_slice::<u8, f32>(&last), [63.0 * 32.0]);
    // All of them at once, through a sampler that chooses among them.
    let sample = gpu.pipeline(
        "@group(0) @binding(0) var photo: texture_2d<f32>;
         @group(0) @binding(1) var how: sampler;
         @group(0) @binding(2) var<storage, read_write> v: array<f32>;
         @compute @workgroup_size(1)
         fn main(@builtin(global_invocation_id) id: vec3u) {
             v[id.x] = textureSampleLevel(photo, how, vec2f(0.0), f32(id.x)).r + f32(textureNumLevels(photo) * 10000u);
         }",
    );
    let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor::default());
    let v = gpu.storage(&[0f32; 5]);
    let from_second = wgpu::TextureViewDescriptor { base_mip_level: 1, ..Default::default() };
    let levels = texture.create_view(&from_second);
    gpu.run_with(&sample, vec![seen(&levels), BindingResource::Sampler(&sampler), v.as_entire_binding()], [5, 1, 1]);
    // 0, 1, 8 and 9; then 0..=3 and eights of those; then all.
    let sums = [18.0, 216.0, 2016.0, 2016.0, 2016.0].map(|sum| sum + 30000.0);
    assert_eq!(gpu.read::<f32>(&v), sums);
}

/// Layers are so small that what is bound of them overlaps, and are written by dispatches without a barrier between.
#[test]
fn layers_are_seen_each_for_itself() {
    let gpu = gpu::open();
    let copy = gpu.pipeline(
        "@group(0) @binding(0) var source: texture_2d<u32>;
         @group(0) @binding(1) var to: texture_storage_2d<r32uint, write>;
         @compute @workgroup_size(4)
         fn main(@builtin(global_invocation_id) id: vec3u) {
             for (var y = 0u; y < 2u; y += 1u) {
                 let at = vec2u(id.x, y);
                 textureStore(to, at, textureLoad(source, at, 0) + 100u);
             }
         }",
    );
    let texture = texture(&gpu, Dimension::D2, Format::R32Uint, [3, 2, 6], 1);
    let numbers: Vec<u32> = (0..36).collect();
    write(&gpu, &texture, Part::level(0, [3, 2, 6]), bytemuck::cast_slice(&numbers));
    let layer = |layer| {
        texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2),
            base_array_layer: layer,
            array_layer_count: Some(1),
            ..Default::default()
        })
    };
    let groups =
        [(1, 4), (0, 2), (5, 3)].map(|(from, to)| gpu.group_of(&copy, vec![seen(&layer(from)), seen(&layer(to))]));
    gpu.pass(|pass| {
        pass.set_pipeline(&copy);
        for group in &groups {
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(1, 1, 1);
        }
    });
    let mut expected = numbers.clone();
    for (from, to) in [(1, 4), (0, 2), (5, 3)] {
        (0..6).for_each(|at| expected[to * 6 + at] = numbers[from * 6 + at] + 100);
    }
    assert_eq!(bytemuck::cast_slice::<u8, u32>(&read(&gpu, &texture, Part::level(0, [3, 2, 6]))), expected);
    // Some layers as an array of their own.
    let count = gpu.pipeline(
        "@group(0) @binding(0) var source: texture_2d_array<u32>;
         @group(0) @binding(1) var<storage, read_write> v: array<u32>;
         @compute @workgroup_size(1) fn main() {
             v[0] = textureNumLayers(source);
             for (var layer = 0u; layer < 3u; layer += 1u) { v[1u + layer] = textureLoad(source, vec2u(2u, 1u), layer, 0).r; }
         }",
    );
    let layers = texture.create_view(&wgpu::TextureViewDescriptor {
        base_array_layer: 2,
        array_layer_count: Some(2),
        ..Default::default()
    });
    let v = gpu.storage(&[9u32; 4]);
    gpu.run_with(&count, vec![seen(&layers), v.as_entire_binding()], [1, 1, 1]);
    assert_eq!(gpu.read::<u32>(&v), [2, expected[17], expected[23], 0]);
}

#[test]
fn storage_textures_are_read_and_written_in_place() {
    let gpu = gpu::open();
    let add = gpu.pipeline(
        "@group(0) @binding(0) var block: texture_storage_3d<rgba16float, read_write>;
         @compute @workgroup_size(2, 2, 2)
         fn main(@builtin(global_invocation_id) id: vec3u) {
             textureStore(block, id, textureLoad(block, id) + vec4f(vec3f(id), 1.0));
         }",
    );
    let block = texture(&gpu, Dimension::D3, Format::Rgba16Float, [3, 2, 2], 1);
    for _ in 0..2 {
        gpu.run_with(&add, vec![seen(&view(&block))], [2, 1, 1]);
    }
    let halves = [0u16, 0x4000, 0x4400];
    let texel = |at: usize| [halves[at % 3], halves[at / 3 % 2], halves[at / 6], 0x4000];
    let expected: Vec<u16> = (0..12).flat_map(texel).collect();
    assert_eq!(bytemuck::cast_slice::<u8, u16>(&read(&gpu, &block, Part::level(0, [3, 2, 2]))), expected);
}

#[test]
fn what_the_device_has_not_is_refused() {
    let gpu = gpu::open();
    let refused = |what: &str, work: &dyn Fn()| {
        let error = gpu.error(wgpu::ErrorFilter::Validation, work);
        assert!(matches!(error, Some(wgpu::Error::Validation { .. })), "{what}: {error:?}");
    };
    let made = |format, sample_count, usage, view_formats: &[Format]| {
        let _texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: extent([4, 4, 1]),
            mip_level_count: 1,
            sample_count,
            dimension: Dimension::D2,
            format,
            usage,
            view_formats,
        });
    };
    let bound = wgpu::TextureUsages::TEXTURE_BINDING;
    refused("depth", &|| made(Format::Depth32Float, 1, bound, &[]));
    refused("sRGB", &|| made(Format::Rgba8UnormSrgb, 1, bound, &[]));
    refused("drawing", &|| made(Format::Rgba8Unorm, 1, wgpu::TextureUsages::RENDER_ATTACHMENT, &[]));
    refused("samples", &|| made(Format::Rgba8Unorm, 4, bound | wgpu::TextureUsages::RENDER_ATTACHMENT, &[]));
    refused("shared exponents", &|| made(Format::Rgb9e5Ufloat, 1, wgpu::TextureUsages::STORAGE_BINDING, &[]));
    refused("formats of views", &|| made(Format::Rgba8Unorm, 1, bound, &[Format::Rgba8UnormSrgb]));
    refused("borders", &|| {
        let address_mode_u = wgpu::AddressMode::ClampToBorder;
        let _sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor { address_mode_u, ..Default::default() });
    });
    // Textures and samplers that wgpu lets programs declare, and kernels cannot have.
    let views = [
        (
            "cube",
            "var view: texture_cube<f32>;",
            "var how: sampler;",
            "textureSampleLevel(view, how, vec3f(1.0), 0.0).r",
        ),
        (
            "depth",
            "var view: texture_depth_2d;",
            "var how: sampler_comparison;",
            "textureSampleCompareLevel(view, how, vec2f(1.0), 0.0)",
        ),
    ];
    for (what, view, sampler, sample) in views {
        let text = format!(
            "@group(0) @binding(0) {view} @group(0) @binding(1) {sampler}
             @group(0) @binding(2) var<storage, read_write> v: f32;
             @compute @workgroup_size(1) fn main() {{ v = {sample}; }}",
        );
        let error = gpu.error(wgpu::ErrorFilter::Internal, || _ = gpu.pipeline(&text));
        let text = format!("{error:?}");
        assert!(text.contains(&format!("`view` is a {what} texture, which cannot be bound")), "{text}");
    }
    // And the device is as it was.
    made(Format::Rgba8Unorm, 1, bound, &[]);
}

#[test]
fn a_texture_that_is_too_large_is_out_of_memory() {
    let gpu = gpu::open();
    let error = gpu.error(wgpu::ErrorFilter::OutOfMemory, || {
        texture(&gpu, Dimension::D2, Format::Rgba32Float, [32768, 32768, 1], 1);
    });
    assert!(matches!(error, Some(wgpu::Error::OutOfMemory { .. })), "{error:?}");
    d2(&gpu, Format::Rgba32Float, 4, 4);
}

#[test]
fn formats_say_what_they_can() {
    use wgpu::{TextureFormatFeatureFlags as Flags, TextureUsages as Usages};
    let adapter = pollster::block_on(seawall_wgpu::instance().request_adapter(&Default::default())).unwrap();
    let format = |format| adapter.get_texture_format_features(format);
    let colours = format(Format::Rgba8Unorm);
    assert_eq!(colours.allowed_usages, ALL);
    assert_eq!(
        colours.flags,
        Flags::FILTERABLE | Flags::STORAGE_READ_ONLY | Flags::STORAGE_WRITE_ONLY | Flags::STORAGE_READ_WRITE
    );
    assert!(!format(Format::R32Uint).flags.contains(Flags::FILTERABLE));
    assert_eq!(format(Format::Rgb9e5Ufloat).allowed_usages, ALL - Usages::STORAGE_BINDING);
    assert!(format(Format::Depth24Plus).allowed_usages.is_empty());
    assert!(format(Format::Rgba8UnormSrgb).allowed_usages.is_empty());
}
