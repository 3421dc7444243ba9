//! Results of which only the device knows the length: a kernel reads the counts and writes as much
//! as means something into memory that the host maps, so that no more crosses, and nobody has to
//! wait until the host knows. What is copied needs no kernel: a dispatch costs more than a copy.

use std::fmt::Write;
use std::num::NonZeroU64;
use std::sync::{Arc, LazyLock};

use seawall_core::device::{Error, Stop};
use seawall_core::program::{Kernel, Overrides, Program};
use seawall_core::schedule::{Binding, Length};

use crate::fault::Point;
use crate::memory::{Memory, Place, padded};
use crate::module::Form;
use crate::open::Open;
use crate::pieces::{Counted, Slab};
use crate::pipeline::Pipeline;

/// Ranges that one dispatch reads: with the slab no more than every adapter binds.
const ROWS: usize = 7;

/// Where ranges may start that a kernel sees: what every adapter aligns bindings to.
pub(crate) const ALIGN_BYTES: u64 = 256;

/// Words of a `Job`.
const JOB_WORDS: usize = 8;

/// Bytes of the jobs of one dispatch, as they are bound.
const JOBS_BYTES: u64 = (ROWS * JOB_WORDS * 4) as u64;

/// From the jobs of one dispatch to those of the next.
const STRIDE_BYTES: u64 = JOBS_BYTES.next_multiple_of(ALIGN_BYTES);

static PACK: LazyLock<Arc<Kernel>> = LazyLock::new(|| {
    let program = Program::wgsl_named("pack.wgsl", &text());
    let kernel = program.and_then(|program| program.kernel("main", &Overrides::new()));
    kernel.unwrap_or_else(|report| unreachable!("invariant pack: it compiles\n{report}"))
});

/// The kernel: a workgroup for each job.
fn text() -> String {
    let (mut rows, mut cases) = (String::new(), String::new());
    for row in 0..ROWS {
        let binding = row + 2;
        _ = writeln!(rows, "@group(0) @binding({binding}) var<storage> row{row}: array<u32>;");
        _ = writeln!(cases, "case {row}u: {{ return row{row}[word]; }}");
    }
    let read =
        format!("fn read(row: u32, word: u32) -> u32 {{\nswitch row {{\n{cases}default: {{ return 0u; }}\n}}\n}}");
    format!("const rows = {ROWS};\n{}\n{rows}\n{read}\n", include_str!("pack.wgsl"))
}

/// What a workgroup does.
#[derive(Debug, Clone, Copy)]
struct Job {
    /// From this word of this row
    row: u32,
    word: u32,
    /// at most so many bytes to this word of the slab.
    bytes: u32,
    to: u32,
    /// Where it stands how many elements there are,
    count_row: u32,
    count_word: u32,
    /// and how large they are.
    element: u32,
}

/// The dispatches that fill a slab.
pub(crate) struct Pack {
    pipeline: Arc<Pipeline>,
    jobs: Memory,
    hauls: Vec<Haul>,
    bytes: u64,
}

/// One dispatch.
struct Haul {
    rows: Vec<Binding>,
    jobs: Vec<Job>,
    /// As last bound: the group, where the rows were, and where the slab was.
    bound: Option<(wgpu::BindGroup, Vec<Place>, u64)>,
}

impl Pack {
    pub(crate) fn new(open: &Open, slab: &Slab, stop: &Stop) -> Result<Self, Error> {
        let driver = &open.driver;
        let (pipeline, _) = open.pipelines.get(driver, &PACK, &Form::default(), stop)?;
        let hauls = hauls(slab);
        let bytes = hauls.len() as u64 * STRIDE_BYTES;
        let jobs = driver.mapped_buffer("where results lie", bytes, wgpu::BufferUsages::UNIFORM)?;
        let mut view = driver.view_mut(&jobs, 0, bytes)?;
        for (at, haul) in hauls.iter().enumerate() {
            for (job, words) in haul.jobs.iter().map(Job::words).enumerate() {
                let start = at * STRIDE_BYTES as usize + job * JOB_WORDS * 4;
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                view.slice(start..start + bytes.len()).copy_from_slice(&bytes);
            }
        }
        drop(view);
        jobs.raw.unmap();
        Ok(Self { pipeline, jobs, hauls, bytes: slab.bytes })
    }

    /// How many dispatches it takes.
    pub(crate) fn commands(&self) -> u64 {
        self.hauls.len() as u64
    }

    /// Records them; the slab starts at a byte of `belt` that can be bound.
    pub(crate) fn record(
        &mut self,
        open: &Open,
        pass: &mut wgpu::ComputePass<'_>,
        place: impl Fn(&Binding) -> Place,
        (belt, at): (&wgpu::Buffer, u64),
    ) -> Result<(), Error> {
        pass.set_pipeline(&self.pipeline.raw);
        for (index, haul) in self.hauls.iter_mut().enumerate() {
            let to: Vec<Place> = haul.rows.iter().map(&place).collect();
            if haul.bound.as_ref().is_none_or(|(_, bound, place)| *bound != to || *place != at) {
                let jobs = (&self.jobs.raw, index as u64 * STRIDE_BYTES, JOBS_BYTES);
                let row = |at: usize| {
                    let at = at.min(to.len() - 1);
                    let Binding { offset, bytes, .. } = haul.rows[at];
                    (&to[at].raw, to[at].base + offset, padded(bytes))
                };
                let rows = [jobs, (belt, at, padded(self.bytes))].into_iter().chain((0..ROWS).map(row));
                let entry = |(binding, (buffer, offset, bytes)): (usize, (_, _, _))| wgpu::BindGroupEntry {
                    binding: binding as u32,
                    resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer,
                        offset,
                        size: NonZeroU64::new(bytes),
                    }),
                };
                let entries: Vec<wgpu::BindGroupEntry<'_>> = rows.enumerate().map(entry).collect();
                let layout = &self.pipeline.layout;
                let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
                let bind = || open.driver.raw.create_bind_group(&descriptor);
                let group = open.driver.call(Point::Bind, "the bindings of results", 0, bind)?;
                haul.bound = Some((group, to, at));
            }
            let Some((group, ..)) = &haul.bound else { unreachable!("invariant bound: just now") };
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(haul.jobs.len() as u32, 1, 1);
        }
        Ok(())
    }

    /// Forgets bindings to a buffer that goes.
    pub(crate) fn forget(&mut self, buffer: &wgpu::Buffer) {
        for haul in &mut self.hauls {
            haul.bound.take_if(|(_, to, _)| to.iter().any(|place| place.raw == *buffer));
        }
    }
}

impl Job {
    fn words(&self) -> [u32; JOB_WORDS] {
        let Self { row, word, bytes, to, count_row, count_word, element } = *self;
        [row, word, bytes, to, count_row, count_word, element, 0]
    }
}

/// Each such piece is a job; as many go into one dispatch as it has rows for them.
fn hauls(slab: &Slab) -> Vec<Haul> {
    let mut hauls: Vec<Haul> = Vec::new();
    for (at, piece) in &slab.pieces {
        let Some(Counted { length: Length { count, element_bytes }, .. }) = piece.length() else { continue };
        let ((from, word), (count, count_word)) = (window(&piece.from), window(&count));
        let fits = |haul: &Haul| {
            let new = [from, count].iter().filter(|row| !haul.rows.contains(row)).count();
            haul.rows.len() + new <= ROWS && haul.jobs.len() < ROWS
        };
        if !hauls.last_mut().is_some_and(|haul| fits(haul)) {
            hauls.push(Haul { rows: Vec::new(), jobs: Vec::new(), bound: None });
        }
        let Some(haul) = hauls.last_mut() else { unreachable!("invariant hauls: just now") };
        let (row, count_row) = (haul.row(from), haul.row(count));
        let element = element_bytes.min(piece.from.bytes) as u32;
        let (bytes, to) = (piece.from.bytes as u32, (at / 4) as u32);
        haul.jobs.push(Job { row, word, bytes, to, count_row, count_word, element });
    }
    hauls
}

impl Haul {
    /// The place of a row, which finds room.
    fn row(&mut self, row: Binding) -> u32 {
        let place = self.rows.iter().position(|other| *other == row).unwrap_or(self.rows.len());
        if place == self.rows.len() {
            self.rows.push(row);
        }
        place as u32
    }
}

/// What can be bound so that a range can be seen, and the word of it that the range starts with.
fn window(range: &Binding) -> (Binding, u32) {
    let before = range.offset % ALIGN_BYTES;
    (Binding { offset: range.offset - before, bytes: range.bytes + before, ..*range }, (before / 4) as u32)
}
