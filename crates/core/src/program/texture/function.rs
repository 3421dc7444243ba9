//! What stands for an operation on a texture: a function of WGSL.

use std::fmt::Write as _;

use super::helper::Helper;
use super::op::{Lod, Op, Whole};
use super::{sample, texel};

impl Helper<'_> {
    /// A module with the function that stands for an operation, called [`Op::name`], and declarations of
    /// what it calls.
    pub(super) fn text(&self, op: Op) -> String {
        let mut text = format!(
            "@group(0) @binding(0) var<uniform> shapes: array<vec4<u32>, {}>;\n\
             @group(0) @binding(1) var<storage, read_write> texels: array<u32>;\n",
            self.rows
        );
        for (_, callee) in op.calls() {
            let (head, result) = (self.head(callee), self.result(callee));
            let _ = writeln!(text, "{head} {{ return {result}(); }}");
        }
        text + &format!("{} {{\n{}}}\n", self.head(op), self.body(op))
    }

    fn head(&self, op: Op) -> String {
        let layer = |layer: Option<Whole>| layer.map(|layer| format!("layer: {}", layer.name()));
        let level = |level: Option<Whole>| level.map(|level| format!("level: {}", level.name()));
        let given = |name: &str, ty: String| Some(format!("{name}: {ty}"));
        let offset = |is: bool| is.then(|| format!("offset: {}", self.vector("i32")));
        let point = || given("p", self.vector("f32"));
        let parameters = match op {
            Op::Texel => vec![given("at", "u32".to_owned())],
            Op::Load { at, layer: of, level: on } => vec![given("p", self.vector(at.name())), layer(of), level(on)],
            Op::Store { at, layer: of } => {
                let value = given("value", texel::vector(self.texture.kind));
                vec![given("p", self.vector(at.name())), layer(of), value]
            }
            Op::Size { level: on } => vec![level(on)],
            Op::Levels | Op::Layers => vec![],
            Op::Wrap => vec![Some("at: i32, size: i32, rule: u32".to_owned())],
            Op::Fetch { .. } => vec![Some("x: i32, y: i32, z: i32, layer: u32, level: u32".to_owned())],
            Op::Filtered { .. } => vec![point(), Some("layer: u32, level: u32, linear: u32".to_owned()), offset(true)],
            Op::Sample { layer: of, lod, offset: is, .. } => {
                let lod = match lod {
                    Lod::Zero => None,
                    Lod::Exact => given("level", "f32".to_owned()),
                    Lod::Gradient => Some(format!("dx: {0}, dy: {0}", self.vector("f32"))),
                };
                vec![point(), layer(of), lod, offset(is)]
            }
            Op::Gather { layer: of, offset: is, .. } => vec![point(), layer(of), offset(is)],
        };
        let parameters: Vec<String> = parameters.into_iter().flatten().collect();
        let head = format!("fn {}({})", op.name(), parameters.join(", "));
        if matches!(op, Op::Store { .. }) { head } else { format!("{head} -> {}", self.result(op)) }
    }

    fn body(&self, op: Op) -> String {
        match op {
            Op::Texel => texel::load(self.texture.format),
            Op::Load { level, .. } => self.load(level.is_some()),
            Op::Store { .. } => self.store(self.texture.format),
            Op::Size { level } => self.size(level.is_some()),
            Op::Levels => format!("return shapes[{}].w;\n", self.shape()),
            Op::Layers => format!("return shapes[{}].z;\n", self.shape()),
            Op::Wrap => sample::WRAP.to_owned(),
            Op::Fetch { sampler } => self.fetch(sampler),
            Op::Filtered { .. } => self.filtered(),
            Op::Sample { sampler, layer, lod, offset, clamped } => {
                self.sample(sampler, layer.is_some(), lod, (offset, clamped))
            }
            Op::Gather { layer, offset, component, .. } => self.gather(layer.is_some(), offset, component),
        }
    }
}
