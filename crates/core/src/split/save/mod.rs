//! What a segment does at its start and at its end: it brings back what is kept, and keeps it.
//!
//! Memory is words. Those of invocations lie side by side, the first word of all of them, then the
//! second and so on, so that neighbours touch neighbours.

mod part;
mod scalar;

use naga::{
    Barrier, BinaryOperator, Binding, Block, BuiltIn, Expression, FunctionArgument, GlobalVariable, Handle, Literal,
    Module, Range, Span, Statement, Type, TypeInner,
};

use super::Scope;
use super::keep::Transfer;
use super::layout::Layout;
use super::place::Place;
use super::write::Segment;

/// Where the words are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Memory {
    pub(super) spill: Handle<GlobalVariable>,
    pub(super) kept_in: Handle<GlobalVariable>,
    pub(super) kept_out: Handle<GlobalVariable>,
    pub(super) word: Handle<Type>,
    pub(super) triple: Handle<Type>,
}

/// Which way words go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Load,
    Store,
}

/// A number of words: some, and some more that are known at run time.
#[derive(Debug, Clone, Copy)]
struct Offset {
    fixed: u32,
    more: Option<Handle<Expression>>,
}

impl Offset {
    fn plus(self, words: u32) -> Self {
        Self { fixed: self.fixed + words, ..self }
    }
}

/// The function of a segment, with what it brings back and keeps.
pub(super) fn save(
    module: &Module,
    memory: &Memory,
    layout: &Layout,
    segment: Segment,
    transfer: &Transfer,
) -> naga::Function {
    let Segment { mut function, words } = segment;
    let body = std::mem::take(&mut function.body);
    let group = layout.group_invocations;
    let mut code = Code { module, memory, layout, group, function, block: Block::new(), bases: Bases::default() };
    code.bring(transfer);
    code.block.extend_block(body);
    code.keep(transfer, &words);
    let Code { mut function, block, .. } = code;
    function.body = block;
    prune(&mut function);
    function
}

/// Leaves out the variables of other segments.
fn prune(function: &mut naga::Function) {
    let mut places = vec![None; function.local_variables.len()];
    let all = std::mem::take(&mut function.local_variables);
    for (_, expression) in function.expressions.iter_mut() {
        if let Expression::LocalVariable(handle) = expression {
            let place = &mut places[handle.index()];
            *handle = *place
                .get_or_insert_with(|| function.local_variables.append(all[*handle].clone(), all.get_span(*handle)));
        }
    }
}

/// Numbers that are the same throughout a segment, where something needs them.
#[derive(Debug, Default, Clone, Copy)]
struct Bases {
    local: Option<Handle<Expression>>,
    group: Option<Handle<Expression>>,
    groups: Option<Handle<Expression>>,
    /// Where the invocation's first word is, and from there to its next.
    lane: Option<(Handle<Expression>, Handle<Expression>)>,
    shared: Option<Handle<Expression>>,
    kept: Option<Handle<Expression>>,
}

struct Code<'a> {
    module: &'a Module,
    memory: &'a Memory,
    layout: &'a Layout,
    /// Invocations of a workgroup.
    group: u32,
    function: naga::Function,
    block: Block,
    bases: Bases,
}

impl Code<'_> {
    fn push(&mut self, expression: Expression) -> Handle<Expression> {
        let bare = expression.needs_pre_emit();
        let handle = self.function.expressions.append(expression, Span::UNDEFINED);
        if !bare {
            self.block.push(Statement::Emit(Range::new_from_bounds(handle, handle)), Span::UNDEFINED);
        }
        handle
    }

    fn number(&mut self, value: u32) -> Handle<Expression> {
        self.push(Expression::Literal(Literal::U32(value)))
    }

    fn binary(
        &mut self,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Handle<Expression> {
        self.push(Expression::Binary { op, left, right })
    }

    fn add(&mut self, left: Handle<Expression>, right: Handle<Expression>) -> Handle<Expression> {
        self.binary(BinaryOperator::Add, left, right)
    }

    fn times(&mut self, left: Handle<Expression>, right: Handle<Expression>) -> Handle<Expression> {
        self.binary(BinaryOperator::Multiply, left, right)
    }

    fn statement(&mut self, statement: Statement) {
        self.block.push(statement, Span::UNDEFINED);
    }

    /// What is written meanwhile.
    fn within(&mut self, write: impl FnOnce(&mut Self)) -> Block {
        let outer = std::mem::take(&mut self.block);
        write(self);
        std::mem::replace(&mut self.block, outer)
    }

    /// An input of the entry point, which may have it already.
    fn input(&mut self, builtin: BuiltIn, ty: Handle<Type>) -> Handle<Expression> {
        let is = |binding: &Option<Binding>| matches!(binding, Some(Binding::BuiltIn(one)) if *one == builtin);
        for at in 0..self.function.arguments.len() {
            let argument = &self.function.arguments[at];
            if is(&argument.binding) {
                return self.push(Expression::FunctionArgument(at as u32));
            }
            if let TypeInner::Struct { members, .. } = &self.module.types[argument.ty].inner
                && let Some(member) = members.iter().position(|member| is(&member.binding))
            {
                let base = self.push(Expression::FunctionArgument(at as u32));
                return self.push(Expression::AccessIndex { base, index: member as u32 });
            }
        }
        let binding = Some(Binding::BuiltIn(builtin));
        self.function.arguments.push(FunctionArgument { name: None, ty, binding });
        self.push(Expression::FunctionArgument(self.function.arguments.len() as u32 - 1))
    }

    /// Numbers that words are found by, for all scopes that are to be moved: made before anything else, so
    /// that the end can use them too.
    fn prepare(&mut self, scopes: &[Scope], ends: bool) {
        let has = |scope| scopes.contains(&scope);
        let once = has(Scope::Grid) || has(Scope::Workgroup);
        if scopes.is_empty() && !ends {
            return;
        }
        self.bases.local = Some(self.input(BuiltIn::LocalInvocationIndex, self.memory.word));
        let id = self.input(BuiltIn::WorkGroupId, self.memory.triple);
        let count = self.input(BuiltIn::NumWorkGroups, self.memory.triple);
        let [x, y, z] = [0, 1, 2].map(|index| self.push(Expression::AccessIndex { base: id, index }));
        let [many_x, many_y, many_z] = [0, 1, 2].map(|index| self.push(Expression::AccessIndex { base: count, index }));
        let plane = self.times(many_y, z);
        let row = self.add(y, plane);
        let row = self.times(many_x, row);
        let group = self.add(x, row);
        let groups = self.times(many_x, many_y);
        let groups = self.times(groups, many_z);
        (self.bases.group, self.bases.groups) = (Some(group), Some(groups));
        if has(Scope::Shared) {
            let own = self.number(self.layout.shared_words);
            let own = self.times(group, own);
            let control = self.number(self.layout.control_words);
            self.bases.shared = Some(self.add(control, own));
        }
        if once && self.layout.workgroup_words > 0 {
            let own = self.number(self.layout.workgroup_words);
            let own = self.times(group, own);
            let grid = self.number(self.layout.grid_words);
            self.bases.kept = Some(self.add(grid, own));
        }
        if has(Scope::Invocation) {
            let size = self.number(self.group);
            let local = self.bases.local.unwrap_or(size);
            let all = self.times(groups, size);
            let first = self.times(group, size);
            let shared = self.number(self.layout.shared_words);
            let shared = self.times(groups, shared);
            let control = self.number(self.layout.control_words);
            let start = self.add(control, shared);
            let start = self.add(start, first);
            self.bases.lane = Some((self.add(start, local), all));
        }
    }

    fn bring(&mut self, transfer: &Transfer) {
        let moved = transfer.loads.iter().chain(&transfer.stores).chain(&transfer.forwards);
        let mut scopes: Vec<Scope> = moved.map(|place| self.layout.slot(*place).0).collect();
        scopes.sort_unstable();
        scopes.dedup();
        self.prepare(&scopes, self.layout.control_words > 0);
        let mut shares = false;
        for &place in &transfer.loads {
            let (scope, at) = self.layout.slot(place);
            shares |= scope == Scope::Shared;
            self.variable(Way::Load, place, scope, at);
        }
        if shares {
            self.statement(Statement::ControlBarrier(Barrier::WORK_GROUP));
        }
    }

    fn keep(&mut self, transfer: &Transfer, words: &[(u32, Handle<Expression>)]) {
        let of = |code: &Self, scopes: &[Scope], places: &[Place]| -> Vec<(Place, Scope, u32)> {
            let slot = |place: &Place| (*place, code.layout.slot(*place).0, code.layout.slot(*place).1);
            places.iter().map(slot).filter(|(_, scope, _)| scopes.contains(scope)).collect()
        };
        let shared = of(self, &[Scope::Shared], &transfer.stores);
        if !shared.is_empty() {
            self.statement(Statement::ControlBarrier(Barrier::WORK_GROUP));
        }
        for (place, scope, at) in shared.into_iter().chain(of(self, &[Scope::Invocation], &transfer.stores)) {
            self.variable(Way::Store, place, scope, at);
        }
        let group = of(self, &[Scope::Workgroup], &transfer.stores);
        let group_on = of(self, &[Scope::Workgroup], &transfer.forwards);
        let grid = of(self, &[Scope::Grid], &transfer.stores);
        let grid_on = of(self, &[Scope::Grid], &transfer.forwards);
        if group.is_empty() && group_on.is_empty() && grid.is_empty() && grid_on.is_empty() && words.is_empty() {
            return;
        }
        let (Some(local), Some(number)) = (self.bases.local, self.bases.group) else {
            unreachable!("invariant prepared: the end moves words too")
        };
        if !(group.is_empty() && group_on.is_empty()) {
            self.only(local, |code| {
                code.forward(Scope::Workgroup, &group_on);
                for &(place, scope, at) in &group {
                    code.variable(Way::Store, place, scope, at);
                }
            });
        }
        if grid.is_empty() && grid_on.is_empty() && words.is_empty() {
            return;
        }
        // Most workgroups have nothing to do here: they are asked about first, all invocations at once, and by
        // a comparison that compilers make once for a workgroup rather than for each of its lane groups.
        let zero = self.number(0);
        let condition = self.binary(BinaryOperator::Less, zero, number);
        let reject = self.within(|code| {
            code.only(local, |code| {
                code.forward(Scope::Grid, &grid_on);
                for &(place, scope, at) in &grid {
                    code.variable(Way::Store, place, scope, at);
                }
                for &(word, condition) in words {
                    code.decide(word, condition);
                }
            });
        });
        self.statement(Statement::If { condition, accept: Block::new(), reject });
    }

    /// Does something where a number is zero.
    fn only(&mut self, number: Handle<Expression>, write: impl FnOnce(&mut Self)) {
        let zero = self.number(0);
        let condition = self.binary(BinaryOperator::Equal, number, zero);
        let accept = self.within(write);
        self.statement(Statement::If { condition, accept, reject: Block::new() });
    }

    /// Writes a word of control.
    fn decide(&mut self, word: u32, condition: Handle<Expression>) {
        let [accept, reject] = [1, 0].map(|value| self.number(value));
        let value = self.push(Expression::Select { condition, accept, reject });
        let index = self.number(word);
        self.store_word(self.memory.spill, index, value);
    }

    fn element(&mut self, variable: Handle<GlobalVariable>, index: Handle<Expression>) -> Handle<Expression> {
        let base = self.push(Expression::GlobalVariable(variable));
        self.push(Expression::Access { base, index })
    }

    fn store_word(&mut self, variable: Handle<GlobalVariable>, index: Handle<Expression>, value: Handle<Expression>) {
        let pointer = self.element(variable, index);
        self.statement(Statement::Store { pointer, value });
    }

    /// Where a word of a scope is.
    fn index(&mut self, scope: Scope, offset: Offset) -> Handle<Expression> {
        let fixed = self.number(offset.fixed);
        let offset = match offset.more {
            Some(more) => self.add(more, fixed),
            None => fixed,
        };
        let base =
            |base: Option<Handle<Expression>>| base.unwrap_or_else(|| unreachable!("invariant prepared: {scope:?}"));
        match scope {
            Scope::Grid => offset,
            Scope::Workgroup => self.add(base(self.bases.kept), offset),
            Scope::Shared => self.add(base(self.bases.shared), offset),
            Scope::Invocation => {
                let (lane, all) = self.bases.lane.unwrap_or_else(|| unreachable!("invariant prepared: {scope:?}"));
                let down = self.times(offset, all);
                self.add(lane, down)
            }
        }
    }

    fn read(&mut self, scope: Scope, offset: Offset) -> Handle<Expression> {
        let index = self.index(scope, offset);
        let from = match scope {
            Scope::Grid | Scope::Workgroup => self.memory.kept_in,
            Scope::Shared | Scope::Invocation => self.memory.spill,
        };
        let pointer = self.element(from, index);
        self.push(Expression::Load { pointer })
    }

    fn write(&mut self, scope: Scope, offset: Offset, value: Handle<Expression>) {
        let index = self.index(scope, offset);
        let to = match scope {
            Scope::Grid | Scope::Workgroup => self.memory.kept_out,
            Scope::Shared | Scope::Invocation => self.memory.spill,
        };
        self.store_word(to, index, value);
    }
}
