//! Which accesses race: a state of constant size for each word of memory, which decides exactly
//! what comparing every access with every earlier one would.
//!
//! Two accesses to a word race if different invocations make them, one of them writes, not both
//! are atomic, and nothing orders them. WGSL has no acquire and no release; its barriers have
//! workgroup scope. So in one phase, from one boundary of the whole grid to the next (the end of a
//! group of steps, a grid barrier), accesses of different workgroups are never ordered, and those
//! of one workgroup only by its barriers for that address space: iff their epochs differ.
//!
//! For each kind of access it is therefore enough to know
//! - of a phase in which one workgroup came here: its latest epoch, and up to two invocations that
//!   came in it. An earlier epoch is ordered before all that workgroup does from now on, and any
//!   third invocation would race with whatever two others race with;
//! - of a phase in which several came: two of them. Whoever comes now is not in one of the two.
//!
//! A workgroup is named by a ticket that grows over the run, so that a phase is the tickets from
//! its first on, and nothing is cleared between phases.

/// How memory is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Write,
    Read,
    /// A store or a read-modify-write.
    AtomicWrite,
    AtomicRead,
}

impl Kind {
    /// Those that it races with, as far as their kinds decide; what tells most comes first.
    const fn conflicts(self) -> &'static [Self] {
        match self {
            Self::Write => &[Self::Write, Self::Read, Self::AtomicWrite, Self::AtomicRead],
            Self::Read => &[Self::Write, Self::AtomicWrite],
            Self::AtomicWrite => &[Self::Write, Self::Read],
            Self::AtomicRead => &[Self::Write],
        }
    }
}

/// Who came, and where in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Who {
    /// The workgroup's ticket in this phase.
    pub(crate) ticket: u32,
    /// The invocation's index in its workgroup.
    pub(crate) index: u16,
    /// The place in the program.
    pub(crate) site: u16,
}

/// One access to one word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    pub(crate) kind: Kind,
    pub(crate) who: Who,
    /// Barriers for this address space that the workgroup has passed.
    pub(crate) epoch: u32,
    /// Whether it leaves another value than it found.
    pub(crate) changes: bool,
}

/// An earlier access that nothing orders before the one at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Race {
    pub(crate) with: Kind,
    pub(crate) who: Who,
    /// Both write, and so does everyone else that is not ordered, the very same value.
    pub(crate) same_value: bool,
}

/// What is known of one word: a [`Slot`] for each kind. Zeros are a word that nobody has touched.
pub(crate) type Word = [[u32; 4]; 4];

/// The ticket of the host, which is done before any dispatch starts.
pub(crate) const HOST: u32 = 1;

/// The first ticket of a workgroup.
pub(crate) const FIRST: u32 = 2;

/// Invocations of a workgroup: two bits of sixteen are kept for [`Slot`].
const INVOCATIONS_MAX: u64 = 1 << 14;

/// The accesses of one kind: at most 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Slot {
    ticket: u32,
    /// Of that workgroup; or, where several came, the ticket of another one.
    epoch: u32,
    /// The invocation of the first ticket,
    index: u16,
    site: u16,
    /// and another one: of the same workgroup and epoch, or of the other ticket.
    second_index: u16,
    second_site: u16,
    has_second: bool,
    several: bool,
    /// Not all writes of this epoch, or of this phase, have left the same value.
    varied: bool,
    varied_in_phase: bool,
}

const INDEX: u32 = INVOCATIONS_MAX as u32 - 1;
const HIGH: u32 = 1 << 15;
const LOW: u32 = 1 << 14;

impl Slot {
    fn read([ticket, epoch, one, two]: [u32; 4]) -> Self {
        Self {
            ticket,
            epoch,
            index: (one & INDEX) as u16,
            site: (one >> 16) as u16,
            second_index: (two & INDEX) as u16,
            second_site: (two >> 16) as u16,
            has_second: two & HIGH != 0,
            several: one & HIGH != 0,
            varied: one & LOW != 0,
            varied_in_phase: two & LOW != 0,
        }
    }

    fn written(self) -> [u32; 4] {
        let pack = |index: u16, site: u16, high: bool, low: bool| {
            u32::from(index) | (u32::from(site) << 16) | (u32::from(high) * HIGH) | (u32::from(low) * LOW)
        };
        [
            self.ticket,
            self.epoch,
            pack(self.index, self.site, self.several, self.varied),
            pack(self.second_index, self.second_site, self.has_second, self.varied_in_phase),
        ]
    }

    fn first(self) -> Who {
        Who { ticket: self.ticket, index: self.index, site: self.site }
    }

    fn second(self) -> Who {
        let ticket = if self.several { self.epoch } else { self.ticket };
        Who { ticket, index: self.second_index, site: self.second_site }
    }

    /// Someone here who is not ordered with the access, if the phase began with ticket `first`.
    fn unordered(self, first: u32, access: Access) -> Option<Who> {
        if self.ticket < first {
            return None;
        }
        if self.several {
            return Some(if self.ticket == access.who.ticket { self.second() } else { self.first() });
        }
        if self.ticket != access.who.ticket {
            return Some(self.first());
        }
        if self.epoch != access.epoch {
            return None;
        }
        if self.index != access.who.index {
            return Some(self.first());
        }
        self.has_second.then(|| self.second())
    }

    /// Takes the access in.
    fn add(&mut self, first: u32, access: Access) {
        let Access { who: Who { ticket, index, site }, epoch, changes, .. } = access;
        if self.ticket < first {
            *self = Self { ticket, epoch, index, site, ..Self::default() };
            return;
        }
        self.varied_in_phase |= changes;
        if self.several {
            return;
        }
        if self.ticket != ticket {
            (self.several, self.has_second) = (true, true);
            (self.epoch, self.second_index, self.second_site) = (ticket, index, site);
        } else if self.epoch != epoch {
            let varied_in_phase = self.varied_in_phase;
            *self = Self { ticket, epoch, index, site, varied_in_phase, ..Self::default() };
        } else {
            self.varied |= changes;
            if self.index != index && !self.has_second {
                (self.has_second, self.second_index, self.second_site) = (true, index, site);
            }
        }
    }
}

/// Takes an access in, and tells each kind of earlier access that it races with. `first` is the
/// first ticket of the phase.
pub(crate) fn touch(word: &mut Word, first: u32, access: Access, race: impl FnMut(Race)) {
    look(word, first, access, race);
    let slot = &mut word[access.kind as usize];
    let mut changed = Slot::read(*slot);
    changed.add(first, access);
    *slot = changed.written();
}

/// Tells the same, and does not take it in.
pub(crate) fn look(word: &Word, first: u32, access: Access, mut race: impl FnMut(Race)) {
    for &with in access.kind.conflicts() {
        let slot = Slot::read(word[with as usize]);
        if let Some(who) = slot.unordered(first, access) {
            let inside = who.ticket == access.who.ticket;
            let varied = if inside { slot.varied } else { slot.varied_in_phase };
            let both_write = (access.kind, with) == (Kind::Write, Kind::Write);
            race(Race { with, who, same_value: both_write && !varied && !access.changes });
        }
    }
}

/// Whether somebody has written it, with this ticket or a later one.
pub(crate) fn is_written(word: &Word, since: u32) -> bool {
    [Kind::Write, Kind::AtomicWrite].iter().any(|&kind| word[kind as usize][0] >= since)
}

/// Marks it as written by the host, or by someone who is not watched.
pub(crate) fn write(word: &mut Word) {
    let ticket = &mut word[Kind::Write as usize][0];
    *ticket = (*ticket).max(HOST);
}

/// Forgets everything but whether it was written, so that tickets can be given out anew.
pub(crate) fn forget(word: &mut Word) {
    let written = is_written(word, HOST);
    *word = Word::default();
    word[Kind::Write as usize][0] = if written { HOST } else { 0 };
}

#[cfg(test)]
mod tests;
