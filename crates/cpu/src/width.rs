//! How many lanes of a kernel run together, and why.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::cost;
use crate::divergence::{self, Shape, Shapes};
use crate::ir::{Address, End, Function, Label, Node, Op, Region, Value};

/// Invocations that run together, one instruction for all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// Each by itself.
    One,
    /// One 128-bit vector.
    Four,
    /// One 256-bit vector, or two of 128 bits.
    Eight,
    /// One 512-bit vector, or two of 256 bits.
    Sixteen,
    /// And twice as many again.
    ThirtyTwo,
}

impl Lanes {
    fn count(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Four => cost::WIDTH_LEAST,
            Self::Eight => 8,
            Self::Sixteen => 16,
            Self::ThirtyTwo => cost::WIDTH_MOST,
        }
    }
}

/// Why a width was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Because {
    /// Workgroups have fewer invocations than the next width has lanes.
    Size { invocations: u32 },
    /// Fetching elements one by one outweighs the arithmetic.
    Gathers { gathers: u64, work: u64 },
    /// Few values live at once, and lanes go together.
    Light { live: usize },
    /// More values live at once than registers have place for twice.
    Heavy { live: usize },
    /// Lanes of a subgroup do something together.
    Subgroup,
    /// The caller wants it so.
    Asked,
    /// Lanes of a wider group would not lie in one row.
    Rows,
    /// They do not, but what loops compute outweighs the places outside of them that lie apart for it.
    Across { places: u64, work: u64 },
    /// Nothing stands against it.
    Default,
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { invocations } => write!(f, "a workgroup has {invocations} invocations"),
            Self::Gathers { gathers, work } => {
                write!(f, "{gathers} gathers and scatters against {work} operations in loops")
            }
            Self::Light { live } => write!(f, "{live} values live at once, and lanes go together"),
            Self::Heavy { live } => write!(f, "{live} values live at once, for which one vector each is enough"),
            Self::Subgroup => f.write_str("a lane group is a subgroup"),
            Self::Asked => f.write_str("asked for"),
            Self::Rows => f.write_str("lanes of a wider group would not lie in one row"),
            Self::Across { places, work } => {
                write!(f, "several rows: {places} more gathers and scatters against {work} operations in loops")
            }
            Self::Default => f.write_str("two vectors for each lane value"),
        }
    }
}

/// The shapes at the chosen width, or at the one that was asked for, on a machine whose vectors have so many
/// lanes of 32 bits.
pub(crate) fn choose(f: &Function, asked: Option<Lanes>, vector: u32) -> (Shapes, Because) {
    if let Some(lanes) = f.subgroup {
        return (divergence::analyse(f, lanes), Because::Subgroup);
    }
    if let Some(lanes) = asked {
        return (divergence::analyse(f, lanes.count()), Because::Asked);
    }
    let invocations = f.invocations();
    let widest = match invocations {
        0..cost::WIDTH_LEAST => 1,
        cost::WIDTH_LEAST..cost::WIDTH_JUDGED => cost::WIDTH_LEAST,
        _ => cost::WIDTH_JUDGED,
    };
    let shapes = divergence::analyse(f, widest);
    if widest == 1 {
        return (shapes, Because::Size { invocations });
    }
    let Counts { gathers, work, .. } = Counts::of(f, &shapes);
    if gathers > 0 && gathers.saturating_mul(cost::WORK_PER_GATHER) > work {
        return (divergence::analyse(f, 1), Because::Gathers { gathers, work });
    }
    if widest < cost::WIDTH_JUDGED {
        return (shapes, Because::Size { invocations });
    }
    // Wider, where no lane group has lanes to spare for it and nothing varies that did not before.
    let wider = |lanes: u32| {
        let broad = divergence::analyse(f, lanes);
        (invocations.is_multiple_of(lanes) && broad.varying() == shapes.varying()).then_some(broad)
    };
    let across = |lanes: u32| {
        let broad = divergence::analyse(f, lanes);
        let places = Counts::of(f, &broad).places - Counts::of(f, &shapes).places;
        let fits = invocations.is_multiple_of(lanes)
            && broad.split == shapes.split
            && broad.ragged == shapes.ragged
            && Counts::of(f, &broad).gathers == gathers
            && places.saturating_mul(cost::WORK_PER_GATHER) <= work
            && pressure(f, &broad) <= cost::usual_live(vector);
        fits.then_some((broad, Because::Across { places, work }))
    };
    let live = pressure(f, &shapes);
    let most = cost::WIDTH_MOST_LIVE + usize::from(!f.coarsened.is_empty());
    if gathers == 0
        && live <= most
        && let Some(broad) = wider((cost::VECTORS_MOST * vector).min(cost::WIDTH_MOST))
    {
        let rest = |label: &Label| f.interchanged.iter().any(|at| at.rest == Some(*label));
        if broad.ragged.iter().all(rest) {
            return (broad, Because::Light { live });
        }
    }
    let usual = cost::VECTORS_USUAL * vector;
    let (first, because) = if live > cost::usual_live(vector) && usual > widest {
        (vector, Because::Heavy { live })
    } else {
        (usual, Because::Default)
    };
    for lanes in [first, vector].into_iter().filter(|lanes| *lanes > widest) {
        if let Some(broad) = wider(lanes) {
            return (broad, if lanes == first { because } else { Because::Rows });
        }
        if let Some(found) = across(lanes) {
            return found;
        }
    }
    (shapes, if first > widest { Because::Rows } else { because })
}

/// The most values, one for each lane, that are live at once.
fn pressure(f: &Function, shapes: &Shapes) -> usize {
    let mut pressure = Pressure { f, shapes, most: 0, turns: HashMap::new() };
    // What a loop's body needs from outside is needed in every turn: the first walk finds it for
    // each loop, the second has it at the end of each body. Walking each body twice instead
    // would take time that doubles with each loop around it.
    for _ in 0..2 {
        pressure.region(&f.body, HashSet::new());
    }
    pressure.most
}

/// Walks backwards with what is needed later.
struct Pressure<'a> {
    f: &'a Function,
    shapes: &'a Shapes,
    most: usize,
    /// By a loop's label: what its body needs from outside.
    turns: HashMap<Label, HashSet<Value>>,
}

impl Pressure<'_> {
    fn need(&mut self, live: &mut HashSet<Value>, value: Value) {
        if self.shapes.of(value) == Shape::Varying && self.f.constant(value).is_none() {
            live.insert(value);
            self.most = self.most.max(live.len());
        }
    }

    /// What is needed before the region, given what is needed after it.
    fn region(&mut self, region: &Region, mut live: HashSet<Value>) -> HashSet<Value> {
        if let End::Fall(args) | End::Jump(_, args) = &region.end {
            args.iter().for_each(|&arg| self.need(&mut live, arg));
        }
        for node in region.nodes.iter().rev() {
            match node {
                Node::Let(value) => {
                    live.remove(value);
                    self.f.op(*value).each(|operand| self.need(&mut live, operand));
                }
                Node::Store { at, value, .. } => {
                    at.each(|index| self.need(&mut live, index));
                    self.need(&mut live, *value);
                }
                Node::Barrier | Node::Group(_) => {}
                Node::If { condition, accept, reject, results } => {
                    results.iter().for_each(|result| _ = live.remove(result));
                    let other = self.region(reject, live.clone());
                    live = self.region(accept, live);
                    live.extend(other);
                    self.need(&mut live, *condition);
                }
                Node::Block { body, results, .. } => {
                    results.iter().for_each(|result| _ = live.remove(result));
                    live = self.region(body, live);
                }
                Node::Loop { label, params, init, body, .. } => {
                    live.extend(self.turns.get(label).into_iter().flatten());
                    live = self.region(body, live);
                    params.iter().for_each(|param| _ = live.remove(param));
                    self.turns.insert(*label, live.clone());
                    init.iter().for_each(|&first| self.need(&mut live, first));
                }
            }
        }
        live
    }
}

/// What speaks for one lane and for several.
struct Counts<'a> {
    f: &'a Function,
    shapes: &'a Shapes,
    /// Lanes that go to memory each by itself, in loops.
    gathers: u64,
    /// The same outside of them.
    places: u64,
    work: u64,
}

impl<'a> Counts<'a> {
    fn of(f: &'a Function, shapes: &'a Shapes) -> Self {
        let mut counts = Self { f, shapes, gathers: 0, places: 0, work: 0 };
        counts.region(&f.body, 1);
        counts
    }

    fn region(&mut self, region: &Region, weight: u64) {
        for node in &region.nodes {
            match node {
                Node::Let(value) => self.value(*value, weight),
                Node::Store { at, .. } => self.reach(at, weight),
                Node::Barrier | Node::Group(_) => {}
                Node::If { accept, reject, .. } => {
                    self.region(accept, weight);
                    self.region(reject, weight);
                }
                Node::Block { body, .. } => self.region(body, weight),
                Node::Loop { body, .. } => self.region(body, weight.saturating_mul(cost::TURNS)),
            }
        }
    }

    fn reach(&mut self, at: &Address, weight: u64) {
        if at.terms.iter().all(|term| self.shapes.of(term.index) != Shape::Varying) {
            return;
        }
        let count = if weight > 1 { &mut self.gathers } else { &mut self.places };
        *count = count.saturating_add(weight);
    }

    fn value(&mut self, value: Value, weight: u64) {
        match self.f.op(value) {
            Op::Run(callee, _) => {
                let work = weight.saturating_mul(self.f.calls[*callee as usize]);
                self.work = self.work.saturating_add(work);
            }
            Op::Load { at, .. } if weight > 1 => self.reach(at, weight),
            op if self.shapes.of(value) == Shape::Varying => {
                // Not what it costs: what is done lane by lane is done no sooner side by side.
                self.work = self.work.saturating_add(weight);
                if let Op::Load { at, .. } = op {
                    self.reach(at, weight);
                }
            }
            _ => {}
        }
    }
}
