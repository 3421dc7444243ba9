//! What neighbouring nodes do with words of one element, such as the components of a vector, is done at once: an
//! element's words lie side by side in memory, where the lanes of one word do not.

use super::way::Way;
use super::{Rep, Walk};
use crate::cost;
use crate::emit::Emit;
use crate::ir::{Address, Memory, Node, Op, Ty, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Load,
    /// In the lanes of a mask, or in all.
    Store {
        when: Option<Value>,
    },
}

/// Words of one element that neighbouring nodes read, or that they write.
pub(super) struct Element {
    /// The place of the first in memory.
    at: Address,
    /// Bytes from there, and types.
    words: Vec<(u32, Ty)>,
    values: Vec<Value>,
    does: Does,
}

impl Element {
    pub(super) fn nodes(&self) -> usize {
        self.values.len()
    }

    /// Takes one more, if it is of the same element, within reach of the others.
    fn take(&mut self, at: &Address, (value, ty): (Value, Ty), does: Does, reach: u32) -> bool {
        let first = self.at.offset.min(at.offset);
        let words = self.words.iter().map(|&(ahead, ty)| (self.at.offset + ahead - first, ty));
        let words: Vec<(u32, Ty)> = words.chain([(at.offset - first, ty)]).collect();
        let again = self.words.iter().any(|&(ahead, _)| self.at.offset + ahead == at.offset);
        let same = does == self.does && at.memory == self.at.memory && at.terms == self.at.terms;
        let reaches = words.iter().all(|&(ahead, ty)| u64::from(ahead) + u64::from(ty.bytes()) <= reach.into());
        let room = self.words.len() < (cost::CLUSTER_BYTES / Ty::U32.bytes()) as usize;
        // Of two writes to one word the later must come later.
        if !same || !reaches || !room || again && does != Does::Load {
            return false;
        }
        (self.at.offset, self.words) = (first, words);
        self.values.push(value);
        true
    }
}

impl<E: Emit> Walk<'_, E> {
    /// The element that the next nodes have to do with, if they are several and can go together.
    pub(super) fn element(&self, nodes: &[Node]) -> Option<Element> {
        let (at, value, does) = self.access(nodes.first()?)?;
        let reach = match self.way(at) {
            Way::Strided(along) if along.step > Ty::U32.bytes() => cost::CLUSTER_BYTES.min(along.step),
            Way::Same if does == Does::Load => cost::CLUSTER_BYTES,
            Way::Strided(_) | Way::Same | Way::Slot | Way::Scattered => return None,
        };
        let words = vec![(0, self.f.ty(value))];
        let mut element = Element { at: at.clone(), words, values: vec![value], does };
        for (at, value, does) in nodes[1..].iter().map_while(|node| self.access(node)) {
            if !element.take(at, (value, self.f.ty(value)), does, reach) {
                break;
            }
        }
        let several = element.words.iter().any(|word| word.0 != element.words[0].0);
        several.then_some(element)
    }

    /// The place of a word of 32 bits that a node reads or writes.
    fn access<'n>(&'n self, node: &'n Node) -> Option<(&'n Address, Value, Does)> {
        let (at, value, does) = match node {
            Node::Let(value) => match self.f.op(*value) {
                Op::Load { at, uniform: false } => (at, *value, Does::Load),
                _ => return None,
            },
            Node::Store { at, value, when } => (at, *value, Does::Store { when: *when }),
            Node::Barrier | Node::Group(_) | Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => return None,
        };
        let memory = &self.f.memories[at.memory.index()];
        let shared = matches!(memory, Memory::Buffer { .. } | Memory::Workgroup { .. });
        (shared && matches!(self.f.ty(value), Ty::F32 | Ty::I32 | Ty::U32)).then_some((at, value, does))
    }

    /// Reads or writes the words of an element.
    pub(super) fn at_once(&mut self, element: &Element) {
        let Element { at, words, values, does } = element;
        let reps: Vec<Rep<E>> = match self.way(at) {
            Way::Strided(along) => match *does {
                Does::Store { when } => {
                    self.store_strided(at, along, words, values, when);
                    Vec::new()
                }
                Does::Load => self.load_strided(at, along, words).into_iter().map(Rep::Each).collect(),
            },
            _ => self.load_same(at, words).into_iter().map(Rep::Scalar).collect(),
        };
        for (&value, rep) in values.iter().zip(reps) {
            self.define(value, rep);
        }
    }
}
