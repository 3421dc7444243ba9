//! What each buffer holds at the start.

use seawall::Kernel;
use seawall::layout::{Scalar, Type};
use seawall::program::Buffer;

use crate::args::Run;
use crate::error::Error;
use crate::source::Source;
use crate::typed::Extent;
use crate::{memory, say};

/// The row of the kernel's buffer table that `option` names.
pub(super) fn row(kernel: &Kernel, option: &'static str, name: &str) -> Result<usize, Error> {
    kernel.buffers.iter().position(|buffer| buffer.name == name).ok_or_else(|| Error::UnknownBuffer {
        option,
        kernel: kernel.name.clone(),
        name: name.to_owned(),
        known: kernel.buffers.iter().map(|buffer| buffer.name.clone()).collect(),
    })
}

/// Memory for each row of the kernel's buffer table.
pub(super) fn load(args: &Run, kernel: &Kernel) -> Result<Vec<Vec<u8>>, Error> {
    let mut given: Vec<Option<Source>> = kernel.buffers.iter().map(|_| None).collect();
    for (i, assign) in args.ins.iter().enumerate() {
        if args.ins[..i].iter().any(|before| before.name == assign.name) {
            return Err(Error::Twice { option: "--in", name: assign.name.clone() });
        }
        let row = row(kernel, "--in", &assign.name)?;
        let source = Source::parse(&assign.value).map_err(|error| Error::In { name: assign.name.clone(), error })?;
        given[row] = Some(source);
    }
    // Everything missing is found before anything large is read or made.
    let missing =
        kernel.buffers.iter().zip(&given).find(|(buffer, source)| source.is_none() && !may_start_empty(buffer));
    if let Some((buffer, _)) = missing {
        return Err(unbound(kernel, buffer));
    }
    let fill = |(buffer, source): (&Buffer, &Option<Source>)| {
        let bytes = if let Some(source) = source {
            source.load(buffer)
        } else {
            say::note(&format!("`{}: {}` starts as zeros", buffer.name, buffer.ty));
            memory::zeroed(Some(buffer.min_bytes)).map_err(Into::into)
        };
        bytes.map_err(|error| Error::In { name: buffer.name.clone(), error })
    };
    kernel.buffers.iter().zip(&given).map(fill).collect()
}

/// An output of a known size needs no input.
fn may_start_empty(buffer: &Buffer) -> bool {
    (buffer.effects.writes || buffer.effects.updates) && buffer.ty.tail().is_none()
}

fn unbound(kernel: &Kernel, buffer: &Buffer) -> Error {
    let written = buffer.effects.writes || buffer.effects.updates;
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
