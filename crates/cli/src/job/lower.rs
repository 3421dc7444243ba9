//! From what the file says to a graph.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use seawall::program::texture::{SHAPES, Texture};
use seawall::{Kernel, Overrides, Program, program};
use seawall_core::graph::{self, Bind as Bound, Graph, Grid, Key, Role};
use seawall_core::layout::{Scalar, Type};
use toml::Spanned;

use super::block;
use super::data::{self, Entry};
use super::fault::Fault;
use super::image;
use super::queue;
use super::schema::{self, Bind, Dims, File, First, Indirect, Wave};
use super::{Buffer, Job};
use crate::args::Decide;
use crate::error::Error;
use crate::load;
use crate::typed::read;

/// Workgroups in a dimension that every device takes.
const INDIRECT_MAX: [u32; 3] = [65_535; 3];

/// The end of a part that goes to the end of its buffer, until the buffer's size is known.
const OPEN: u64 = u64::MAX;

/// What a kernel is made of: its program, its entry point as it is said, and the bits of its overrides.
type Parts<'a> = (&'a str, &'a str, Vec<(String, u64)>);

/// Looks everything up.
pub(super) fn lower(file: &File, directory: &Path, sets: &[Decide], fault: &Fault) -> Result<Job, Error> {
    queue::names_differ(file, fault)?;
    let kernels = kernels(file, directory, &load::overrides(sets)?, fault)?;
    let known: HashSet<&str> = buffer_names(file).collect();
    let mut rows = HashMap::new();
    let mut waves = Vec::new();
    for (wave, kernel) in file.waves.iter().zip(&kernels) {
        first_rows(wave, kernel, &known, &mut rows);
        waves.push((binds(wave, kernel, file, &known, fault)?, grid(wave, fault)?));
    }
    for items in file.waves.iter().filter_map(|wave| wave.items.as_ref()) {
        queue::find(file, items, fault)?;
    }
    names(file, &known, fault)?;
    block::rows(file, &known, &mut rows);
    let entries = data::entries(file, &rows, &image::textures(file, &kernels, &known), fault)?;
    let mut images = image::load(&entries, directory, fault)?;
    let load = |entry: &Entry<'_>| entry.load(directory, images.remove(entry.name.get_ref()), fault);
    let buffers = entries.iter().map(load).collect::<Result<Vec<_>, _>>()?;
    let shapes = buffers.iter().filter_map(|buffer| Some((buffer.name.as_str(), buffer.shape?))).collect();
    let waves = file.waves.iter().zip(&kernels).zip(waves);
    let waves = waves.map(|((wave, kernel), described)| image::viewing(wave, kernel, described, &shapes, fault));
    let waves = waves.collect::<Result<Vec<_>, _>>()?;
    let sizes = buffers.iter().map(|buffer| (buffer.name.as_str(), buffer.memory.len() as u64)).collect();
    let mut graph = Graph::default();
    for (entry, buffer) in entries.iter().zip(&buffers) {
        declare(&mut graph, entry, buffer);
    }
    let items = queue::add(file, &kernels, directory, &mut graph, fault)?;
    let mut described = file.waves.iter().zip(waves);
    block::add(file, &mut graph, fault, |graph| {
        let Some((wave, (kernel, mut binds, size))) = described.next() else { return };
        for (_, bind) in &mut binds {
            to_the_end(bind, &sizes);
        }
        let queues = graph.queues.clone();
        let node = graph.wave(wave.name.get_ref(), &kernel);
        node.binds = binds;
        match size {
            Size::Grid(grid) => node.grid = Some(grid),
            Size::Items(queue) => {
                if let Some(known) = queues.iter().find(|known| known.name == *queue.get_ref()) {
                    node.items(known);
                }
            }
        }
        node.after = wave.after.iter().map(|after| after.get_ref().clone()).collect();
    })?;
    if let Err(error) = graph::resolve(&graph) {
        let (at, help) = (place(file, &error), cure(file, &error));
        let refuse = match error {
            graph::Error::BlockTwice { .. }
            | graph::Error::NoWaves { .. }
            | graph::Error::Unnested { .. }
            | graph::Error::TooDeep { .. }
            | graph::Error::Undecided { .. }
            | graph::Error::Word { .. }
            | graph::Error::Swap { .. } => Fault::block,
            graph::Error::Queue { .. } => Fault::buffer,
            _ => Fault::wave,
        };
        return Err(refuse(fault, error.to_string(), at, "here", help));
    }
    let budget_bytes = file.budget.as_ref().map(|budget| budget.get_ref().0);
    Ok(Job { graph, budget_bytes, buffers, items })
}

/// Values are inputs that the file holds.
pub(super) fn values(file: &mut File, fault: &Fault) -> Result<(), Error> {
    for (name, value) in &file.values {
        if file.buffers.insert(name.clone(), schema::Buffer::value(value)).is_some() {
            let message = format!("`{}` is both a buffer and a value", name.get_ref());
            return Err(fault.buffer(message, name.span(), "the value", Some("call one of them otherwise".to_owned())));
        }
    }
    Ok(())
}

/// What to do about a graph's mistake, in the words of the file.
fn cure(file: &File, error: &graph::Error) -> Option<String> {
    let find = |data: &String| file.buffers.iter().find(|(name, _)| name.get_ref() == data);
    let input = |data: &&String| find(data).is_some_and(|(_, says)| data::role(says) == Role::Input);
    let data = match error {
        graph::Error::ChangesInput { data, .. } => data,
        graph::Error::Swap { first, second, why, .. } if why.starts_with("an input") => {
            [first, second].into_iter().find(input)?
        }
        _ => return None,
    };
    let (_, says) = find(data)?;
    Some(if says.is_value {
        format!("a value is only read: make `{data}` a buffer with this source, and with output = true")
    } else {
        format!(
            "`{data}` has a source and no output, so it is only read: give it output = true, or a file, to let waves change it"
        )
    })
}

pub(super) fn buffer_names(file: &File) -> impl Iterator<Item = &str> {
    file.buffers.keys().map(|name| name.get_ref().as_str())
}

/// There is no buffer of this name.
pub(super) fn unknown_buffer(file: &File, name: &str, span: Range<usize>, fault: &Fault) -> Error {
    let what = if file.values.is_empty() { "buffer" } else { "buffer or value" };
    fault.unknown(what, name, &buffer_names(file).collect::<Vec<_>>(), span)
}

/// Whether waves and buffers that are named outside of `bind` are there.
pub(super) fn names(file: &File, buffers: &HashSet<&str>, fault: &Fault) -> Result<(), Error> {
    let waves = || file.waves.iter().map(|wave| wave.name.get_ref().as_str());
    let known: HashSet<&str> = waves().collect();
    let buffer = |name: &str, span: Range<usize>| {
        if buffers.contains(name) { Ok(()) } else { Err(unknown_buffer(file, name, span, fault)) }
    };
    for wave in &file.waves {
        for after in &wave.after {
            if !known.contains(after.get_ref().as_str()) {
                return Err(fault.unknown("wave", after.get_ref(), &waves().collect::<Vec<_>>(), after.span()));
            }
        }
        if let Some(indirect) = &wave.indirect {
            buffer(indirect.get_ref().buffer(), indirect.span())?;
        }
    }
    let mut counts = file.buffers.values().filter_map(|buffer| buffer.count.as_ref());
    counts.try_for_each(|count| buffer(count.get_ref(), count.span()))?;
    block::buffers(file).try_for_each(|(name, span)| buffer(name, span))
}

fn declare(graph: &mut Graph, entry: &Entry<'_>, buffer: &Buffer) {
    let data = graph.data(data::role(entry.says), entry.name.get_ref(), buffer.memory.len() as u64);
    if let Some(count) = &entry.says.count {
        data.counted(count.get_ref(), 0, entry.row.ty.element().1);
    }
}

/// The kernel of each wave; a program that several waves use is read once, and so is a kernel made.
pub(super) fn kernels(
    file: &File,
    directory: &Path,
    said: &Overrides,
    fault: &Fault,
) -> Result<Vec<Arc<Kernel>>, Error> {
    let mut programs: HashMap<&str, Program> = HashMap::new();
    let mut made: HashMap<Parts<'_>, Arc<Kernel>> = HashMap::new();
    let mut kernels = Vec::new();
    for wave in &file.waves {
        let Some(from) = &wave.program else {
            if wave.exchange.is_none() {
                return Err(fault.syntax("missing field `program`", Some(wave.name.span())));
            }
            kernels.push(nothing()?);
            continue;
        };
        let path = from.get_ref().as_str();
        if !programs.contains_key(path) {
            programs.insert(path, queue::program(file, path, directory, fault)?);
        }
        let program = &programs[path];
        let known: Vec<&str> = program.entries().collect();
        let entry = match (&wave.entry, known.as_slice()) {
            (Some(entry), _) if known.contains(&entry.get_ref().as_str()) => entry.get_ref().as_str(),
            (Some(entry), _) => return Err(fault.unknown("entry point", entry.get_ref(), &known, entry.span())),
            (None, [only]) => only,
            (None, _) => {
                let message = format!("`{path}` has several entry points: {}", known.join(", "));
                let help = "choose one with entry = \"NAME\"".to_owned();
                return Err(fault.wave(message, from.span(), "which of them?", Some(help)));
            }
        };
        let sets = wave.set.iter().map(|(name, value)| (name.get_ref().clone(), value.get_ref().value()));
        let mut overrides: Overrides = sets.collect();
        let declared = program.overrides();
        for (name, value) in said {
            if let Some(item) = declared.iter().find(|item| item.is_called(name)) {
                // The file may have called it otherwise: by its name or its id.
                overrides.retain(|other, _| !item.is_called(other));
                overrides.insert(name.clone(), *value);
            }
        }
        let bits = overrides.iter().map(|(name, value)| (name.clone(), value.to_bits())).collect();
        let key = (path, wave.entry.as_ref().map_or("", |entry| entry.get_ref()), bits);
        if !made.contains_key(&key) {
            made.insert(key.clone(), program.kernel(entry, &overrides)?);
        }
        kernels.push(made[&key].clone());
    }
    let mut declared = programs.values().flat_map(Program::overrides).collect::<Vec<_>>();
    declared.sort_by(|a, b| a.name.cmp(&b.name));
    declared.dedup_by(|a, b| a.name == b.name);
    if let Some(name) = said.keys().find(|name| !declared.iter().any(|item| item.is_called(name))) {
        let known = declared.into_iter().map(|item| item.name).collect();
        return Err(Error::NoJobOverride { name: name.clone(), known });
    }
    Ok(kernels)
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

/// Stands where a wave is an exchange.
fn nothing() -> Result<Arc<Kernel>, Error> {
    let program = Program::wgsl("@compute @workgroup_size(1) fn exchange() {}")?;
    Ok(program.kernel("exchange", &Overrides::new())?)
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

/// How much a wave runs.
pub(super) enum Size<'a> {
    Grid(Grid),
    /// Of a queue's window.
    Items(&'a Spanned<String>),
}

/// How many workgroups.
pub(super) fn grid<'a>(wave: &'a Wave, fault: &Fault) -> Result<Size<'a>, Error> {
    let grids = [
        wave.workgroups.as_ref().map(|dims| (Grid::Workgroups(dims.get_ref().all()), dims.span())),
        wave.threads.as_ref().map(|dims| (Grid::Threads(dims.get_ref().all()), dims.span())),
        wave.over.as_ref().map(|name| (Grid::Over(name.get_ref().into()), name.span())),
        wave.indirect.as_ref().map(|indirect| (indirect_grid(indirect.get_ref()), indirect.span())),
    ];
    let grids = grids.into_iter().map(|said| said.map(|(grid, span)| (Size::Grid(grid), span)));
    let said = grids.chain([wave.items.as_ref().map(|queue| (Size::Items(queue), queue.span()))]);
    let mut said = said.flatten();
    let name = wave.name.get_ref();
    let Some((grid, _)) = said.next() else {
        let help = "say how much to run with threads, workgroups, over, indirect or items".to_owned();
        return Err(fault.wave(format!("wave `{name}` has no grid"), wave.name.span(), "this wave", Some(help)));
    };
    match said.next() {
        None => Ok(grid),
        Some((_, span)) => {
            let help = "threads, workgroups, over, indirect and items exclude each other".to_owned();
            Err(fault.wave(format!("wave `{name}` has two grids"), span, "one of them", Some(help)))
        }
    }
}

fn indirect_grid(indirect: &Indirect) -> Grid {
    let (data, offset, limit) = match indirect {
        Indirect::Start(buffer) => (buffer, 0, None),
        Indirect::At(at) => (&at.buffer, at.offset, at.limit),
    };
    Grid::Indirect { data: data.into(), offset, limit: limit.map_or(INDIRECT_MAX, Dims::all) }
}

/// Where in the file a graph's mistake was made.
fn place(file: &File, error: &graph::Error) -> Range<usize> {
    use graph::Error as E;
    let buffer = |data: &str| file.buffers.keys().find(|name| name.get_ref() == data).map(Spanned::span);
    let wave = |name: &str| file.waves.iter().rfind(|wave| wave.name.get_ref() == name);
    let named = |name: &str| wave(name).map(|wave| wave.name.span());
    let bound = |name: &str, buffer: &str| {
        let bind = wave(name)?.bind.iter().find(|(key, _)| key.get_ref() == buffer);
        bind.map(|(_, bind)| bind.span()).or_else(|| named(name))
    };
    let place = match error {
        E::DataTwice { data } | E::Empty { data } | E::NeverWritten { data } | E::Length { data, .. } => buffer(data),
        E::UnknownBuffer { wave, buffer, .. }
        | E::Unbound { wave, buffer, .. }
        | E::BoundTwice { wave, buffer }
        | E::Align { wave, buffer, .. }
        | E::Size { wave, buffer, .. }
        | E::ChangesInput { wave, buffer, .. }
        | E::ChangesValue { wave, buffer }
        | E::Aliased { wave, second: buffer, .. } => bound(wave, buffer),
        E::WaveTwice { wave }
        | E::UnknownData { wave, .. }
        | E::UnknownWave { wave, .. }
        | E::Outside { wave, .. }
        | E::NoGrid { wave }
        | E::GridOver { wave, .. }
        | E::GridTooLarge { wave, .. }
        | E::GridAlign { wave, .. }
        | E::ChangesGrid { wave, .. }
        | E::Split { wave, .. }
        | E::Spill { wave, .. } => named(wave),
        E::Cycle { waves } => waves.first().and_then(|first| named(first)),
        E::BlockTwice { block }
        | E::NoWaves { block }
        | E::Unnested { block }
        | E::TooDeep { block, .. }
        | E::Undecided { block, .. } => block::place(file, block),
        E::Word { block, .. } => block::place_of_word(file, block),
        E::Swap { block, first, second, .. } => block::place_of_swap(file, block, first, second),
        E::Queue { queue, .. } => file.queues.keys().find(|name| name.get_ref() == queue).map(Spanned::span),
        E::TooMany { .. } => None,
    };
    place.unwrap_or(0..0)
}
