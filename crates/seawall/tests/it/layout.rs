//! Structs that say what they are made of are compared with WGSL's, member by member.

use bytemuck::{Pod, Zeroable};
use half::f16;
use seawall::{Form, Graph, Layout, Runtime};

use super::runtime;

/// A kernel that has this struct in a uniform or storage buffer and reads it.
fn bound<T: Pod>(runtime: &Runtime, declarations: &str, value: &T) -> Result<(), String> {
    let text = format!(
        "enable f16;
        {declarations}
        @group(0) @binding(0) var<storage> p: P;
        @group(0) @binding(1) var<storage, read_write> r: array<u32>;
        @compute @workgroup_size(1) fn main() {{ let q = p; r[0] = 1; }}"
    );
    let kernel = runtime.kernel(&text).unwrap_or_else(|error| panic!("{error}"));
    let mut r = [0u32];
    let call = runtime.call(&kernel).value("p", value).bind("r", &mut r).workgroups(1);
    call.run().map(|_| ()).map_err(|error| error.to_string())
}

fn refused<T: Pod>(runtime: &Runtime, declarations: &str, value: &T) -> String {
    let error = bound(runtime, declarations, value).unwrap_err();
    error.split_once("`: ").map_or(error.clone(), |(_, why)| why.to_owned())
}

#[derive(Clone, Copy, Pod, Zeroable, Layout)]
#[repr(C)]
struct Params {
    scale: f32,
    /// With a comment, and a name that Rust has for itself.
    pub r#type: u32,
    shift: [i32; 2],
}

const PARAMS: Params = Params { scale: 2.0, r#type: 3, shift: [0, 1] };

#[derive(Clone, Copy, Pod, Zeroable, Layout)]
#[repr(C)]
struct Plain {
    scale: f32,
    count: u32,
    shift: [i32; 2],
}

#[test]
fn members_must_have_the_same_names_places_and_types() {
    let runtime = runtime();
    bound(&runtime, "struct P { scale: f32, kind: u32, shift: vec2<i32> }", &PARAMS).unwrap_err();
    let plain = Plain { scale: 2.0, count: 3, shift: [0, 1] };
    bound(&runtime, "struct P { scale: f32, count: u32, shift: vec2<i32> }", &plain).unwrap();
    bound(&runtime, "struct P { scale: f32, count: u32, shift: array<i32, 2> }", &plain).unwrap();
    for (wgsl, why) in [
        (
            "count: u32, scale: f32, shift: vec2<i32>",
            "member `count`: the host has `u32` at byte 4, WGSL has `u32` at byte 0",
        ),
        (
            "scale: u32, count: f32, shift: vec2<i32>",
            "member `scale`: the host has `f32` at byte 0, WGSL has `u32` at byte 0",
        ),
        ("scale: f32, size: u32, shift: vec2<i32>", "member `size`: the host has none, WGSL has `u32` at byte 4"),
        ("scale: f32, @size(12) count: u32", "member `shift`: the host has `[i32; 2]` at byte 8, WGSL has none"),
        (
            "scale: f32, count: u32, shift: vec2<u32>",
            "member `shift`: the host has `[i32; 2]` at byte 8, WGSL has `vec2<u32>` at byte 8",
        ),
        (
            "scale: f32, count: u32, @align(16) shift: vec2<i32>",
            "member `shift`: the host has `[i32; 2]` at byte 8, WGSL has `vec2<i32>` at byte 16",
        ),
        (
            "scale: f32, count: u32, @size(24) shift: vec2<i32>",
            "the host has `Plain` of 16 bytes, WGSL has `P` of 32 bytes",
        ),
    ] {
        assert_eq!(refused(&runtime, &format!("struct P {{ {wgsl} }}"), &plain), why, "{wgsl}");
    }
}

#[derive(Clone, Copy, Pod, Zeroable, Layout)]
#[repr(C)]
struct Inner {
    at: [f32; 3],
    _pad: u32,
    turn: [[f32; 4]; 3],
}

#[derive(Clone, Copy, Pod, Zeroable, Layout)]
#[repr(C)]
struct Outer {
    wide: u64,
    half: f16,
    halves: [f16; 3],
    inner: [Inner; 2],
    flat: [[f32; 2]; 4],
    list: [u32; 4],
}

#[test]
fn arrays_matrices_and_structs_in_structs() {
    let runtime = runtime();
    let inner = "struct I { at: vec3<f32>, turn: mat3x3<f32> }";
    let members =
        "wide: u64, half: f16, @align(2) halves: array<f16, 3>, inner: array<I, 2>, flat: mat4x2<f32>, list: vec4<u32>";
    let value = Outer::zeroed();
    bound(&runtime, &format!("{inner} struct P {{ {members} }}"), &value).unwrap();
    for (from, to, why) in [
        ("wide: u64", "wide: i64", "member `wide`: the host has `u64` at byte 0, WGSL has `i64` at byte 0"),
        // A column of three is padded to four.
        ("turn: mat3x3<f32>", "turn: mat3x4<f32>", ""),
        ("turn: mat3x3<f32>", "turn: array<vec3<f32>, 3>", ""),
        (
            "turn: mat3x3<f32>",
            "turn: array<vec3<i32>, 3>",
            "member `inner[0].turn[0]`: the host has `[f32; 4]` at byte 32, WGSL has `vec3<i32>` at byte 32",
        ),
        (
            "at: vec3<f32>",
            "at: vec4<f32>",
            "member `inner[0].at`: the host has `[f32; 3]` at byte 16, WGSL has `vec4<f32>` at byte 16",
        ),
        (
            "flat: mat4x2<f32>",
            "flat: mat2x4<f32>",
            "member `flat`: the host has `[[f32; 2]; 4]` at byte 144, WGSL has `mat2x4<f32>` at byte 144",
        ),
        ("list: vec4<u32>", "list: array<u32, 4>", ""),
        (
            "list: vec4<u32>",
            "@size(16) list: array<u32, 3>",
            "member `list`: the host has `[u32; 4]` at byte 176, WGSL has `array<u32, 3>` at byte 176",
        ),
    ] {
        let wgsl = format!("{inner} struct P {{ {members} }}").replace(from, to);
        if why.is_empty() {
            bound(&runtime, &wgsl, &value).unwrap();
        } else {
            assert_eq!(refused(&runtime, &wgsl, &value), why, "{to}");
        }
    }
}

#[derive(Clone, Copy, Pod, Zeroable, Layout)]
#[repr(C)]
struct Item {
    key: u32,
    value: f32,
}

#[test]
fn slices_resident_buffers_and_graphs_are_compared_too() {
    let runtime = runtime();
    let kernel = |members: &str, buffer: &str| {
        let text = format!(
            "struct Item {{ {members} }} struct Items {{ all: array<Item> }}
            @group(0) @binding(0) var<storage, read_write> items: {buffer};
            @compute @workgroup_size(1) fn main() {{ let n = arrayLength(&items); }}"
        );
        runtime.kernel(&text.replace("&items)", if buffer == "Items" { "&items.all)" } else { "&items)" })).unwrap()
    };
    let (good, bad) = ("key: u32, value: f32", "value: f32, key: u32");
    let why = "`items: array<Item>` cannot be bound to elements of `it::layout::Item`: \
               member `value`: the host has `f32` at byte 4, WGSL has `f32` at byte 0";
    let mut items = [Item { key: 1, value: 2.0 }; 3];
    let resident = runtime.buffer_from(&items).unwrap();
    for buffer in ["array<Item>", "Items"] {
        let why = why.replace("array<Item>", buffer);
        let (good, bad) = (kernel(good, buffer), kernel(bad, buffer));
        runtime.call(&good).bind("items", &mut items).workgroups(1).run().unwrap();
        runtime.call(&good).bind("items", &resident).workgroups(1).run().unwrap();
        let error = runtime.call(&bad).bind("items", &mut items).workgroups(1).run().unwrap_err();
        assert_eq!(error.to_string(), why);
        let error = runtime.call(&bad).bind("items", &resident).workgroups(1).run().unwrap_err();
        assert_eq!(error.to_string(), why);
        let mut graph = Graph::new();
        graph.in_out::<Item>("items", 3);
        graph.wave("wave", &bad).bind("items", "items").workgroups(1);
        assert_eq!(graph.plan().unwrap_err().to_string(), format!("wave `wave`: {why}"));
    }
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Swapped {
    value: f32,
    key: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Light {
    at: [f32; 3],
    colour: [f32; 3],
}

#[test]
fn types_that_say_nothing_are_compared_by_size_and_told_how_to_pad() {
    let light = Light { at: [0.0; 3], colour: [0.0; 3] };
    assert_eq!(
        refused(&runtime(), "struct P { at: vec3<f32>, colour: vec3<f32> }", &light),
        "its elements are 32 bytes apart, the host's are 24; a `vec3<f32>` starts at a multiple of 16 bytes: \
         pad it to `[f32; 4]`, or let a member of 4 bytes follow its 12"
    );
    let swapped = Swapped { value: 1.0, key: 1 };
    bound(&runtime(), "struct P { key: u32, value: f32 }", &swapped).unwrap();
    assert_eq!(
        refused(&runtime(), "struct P { key: u32, @size(12) value: f32 }", &swapped),
        "its elements are 16 bytes apart, the host's are 8; pad the host's by 8 bytes"
    );
}

#[test]
fn forms_can_be_looked_at() {
    let Form::Struct { name, fields, bytes } = Params::FORM else { panic!("a struct") };
    assert_eq!((name, bytes), ("Params", 16));
    let fields: Vec<_> = fields.iter().map(|field| (field.name, field.offset, field.form.to_string())).collect();
    assert_eq!(
        fields,
        [("scale", 0, "f32".to_owned()), ("type", 4, "u32".to_owned()), ("shift", 8, "[i32; 2]".to_owned())]
    );
}
