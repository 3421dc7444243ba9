//! What was seen is kept once for each pair of places.

use std::sync::Arc;

use super::super::pointer::{Place, Pointer};
use super::site::{self, Spot};
use super::{Ran, Watch, memory};
use crate::diag::{Source, Span};
use crate::sanitize::numbers::Slip;
use crate::sanitize::race::{Kind, Race};
use crate::sanitize::tell::{self, Lines, Record, Scope, Site, What};
use crate::sanitize::{Example, Finding};

/// What is told once: the smaller place comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    one: (Option<Spot>, Kind),
    other: (Option<Spot>, Kind),
    what: What,
}

impl Key {
    fn new(what: What, one: (Option<Spot>, Kind), other: (Option<Spot>, Kind)) -> Self {
        Self { what, one: one.min(other), other: one.max(other) }
    }
}

impl Watch {
    /// Races of one access, each with the byte where it is.
    pub(super) fn raced(
        &mut self,
        pointer: Pointer,
        spot: Spot,
        kind: Kind,
        races: &[(Race, usize)],
        what: Option<What>,
    ) {
        for (i, &(race, at)) in races.iter().enumerate() {
            let same = |other: &Race| (other.who.site, other.with, other.same_value);
            // A wide access races as often as it is made, and not as often as it has words.
            if races[..i].iter().any(|(other, _)| same(other) == same(&race)) {
                continue;
            }
            let plain = if race.same_value { What::SameValue } else { What::Race };
            let what = what.unwrap_or(plain);
            let before = self.spots[usize::from(race.who.site)];
            let key = Key::new(what, (before, race.with), (Some(spot), kind));
            let scope = self.scope(pointer.place, race.who.ticket);
            if let Some(record) = self.records.get_mut(&key) {
                record.count += 1;
                if scope == Scope::Across {
                    self.across(key, race, pointer.place, at);
                }
                continue;
            }
            let other = self.other(race);
            let site = Site { source: self.source_of(race), span: before.and_then(|before| self.span(before)) };
            let (name, element) = self.named(pointer.place, at);
            let record = Record {
                name,
                before: Some((race.with, site)),
                scope,
                example: Example { other: Some(other), element, ..self.example() },
                ..self.record(what, kind, spot)
            };
            self.records.insert(key, record);
        }
    }

    /// What also happens between workgroups is told as that: it is harder to mend.
    fn across(&mut self, key: Key, race: Race, place: Place, at: usize) {
        if self.records[&key].scope != Scope::Storage {
            return;
        }
        let (other, example, (_, element)) = (self.other(race), self.example(), self.named(place, at));
        let Some(record) = self.records.get_mut(&key) else { return };
        record.scope = Scope::Across;
        record.example = Example { other: Some(other), element, ..example };
    }

    /// An access through an index that leads nowhere.
    pub(super) fn outside(
        &mut self,
        kind: Kind,
        spot: Spot,
        origin: Spot,
        index: i128,
        bound: u64,
        base: Option<Pointer>,
    ) {
        let key = Key::new(What::Outside, (Some(origin), kind), (Some(spot), kind));
        if let Some(record) = self.records.get_mut(&key) {
            record.count += 1;
            return;
        }
        let text = self.indexed(origin).unwrap_or_else(|| "a value".to_owned());
        let (name, element) = match base {
            Some(Pointer { place: place @ (Place::Buffer(_) | Place::Workgroup), offset, .. }) => {
                let (name, _) = self.named(place, self.start_of(place) + offset);
                (name, format!("{text}[{index}]"))
            }
            _ => (text.clone(), format!("{text}[{index}]")),
        };
        let site = Site { source: self.kernel().source().clone(), span: self.span(origin) };
        let record = Record {
            name,
            before: Some((kind, site)),
            index: Some((index, bound)),
            example: Example { element, ..self.example() },
            ..self.record(What::Outside, kind, spot)
        };
        self.records.insert(key, record);
    }

    /// A read of what nobody wrote, at a byte of its memory.
    pub(super) fn read_unwritten(&mut self, place: Place, spot: Spot, kind: Kind, at: usize) {
        let key = Key::new(What::Unwritten, (Some(spot), kind), (Some(spot), kind));
        if let Some(record) = self.records.get_mut(&key) {
            record.count += 1;
            return;
        }
        let (name, element) = self.named(place, at);
        let site = Site { source: self.kernel().source().clone(), span: self.declared(place, at) };
        let record = Record {
            name,
            before: Some((kind, site)),
            example: Example { element, ..self.example() },
            ..self.record(What::Unwritten, kind, spot)
        };
        self.records.insert(key, record);
    }

    pub(super) fn slipped(&mut self, slip: Slip, spot: Spot) {
        let key = Key::new(What::Slip(slip), (Some(spot), Kind::Read), (Some(spot), Kind::Read));
        if let Some(record) = self.records.get_mut(&key) {
            record.count += 1;
            return;
        }
        let record = self.record(What::Slip(slip), Kind::Read, spot);
        self.records.insert(key, record);
    }

    /// All of it, told.
    pub(super) fn told(mut self) -> Vec<Finding> {
        let records = std::mem::take(&mut self.records);
        let raced: Vec<Option<Spot>> =
            records.keys().filter(|key| key.what == What::Race).flat_map(|key| [key.one.0, key.other.0]).collect();
        // What a race lets be read too early is no other fault than the race.
        let told = records.into_iter().filter(|(key, _)| key.what != What::Unwritten || !raced.contains(&key.one.0));
        let told = told.map(|(_, record)| record).collect();
        tell::all(told, &self.sources(), self.config)
    }

    /// The sources of all kernels, with the lines that those stand on.
    fn sources(&self) -> Vec<(Arc<Source>, Lines)> {
        let mut sources: Vec<(Arc<Source>, Lines, usize)> = Vec::new();
        for (at, kernel) in self.schedule.kernels.iter().enumerate() {
            let source = kernel.source();
            let known = sources.iter().position(|(other, ..)| Arc::ptr_eq(other, source));
            let known = known.unwrap_or_else(|| {
                sources.push((source.clone(), Lines::default(), 0));
                sources.len() - 1
            });
            let (_, lines, entries) = &mut sources[known];
            *entries += 1;
            let sites = &self.sites[at];
            let spots = (0..sites.len()).map(|i| Spot(sites.first() + i as u32));
            let spans = spots.filter_map(|spot| site::span(kernel, &self.codes[at], sites.place(spot)));
            if tell::may_allow(&source.text) {
                lines.some.extend(spans.map(|span| tell::line(&source.text, span)));
            }
        }
        let whole = |(source, lines, entries): (Arc<Source>, Lines, usize)| {
            let all = source.text.matches("@compute").count() <= entries;
            (source, Lines { all, ..lines })
        };
        sources.into_iter().map(whole).collect()
    }

    fn record(&self, what: What, kind: Kind, spot: Spot) -> Record {
        let (kernel, flat) = (self.kernel(), |[_, y, z]: [u32; 3]| y == 1 && z == 1);
        Record {
            what,
            name: String::new(),
            now: (kind, Site { source: kernel.source().clone(), span: self.span(spot) }),
            before: None,
            scope: Scope::Workgroup,
            index: None,
            lines: (flat(self.now.grid), flat(kernel.workgroup_size)),
            count: 1,
            example: self.example(),
        }
    }

    fn example(&self) -> Example {
        Example {
            kernel: self.kernel().name.clone(),
            workgroup: self.turn.id,
            invocation: unfold(self.turn.index as u64, self.kernel().workgroup_size),
            other: None,
            element: String::new(),
        }
    }

    /// The dispatch that a ticket belongs to.
    fn ran(&self, ticket: u32) -> &Ran {
        let found = self.ran.iter().find(|ran| ran.tickets.contains(&ticket));
        found.expect("invariant phases: a race is with a dispatch of this phase")
    }

    fn other(&self, race: Race) -> ([u32; 3], [u32; 3]) {
        let ran = self.ran(race.who.ticket);
        let group = unfold(u64::from(race.who.ticket - ran.tickets.start), ran.grid);
        (group, unfold(race.who.index.into(), self.schedule.kernels[ran.kernel].workgroup_size))
    }

    fn source_of(&self, race: Race) -> Arc<Source> {
        self.schedule.kernels[self.ran(race.who.ticket).kernel].source().clone()
    }

    /// The kernel of a spot.
    fn kernel_of(&self, spot: Spot) -> usize {
        self.sites.partition_point(|sites| sites.first() <= spot.0) - 1
    }

    fn span(&self, spot: Spot) -> Option<Span> {
        let kernel = self.kernel_of(spot);
        site::span(&self.schedule.kernels[kernel], &self.codes[kernel], self.sites[kernel].place(spot))
    }

    fn indexed(&self, spot: Spot) -> Option<String> {
        let kernel = self.kernel_of(spot);
        site::indexed(&self.schedule.kernels[kernel], &self.codes[kernel], self.sites[kernel].place(spot))
    }

    fn start_of(&self, place: Place) -> usize {
        match place {
            Place::Buffer(row) => self.now.rows[row as usize].1,
            Place::Workgroup | Place::Own | Place::Nowhere => 0,
        }
    }

    /// The variable that has a byte of a memory, and which part of it.
    fn named(&self, place: Place, at: usize) -> (String, String) {
        let kernel = self.kernel();
        let (name, path) = match place {
            Place::Buffer(row) => {
                let buffer = &kernel.buffers[row as usize];
                (buffer.name.clone(), site::path(&buffer.ty, at - self.start_of(place)))
            }
            Place::Workgroup => {
                let variables = memory(kernel, &self.codes[self.now.kernel]);
                let last = variables.filter(|(.., start)| *start <= at).max_by_key(|(.., start)| *start);
                last.map_or_else(Default::default, |(variable, ty, start)| {
                    (variable.name.clone().unwrap_or_default(), site::path(&ty, at - start))
                })
            }
            Place::Own | Place::Nowhere => Default::default(),
        };
        let element = format!("{name}{path}");
        (name, element)
    }

    /// Where that variable is declared.
    fn declared(&self, place: Place, at: usize) -> Option<Span> {
        let kernel = self.kernel();
        match place {
            Place::Buffer(row) => kernel.buffers[row as usize].span,
            Place::Workgroup => {
                let variables = kernel.module().global_variables.iter().zip(&self.codes[self.now.kernel].globals);
                let shared = variables.filter(|(_, pointer)| pointer.place == Place::Workgroup && pointer.offset <= at);
                let last = shared.max_by_key(|(_, pointer)| pointer.offset);
                last.and_then(|((handle, _), _)| Span::of(kernel.module().global_variables.get_span(handle)))
            }
            Place::Own | Place::Nowhere => None,
        }
    }
}

/// An index as one along three axes, x fastest.
fn unfold(index: u64, [width, height, _]: [u32; 3]) -> [u32; 3] {
    let (width, height) = (u64::from(width.max(1)), u64::from(height.max(1)));
    [(index % width) as u32, (index / width % height) as u32, (index / width / height) as u32]
}
