//! Functions that are called: built once, handed their arguments in memory of the invocation, and
//! leaving their results there.
//!
//! A pointer to a variable of the invocation is handed over as what it points to, and what that
//! has become comes back. No place is handed over twice at once, nor one that the function also
//! finds by its name, nor one that may lie outside its variable, where nothing comes back: such a
//! call is written out.

use std::collections::HashSet;

use naga::{Expression, Handle, TypeInner};

use super::place::{self, Place, Root};
use super::{Builder, Expr, Scope, types};
use crate::ir::remark::Remarks;
use crate::ir::{Address, Function, Mem, Memory, Node, Op, Region, Ty, Value};
use crate::passes;

/// How a function is called.
#[derive(Debug, Clone)]
pub(super) struct Callee {
    /// Its number.
    number: u32,
    arguments: Mem,
    results: Mem,
    /// Types of its result's scalars.
    gives: Vec<Ty>,
}

impl Builder<'_> {
    /// Builds a function that is called.
    pub(super) fn callee(&mut self, handle: Handle<naga::Function>) {
        let (fun, info) = (&self.module.functions[handle], &self.kernel.info()[handle]);
        let outer = self.begin(Scope::new());
        let indexed = place::indexed_arguments(self.module, fun);
        let inners: Vec<(TypeInner, bool)> = fun.arguments.iter().map(|argument| self.handed(argument.ty)).collect();
        let mut tys = Vec::new();
        inners.iter().for_each(|(inner, _)| tys.extend(types::leaves(self.module, inner)));
        let arguments = self.slots(&tys);
        let same = |(at, expression): (Handle<Expression>, &Expression)| {
            let Expression::FunctionArgument(i) = expression else { return None };
            self.is_uniform(Some(handle), at).then_some(*i)
        };
        let same: HashSet<u32> = fun.expressions.iter().filter_map(same).collect();
        let (mut args, mut slot) = (Vec::new(), 0);
        for (i, (inner, is_pointer)) in inners.into_iter().enumerate() {
            let tys = types::leaves(self.module, &inner);
            let values = self.take(arguments, slot, &tys, same.contains(&(i as u32)) && !is_pointer);
            slot += tys.len() as u32;
            args.push(if is_pointer {
                let root = self.declare(values, indexed.contains(&(i as u32)));
                Expr::Place(Place::new(root, inner))
            } else {
                Expr::Values(values)
            });
        }
        let places: Vec<Place> = args.iter().filter_map(Expr::as_place).cloned().collect();
        let Expr::Values(mut values) = self.inline(Some(handle), (fun, info), args) else {
            unreachable!("invariant callable: a large result is not handed over")
        };
        let gives = values.iter().map(|&value| self.f.ty(value)).collect();
        for place in &places {
            values.extend(self.load(place, false));
        }
        let tys: Vec<Ty> = values.iter().map(|&value| self.f.ty(value)).collect();
        let results = self.slots(&tys);
        self.put_all(results, &values);
        let Scope { values, spans, mut open, .. } = self.begin(outer);
        let body = Region { nodes: open.pop().unwrap_or_default(), ..Region::default() };
        let mut function = Function {
            name: fun.name.clone().unwrap_or_default(),
            values,
            body,
            labels: std::mem::take(&mut self.f.labels),
            memories: std::mem::take(&mut self.f.memories),
            loops: std::mem::take(&mut self.f.loops),
            is_callee: true,
            remarks: Remarks::default(),
            ..self.f.clone()
        };
        function.origins.values = spans;
        self.pipeline.scalar(&mut function);
        // Labels and memories are numbered through all functions.
        self.f.labels.clone_from(&function.labels);
        self.f.memories.clone_from(&function.memories);
        self.f.loops.clone_from(&function.loops);
        let number = self.functions.len() as u32;
        self.f.calls.push(passes::unpolled_work(&function));
        self.functions.push(function);
        self.callees.insert(handle, Callee { number, arguments, results, gives });
    }

    /// The data that an argument stands for, and whether it is pointed to.
    fn handed(&self, ty: Handle<naga::Type>) -> (TypeInner, bool) {
        let inner = &self.module.types[ty].inner;
        match types::pointee(self.module, inner) {
            Some(behind) => (behind, true),
            None => (inner.clone(), false),
        }
    }

    /// Calls a function, if it can be called with these arguments: gives the scalars of its result, which may be known
    /// to be the same for all.
    pub(super) fn run(&mut self, handle: Handle<naga::Function>, args: &[Expr], same: bool) -> Option<Vec<Value>> {
        let callee = self.callees.get(&handle).cloned()?;
        let places: Vec<&Place> = args.iter().filter_map(Expr::as_place).collect();
        if self.meet(handle, &places) || !places.iter().all(|place| place.is_fixed()) {
            return None;
        }
        let mut handed = Vec::new();
        for arg in args {
            match arg {
                Expr::Values(values) => handed.extend(values),
                Expr::Place(place) => handed.extend(self.load(place, false)),
                Expr::Kept(place) => unreachable!("invariant callable: {place:?} is not handed over"),
            }
        }
        self.put_all(callee.arguments, &handed);
        self.emit(Ty::U32, Op::Run(callee.number, None));
        let values = self.take(callee.results, 0, &callee.gives, same);
        let mut slot = callee.gives.len() as u32;
        for place in places {
            let tys = types::leaves(self.module, &place.inner);
            let back = self.take(callee.results, slot, &tys, false);
            slot += tys.len() as u32;
            self.store(place, &back);
        }
        Some(values)
    }

    /// Whether a function would find what it is handed in two places.
    fn meet(&self, handle: Handle<naga::Function>, places: &[&Place]) -> bool {
        let roots: Vec<Root> = places.iter().map(|place| place.root).collect();
        let twice = (1..roots.len()).any(|i| roots[..i].contains(&roots[i]));
        let info = &self.kernel.info()[handle];
        let named = self.globals.iter().any(|(&global, root)| !info[global].is_empty() && roots.contains(root));
        twice || named
    }

    /// Memory for scalars of these types, one in each slot.
    fn slots(&mut self, tys: &[Ty]) -> Mem {
        let wide = tys.iter().any(|ty| ty.bytes() == 8);
        self.memory(Memory::Private { slots: tys.len() as u32, slot_bytes: if wide { 8 } else { 4 } })
    }

    /// Scalars of these types, from a slot on.
    fn take(&mut self, memory: Mem, from: u32, tys: &[Ty], uniform: bool) -> Vec<Value> {
        let load = |(slot, &ty): (u32, &Ty)| {
            let at = Address { memory, offset: slot, terms: Vec::new() };
            self.emit(ty, Op::Load { at, uniform })
        };
        (from..).zip(tys).map(load).collect()
    }

    pub(super) fn put_all(&mut self, memory: Mem, values: &[Value]) {
        for (slot, &value) in (0..).zip(values) {
            let at = Address { memory, offset: slot, terms: Vec::new() };
            self.push(Node::Store { at, value, when: None });
        }
    }

    /// Private variables that a called function uses, which must be in memory for it to find.
    pub(super) fn is_found_by_callees(&self, global: Handle<naga::GlobalVariable>) -> bool {
        let called = self.plan.called(self.kernel);
        called.iter().any(|&handle| !self.kernel.info()[handle][global].is_empty())
    }
}
