//! What the functions of a texture are made of, as WGSL over two buffers.
//!
//! `texels` are the texture's own words. `shapes` tells the size of every texture of the program, how
//! many levels it has and where they start, and what its samplers do; see [`Shape`](crate::texture::Shape).

use super::op::Op;
use super::{Texture, texel};
use crate::texture::{Dim, Format, Kind, SAMPLER_WORDS, SHAPE_WORDS};

/// Rows of four words that tell a shape, and a sampler.
pub(super) const SHAPE_ROWS: u32 = SHAPE_WORDS as u32 / 4;
pub(super) const SAMPLER_ROWS: u32 = SAMPLER_WORDS as u32 / 4;

/// Writes the functions of one texture.
pub(super) struct Helper<'a> {
    pub(super) texture: &'a Texture,
    /// Rows of the whole of `shapes`.
    pub(super) rows: u32,
}

impl Helper<'_> {
    pub(super) fn result(&self, op: Op) -> String {
        match op {
            Op::Texel
            | Op::Load { .. }
            | Op::Fetch { .. }
            | Op::Filtered { .. }
            | Op::Sample { .. }
            | Op::Gather { .. } => texel::vector(self.texture.kind),
            Op::Size { .. } => match self.texture.dim {
                Dim::D1 => "u32".to_owned(),
                Dim::D2 | Dim::D2Array => "vec2<u32>".to_owned(),
                Dim::D3 => "vec3<u32>".to_owned(),
            },
            Op::Levels | Op::Layers => "u32".to_owned(),
            Op::Wrap => "i32".to_owned(),
            Op::Store { .. } => unreachable!("invariant texture-text: a store has no result"),
        }
    }

    /// Coordinates that are filtered.
    pub(super) const fn axes(&self) -> usize {
        match self.texture.dim {
            Dim::D1 => 1,
            Dim::D2 | Dim::D2Array => 2,
            Dim::D3 => 3,
        }
    }

    pub(super) fn vector(&self, scalar: &str) -> String {
        match self.axes() {
            1 => scalar.to_owned(),
            axes => format!("vec{axes}<{scalar}>"),
        }
    }

    pub(super) fn shape(&self) -> u32 {
        self.texture.slot * SHAPE_ROWS
    }

    /// Where level number `on` starts.
    pub(super) fn start(&self) -> String {
        format!("shapes[{}u + on / 4u][on % 4u]", self.shape() + 1)
    }

    /// Where the first level starts, which is not at 0 where an image is a part of another.
    fn first(&self) -> String {
        format!("shapes[{}].x", self.shape() + 1)
    }

    /// `size` of level `on` of `shape`.
    pub(super) fn halved(&self) -> &'static str {
        match self.texture.dim {
            Dim::D3 => "let size = max(shape.xyz >> vec3<u32>(on), vec3<u32>(1u));\n",
            Dim::D1 | Dim::D2 | Dim::D2Array => {
                "let size = vec3<u32>(max(shape.xy >> vec2<u32>(on), vec2<u32>(1u)), shape.z);\n"
            }
        }
    }

    /// The coordinates of `p` as `x`, `y` and `z`, and whether they are `inside`; the number of that texel
    /// on its level.
    fn place(&self) -> (String, &'static str) {
        match self.texture.dim {
            Dim::D1 => ("let x = u32(p);\nlet inside = x < size.x;\n".to_owned(), "x"),
            Dim::D2 => {
                let inside = "let inside = (x < size.x) & (y < size.y);\n";
                (format!("let x = u32(p.x);\nlet y = u32(p.y);\n{inside}"), "y * size.x + x")
            }
            Dim::D2Array | Dim::D3 => {
                let z = if self.texture.dim == Dim::D3 { "p.z" } else { "layer" };
                let inside = "let inside = (x < size.x) & (y < size.y) & (z < size.z);\n";
                let all = format!("let x = u32(p.x);\nlet y = u32(p.y);\nlet z = u32({z});\n{inside}");
                (all, "(z * size.y + y) * size.x + x")
            }
        }
    }

    /// Outside of the texture, all is zero.
    pub(super) fn load(&self, levels: bool) -> String {
        let (place, at) = self.place();
        let (vector, shape) = (texel::vector(self.texture.kind), self.shape());
        let inner = |at: &str| format!("{place}if inside {{ value = texel({at}); }}\n");
        let found = if levels {
            let (halved, start) = (self.halved(), self.start());
            format!("let on = u32(level);\nif on < shape.w {{\n{halved}{}}}\n", inner(&format!("{start} + {at}")))
        } else {
            let first = self.first();
            format!("let size = shape.xyz;\n{}", inner(&format!("{first} + {at}")))
        };
        format!("var value = {vector}();\nlet shape = shapes[{shape}];\n{found}return value;\n")
    }

    pub(super) fn store(&self, format: Format) -> String {
        let (place, at) = self.place();
        let (shape, first, stored) = (self.shape(), self.first(), texel::store(format));
        format!("let size = shapes[{shape}].xyz;\n{place}if inside {{\nlet at = {first} + {at};\n{stored}}}\n")
    }

    pub(super) fn size(&self, levels: bool) -> String {
        let (shape, part) = (self.shape(), ["x", "xy", "xyz"][self.axes() - 1]);
        if !levels {
            return format!("return shapes[{shape}].{part};\n");
        }
        let (result, halved) = (self.result(Op::Size { level: None }), self.halved());
        format!(
            "let shape = shapes[{shape}];\nlet on = u32(level);\nvar found = {result}();\n\
             if on < shape.w {{\n{halved}found = size.{part};\n}}\nreturn found;\n"
        )
    }
}

/// A texel format's kind, as far as textures have it.
pub(super) fn kind(scalar: naga::ScalarKind) -> Option<Kind> {
    match scalar {
        naga::ScalarKind::Float => Some(Kind::Float),
        naga::ScalarKind::Uint => Some(Kind::Uint),
        naga::ScalarKind::Sint => Some(Kind::Sint),
        naga::ScalarKind::Bool | naga::ScalarKind::AbstractInt | naga::ScalarKind::AbstractFloat => None,
    }
}
