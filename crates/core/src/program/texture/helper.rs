//! What stands for an operation on a texture: a function of WGSL over two buffers.
//!
//! `texels` are the texture's own words. `shapes` tells the size of every texture of the program, how
//! many levels it has and where they start, and what its samplers do; see [`Shape`](crate::texture::Shape).

use std::fmt::Write as _;

use super::{Texture, sample, texel};
use crate::texture::{Dim, Format, Kind, SAMPLER_WORDS, SHAPE_WORDS};

/// A type of coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Whole {
    Signed,
    Unsigned,
}

impl Whole {
    const fn name(self) -> &'static str {
        match self {
            Self::Signed => "i32",
            Self::Unsigned => "u32",
        }
    }
}

/// Which level is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Lod {
    Zero,
    /// A number of the program's.
    Exact,
    /// By how fast coordinates change.
    Gradient,
}

/// An operation, as far as it decides what its function looks like. A sampler is the row that tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// The numbers of a texel that is there. All that depends on the format of a sampled texture.
    Texel,
    Load {
        at: Whole,
        layer: Option<Whole>,
        level: Option<Whole>,
    },
    Store {
        at: Whole,
        layer: Option<Whole>,
    },
    Size {
        level: Option<Whole>,
    },
    Levels,
    Layers,
    /// Where a coordinate beyond the edge is found, by a sampler's rule.
    Wrap,
    /// The texel at any coordinates.
    Fetch {
        sampler: u32,
    },
    /// One level, by a sampler's filter.
    Filtered {
        sampler: u32,
    },
    Sample {
        sampler: u32,
        layer: Option<Whole>,
        lod: Lod,
        offset: bool,
        clamped: bool,
    },
    Gather {
        sampler: u32,
        layer: Option<Whole>,
        offset: bool,
        component: u32,
    },
}

impl Op {
    /// What its function calls, by the names that the text has for them.
    pub(super) fn calls(self) -> Vec<(&'static str, Self)> {
        match self {
            Self::Texel | Self::Store { .. } | Self::Size { .. } | Self::Levels | Self::Layers | Self::Wrap => vec![],
            Self::Load { .. } => vec![("texel", Self::Texel)],
            Self::Fetch { .. } => vec![("wrap", Self::Wrap), ("texel", Self::Texel)],
            Self::Filtered { sampler } | Self::Gather { sampler, .. } => vec![("fetch", Self::Fetch { sampler })],
            Self::Sample { sampler, .. } => vec![("filtered", Self::Filtered { sampler })],
        }
    }

    /// What it is called in listings, after the texture's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Texel => "texel",
            Self::Load { .. } => "load",
            Self::Store { .. } => "store",
            Self::Size { .. } => "size",
            Self::Levels => "levels",
            Self::Layers => "layers",
            Self::Wrap => "wrap",
            Self::Fetch { .. } => "fetch",
            Self::Filtered { .. } => "filtered",
            Self::Sample { .. } => "sample",
            Self::Gather { .. } => "gather",
        }
    }
}

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
    fn load(&self, levels: bool) -> String {
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

    fn store(&self, format: Format) -> String {
        let (place, at) = self.place();
        let (shape, first, stored) = (self.shape(), self.first(), texel::store(format));
        format!("let size = shapes[{shape}].xyz;\n{place}if inside {{\nlet at = {first} + {at};\n{stored}}}\n")
    }

    fn size(&self, levels: bool) -> String {
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
