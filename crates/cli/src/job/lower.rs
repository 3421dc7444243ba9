//! From what the file says to a graph.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use seawall::{Kernel, Overrides, Program};
use seawall_core::graph::{self, Graph, Role};
use toml::Spanned;

use super::bind::{binds, buffer_names, first_rows, to_the_end, unknown_buffer};
use super::block;
use super::data::{self, Entry};
use super::fault::Fault;
use super::grid::{Size, grid};
use super::image;
use super::queue;
use super::schema::{self, File};
use super::{Buffer, Job};
use crate::args::Decide;
use crate::error::Error;
use crate::load;

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

/// Stands where a wave is an exchange.
fn nothing() -> Result<Arc<Kernel>, Error> {
    let program = Program::wgsl("@compute @workgroup_size(1) fn exchange() {}")?;
    Ok(program.kernel("exchange", &Overrides::new())?)
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
