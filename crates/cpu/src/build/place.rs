//! Where pointers point, and loads and stores through them.

use std::collections::HashSet;

use naga::{Expression, Handle, Module, Statement, TypeInner};
use seawall_core::program::walk::{self, Link};

use super::{Builder, types};
use crate::ir::{self, Address, Binary, Bound, Mem, Memory, Node, Op, Term, Value};

/// The variable that a pointer starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// Its scalars stand in `env` from `start` on.
    Register {
        start: usize,
        len: usize,
    },
    Memory(Mem),
}

/// A pointer, resolved as far as its indices are known.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) root: Root,
    /// The type pointed to.
    pub(super) inner: TypeInner,
    /// First scalar, counted from the root.
    leaf: usize,
    /// First byte, counted from the root.
    byte: u32,
    /// Dynamic indices into memory.
    terms: Vec<Term>,
    /// Dynamic indices into vectors and matrices in registers.
    picks: Vec<Pick>,
}

#[derive(Debug, Clone, Copy)]
struct Pick {
    index: Value,
    count: u32,
    leaves: usize,
}

impl Place {
    pub(super) fn new(root: Root, inner: TypeInner) -> Self {
        Self { root, inner, leaf: 0, byte: 0, terms: Vec::new(), picks: Vec::new() }
    }

    /// Whether it lies inside its variable for sure.
    pub(super) fn is_fixed(&self) -> bool {
        self.terms.is_empty() && self.picks.is_empty()
    }
}

impl Builder<'_> {
    /// A member or element by a constant index.
    pub(super) fn place_member(&mut self, place: &Place, index: u32) -> Place {
        // The last member of a buffer may grow, so that even a constant index must be checked, and
        // may lie anywhere.
        if let TypeInner::Array { size: naga::ArraySize::Dynamic, .. } = place.inner {
            let index = self.u32(index);
            return self.place_element(place, index);
        }
        let mut next = place.clone();
        let (inner, leaf, byte) = types::member(self.module, &place.inner, index);
        next.inner = inner;
        next.leaf += leaf;
        next.byte += byte;
        next
    }

    /// An element by an index that is known when the kernel runs.
    pub(super) fn place_element(&mut self, place: &Place, index: Value) -> Place {
        let (inner, len, stride) = types::element(self.module, &place.inner);
        let mut next = place.clone();
        let leaves = if len.is_some() { types::count(self.module, &inner) } else { 0 };
        next.inner = inner;
        match place.root {
            Root::Register { .. } => {
                let count = len.unwrap_or_else(|| unreachable!("invariant sizes: a local has a fixed size"));
                next.picks.push(Pick { index, count, leaves });
            }
            Root::Memory(memory) => {
                let (stride, bound) = match self.f.memories[memory.index()] {
                    Memory::Buffer { buffer, .. } => (stride, len.map_or(Bound::Length { buffer }, Bound::Const)),
                    Memory::Workgroup { .. } => (stride, Bound::Const(len.unwrap_or(0))),
                    Memory::Private { .. } | Memory::Constants { .. } => {
                        (leaves as u32, Bound::Const(len.unwrap_or(0)))
                    }
                };
                next.terms.push(Term { index, stride, bound, shown: None });
            }
        }
        next
    }

    /// The addresses of the place's scalars, in memory.
    fn addresses(&self, place: &Place, memory: Mem) -> Vec<(Address, ir::Ty)> {
        let mut all = Vec::new();
        types::layout(self.module, &place.inner, 0, &mut all);
        let in_slots = matches!(self.f.memories[memory.index()], Memory::Private { .. } | Memory::Constants { .. });
        let offset = |(i, (byte, _)): (usize, &(u32, ir::Ty))| {
            if in_slots { (place.leaf + i) as u32 } else { place.byte + byte }
        };
        let offsets: Vec<u32> = all.iter().enumerate().map(offset).collect();
        let at =
            |(offset, (_, ty)): (u32, &(u32, ir::Ty))| (Address { memory, offset, terms: place.terms.clone() }, *ty);
        offsets.into_iter().zip(&all).map(at).collect()
    }

    /// Whether a place lies in memory of the invocation.
    pub(super) fn is_own(&self, place: &Place) -> bool {
        matches!(place.root, Root::Memory(memory) if matches!(self.f.memories[memory.index()], Memory::Private { .. }))
    }

    /// The scalars at a place; `uniform` when every invocation is known to see the same.
    pub(super) fn load(&mut self, place: &Place, uniform: bool) -> Vec<Value> {
        match place.root {
            Root::Register { start, .. } => {
                let count = types::count(self.module, &place.inner);
                self.pick(start + place.leaf, count, &place.picks)
            }
            Root::Memory(memory) => {
                let all = self.addresses(place, memory);
                all.into_iter().map(|(at, ty)| self.emit(ty, Op::Load { at, uniform })).collect()
            }
        }
    }

    /// `count` scalars of `env` behind dynamic indices: zero where an index is outside.
    fn pick(&mut self, start: usize, count: usize, picks: &[Pick]) -> Vec<Value> {
        let Some((first, rest)) = picks.split_first() else { return self.env[start..start + count].to_vec() };
        let options: Vec<Vec<Value>> =
            (0..first.count).map(|k| self.pick(start + k as usize * first.leaves, count, rest)).collect();
        self.choose(first.index, &options)
    }

    /// The option that an index names, or zeros.
    pub(super) fn choose(&mut self, index: Value, options: &[Vec<Value>]) -> Vec<Value> {
        let tys: Vec<ir::Ty> = options[0].iter().map(|&value| self.f.ty(value)).collect();
        let mut chosen: Vec<Value> = tys.into_iter().map(|ty| self.zero(ty)).collect();
        for (k, option) in options.iter().enumerate() {
            let k = self.u32(k as u32);
            let here = self.binary(Binary::Eq, index, k);
            chosen = option.iter().zip(&chosen).map(|(&a, &b)| self.select(here, a, b)).collect();
        }
        chosen
    }

    pub(super) fn store(&mut self, place: &Place, values: &[Value]) {
        match place.root {
            Root::Register { start, .. } => self.put(start + place.leaf, values, &place.picks, None),
            Root::Memory(memory) => {
                let all = self.addresses(place, memory);
                for ((at, _), &value) in all.into_iter().zip(values) {
                    self.push(Node::Store { at, value, when: None });
                }
            }
        }
    }

    fn put(&mut self, start: usize, values: &[Value], picks: &[Pick], only_if: Option<Value>) {
        let Some((first, rest)) = picks.split_first() else {
            for (i, &value) in values.iter().enumerate() {
                let old = self.env[start + i];
                self.env[start + i] = only_if.map_or(value, |condition| self.select(condition, value, old));
            }
            return;
        };
        for k in 0..first.count {
            let here = self.u32(k);
            let here = self.binary(Binary::Eq, first.index, here);
            let both = only_if.map_or(here, |outer| self.binary(Binary::And, outer, here));
            self.put(start + k as usize * first.leaves, values, rest, Some(both));
        }
    }

    /// The one address of a scalar in memory.
    pub(super) fn address(&self, place: &Place) -> (Address, ir::Ty) {
        let Root::Memory(memory) = place.root else { unreachable!("invariant atomics: {place:?} is in memory") };
        self.addresses(place, memory).remove(0)
    }
}

/// The variable at the start of a chain of accesses, if it is reached through an array by a
/// dynamic index or handed to another function with an array inside.
fn roots_in(fun: &naga::Function) -> impl Iterator<Item = Link> {
    let mut found: Vec<Handle<Expression>> = Vec::new();
    for (_, expression) in fun.expressions.iter() {
        if let Expression::Access { base, .. } = expression {
            found.push(*base);
        }
    }
    for (statement, _) in walk::statements(&fun.body) {
        if let Statement::Call { arguments, .. } = statement {
            found.extend(arguments);
        }
    }
    found.into_iter().map(|at| walk::root(fun, at))
}

fn has_array(module: &Module, ty: Handle<naga::Type>) -> bool {
    let inner = &module.types[ty].inner;
    if let TypeInner::Struct { members, .. } = inner {
        return members.iter().any(|member| has_array(module, member.ty));
    }
    matches!(inner, TypeInner::Array { .. })
}

/// Locals that must live in memory.
pub(super) fn indexed_locals(module: &Module, fun: &naga::Function) -> HashSet<Handle<naga::LocalVariable>> {
    roots_in(fun)
        .filter_map(|root| if let Link::Local(local) = root { Some(local) } else { None })
        .filter(|local| has_array(module, fun.local_variables[*local].ty))
        .collect()
}

/// Pointer arguments, by number, behind which there must be memory.
pub(super) fn indexed_arguments(module: &Module, fun: &naga::Function) -> HashSet<u32> {
    let pointed = |argument: u32| {
        let inner = &module.types[fun.arguments[argument as usize].ty].inner;
        matches!(inner, TypeInner::Pointer { base, .. } if has_array(module, *base))
    };
    roots_in(fun)
        .filter_map(|root| if let Link::Argument(argument) = root { Some(argument) } else { None })
        .filter(|&argument| pointed(argument))
        .collect()
}

/// Private variables that must live in memory.
pub(super) fn indexed_globals(module: &Module) -> HashSet<Handle<naga::GlobalVariable>> {
    let functions = module.functions.iter().map(|(_, fun)| fun);
    functions
        .chain(module.entry_points.iter().map(|entry| &entry.function))
        .flat_map(roots_in)
        .filter_map(|root| if let Link::Global(global) = root { Some(global) } else { None })
        .filter(|global| has_array(module, module.global_variables[*global].ty))
        .collect()
}
