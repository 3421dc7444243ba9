//! What stands for the buffers of a wave's program.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use seawall::program::texture::{SHAPES, Texture};
use seawall::{Kernel, program};
use seawall_core::graph::{Bind as Bound, Key};
use seawall_core::layout::{Scalar, Type};

use super::fault::Fault;
use super::schema::{Bind, File, First, Wave};
use super::{data, queue};
use crate::error::Error;
use crate::typed::read;

/// The end of a part that goes to the end of its buffer, until the buffer's size is known.
const OPEN: u64 = u64::MAX;

pub(super) fn buffer_names(file: &File) -> impl Iterator<Item = &str> {
    file.buffers.keys().map(|name| name.get_ref().as_str())
}

/// There is no buffer of this name.
pub(super) fn unknown_buffer(file: &File, name: &str, span: Range<usize>, fault: &Fault) -> Error {
    let what = if file.values.is_empty() { "buffer" } else { "buffer or value" };
    fault.unknown(what, name, &buffer_names(file).collect::<Vec<_>>(), span)
}

/// The buffer of the job that stands for a buffer of the program: the one that `bind` names, or
/// the one of the same name.
pub(super) fn stands_for<'a>(wave: &'a Wave, row: &'a program::Buffer, known: &HashSet<&str>) -> Option<&'a str> {
    match wave.bind.iter().find(|(name, _)| *name.get_ref() == row.name).map(|(_, bind)| bind.get_ref()) {
        Some(Bind::Whole(name)) => Some(name),
        Some(Bind::Part(part)) => Some(&part.buffer),
        Some(Bind::Value(_) | Bind::First(_)) => None,
        None => known.contains(row.name.as_str()).then_some(row.name.as_str()),
    }
}

pub(super) fn first_rows<'a>(
    wave: &Wave,
    kernel: &Kernel,
    known: &HashSet<&'a str>,
    rows: &mut HashMap<&'a str, program::Buffer>,
) {
    for row in &kernel.buffers {
        if let Some(name) = stands_for(wave, row, known).and_then(|name| known.get(name)) {
            rows.entry(name).or_insert_with(|| row.clone());
        }
    }
}

/// What each buffer of the program is.
pub(super) fn binds(
    wave: &Wave,
    kernel: &Kernel,
    file: &File,
    buffers: &HashSet<&str>,
    fault: &Fault,
) -> Result<Vec<(Key, Bound)>, Error> {
    let rows: Vec<&str> = kernel.buffers.iter().map(|row| row.name.as_str()).filter(|name| *name != SHAPES).collect();
    let known = |name: &str, span: Range<usize>| {
        if buffers.contains(name) { Ok(()) } else { Err(unknown_buffer(file, name, span, fault)) }
    };
    let mut binds = queue::binds(wave, kernel, fault)?;
    for (name, bind) in &wave.bind {
        let Some(row) = kernel.buffers.iter().find(|row| row.name == *name.get_ref()) else {
            return Err(fault.unused(&kernel.name, name.get_ref(), &rows, name.span()));
        };
        let bound = match bind.get_ref() {
            Bind::Whole(buffer) => {
                known(buffer, bind.span())?;
                Bound::Data { data: buffer.into(), range: None }
            }
            Bind::Part(part) => {
                known(&part.buffer, bind.span())?;
                let end = part.bytes.map_or(OPEN, |bytes| part.offset.saturating_add(bytes));
                Bound::Data { data: (&part.buffer).into(), range: Some(part.offset..end) }
            }
            Bind::Value(value) => {
                let bytes = data::json(&value.value)
                    .and_then(|text| read::json(&row.name, &row.ty, &text).map_err(|error| error.to_string()));
                Bound::Value(bytes.map_err(|message| fault.wave(message, bind.span(), "this value", None))?)
            }
            Bind::First(of) => {
                known(&of.first, bind.span())?;
                first(file, of, row, bind.span(), fault)?
            }
        };
        binds.push((Key::from(&row.name), bound));
    }
    for row in &kernel.buffers {
        let key = Key::from(&row.name);
        if row.name == SHAPES || binds.iter().any(|(bound, _)| *bound == key) {
            continue;
        }
        let Some(name) = stands_for(wave, row, buffers) else {
            let ty = kernel.texture(&row.name).map_or_else(|| row.ty.to_string(), Texture::ty);
            let message = format!("wave `{}` says nothing of `{}: {ty}`", wave.name.get_ref(), row.name);
            let help = format!("bind it, as in bind.{} = \"BUFFER\", or call a buffer or value so", row.name);
            return Err(fault.wave(message, wave.name.span(), "this wave", Some(help)));
        };
        binds.push((key, Bound::Data { data: name.into(), range: None }));
    }
    Ok(binds)
}

/// The number of a rank's first row, which each rank has to say.
fn first(file: &File, of: &First, row: &program::Buffer, span: Range<usize>, fault: &Fault) -> Result<Bound, Error> {
    let says = file.buffers.iter().find(|(name, _)| *name.get_ref() == of.first).map(|(_, says)| says);
    if !says.is_some_and(|says| says.rows.is_some() || says.offsets.is_some()) {
        let message = format!("`{}` has no rows that are shared out", of.first);
        return Err(fault.wave(message, span, "the first of what?", None));
    }
    if !matches!(row.ty, Type::Scalar(Scalar::U32 | Scalar::I32)) {
        let message = format!("the number of a row cannot be `{}: {}`", row.name, row.ty);
        return Err(fault.wave(message, span, "this value", Some("make it a `u32`".to_owned())));
    }
    Ok(Bound::Value(vec![0; 4]))
}

/// Gives a part without an end the end of its buffer.
pub(super) fn to_the_end(bind: &mut Bound, sizes: &HashMap<&str, u64>) {
    if let Bound::Data { data: Key::Name(name), range: Some(range) } = bind
        && range.end == OPEN
        && let Some(&bytes) = sizes.get(name.as_str())
    {
        range.end = bytes;
    }
}
