//! What a segment does at its start and at its end: it brings back what is kept, and keeps it.
//!
//! Memory is words. Those of invocations lie side by side, the first word of all of them, then the
//! second and so on, so that neighbours touch neighbours.

use naga::{
    Barrier, BinaryOperator, Binding, Block, BuiltIn, Expression, FunctionArgument, GlobalVariable, Handle, Literal,
    LocalVariable, Module, Range, Scalar, ScalarKind, Span, Statement, Type, TypeInner, VectorSize,
};

use super::keep::Transfer;
use super::layout::{Layout, bytes_of, words};
use super::live::Place;
use super::write::Segment;
use super::{Scope, layout};

/// Elements of an array that are moved one by one; more of them by a loop.
const WRITTEN_OUT_MAX: u32 = 4;

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
    function
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
        let by_group = !(group.is_empty() && group_on.is_empty());
        let zero = self.number(0);
        let condition = self.binary(BinaryOperator::Equal, local, zero);
        let accept = self.within(|code| {
            group.iter().for_each(|&(place, scope, at)| code.variable(Way::Store, place, scope, at));
            group_on.iter().for_each(|&(place, scope, at)| code.forward(place, scope, at));
            let first = |code: &mut Self| {
                grid.iter().for_each(|&(place, scope, at)| code.variable(Way::Store, place, scope, at));
                grid_on.iter().for_each(|&(place, scope, at)| code.forward(place, scope, at));
                words.iter().for_each(|&(word, condition)| code.decide(word, condition));
            };
            if grid.is_empty() && grid_on.is_empty() && words.is_empty() {
                return;
            }
            let condition = code.binary(BinaryOperator::Equal, number, zero);
            let accept = code.within(first);
            code.statement(Statement::If { condition, accept, reject: Block::new() });
        });
        debug_assert!(by_group || !accept.is_empty());
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

    /// From one side to the other, as it is.
    fn forward(&mut self, place: Place, scope: Scope, at: u32) {
        let many = words(self.module, place.ty(self.module, &self.function));
        self.each(many, Offset { fixed: at, more: None }, 1, None, &mut |code, offset, _| {
            let value = code.read(scope, offset);
            code.write(scope, offset, value);
        });
    }

    fn variable(&mut self, way: Way, place: Place, scope: Scope, at: u32) {
        let ty = place.ty(self.module, &self.function);
        let pointer = self.push(place.expression());
        let at = Offset { fixed: at, more: None };
        if scope != Scope::Shared {
            return self.value(way, pointer, ty, scope, at);
        }
        // The invocations of the workgroup share the elements.
        let local = self.bases.local;
        match self.module.types[ty].inner {
            TypeInner::Array { base, size: naga::ArraySize::Constant(len), .. } if len.get() > 1 => {
                let own = words(self.module, base);
                self.each(len.get(), at, own, local, &mut |code, offset, index| {
                    let element = code.push(Expression::Access { base: pointer, index });
                    code.value(way, element, base, scope, offset);
                });
            }
            _ => {
                let zero = self.number(0);
                let local = local.unwrap_or(zero);
                let condition = self.binary(BinaryOperator::Equal, local, zero);
                let accept = self.within(|code| code.value(way, pointer, ty, scope, at));
                self.statement(Statement::If { condition, accept, reject: Block::new() });
            }
        }
    }

    /// Does something for each of many elements, by a loop if they are more than a few, or if each
    /// invocation of a workgroup is to begin with its own.
    fn each(
        &mut self,
        many: u32,
        at: Offset,
        own: u32,
        local: Option<Handle<Expression>>,
        act: &mut dyn FnMut(&mut Self, Offset, Handle<Expression>),
    ) {
        if many <= WRITTEN_OUT_MAX && local.is_none() {
            for index in 0..many {
                let place = self.number(index);
                act(self, at.plus(index * own), place);
            }
            return;
        }
        let counter = LocalVariable { name: None, ty: self.memory.word, init: None };
        let counter = self.function.local_variables.append(counter, Span::UNDEFINED);
        let counter = self.push(Expression::LocalVariable(counter));
        let first = local.unwrap_or_else(|| self.number(0));
        self.statement(Statement::Store { pointer: counter, value: first });
        let by = if local.is_some() { self.group } else { 1 };
        let mut index = first;
        let body = self.within(|code| {
            index = code.push(Expression::Load { pointer: counter });
            let end = code.number(many);
            let condition = code.binary(BinaryOperator::Less, index, end);
            let reject = code.within(|code| code.statement(Statement::Break));
            code.statement(Statement::If { condition, accept: Block::new(), reject });
            let width = code.number(own);
            let down = code.times(index, width);
            let more = match at.more {
                Some(more) => code.add(more, down),
                None => down,
            };
            act(code, Offset { fixed: at.fixed, more: Some(more) }, index);
        });
        let continuing = self.within(|code| {
            let by = code.number(by);
            let next = code.add(index, by);
            code.statement(Statement::Store { pointer: counter, value: next });
        });
        self.statement(Statement::Loop { body, continuing, break_if: None });
    }

    /// Moves what is behind a pointer, part by part.
    fn value(&mut self, way: Way, pointer: Handle<Expression>, ty: Handle<Type>, scope: Scope, at: Offset) {
        match self.module.types[ty].inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => self.whole(way, pointer, |code, value| {
                match value {
                    Some(value) => code.write_scalar(scalar, value, scope, at),
                    None => return Some(code.read_scalar(scalar, scope, at)),
                }
                None
            }),
            TypeInner::Vector { size, scalar } => {
                self.whole(way, pointer, |code, value| code.vector((size, scalar), ty, value, scope, at))
            }
            TypeInner::Matrix { columns, rows, scalar } => {
                let own = rows as u32 * layout::scalar_words(scalar);
                self.whole(way, pointer, |code, value| {
                    let column = code.vector_type(rows, scalar);
                    let one = |code: &mut Self, index: u32| {
                        let value = value.map(|base| code.push(Expression::AccessIndex { base, index }));
                        code.vector((rows, scalar), column, value, scope, at.plus(index * own))
                    };
                    let components: Vec<_> = (0..columns as u32).map(|index| one(code, index)).collect();
                    let components: Option<Vec<_>> = components.into_iter().collect();
                    components.map(|components| code.push(Expression::Compose { ty, components }))
                });
            }
            TypeInner::Array { base, size: naga::ArraySize::Constant(len), .. } => {
                let own = words(self.module, base);
                self.each(len.get(), at, own, None, &mut |code, offset, index| {
                    let element = code.push(Expression::Access { base: pointer, index });
                    code.value(way, element, base, scope, offset);
                });
            }
            TypeInner::Struct { ref members, .. } => {
                let mut at = at;
                for (index, member) in members.iter().enumerate() {
                    let part = self.push(Expression::AccessIndex { base: pointer, index: index as u32 });
                    self.value(way, part, member.ty, scope, at);
                    at = at.plus(words(self.module, member.ty));
                }
            }
            ref other => unreachable!("invariant variable-type: no variable is {other:?}"),
        }
    }

    /// Loads a value whole, or stores it: `act` is given what to keep, or gives what was kept.
    fn whole(
        &mut self,
        way: Way,
        pointer: Handle<Expression>,
        act: impl FnOnce(&mut Self, Option<Handle<Expression>>) -> Option<Handle<Expression>>,
    ) {
        match way {
            Way::Store => {
                let value = self.push(Expression::Load { pointer });
                act(self, Some(value));
            }
            Way::Load => {
                let value = act(self, None).unwrap_or_else(|| unreachable!("invariant moved: a load gives a value"));
                self.statement(Statement::Store { pointer, value });
            }
        }
    }

    fn vector_type(&self, size: VectorSize, scalar: Scalar) -> Handle<Type> {
        let found = self.module.types.get(&Type { name: None, inner: TypeInner::Vector { size, scalar } });
        found.unwrap_or_else(|| unreachable!("invariant column-types: those of matrices are there"))
    }

    fn vector(
        &mut self,
        (size, scalar): (VectorSize, Scalar),
        ty: Handle<Type>,
        value: Option<Handle<Expression>>,
        scope: Scope,
        at: Offset,
    ) -> Option<Handle<Expression>> {
        let own = layout::scalar_words(scalar);
        let mut components = Vec::new();
        for index in 0..size as u32 {
            let place = at.plus(index * own);
            if let Some(base) = value {
                let part = self.push(Expression::AccessIndex { base, index });
                self.write_scalar(scalar, part, scope, place);
            } else {
                components.push(self.read_scalar(scalar, scope, place));
            }
        }
        value.is_none().then(|| self.push(Expression::Compose { ty, components }))
    }

    fn cast(&mut self, expr: Handle<Expression>, kind: ScalarKind, convert: Option<u8>) -> Handle<Expression> {
        self.push(Expression::As { expr, kind, convert })
    }

    fn write_scalar(&mut self, scalar: Scalar, value: Handle<Expression>, scope: Scope, at: Offset) {
        let (word, long) = match (scalar.kind, bytes_of(scalar)) {
            (ScalarKind::Bool, _) => {
                let [accept, reject] = [1, 0].map(|value| self.number(value));
                (self.push(Expression::Select { condition: value, accept, reject }), None)
            }
            (ScalarKind::Uint, 4) => (value, None),
            (ScalarKind::Float, 2) => {
                let wide = self.cast(value, ScalarKind::Float, Some(4));
                (self.cast(wide, ScalarKind::Uint, None), None)
            }
            (_, 8) => {
                let bits =
                    if scalar.kind == ScalarKind::Uint { value } else { self.cast(value, ScalarKind::Uint, None) };
                let by = self.number(32);
                let high = self.binary(BinaryOperator::ShiftRight, bits, by);
                (self.cast(bits, ScalarKind::Uint, Some(4)), Some(self.cast(high, ScalarKind::Uint, Some(4))))
            }
            (_, _) => (self.cast(value, ScalarKind::Uint, None), None),
        };
        self.write(scope, at, word);
        if let Some(high) = long {
            self.write(scope, at.plus(1), high);
        }
    }

    fn read_scalar(&mut self, scalar: Scalar, scope: Scope, at: Offset) -> Handle<Expression> {
        let word = self.read(scope, at);
        match (scalar.kind, bytes_of(scalar)) {
            (ScalarKind::Bool, _) => {
                let zero = self.number(0);
                self.binary(BinaryOperator::NotEqual, word, zero)
            }
            (ScalarKind::Uint, 4) => word,
            (ScalarKind::Float, 2) => {
                let wide = self.cast(word, ScalarKind::Float, None);
                self.cast(wide, ScalarKind::Float, Some(2))
            }
            (kind, 8) => {
                let high = self.read(scope, at.plus(1));
                let [low, high] = [word, high].map(|word| self.cast(word, ScalarKind::Uint, Some(8)));
                let by = self.number(32);
                let high = self.binary(BinaryOperator::ShiftLeft, high, by);
                let bits = self.binary(BinaryOperator::InclusiveOr, low, high);
                if kind == ScalarKind::Uint { bits } else { self.cast(bits, kind, None) }
            }
            (kind, _) => self.cast(word, kind, None),
        }
    }
}
