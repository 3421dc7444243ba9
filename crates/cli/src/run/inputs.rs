//! What each buffer holds at the start.

use seawall::Kernel;
use seawall::layout::{Scalar, Type};
use seawall::program::Buffer;
use seawall::program::texture::SHAPES;
use seawall::texture::{Dim, Sampler, Shape};

use crate::args::Run;
use crate::error::Error;
use crate::image::{self, Texels};
use crate::source::{self, Source};
use crate::typed::Extent;
use crate::{memory, say};

/// What a kernel is given, by the rows of its buffer table.
pub(super) struct Inputs {
    pub(super) memory: Vec<Vec<u8>>,
    /// Of the rows that are textures.
    pub(super) shapes: Vec<Option<Shape>>,
    pub(super) samplers: Vec<(String, Sampler)>,
}

/// The row of the kernel's buffer table that `option` names.
pub(super) fn row(kernel: &Kernel, option: &'static str, name: &str) -> Result<usize, Error> {
    kernel.buffers.iter().position(|buffer| buffer.name == name).ok_or_else(|| Error::UnknownBuffer {
        option,
        kernel: kernel.name.clone(),
        name: name.to_owned(),
        known: {
            let buffers = kernel.buffers.iter().map(|buffer| &buffer.name).filter(|name| *name != SHAPES);
            buffers.chain(kernel.samplers.iter().map(|sampler| &sampler.name)).cloned().collect()
        },
    })
}

/// Memory for each row of the kernel's buffer table.
pub(super) fn load(args: &Run, kernel: &Kernel) -> Result<Inputs, Error> {
    let mut samplers: Vec<(String, Sampler)> = Vec::new();
    let mut given: Vec<Option<Source>> = kernel.buffers.iter().map(|_| None).collect();
    for (i, assign) in args.ins.iter().enumerate() {
        if args.ins[..i].iter().any(|before| before.name == assign.name) {
            return Err(Error::Twice { option: "--in", name: assign.name.clone() });
        }
        let named = |error| Error::In { name: assign.name.clone(), error: Box::new(error) };
        if kernel.sampler(&assign.name).is_some() {
            let text = assign.value.to_string_lossy();
            let sampler = text.parse().map_err(|error| named(source::Error::Sampler(error)))?;
            samplers.push((assign.name.clone(), sampler));
            continue;
        }
        let row = row(kernel, "--in", &assign.name)?;
        let source = Source::parse(&assign.value)
            .map_err(|error| Error::In { name: assign.name.clone(), error: Box::new(error) })?;
        given[row] = Some(source);
    }
    // Everything missing is found before anything large is read or made.
    let any_image = kernel.buffers.iter().zip(&given).any(|(row, given)| given.is_some() && is_texture(kernel, row));
    let lacks = |(buffer, source): &(&Buffer, &Option<Source>)| {
        source.is_none()
            && !may_start_empty(buffer)
            && buffer.name != SHAPES
            && !(any_image && is_texture(kernel, buffer))
    };
    if let Some((buffer, _)) = kernel.buffers.iter().zip(&given).find(lacks) {
        return Err(unbound(kernel, buffer));
    }
    for sampler in
        kernel.samplers.iter().filter(|slot| !samplers.iter().any(|(name, _)| *name == slot.name)).collect::<Vec<_>>()
    {
        say::note(&format!("`{}: sampler` is linear and clamps to the edge", sampler.name));
        samplers.push((sampler.name.clone(), Sampler::linear()));
    }
    let shapes_and_texels = images(kernel, &given)?;
    let (shapes, texels): (Vec<Option<Shape>>, Vec<Option<Vec<u8>>>) =
        shapes_and_texels.into_iter().map(Option::unzip).unzip();
    let fill = |((buffer, source), texels): ((&Buffer, &Option<Source>), Option<Vec<u8>>)| {
        if let Some(texels) = texels {
            return Ok(texels);
        }
        if buffer.name == SHAPES {
            return Ok(Vec::new());
        }
        let bytes = if let Some(source) = source {
            source.load(buffer)
        } else {
            say::note(&format!("`{}: {}` starts as zeros", buffer.name, buffer.ty));
            memory::zeroed(Some(buffer.min_bytes)).map_err(Into::into)
        };
        bytes.map_err(|error| Error::In { name: buffer.name.clone(), error: Box::new(error) })
    };
    let memory = kernel.buffers.iter().zip(&given).zip(texels).map(fill).collect::<Result<_, _>>()?;
    Ok(Inputs { memory, shapes, samplers })
}

fn is_texture(kernel: &Kernel, row: &Buffer) -> bool {
    kernel.texture(&row.name).is_some()
}

/// The images of the rows that are textures. One that is not given is as large as the first of its kind that is.
fn images(kernel: &Kernel, given: &[Option<Source>]) -> Result<Vec<Option<Texels>>, Error> {
    let mut images: Vec<Option<Texels>> = Vec::new();
    for (row, source) in kernel.buffers.iter().zip(given) {
        images.push(match (kernel.texture(&row.name), source) {
            (Some(texture), Some(source)) => Some(
                source.image(texture).map_err(|error| Error::In { name: row.name.clone(), error: Box::new(error) })?,
            ),
            (Some(_), None) | (None, _) => None,
        });
    }
    for at in 0..images.len() {
        let row = &kernel.buffers[at];
        let Some(texture) = kernel.texture(&row.name).filter(|_| images[at].is_none()) else { continue };
        let known = images.iter().zip(&kernel.buffers);
        let like = known.filter_map(|(image, row)| Some((image.as_ref()?.0, &row.name)));
        let Some((shape, name)) = like.into_iter().find(|(shape, _)| shape.dim() == texture.dim) else {
            return Err(unbound(kernel, row));
        };
        let wrong = |error: image::Error| Error::In { name: row.name.clone(), error: Box::new(error.into()) };
        let shape = Shape::new(texture.dim, texture.format, shape.size()).map_err(|error| wrong(error.into()))?;
        say::note(&format!("`{}: {}` is as large as `{name}`, {shape}", row.name, texture.ty()));
        images[at] = Some(image::zeros(shape).map_err(wrong)?);
    }
    Ok(images)
}

/// An output of a known size needs no input.
fn may_start_empty(buffer: &Buffer) -> bool {
    (buffer.effects.writes || buffer.effects.updates) && buffer.ty.tail().is_none()
}

fn unbound(kernel: &Kernel, buffer: &Buffer) -> Error {
    let written = buffer.effects.writes || buffer.effects.updates;
    if let Some(texture) = kernel.texture(&buffer.name) {
        let example = match texture.dim {
            Dim::D2 if !written => "photo.png",
            Dim::D1 => "zeros:640",
            Dim::D2 => "zeros:640x480",
            Dim::D2Array | Dim::D3 => "zeros:64x64x64",
        };
        let (name, ty, example) = (buffer.name.clone(), texture.ty(), example.to_owned());
        return Error::Unbound { kernel: kernel.name.clone(), name, ty, written, example };
    }
    let example = match Extent::of(&buffer.ty) {
        Extent { fixed: None, .. } if written => "zeros:1000".to_owned(),
        Extent { fixed: None, head: 0, element: Type::Scalar(_), .. } => "iota:1000".to_owned(),
        Extent { fixed: Some(2..), .. } => "random".to_owned(),
        Extent { fixed: None, head: 0, .. } => "random:1000".to_owned(),
        Extent { .. } => example(&buffer.ty),
    };
    Error::Unbound {
        kernel: kernel.name.clone(),
        name: buffer.name.clone(),
        ty: buffer.ty.to_string(),
        written,
        example,
    }
}

/// A small JSON value of this type.
fn example(ty: &Type) -> String {
    let list = |len: u32, item: String| format!("[{}]", vec![item; len.min(4) as usize].join(","));
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) => match scalar {
            Scalar::F16 | Scalar::F32 | Scalar::F64 => "1.0".to_owned(),
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => "1".to_owned(),
        },
        Type::Vector { len, scalar } => list(*len, example(&Type::Scalar(*scalar))),
        Type::Matrix { columns, rows, scalar, .. } => {
            list(*columns, example(&Type::Vector { len: *rows, scalar: *scalar }))
        }
        Type::Array { element, len, .. } => list(len.unwrap_or(3), example(element)),
        Type::Struct { members, .. } => {
            let members: Vec<String> =
                members.iter().map(|member| format!("\"{}\":{}", member.name, example(&member.ty))).collect();
            format!("{{{}}}", members.join(","))
        }
    }
}
