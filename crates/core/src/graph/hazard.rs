//! Which waves depend on which, from the ranges that they touch and how.
//!
//! Each data is cut into segments whose bytes have the same past. What matters of a segment's
//! past are its last two phases: a phase is a run of touches that commute (reads, or atomic
//! updates) or a single write. A touch that commutes with the current phase depends on the phase
//! before it, any other on the current one; and since the members of a phase all depend on the
//! phase before, of a phase only the wave that stands on the highest level need be known. So a
//! wave gets one edge for each segment that it touches, not one for each wave that it meets,
//! and still stands on the level that all of those together would put it on.

use std::collections::BTreeMap;

use super::resolve::{Edge, Span, Why};
use super::{DataId, WaveId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Update,
    Write,
}

#[derive(Debug, Clone, Copy)]
struct Phase {
    kind: Kind,
    /// Of its waves the one on the highest level, the first of those.
    level: u32,
    wave: WaveId,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    end: u64,
    before: Option<Phase>,
    now: Option<Phase>,
}

impl Segment {
    /// The phase that a touch of this kind comes after.
    fn past(&self, kind: Kind) -> Option<Phase> {
        if self.now.is_some_and(|now| commute(now.kind, kind)) { self.before } else { self.now }
    }

    fn touch(&mut self, touch: Phase) {
        match &mut self.now {
            Some(now) if commute(now.kind, touch.kind) => {
                if touch.level > now.level {
                    *now = touch;
                }
            }
            now => (self.before, *now) = (*now, Some(touch)),
        }
    }
}

fn commute(a: Kind, b: Kind) -> bool {
    a == b && a != Kind::Write
}

/// The segments of one data, by first byte.
#[derive(Debug)]
enum Segments {
    /// All of it is one, as long as nobody touches a part.
    Whole(Segment),
    Parts(BTreeMap<u64, Segment>),
}

impl Segments {
    /// Those that lie in a span, at whose ends segments begin.
    fn inside(&mut self, span: Span) -> impl Iterator<Item = &mut Segment> {
        let (whole, parts) = match self {
            Self::Whole(segment) => (Some(segment), None),
            Self::Parts(parts) => (None, Some(parts.range_mut(span.offset..span.offset + span.bytes))),
        };
        whole.into_iter().chain(parts.into_iter().flatten().map(|(_, segment)| segment))
    }

    /// Makes segments begin and end where the span does.
    fn cut(&mut self, span: Span) {
        if let Self::Whole(segment) = self {
            if span.bytes == segment.end {
                return;
            }
            *self = Self::Parts(BTreeMap::from([(0, *segment)]));
        }
        let Self::Parts(parts) = self else { unreachable!("invariant parts: just made") };
        for at in [span.offset, span.offset + span.bytes] {
            if let Some((&start, segment)) = parts.range_mut(..at).next_back()
                && segment.end > at
            {
                debug_assert!(start < at, "invariant cut: it falls inside a segment");
                let right = *segment;
                segment.end = at;
                parts.insert(at, right);
            }
        }
    }

    /// Nothing commutes with a write, so what was before it is forgotten, and the segments that
    /// it covers are one.
    fn merge(&mut self, span: Span, write: Phase) {
        let end = span.offset + span.bytes;
        let one = Segment { end, before: None, now: Some(write) };
        match self {
            Self::Whole(segment) => *segment = one,
            Self::Parts(parts) => {
                while let Some((&start, _)) = parts.range(span.offset..end).nth(1) {
                    parts.remove(&start);
                }
                parts.insert(span.offset, one);
            }
        }
    }
}

/// All data, as the waves so far left it.
#[derive(Debug)]
pub(super) struct Past {
    /// By data.
    segments: Vec<Segments>,
    /// By wave.
    levels: Vec<u32>,
}

impl Past {
    pub(super) fn new(bytes: impl Iterator<Item = u64>, waves: usize) -> Self {
        let whole = |end| Segments::Whole(Segment { end, before: None, now: None });
        Self { segments: bytes.map(whole).collect(), levels: vec![0; waves] }
    }

    /// Adds a wave that comes after some others and touches ranges; its edges go to `edges`.
    pub(super) fn add(&mut self, wave: WaveId, after: &[WaveId], touches: &[(Span, Kind)], edges: &mut Vec<Edge>) {
        let first = edges.len();
        let mut level = 0;
        for &before in after {
            level = level.max(self.levels[before.0 as usize] + 1);
            edges.push(Edge { before, after: wave, why: Why::After });
        }
        for &(span, kind) in touches {
            let segments = &mut self.segments[span.data.0 as usize];
            segments.cut(span);
            for segment in segments.inside(span) {
                if let Some(past) = segment.past(kind) {
                    level = level.max(past.level + 1);
                    edges.push(Edge { before: past.wave, after: wave, why: why(span.data, past.kind, kind) });
                }
            }
        }
        // Of the edges from one wave the first stays.
        edges[first..].sort_by_key(|edge| edge.before);
        let mut kept = first;
        for at in first..edges.len() {
            if kept == first || edges[kept - 1].before != edges[at].before {
                edges[kept] = edges[at];
                kept += 1;
            }
        }
        edges.truncate(kept);
        self.levels[wave.0 as usize] = level;
        for &(span, kind) in touches {
            let (phase, segments) = (Phase { kind, level, wave }, &mut self.segments[span.data.0 as usize]);
            if kind == Kind::Write {
                segments.merge(span, phase);
            } else {
                segments.inside(span).for_each(|segment| segment.touch(phase));
            }
        }
    }
}

fn why(data: DataId, before: Kind, after: Kind) -> Why {
    match (before, after) {
        (_, Kind::Read) => Why::ReadAfterWrite { data },
        (Kind::Read, Kind::Update | Kind::Write) => Why::WriteAfterRead { data },
        (Kind::Update | Kind::Write, Kind::Update | Kind::Write) => Why::WriteAfterWrite { data },
    }
}
