//! Sampling, as WGSL: which texels a coordinate between them takes part of, and how much of each.

use std::fmt::Write as _;

use super::helper::Helper;
use super::op::Lod;
use super::texel;
use crate::texture::Dim;

/// By the numbers of [`Address`](crate::texture::Address).
pub(super) const WRAP: &str = "let edge = clamp(at, 0, size - 1);
let turn = ((at % size) + size) % size;
let both = size * 2;
let two = ((at % both) + both) % both;
let mirror = select(two, both - 1 - two, two >= size);
return select(select(mirror, turn, rule == 1u), edge, rule == 0u);
";

impl Helper<'_> {
    pub(super) fn fetch(&self, sampler: u32) -> String {
        let (shape, rules, halved, start) = (self.shape(), sampler, self.halved(), self.start());
        let z = match self.texture.dim {
            Dim::D3 => "u32(wrap(z, i32(size.z), rule.z))",
            Dim::D1 | Dim::D2 | Dim::D2Array => "layer",
        };
        format!(
            "let shape = shapes[{shape}];\nlet on = level;\n{halved}let rule = shapes[{rules}];\n\
             let to_x = u32(wrap(x, i32(size.x), rule.x));\nlet to_y = u32(wrap(y, i32(size.y), rule.y));\n\
             let to_z = {z};\nreturn texel({start} + (to_z * size.y + to_y) * size.x + to_x);\n"
        )
    }

    /// `fetch` of the texel that is `step` from the one with the least coordinates.
    fn fetched(&self, name: &str, step: [u32; 3]) -> String {
        let part = |axis: usize, part: &str| match (self.axes(), axis) {
            (1, 0) => format!("{name} + {}", step[0]),
            (axes, axis) if axis < axes => format!("{name}.{part} + {}", step[axis]),
            _ => "0".to_owned(),
        };
        format!("fetch({}, {}, {}, layer, level)", part(0, "x"), part(1, "y"), part(2, "z"))
    }

    /// Which texel `p` is at, in texels from the start of a level. What is far away is near enough.
    fn scaled(&self) -> String {
        let (shape, halved, vector) = (self.shape(), self.halved(), self.vector("f32"));
        let part = ["x", "xy", "xyz"][self.axes() - 1];
        format!(
            "let shape = shapes[{shape}];\nlet on = level;\n{halved}\
             let to = clamp(p * {vector}(size.{part}), {vector}(-1e9), {vector}(1e9));\n"
        )
    }

    pub(super) fn filtered(&self) -> String {
        let (scaled, whole, vector) = (self.scaled(), self.vector("i32"), texel::vector(self.texture.kind));
        let half = format!("{}(0.5)", self.vector("f32"));
        let mut linear = format!(
            "let least = floor(to - {half});\nlet part = (to - {half}) - least;\nlet i = {whole}(least) + offset;\n"
        );
        let axes = self.axes();
        let mut names = Vec::new();
        for corner in 0..1_u32 << axes {
            let step = [corner & 1, corner >> 1 & 1, corner >> 2 & 1];
            let _ = writeln!(linear, "let c{corner} = {};", self.fetched("i", step));
            names.push(format!("c{corner}"));
        }
        for part in ["x", "y", "z"].into_iter().take(axes) {
            let by = if axes == 1 { "part".to_owned() } else { format!("part.{part}") };
            let mut next = Vec::new();
            for pair in names.chunks(2) {
                let name = format!("{}_{part}", pair[0]);
                let _ = writeln!(linear, "let {name} = {} * (1.0 - {by}) + {} * {by};", pair[0], pair[1]);
                next.push(name);
            }
            names = next;
        }
        let nearest = self.fetched("i", [0; 3]);
        format!(
            "{scaled}var value = {vector}();\nif linear == 0u {{\nlet i = {whole}(floor(to)) + offset;\n\
             value = {nearest};\n}} else {{\n{linear}value = {};\n}}\nreturn value;\n",
            names[0]
        )
    }

    /// The nearest layer to the one that is asked for.
    fn layer(&self, given: bool) -> String {
        if given {
            return format!("let to_layer = u32(clamp(i32(layer), 0, i32(shapes[{}].z) - 1));\n", self.shape());
        }
        "let to_layer = 0u;\n".to_owned()
    }

    pub(super) fn sample(&self, sampler: u32, layer: bool, lod: Lod, (offset, clamped): (bool, bool)) -> String {
        let (rule, shape, vector) = (sampler, self.shape(), self.vector("f32"));
        let part = ["x", "xy", "xyz"][self.axes() - 1];
        let size = format!("{vector}(shapes[{shape}].{part})");
        let level = match lod {
            Lod::Zero => "0.0".to_owned(),
            Lod::Exact => "level".to_owned(),
            Lod::Gradient => {
                let square = |name: &str| match self.axes() {
                    1 => format!("({name} * {size}) * ({name} * {size})"),
                    _ => format!("dot({name} * {size}, {name} * {size})"),
                };
                format!("0.5 * log2(max({}, {}))", square("dx"), square("dy"))
            }
        };
        let offset = if offset { "offset".to_owned() } else { format!("{}()", self.vector("i32")) };
        let layer = self.layer(layer);
        let point = if clamped {
            format!("let half = 0.5 / {size};\nlet q = clamp(p, half, 1.0 - half);\n")
        } else {
            "let q = p;\n".to_owned()
        };
        format!(
            "{layer}{point}let first = shapes[{rule}];\nlet second = shapes[{}];\n\
             let lod = clamp({level}, bitcast<f32>(second.z), bitcast<f32>(second.w));\n\
             let linear = select(second.x, first.w, lod <= 0.0);\nlet last = f32(shapes[{shape}].w - 1u);\n\
             let near = clamp(lod, 0.0, last);\nlet on = select(floor(near), floor(near + 0.5), second.y == 0u);\n\
             let far = near - on;\nvar value = filtered(q, to_layer, u32(on), linear, {offset});\n\
             if (second.y != 0u) & (far > 0.0) {{\n\
             let coarse = filtered(q, to_layer, u32(on) + 1u, linear, {offset});\n\
             value = value * (1.0 - far) + coarse * far;\n}}\nreturn value;\n",
            rule + 1
        )
    }

    /// One component of the four texels that a linear filter would take, from the lower left one on, against
    /// the clock.
    pub(super) fn gather(&self, layer: bool, offset: bool, component: u32) -> String {
        let offset = if offset { "offset" } else { "vec2<i32>()" };
        let (layer, scaled) = (self.layer(layer), self.scaled());
        let component = ["x", "y", "z", "w"][component as usize];
        let corners = [[0, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]];
        let all = corners.map(|step| format!("{}.{component}", self.fetched("i", step)).replace("layer", "to_layer"));
        format!(
            "{layer}let level = 0u;\n{scaled}let i = vec2<i32>(floor(to - vec2<f32>(0.5))) + {offset};\n\
             return {}({});\n",
            texel::vector(self.texture.kind),
            all.join(", ")
        )
    }
}
