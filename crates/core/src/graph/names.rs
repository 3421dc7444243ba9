//! What the names of a graph lead to, and whether it fits where it is named.

use std::ops::Range;

use naga::FastHashMap;

use super::resolved::{Arg, Counted, Launch, Node, Span};
use super::{Bind, Data, DataId, Error, Graph, Grid, Key, Role, Wave, WaveId};
use crate::program;
use crate::schedule::{BINDING_ALIGN_BYTES, COPY_ALIGN_BYTES};

/// Where names lead.
pub(super) struct Names<'a> {
    graph: &'a Graph,
    data: FastHashMap<&'a str, u32>,
    waves: FastHashMap<&'a str, u32>,
    /// By row of a kernel's buffer table: which of a wave's binds is for it.
    rows: Vec<Option<usize>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(graph: &'a Graph) -> Result<Self, Error> {
        let mut names = Self { graph, data: FastHashMap::default(), waves: FastHashMap::default(), rows: Vec::new() };
        names.data.reserve(graph.data.len());
        for (at, data) in graph.data.iter().enumerate() {
            if names.data.insert(&data.name, at as u32).is_some() {
                return Err(Error::DataTwice { data: data.name.clone() });
            }
            if data.bytes == 0 {
                return Err(Error::Empty { data: data.name.clone() });
            }
        }
        names.waves.reserve(graph.waves.len());
        for (at, wave) in graph.waves.iter().enumerate() {
            if names.waves.insert(&wave.name, at as u32).is_some() {
                return Err(Error::WaveTwice { wave: wave.name.to_string() });
            }
        }
        Ok(names)
    }

    pub(super) fn after(&self, wave: &Wave) -> Result<Vec<WaveId>, Error> {
        let id = |after: &String| match self.waves.get(after.as_str()) {
            Some(&at) => Ok(WaveId(at)),
            None => Err(Error::UnknownWave { wave: wave.name.to_string(), after: after.clone() }),
        };
        let mut after = wave.after.iter().map(id).collect::<Result<Vec<_>, _>>()?;
        after.sort_unstable();
        after.dedup();
        Ok(after)
    }

    /// A wave; its arguments go to the end of the list.
    pub(super) fn node(&mut self, wave: &Wave, args: &mut Vec<Arg>) -> Result<Node, Error> {
        let kernel = &wave.kernel;
        self.rows.clear();
        self.rows.resize(kernel.buffers.len(), None);
        for (at, (key, _)) in wave.binds.iter().enumerate() {
            let Some(row) = row(wave, key) else {
                let known = kernel.buffers.iter().map(|row| row.name.clone()).collect();
                let (wave, kernel, buffer) = (wave.name.to_string(), kernel.name.clone(), key.to_string());
                return Err(Error::UnknownBuffer { wave, kernel, buffer, known });
            };
            if self.rows[row].replace(at).is_some() {
                let (wave, buffer) = (wave.name.to_string(), kernel.buffers[row].name.clone());
                return Err(Error::BoundTwice { wave, buffer });
            }
        }
        let first = args.len();
        for (row, bind) in kernel.buffers.iter().zip(&self.rows) {
            let Some(bind) = bind else {
                let (buffer, ty) = (row.name.clone(), row.ty.to_string());
                return Err(Error::Unbound { wave: wave.name.to_string(), buffer, ty });
            };
            args.push(self.arg(wave, row, &wave.binds[*bind].1)?);
        }
        self.unaliased(wave, &args[first..])?;
        let launch = self.launch(wave, &args[first..])?;
        let args = first as u32..args.len() as u32;
        Ok(Node { name: wave.name.clone(), kernel: kernel.clone(), args, launch })
    }

    fn span(&self, wave: &Wave, key: &Key, range: Option<Range<u64>>) -> Result<Span, Error> {
        let Some((data_id, data)) = self.find(key) else {
            return Err(Error::UnknownData { wave: wave.name.to_string(), data: key.to_string() });
        };
        let Range { start, end } = range.unwrap_or(0..data.bytes);
        if start >= end || end > data.bytes {
            let (wave, name) = (wave.name.to_string(), data.name.clone());
            return Err(Error::Outside { wave, data: name, start, end, data_bytes: data.bytes });
        }
        Ok(Span { data: data_id, offset: start, bytes: end - start })
    }

    /// What to call the data that a key should lead to.
    pub(super) fn shown(&self, key: &Key) -> String {
        self.find(key).map_or_else(|| key.to_string(), |(_, data)| data.name.clone())
    }

    /// The data that a key leads to.
    pub(super) fn find(&self, key: &Key) -> Option<(DataId, &'a Data)> {
        let at = match key {
            Key::At(at) => *at,
            Key::Name(name) => *self.data.get(name.as_str())?,
        };
        Some((DataId(at), self.graph.data.get(at as usize)?))
    }

    fn name(&self, data: DataId) -> String {
        self.graph.data[data.0 as usize].name.clone()
    }

    fn arg(&self, wave: &Wave, row: &program::Buffer, bind: &Bind) -> Result<Arg, Error> {
        let (who, buffer) = (|| wave.name.to_string(), || row.name.clone());
        match bind {
            Bind::Value(bytes) => {
                if changes(row) {
                    return Err(Error::ChangesValue { wave: who(), buffer: buffer() });
                }
                size_fits(wave, row, || "a value".to_owned(), bytes.len() as u64)?;
                Ok(Arg::Value(bytes.clone()))
            }
            Bind::Data { data, range } => {
                let span = self.span(wave, data, range.clone())?;
                let data = || self.name(span.data);
                if !span.offset.is_multiple_of(BINDING_ALIGN_BYTES) {
                    return Err(Error::Align { wave: who(), buffer: buffer(), data: data(), start: span.offset });
                }
                size_fits(wave, row, || format!("`{}`", data()), span.bytes)?;
                if changes(row) && self.graph.data[span.data.0 as usize].role == Role::Input {
                    return Err(Error::ChangesInput { wave: who(), buffer: buffer(), data: data() });
                }
                Ok(Arg::Data(span))
            }
        }
    }

    /// No two rows share bytes that one of them changes.
    fn unaliased(&self, wave: &Wave, args: &[Arg]) -> Result<(), Error> {
        let rows = || wave.kernel.buffers.iter().zip(args).filter_map(spanned);
        for (at, (row, span)) in rows().enumerate() {
            for (other, with) in rows().take(at) {
                if overlap(span, with) && (changes(row) || changes(other)) {
                    return Err(Error::Aliased {
                        wave: wave.name.to_string(),
                        data: self.name(span.data),
                        first: other.name.clone(),
                        second: row.name.clone(),
                    });
                }
            }
        }
        Ok(())
    }

    fn launch(&self, wave: &Wave, args: &[Arg]) -> Result<Launch, Error> {
        let size = wave.kernel.workgroup_size;
        let who = || wave.name.to_string();
        let fits = |grid: [u32; 3]| match (0..3).find(|&i| u64::from(grid[i]) * u64::from(size[i]) > 1 << 32) {
            Some(dimension) => Err(Error::GridTooLarge { wave: who(), dimension }),
            None => Ok(grid),
        };
        let cover = |threads: [u32; 3]| std::array::from_fn(|i| threads[i].div_ceil(size[i]));
        match wave.grid.as_ref().ok_or_else(|| Error::NoGrid { wave: who() })? {
            Grid::Workgroups(grid) => Ok(Launch::Workgroups(fits(*grid)?)),
            Grid::Threads(threads) => Ok(Launch::Workgroups(fits(cover(*threads))?)),
            Grid::Over(buffer) => {
                let bound = row(wave, buffer).map(|at| (&wave.kernel.buffers[at], &args[at]));
                let count = bound.filter(|(row, _)| row.ty.tail().is_some()).map(|(row, arg)| match arg {
                    Arg::Data(span) => row.ty.tail_len(span.bytes),
                    Arg::Value(bytes) => row.ty.tail_len(bytes.len() as u64),
                });
                let over = || bound.map_or_else(|| buffer.to_string(), |(row, _)| row.name.clone());
                let count = count.ok_or_else(|| Error::GridOver { wave: who(), buffer: over() })?;
                let groups = u32::try_from(count.div_ceil(u64::from(size[0])));
                let groups = groups.map_err(|_| Error::GridTooLarge { wave: who(), dimension: 0 })?;
                Ok(Launch::Workgroups(fits([groups, 1, 1])?))
            }
            Grid::Indirect { data, offset, limit } => {
                let args_span = self.span(wave, data, Some(*offset..offset.saturating_add(12)))?;
                if !offset.is_multiple_of(COPY_ALIGN_BYTES) {
                    return Err(Error::GridAlign { wave: who(), data: self.name(args_span.data), offset: *offset });
                }
                let mut rows = wave.kernel.buffers.iter().zip(args).filter_map(spanned);
                if rows.any(|(row, span)| changes(row) && overlap(span, args_span)) {
                    return Err(Error::ChangesGrid { wave: who(), data: self.name(args_span.data) });
                }
                Ok(Launch::Indirect { args: args_span, limit: fits(*limit)? })
            }
        }
    }

    pub(super) fn counted(&self, data: &Data) -> Result<Option<Counted>, Error> {
        let Some(length) = &data.length else { return Ok(None) };
        let wrong = |why| {
            let (count, offset) = (length.count.clone(), length.offset);
            Err(Error::Length { data: data.name.clone(), count, offset, why })
        };
        let Some(&at) = self.data.get(length.count.as_str()) else { return wrong("there is no such data") };
        if data.role != Role::Output {
            return wrong("it is not an output");
        }
        if !length.offset.is_multiple_of(COPY_ALIGN_BYTES) {
            return wrong("words start at multiples of 4");
        }
        if length.offset.checked_add(4).is_none_or(|end| end > self.graph.data[at as usize].bytes) {
            return wrong("it lies outside");
        }
        let count = Span { data: DataId(at), offset: length.offset, bytes: 4 };
        Ok(Some(Counted { count, element_bytes: length.element_bytes }))
    }
}

/// The row of the kernel's buffer table that a key leads to.
fn row(wave: &Wave, key: &Key) -> Option<usize> {
    let rows = &wave.kernel.buffers;
    match key {
        Key::At(at) => Some(*at as usize).filter(|&at| at < rows.len()),
        Key::Name(name) => rows.iter().position(|row| row.name == *name),
    }
}

fn spanned<'a>((row, arg): (&'a program::Buffer, &Arg)) -> Option<(&'a program::Buffer, Span)> {
    match arg {
        Arg::Data(span) => Some((row, *span)),
        Arg::Value(_) => None,
    }
}

fn size_fits(wave: &Wave, row: &program::Buffer, what: impl Fn() -> String, got_bytes: u64) -> Result<(), Error> {
    let stride_bytes = row.ty.tail().map_or(1, |(_, stride)| u64::from(stride));
    let head_bytes = row.ty.bytes();
    let whole =
        row.ty.tail().is_none() || got_bytes.checked_sub(head_bytes).is_some_and(|t| t.is_multiple_of(stride_bytes));
    if whole && got_bytes >= row.min_bytes {
        return Ok(());
    }
    Err(Error::Size {
        wave: wave.name.to_string(),
        buffer: row.name.clone(),
        ty: row.ty.to_string(),
        what: what(),
        got_bytes,
        min_bytes: row.min_bytes,
        stride_bytes,
    })
}

fn changes(row: &program::Buffer) -> bool {
    row.effects.writes || row.effects.updates
}

fn overlap(a: Span, b: Span) -> bool {
    a.data == b.data && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes
}
