//! Load clustering: loads of other words of an element that was read before, moved up to where that was: what stands
//! side by side is done at once, by loads of whole vectors that are transposed in registers.
//!
//! A load may move up past all that cannot have changed what it gives: stores to other words of the same element, or to
//! memory that it cannot meet. A store whose index is another, an atomic or a barrier ends what is known. Its index is
//! made before the first load of the element, for it is the same, and a load out of bounds gives zero wherever it stands.

use crate::cost;
use crate::divergence::{Shape, Shapes};
use crate::ir::{Address, Function, Memory, Node, Op, Region, Ty, Value};

const NAME: &str = "cluster";

/// Moves loads of words that go along the lanes to those of the same element. No shape changes.
pub(crate) fn cluster(f: &mut Function, shapes: &Shapes) -> bool {
    let mut body = std::mem::take(&mut f.body);
    Cluster { f, shapes, reads: Vec::new() }.region(&mut body);
    f.body = body;
    false
}

/// An element of which words were read.
struct Read {
    at: Address,
    /// The least and the greatest offset of those words.
    ends: [u32; 2],
    /// How many nodes come before the next word.
    place: usize,
    /// What of it was written since.
    written: Vec<(Address, Ty)>,
}

struct Cluster<'a> {
    f: &'a Function,
    shapes: &'a Shapes,
    reads: Vec<Read>,
}

impl Cluster<'_> {
    fn region(&mut self, region: &mut Region) {
        self.reads.clear();
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            let mut place = nodes.len();
            match &mut node {
                Node::Let(value) => match self.f.op(*value) {
                    Op::Load { at, uniform: false } => place = self.read(at, *value, place),
                    Op::Atomic { at, .. } => self.reads.retain(|read| !self.f.may_meet(read.at.memory, at.memory)),
                    Op::Subgroup(..) => self.reads.clear(),
                    _ => {}
                },
                Node::Store { at, value, .. } => {
                    self.reads.retain_mut(|read| {
                        let beside = read.at.memory == at.memory && read.at.terms == at.terms;
                        if beside {
                            read.written.push((at.clone(), self.f.ty(*value)));
                        }
                        beside || !self.f.may_meet(read.at.memory, at.memory)
                    });
                }
                Node::Barrier | Node::Group(_) => self.reads.clear(),
                Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| self.region(arm)),
                Node::Block { body, .. } | Node::Loop { body, .. } => self.region(body),
            }
            if node.regions().next().is_some() {
                self.reads.clear();
            }
            nodes.insert(place, node);
        }
        region.nodes = nodes;
    }

    /// Where a load that stands at `here` may stand.
    fn read(&mut self, at: &Address, value: Value, here: usize) -> usize {
        let Some(reach) = self.reach(at, value) else { return here };
        let ends = |read: &Read| [read.ends[0].min(at.offset), read.ends[1].max(at.offset)];
        let found = self.reads.iter().position(|read| {
            let [low, high] = ends(read);
            let same = read.at.memory == at.memory && read.at.terms == at.terms;
            let was_written = |(place, ty): &(Address, Ty)| self.f.may_alias((place, *ty), (at, self.f.ty(value)));
            let near = same && high - low + Ty::U32.bytes() <= reach;
            let written = near && read.written.iter().any(was_written);
            if written {
                self.f.missed(NAME, value, "the word is written after those beside it are read");
            }
            near && !written
        });
        let Some(found) = found else {
            let read = Read { at: at.clone(), ends: [at.offset; 2], place: here + 1, written: Vec::new() };
            self.reads.push(read);
            return here;
        };
        self.f.done(NAME, value, "read with the words beside it");
        let place = self.reads[found].place;
        self.reads[found].ends = ends(&self.reads[found]);
        for read in &mut self.reads {
            read.place += usize::from(read.place >= place);
        }
        place
    }

    /// How far the words of an element may reach, if they are of 32 bits and it goes along the lanes.
    fn reach(&self, at: &Address, value: Value) -> Option<u32> {
        let memory = &self.f.memories[at.memory.index()];
        let bytes = matches!(memory, Memory::Buffer { .. } | Memory::Workgroup { .. });
        let word = matches!(self.f.ty(value), Ty::F32 | Ty::I32 | Ty::U32);
        let mut moving = at.terms.iter().filter(|term| !self.shapes.of(term.index).is_scalar());
        let (Some(term), None, true) = (moving.next(), moving.next(), bytes && word) else { return None };
        let Shape::Linear(stride @ 1..) = self.shapes.of(term.index) else { return None };
        let step = u32::try_from(stride.saturating_mul(term.stride.into())).ok()?;
        (step > Ty::U32.bytes()).then_some(step.min(cost::CLUSTER_BYTES))
    }
}
