//! The work queues of a job: what programs call them, what they hold, and what they begin with.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use seawall::{Kernel, Program};
use seawall_core::graph::{self, Bind, Graph, Key};
use toml::Spanned;

use super::Buffer;
use super::data::Entry;
use super::fault::Fault;
use super::schema::{self, File, Wave};
use crate::error::Error;
use crate::given::Given;
use crate::load;

/// A program with the functions of all queues that waves let it use.
pub(super) fn program(file: &File, path: &str, directory: &Path, fault: &Fault) -> Result<Program, Error> {
    let mut queues: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    let waves = file.waves.iter().filter(|wave| wave.program.as_ref().is_some_and(|program| program.get_ref() == path));
    for (name, queue) in waves.flat_map(|wave| &wave.queue) {
        let entry = find(file, queue, fault)?.entry.get_ref().as_str();
        let (first, other) = *queues.entry(name.get_ref()).or_insert((queue.get_ref(), entry));
        if other != entry {
            let message = format!(
                "`{path}` calls both `{first}` and `{}` `{}`, but one holds `{other}` and the other `{entry}`",
                queue.get_ref(),
                name.get_ref()
            );
            return Err(fault.wave(message, queue.span(), "the other", None));
        }
    }
    let queues: Vec<(&str, &str)> = queues.iter().map(|(name, (_, entry))| (*name, *entry)).collect();
    load::program_with(Given::read(&directory.join(path))?, &graph::helpers(&queues))
}

/// No queue is called as a buffer is.
pub(super) fn names_differ(file: &File, fault: &Fault) -> Result<(), Error> {
    match file.queues.keys().find(|name| file.buffers.contains_key(*name)) {
        Some(name) => {
            let message = format!("`{}` is both a buffer and a queue", name.get_ref());
            let help = "call one of them otherwise".to_owned();
            Err(fault.buffer(message, name.span(), "the queue", Some(help)))
        }
        None => Ok(()),
    }
}

fn names(file: &File) -> Vec<&str> {
    file.queues.keys().map(|name| name.get_ref().as_str()).collect()
}

/// What the file says of a queue.
pub(super) fn find<'a>(file: &'a File, name: &Spanned<String>, fault: &Fault) -> Result<&'a schema::Queue, Error> {
    let found = file.queues.iter().find(|(known, _)| known.get_ref() == name.get_ref());
    found.map(|(_, says)| says).ok_or_else(|| fault.unknown("queue", name.get_ref(), &names(file), name.span()))
}

/// Binds the queues of a wave.
pub(super) fn binds(wave: &Wave, kernel: &Kernel, fault: &Fault) -> Result<Vec<(Key, Bind)>, Error> {
    let mut binds = Vec::new();
    for (name, queue) in &wave.queue {
        let rows = ["ring", "control"].map(|part| (format!("{}_{part}", name.get_ref()), part));
        let used = rows.iter().filter(|(row, _)| kernel.buffer(row).is_some());
        let before = binds.len();
        binds.extend(used.map(|(row, part)| {
            let data = format!("{}.{part}", queue.get_ref()).into();
            (Key::from(row), Bind::Data { data, range: None })
        }));
        if binds.len() == before {
            let (kernel, name, span) = (&kernel.name, name.get_ref(), name.span());
            let message = format!("`{kernel}` uses no queue `{name}`");
            let help = format!("it takes items with {name}_item and pushes them with {name}_push; or leave this out");
            return Err(fault.wave(message, span, "not used", Some(help)));
        }
    }
    Ok(binds)
}

/// Adds the queues of the file to its graph, and gives the items that they begin with.
pub(super) fn add(
    file: &File,
    kernels: &[Arc<Kernel>],
    directory: &Path,
    graph: &mut Graph,
    fault: &Fault,
) -> Result<Vec<Buffer>, Error> {
    let mut items = Vec::new();
    let mut queues: Vec<(&Spanned<String>, &schema::Queue)> = file.queues.iter().collect();
    queues.sort_by_key(|(name, _)| name.span().start);
    for (name, says) in queues {
        let ring = file.waves.iter().zip(kernels).find_map(|(wave, kernel)| {
            let mut called = wave.queue.iter().filter(|(_, queue)| queue.get_ref() == name.get_ref());
            called.find_map(|(called, _)| kernel.buffer(&format!("{}_ring", called.get_ref())))
        });
        let Some(ring) = ring else {
            let message = format!("no wave takes items of queue `{}` or pushes any", name.get_ref());
            let help = "let one with queue = { NAME = \"QUEUE\" }, or leave it out".to_owned();
            return Err(fault.buffer(message, name.span(), "not used", Some(help)));
        };
        let entry_bytes = ring.ty.element().1;
        let source = match &says.source {
            Some(source) => {
                let says = schema::Buffer::source(source);
                Some(Entry { name, says: &says, row: ring.clone(), texture: None }.load(directory, None, fault)?)
            }
            None => None,
        };
        let source = source.filter(|items| !items.memory.is_empty());
        let initial = source.as_ref().map_or(0, |items| items.memory.len() as u64 / entry_bytes.max(1));
        graph.queue(graph::Queue {
            name: name.get_ref().clone(),
            entry_bytes,
            capacity: *says.capacity.get_ref(),
            window: says.window.as_ref().map(|window| *window.get_ref()),
            initial: u32::try_from(initial).unwrap_or(u32::MAX),
        });
        items.extend(source);
    }
    Ok(items)
}
