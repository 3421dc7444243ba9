//! What the machine tells while it runs.

use std::ops::Range;

use naga::{Expression, Handle};

use super::super::pointer::{Place, Pointer};
use super::super::types::Types;
use super::Watch;
use super::site::{Fact, Spot};
use crate::ops::{Num, Value};
use crate::sanitize::numbers;
use crate::sanitize::race::{self, Access, Kind, Who};
use crate::sanitize::tell::What;

/// An index that led nowhere: what it should be below, and of what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fault {
    pub(super) bound: u64,
    pub(super) base: Pointer,
}

/// Where the machine is: function and operation.
pub(in super::super) type At = (usize, usize);

impl Watch {
    fn spot(&self, (function, pc): At) -> Spot {
        self.sites[self.now.kernel].spot(function, pc)
    }

    /// A pointer that leads nowhere was made from another one. It keeps the index and the place for
    /// when it is used: only then is anything wrong.
    pub(in super::super) fn point(&mut self, at: At, base: Pointer, index: &Value, bound: usize, made: &mut Pointer) {
        if base.place != Place::Nowhere {
            let spot = self.spot(at);
            made.offset = signed(index) as usize;
            made.origin = spot.0;
            self.faults.insert(spot, Fault { bound: bound as u64, base });
        }
    }

    /// A value was computed.
    pub(in super::super) fn eval<'v>(
        &mut self,
        at: At,
        expression: &Expression,
        get: impl Fn(Handle<Expression>) -> &'v Value,
        result: &Value,
    ) {
        if !self.turn.is_watched {
            return;
        }
        if let Expression::Access { base, index } = *expression {
            let bound = match get(base) {
                Value::Vector(vector) => vector.items().len(),
                Value::Composite(parts) => parts.len(),
                Value::Num(_) => unreachable!("invariant typed-access: only composites are indexed"),
            };
            let index = signed(get(index));
            if usize::try_from(index).map_or(true, |index| index >= bound) {
                let spot = self.spot(at);
                self.outside(Kind::Read, spot, spot, index.into(), bound as u64, None);
            }
        } else if self.config.arithmetic.any()
            && let Some(slip) = numbers::slip(expression, self.config.arithmetic, get, result)
        {
            let spot = self.spot(at);
            self.slipped(slip, spot);
        }
    }

    /// A value is about to be loaded.
    pub(in super::super) fn load(&mut self, at: At, types: &Types, pointer: Pointer) {
        if pointer.place == Place::Own {
            return;
        }
        let spot = self.spot(at);
        let fact = self.sites[self.now.kernel].fact(spot);
        let kind = if fact.atomic { Kind::AtomicRead } else { Kind::Read };
        self.access(types, pointer, spot, kind, fact, None);
    }

    /// A value is about to be stored over these bytes.
    pub(in super::super) fn store(&mut self, at: At, types: &Types, pointer: Pointer, old: &[u8], value: &Value) {
        if pointer.place == Place::Own {
            return;
        }
        let spot = self.spot(at);
        let fact = self.sites[self.now.kernel].fact(spot);
        let kind = if fact.atomic { Kind::AtomicWrite } else { Kind::Write };
        if pointer.place == Place::Nowhere || kind == Kind::AtomicWrite {
            return self.access(types, pointer, spot, kind, fact, None);
        }
        let old = &old[pointer.offset..][..types.bytes(pointer.ty)];
        let mut new = std::mem::take(&mut self.bytes);
        new.clear();
        new.extend_from_slice(old);
        types.store(pointer.ty, value, &mut new);
        self.access(types, pointer, spot, kind, fact, Some((old, &new)));
        self.bytes = new;
    }

    /// An atomic is about to be updated.
    pub(in super::super) fn update(&mut self, at: At, types: &Types, pointer: Pointer) {
        let spot = self.spot(at);
        let fact = self.sites[self.now.kernel].fact(spot);
        if !fact.counts {
            self.unwritten(types, pointer, spot, Kind::AtomicWrite);
        }
        self.access(types, pointer, spot, Kind::AtomicWrite, fact, None);
    }

    /// With the bytes before and after, where they tell something.
    fn access(
        &mut self,
        types: &Types,
        pointer: Pointer,
        spot: Spot,
        kind: Kind,
        fact: Fact,
        bytes: Option<(&[u8], &[u8])>,
    ) {
        if pointer.place == Place::Nowhere {
            if self.turn.is_watched {
                self.nowhere(pointer, spot, kind);
            }
            return;
        }
        if matches!(kind, Kind::Read | Kind::AtomicRead) {
            self.unwritten(types, pointer, spot, kind);
            if matches!(pointer.place, Place::Buffer(row) if self.now.quiet[row as usize]) {
                return;
            }
        }
        if !self.turn.is_watched {
            return self.passed_by(types, pointer, kind);
        }
        if !self.make(pointer.place) {
            return;
        }
        let index = self.turn.index as u16;
        let who = Who { ticket: self.turn.ticket, index, site: self.number(spot) };
        let mut races = std::mem::take(&mut self.races);
        races.clear();
        let start = self.start(pointer.place);
        let (first, epoch) = self.order(pointer.place);
        let shadow = match pointer.place {
            Place::Workgroup => &mut self.turn.group.memory,
            Place::Buffer(row) => &mut self.stores[self.now.rows[row as usize].0],
            Place::Own | Place::Nowhere => return,
        };
        let unit = shadow.unit();
        types.spans(pointer.ty, start + pointer.offset, &mut |range: Range<usize>| {
            for (at, word) in shadow.words(range) {
                let changes = bytes.is_some_and(|(old, new)| {
                    let part = at - start - pointer.offset..(at + unit - start - pointer.offset).min(new.len());
                    old[part.clone()] != new[part]
                });
                let access = Access { kind, who, epoch, changes };
                race::touch(word, first, access, |race| races.push((race, at)));
            }
        });
        let mut what = None;
        if races.is_empty()
            && let Some((size, align)) = fact.vector
        {
            // The other components of the vector.
            let at = start + pointer.offset;
            let vector = at / align * align..at / align * align + size;
            let own = at..at + types.bytes(pointer.ty);
            let access = Access { kind, who, epoch, changes: true };
            for (at, word) in shadow.words(vector).filter(|(at, _)| !own.contains(at)) {
                race::look(word, first, access, |race| races.push((race, at)));
            }
            what = Some(What::Component);
        }
        if !races.is_empty() {
            self.raced(pointer, spot, kind, &races, what);
        }
        self.races = races;
    }

    /// Where the rows of a place start in its memory.
    fn start(&self, place: Place) -> usize {
        match place {
            Place::Buffer(row) => self.now.rows[row as usize].1,
            Place::Workgroup | Place::Own | Place::Nowhere => 0,
        }
    }

    /// The first ticket that is not ordered before the invocation, and its epoch.
    fn order(&self, place: Place) -> (u32, u32) {
        match place {
            Place::Workgroup => (self.turn.ticket, self.turn.group.workgroup),
            Place::Buffer(_) | Place::Own | Place::Nowhere => (self.first, self.turn.group.storage),
        }
    }

    /// Someone who is not watched writes all the same.
    fn passed_by(&mut self, types: &Types, pointer: Pointer, kind: Kind) {
        let (Place::Buffer(row), Kind::Write | Kind::AtomicWrite) = (pointer.place, kind) else { return };
        let store = self.now.rows[row as usize].0;
        if self.stores[store].is_whole() || !self.make(pointer.place) {
            return;
        }
        let start = self.start(pointer.place) + pointer.offset;
        let shadow = &mut self.stores[store];
        types.spans(pointer.ty, start, &mut |range| shadow.words(range).for_each(|(_, word)| race::write(word)));
    }

    /// Tells of a read of what nobody has written.
    fn unwritten(&mut self, types: &Types, pointer: Pointer, spot: Spot, kind: Kind) {
        let (shadow, since) = match pointer.place {
            Place::Workgroup if self.turn.is_watched => (&self.turn.group.memory, self.turn.start),
            Place::Buffer(row) if self.turn.is_watched => (&self.stores[self.now.rows[row as usize].0], race::HOST),
            Place::Workgroup | Place::Buffer(_) | Place::Own | Place::Nowhere => return,
        };
        if shadow.is_whole() {
            return;
        }
        let mut missing = None;
        types.spans(pointer.ty, self.start(pointer.place) + pointer.offset, &mut |range| {
            if missing.is_none() && !shadow.is_written(range.clone(), since) {
                missing = Some(range.start);
            }
        });
        if let Some(at) = missing {
            self.read_unwritten(pointer.place, spot, kind, at);
        }
    }

    /// Makes sure that there is shadow memory; if there is no room for it the run will end.
    fn make(&mut self, place: Place) -> bool {
        let Place::Buffer(row) = place else { return true };
        let store = self.now.rows[row as usize].0;
        if self.stores[store].is_made() {
            return true;
        }
        if self.failed.is_some() {
            return false;
        }
        let made = match self.stores[store].make() {
            Ok(()) => {
                self.held_bytes += self.stores[store].held_bytes();
                self.fits()
            }
            Err(_) => Err(self.refused(store)),
        };
        self.failed = made.err();
        self.failed.is_none()
    }

    /// The number that shadow memory has for a spot. Few programs have more than there are.
    fn number(&mut self, spot: Spot) -> u16 {
        let number = &mut self.numbers[spot.0 as usize];
        if *number == 0 && self.spots.len() < usize::from(u16::MAX) {
            *number = self.spots.len() as u16;
            self.spots.push(Some(spot));
        }
        *number
    }

    fn nowhere(&mut self, pointer: Pointer, spot: Spot, kind: Kind) {
        let origin = Spot(pointer.origin);
        let Some(&Fault { bound, base }) = self.faults.get(&origin) else {
            unreachable!("invariant origins: a pointer to nowhere says who made it")
        };
        self.outside(kind, spot, origin, pointer.offset as i64 as i128, bound, Some(base));
    }
}

/// An index, also one that no length holds.
fn signed(index: &Value) -> i64 {
    match *index {
        Value::Num(Num::I32(i)) => i.into(),
        Value::Num(Num::U32(i)) => i.into(),
        Value::Num(Num::I64(i)) => i,
        Value::Num(Num::U64(i)) => i.try_into().unwrap_or(i64::MAX),
        _ => unreachable!("invariant typed-index: an index is an integer"),
    }
}
