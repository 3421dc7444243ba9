//! Finds two steps of a group that touch the same bytes in ways that do not commute.
//!
//! Touches are swept in order of their first byte. Of the touches of each kind so far, only
//! those that reach furthest can still meet the next one: the furthest, and the furthest of
//! another step, since a step does not clash with itself. O(n log n).

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Read,
    /// Atomic updates commute with each other, but with nothing else.
    Update,
    Write,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Read, Self::Update, Self::Write];

    fn commutes(self, with: Self) -> bool {
        self == with && self != Self::Write
    }
}

/// A step's use of a range of some memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Touch {
    pub(super) memory: u32,
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) step: usize,
    pub(super) kind: Kind,
}

/// Two steps and what they clash over.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Clash {
    pub(super) memory: u32,
    pub(super) first: usize,
    pub(super) second: usize,
}

/// One clash, the same for whatever order the touches come in. Leaves them sorted.
pub(super) fn find(touches: &mut [Touch]) -> Option<Clash> {
    touches.sort_unstable();
    let mut reached = [Reached::default(); 3];
    let mut memory = None;
    for touch in touches.iter().filter(|touch| touch.start < touch.end) {
        if memory.replace(touch.memory) != Some(touch.memory) {
            reached = [Reached::default(); 3];
        }
        for (kind, reached) in Kind::ALL.into_iter().zip(&reached) {
            if let Some(other) = reached.beyond(touch).filter(|_| !kind.commutes(touch.kind)) {
                let (first, second) = (other.min(touch.step), other.max(touch.step));
                return Some(Clash { memory: touch.memory, first, second });
            }
        }
        reached[touch.kind as usize].add(touch);
    }
    None
}

/// How far the touches of one kind reach.
#[derive(Debug, Clone, Copy, Default)]
struct Reached {
    /// The furthest end and its step.
    furthest: Option<(u64, usize)>,
    /// The same among the other steps.
    other: Option<(u64, usize)>,
}

impl Reached {
    /// A step that is not the touch's own and reaches beyond its start.
    fn beyond(&self, touch: &Touch) -> Option<usize> {
        let of_another = |reached: &(u64, usize)| reached.1 != touch.step;
        let (end, step) = self.furthest.filter(of_another).or(self.other.filter(of_another))?;
        (end > touch.start).then_some(step)
    }

    fn add(&mut self, touch: &Touch) {
        let new = Some((touch.end, touch.step));
        match self.furthest {
            Some((end, step)) if step == touch.step => self.furthest = Some((end.max(touch.end), step)),
            Some((end, _)) if end >= touch.end => self.other = self.other.max(new),
            before => {
                self.other = before;
                self.furthest = new;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair, as the rule says it.
    fn any(touches: &[Touch]) -> bool {
        let clash = |a: &Touch, b: &Touch| {
            let overlap = a.memory == b.memory && a.start.max(b.start) < a.end.min(b.end);
            a.step != b.step && overlap && !a.kind.commutes(b.kind)
        };
        touches.iter().any(|a| touches.iter().any(|b| clash(a, b)))
    }

    #[test]
    fn the_sweep_finds_what_pairs_find() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut clashes = 0;
        for round in 0..20_000 {
            let mut touches: Vec<Touch> = (0..random(7))
                .map(|_| {
                    let start = random(12);
                    let kind = Kind::ALL[random(3) as usize];
                    let (memory, step) = (random(2) as u32, random(4) as usize);
                    Touch { memory, start, end: start + random(5), step, kind }
                })
                .collect();
            let expected = any(&touches);
            let found = find(&mut touches);
            assert_eq!(found.is_some(), expected, "round {round}: {touches:?}");
            if let Some(Clash { memory, first, second }) = found {
                let of_both = |touch: &&Touch| touch.memory == memory && [first, second].contains(&touch.step);
                let both: Vec<Touch> = touches.iter().filter(of_both).copied().collect();
                assert!(first < second && any(&both), "round {round}: {first} and {second} in {touches:?}");
                clashes += 1;
            }
        }
        assert!((3_000..17_000).contains(&clashes), "{clashes}");
    }
}
