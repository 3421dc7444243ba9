//! Breaks what textures are lowered to, one thing at a time: each time the answer must change.

use std::sync::Arc;

use crate::check::check;
use crate::device::{Control, Device as _, Host, Io};
use crate::program::texture::{SHAPES, mutant};
use crate::program::{Overrides, Program};
use crate::reference::{Config, Device};
use crate::schedule::{Binding, Buffer, BufferId, Host as Slice, HostId, KernelId, Life, Schedule, Step};
use crate::texture::{Dim, Sampler, Shape};

/// Loads on all levels and beyond all edges, stores, samples and gathers.
const KERNEL: &str = "
@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var how: sampler;
@group(0) @binding(2) var to: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(3) var<storage, read_write> seen: array<vec4f>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.y * 8 + id.x;
    let at = vec2i(id.xy) - 2;
    let p = vec2f(at) / 3.0;
    seen[4 * i] = textureLoad(photo, at, 0);
    seen[4 * i + 1] = textureLoad(photo, at, i32(id.x + id.y) % 5 - 1);
    seen[4 * i + 2] = textureSampleLevel(photo, how, p, f32(id.x) / 3.0);
    seen[4 * i + 3] = textureGather(1, photo, how, p) + f32(textureDimensions(photo, id.x).x);
    textureStore(to, at, vec4f(vec2f(id.xy), vec2f(id.yx) * 3.0) / 10.0 - 0.1);
}";

fn answer() -> Vec<Vec<u8>> {
    let program = Program::wgsl(KERNEL).unwrap_or_else(|report| panic!("{report}"));
    let kernel = program.kernel("main", &Overrides::new()).unwrap_or_else(|report| panic!("{report}"));
    let shape = |name: &str| {
        let text = if name == "photo" { "rgba8unorm 4x3 levels 3" } else { "rgba8unorm 4x4" };
        Shape::parse(Dim::D2, text).unwrap()
    };
    let sampler: Sampler = "linear u=repeat v=mirror".parse().unwrap();
    let bound = kernel.viewing(|texture| Some(shape(&texture.name)), |_| Some(sampler));
    let (kernel, told) = bound.unwrap_or_else(|misfit| panic!("{misfit}"));
    let mut memory: Vec<Vec<u8>> = Vec::new();
    for row in &kernel.buffers {
        memory.push(match row.name.as_str() {
            SHAPES => told.clone(),
            "seen" => vec![0; 8 * 8 * 4 * 16],
            name => (0..shape(name).bytes()).map(|i| (i * 41 % 253 + 1) as u8).collect(),
        });
    }
    let rows = || kernel.buffers.iter().zip(&memory).zip(0..);
    let whole = |((_, memory), at): ((_, &Vec<u8>), u32)| Binding {
        buffer: BufferId(at),
        offset: 0,
        bytes: memory.len() as u64,
    };
    let bindings: Vec<Binding> = rows().map(whole).collect();
    let mut steps: Vec<Step> =
        bindings.iter().zip(0..).map(|(&to, at)| Step::Upload { host: HostId(at), at: 0, to }).collect();
    let dispatch = Step::Dispatch { kernel: KernelId(0), grid: [1; 3], bindings: bindings.clone() };
    steps.extend([Step::Barrier, dispatch, Step::Barrier]);
    steps.extend(bindings.iter().zip(0..).map(|(&from, at)| Step::Download {
        from,
        host: HostId(at),
        at: 0,
        length: None,
    }));
    let (bytes, name) = (|memory: &Vec<u8>| memory.len() as u64, |row: &crate::program::Buffer| row.name.clone());
    let schedule = Schedule {
        buffers: rows()
            .map(|((row, memory), _)| Buffer { name: name(row), bytes: bytes(memory), life: Life::Transient })
            .collect(),
        hosts: rows()
            .map(|((row, memory), _)| Slice { name: name(row), bytes: bytes(memory), writable: true })
            .collect(),
        kernels: vec![kernel.clone()],
        steps,
        budget_bytes: None,
    };
    let checked = Arc::new(check(schedule).unwrap_or_else(|error| panic!("{error}")));
    let loaded = Device::new(Config::default()).load(checked).unwrap();
    let hosts = memory.iter_mut().map(|bytes| Host::Write(bytes)).collect();
    loaded.run(Io { hosts, residents: Vec::new() }, &Control::default()).unwrap();
    memory
}

#[test]
fn whatever_is_wrong_with_a_texture_shows() {
    let right = answer();
    for wrong in [
        // A bound that is not looked at.
        ("(x < size.x) & (y < size.y)", "y < size.y"),
        ("(x < size.x) & (y < size.y)", "x < size.x"),
        ("on < shape.w", "on < 9u"),
        // Coordinates, levels and channels in the wrong place.
        ("y * size.x + x", "x * size.x + y"),
        ("u32(p.x)", "u32(p.y)"),
        ("shape.xy >> vec2<u32>(on)", "shape.xy"),
        ("[on % 4u]", "[0u]"),
        (">> 8u) & 255u", ">> 16u) & 255u"),
        ("value.y", "value.x"),
        // Numbers that are rounded or clamped otherwise.
        ("255.0 + 0.5", "255.0"),
        ("clamp(value.z, 0.0, 1.0)", "value.z"),
        ("floor(to - ", "trunc(to - "),
        // Filters and what is beyond the edge.
        ("(1.0 - part.x)", "part.x"),
        ("(1.0 - far)", "far"),
        ("rule == 1u", "rule == 2u"),
        ("both - 1 - two", "both - two"),
        ("(at % size) + size", "at % size"),
        ("i.y + 1, 0", "i.y, 0"),
    ] {
        let (got, met) = mutant::with(wrong, answer);
        assert!(met, "{wrong:?} stands nowhere");
        assert!(got != right, "{wrong:?} changes nothing");
    }
    assert_eq!(answer(), right);
}
