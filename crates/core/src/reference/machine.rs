//! One invocation: its stack, and what each operation does to it. There is no recursion
//! here, neither on statements nor on calls, so an invocation can stop after any
//! operation and go on later.

use std::collections::TryReserveError;

use naga::{AtomicFunction, Expression, Handle, SwitchValue};

use super::code::{Code, Input};
use super::constant::Constants;
use super::dispatch::Dispatch;
use super::eval::pure;
use super::flatten::{Index, Kind, Op};
use super::pointer::{Place, Pointer, index};
use super::{atomic, limit, memory};
use crate::device::Error;
use crate::diag::Span;
use crate::ops::{Num, Value};

/// Steps between two looks at the caller's stop flag; a power of two.
const STOP_CHECK_STEPS: u64 = 1 << 12;

/// Why an invocation has stopped for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// It has just touched memory that others see. Only if the dispatch asks for pauses.
    Access,
    /// It waits for its workgroup.
    Barrier,
    /// It waits for the whole grid.
    GridBarrier,
    /// It waits for its subgroup.
    Subgroup,
    /// It has returned from the entry point.
    Done,
}

/// A call that has not returned.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) function: usize,
    /// Of the next operation.
    pub(super) pc: usize,
    /// Where its operands start on the stack.
    operands: usize,
    /// Where its variables start in the invocation's memory.
    bytes: usize,
    /// Where the counts of its loops start.
    turns: usize,
    /// Where the caller wants the result.
    result: Option<Handle<Expression>>,
}

/// The state of one invocation; used again for the next once it is done.
#[derive(Debug)]
pub(super) struct Machine {
    /// The callers, outermost first.
    pub(super) callers: Vec<Frame>,
    /// The call that is running.
    pub(super) top: Frame,
    pub(super) global_id: [u32; 3],
    /// Of every call, what its expressions evaluate to: here if they are values,
    values: Vec<Value>,
    /// and at the same index here if they are pointers.
    pointers: Vec<Pointer>,
    /// Private variables, then the variables of every call.
    own: Vec<u8>,
    /// Of every call, the turns of loops that are under way, by how deep those are.
    turns: Vec<u64>,
    steps: u64,
}

impl Machine {
    /// Room for the deepest chain of calls, so that running allocates nothing here. What is the same
    /// in every call of the entry point is filled in once: nobody else has that part of the stack.
    pub(super) fn new(code: &Code, constants: &Constants) -> Result<Self, TryReserveError> {
        let deep = code.functions[code.entry()].deep;
        let mut callers = Vec::new();
        callers.try_reserve_exact(deep.frames)?;
        let mut machine = Self {
            callers,
            top: Frame { function: code.entry(), bytes: code.private_bytes, ..Frame::default() },
            global_id: [0; 3],
            values: memory::filled(deep.operands, Value::Num(Num::Bool(false)))?,
            pointers: memory::filled(deep.operands, Pointer::NOWHERE)?,
            own: memory::filled(code.private_bytes + deep.bytes, 0)?,
            turns: memory::filled(deep.loops, 0)?,
            steps: 0,
        };
        machine.fill(code, constants);
        Ok(machine)
    }

    /// Bytes that [`Machine::new`] asks for.
    pub(super) fn size(code: &Code) -> usize {
        let deep = code.functions[code.entry()].deep;
        let operand = size_of::<Value>() + size_of::<Pointer>();
        let turns = deep.loops * size_of::<u64>();
        code.private_bytes + deep.bytes + deep.frames * size_of::<Frame>() + deep.operands * operand + turns
    }

    /// At the start of the entry point, with these arguments.
    pub(super) fn start(
        &mut self,
        code: &Code,
        constants: &Constants,
        global_id: [u32; 3],
        argument: impl Fn(&Input) -> Value,
    ) {
        self.callers.clear();
        self.steps = 0;
        self.global_id = global_id;
        self.own[..code.private_bytes].copy_from_slice(&constants.privates);
        self.top = Frame { function: code.entry(), bytes: code.private_bytes, ..Frame::default() };
        self.clear(code);
        for &(into, which) in &code.functions[code.entry()].arguments {
            self.set(into, argument(&code.inputs[which as usize]));
        }
    }

    /// Goes on until something happens that others must know of.
    pub(super) fn run(&mut self, dispatch: &mut Dispatch<'_>, shared: &mut [u8]) -> Result<Event, Error> {
        let code = dispatch.code;
        limit::asked(dispatch, || self.around(code))?;
        loop {
            let op = &code.functions[self.top.function].body.ops[self.top.pc];
            self.top.pc += 1;
            let touched = match *op {
                Op::Eval(into, ref expression) => {
                    let value = pure(expression, &code.types, |handle| self.value(handle));
                    if let Some(watch) = &mut dispatch.watch {
                        watch.eval(self.at(), expression, |handle| self.value(handle), &value);
                    }
                    self.set(into, value);
                    continue;
                }
                Op::Point { into, base, index: part } => {
                    let base = self.pointer(base);
                    let bytes = self.place(dispatch, shared, base.place).len();
                    let at = match part {
                        Index::Fixed(index) => Some(index as usize),
                        Index::Computed(value) => index(self.value(value)),
                    };
                    let mut made = base.at(&code.types, bytes, at);
                    if let (Place::Nowhere, Some(watch)) = (made.place, &mut dispatch.watch) {
                        let index = match part {
                            Index::Fixed(index) => Value::Num(Num::U32(index)),
                            Index::Computed(value) => self.value(value).clone(),
                        };
                        watch.point(self.at(), base, &index, base.parts(&code.types, bytes), &mut made);
                    }
                    self.pointers[self.top.operands + into as usize] = made;
                    continue;
                }
                Op::Length { into, array } => {
                    let array = self.pointer(array);
                    let len = array.len(&code.types, self.place(dispatch, shared, array.place).len());
                    self.set(into, Value::Num(Num::U32(len as u32)));
                    continue;
                }
                Op::Load { into, pointer } => {
                    let pointer = self.pointer(pointer);
                    if let Some(watch) = &mut dispatch.watch {
                        watch.load(self.at(), &code.types, pointer);
                    }
                    self.set(into, self.load(dispatch, shared, pointer));
                    pointer.place
                }
                Op::Store { pointer, value } => {
                    self.count(dispatch)?;
                    let pointer = self.pointer(pointer);
                    let value = &self.values[self.top.operands + value.index()];
                    if let Some(watch) = &mut dispatch.watch {
                        let old = match pointer.place {
                            Place::Buffer(row) => dispatch.bound.bytes(row),
                            Place::Workgroup => &*shared,
                            Place::Own | Place::Nowhere => &[],
                        };
                        watch.store(self.at(), &code.types, pointer, old, value);
                    }
                    store(&mut self.own, dispatch, shared, pointer, value);
                    pointer.place
                }
                Op::Atomic { pointer, fun, value, result } => {
                    self.count(dispatch)?;
                    let pointer = self.pointer(pointer);
                    if let Some(watch) = &mut dispatch.watch {
                        watch.update(self.at(), &code.types, pointer);
                    }
                    self.atomic(dispatch, shared, pointer, fun, value, result);
                    pointer.place
                }
                Op::Barrier(_) => {
                    self.count(dispatch)?;
                    return Ok(Event::Barrier);
                }
                Op::GridBarrier => {
                    self.count(dispatch)?;
                    return Ok(Event::GridBarrier);
                }
                Op::Subgroup(_) => {
                    self.count(dispatch)?;
                    return Ok(Event::Subgroup);
                }
                Op::Enter(depth) => {
                    self.turns[self.top.turns + depth as usize] = 0;
                    continue;
                }
                Op::Turn(depth) => {
                    self.turns[self.top.turns + depth as usize] += 1;
                    continue;
                }
                Op::Jump(target) => {
                    self.count(dispatch)?;
                    self.top.pc = target as usize;
                    continue;
                }
                Op::Unless(condition, target) => {
                    self.count(dispatch)?;
                    if let Value::Num(Num::Bool(false)) = self.value(condition) {
                        self.top.pc = target as usize;
                    }
                    continue;
                }
                Op::Switch { selector, ref targets, otherwise } => {
                    self.count(dispatch)?;
                    let selected = match *self.value(selector) {
                        Value::Num(Num::I32(x)) => SwitchValue::I32(x),
                        Value::Num(Num::U32(x)) => SwitchValue::U32(x),
                        ref value => unreachable!("invariant typed-switch: {value:?} selects nothing"),
                    };
                    let case = targets.iter().find(|(value, _)| *value == selected);
                    self.top.pc = case.map_or(otherwise, |&(_, target)| target) as usize;
                    continue;
                }
                Op::Call { function, ref arguments, result } => {
                    self.count(dispatch)?;
                    self.call(dispatch, function.index(), arguments, result);
                    continue;
                }
                Op::Return(value) => {
                    self.count(dispatch)?;
                    if !self.leave(value) {
                        return Ok(Event::Done);
                    }
                    continue;
                }
            };
            if dispatch.pauses && matches!(touched, Place::Buffer(_) | Place::Workgroup) {
                return Ok(Event::Access);
            }
        }
    }

    /// The operation under way: its function, and its place there.
    fn at(&self) -> (usize, usize) {
        (self.top.function, self.top.pc - 1)
    }

    /// Which time it comes to the operation under way: the same for invocations that come to it in
    /// the same way, and in the order in which [`super::subgroup`] takes the ways.
    pub(super) fn instance(&self, code: &Code) -> Vec<u64> {
        let mut instance = Vec::new();
        for frame in self.callers.iter().chain([&self.top]) {
            let at = frame.pc as u32 - 1;
            let around = code.functions[frame.function].body.turns.iter().filter(|turns| turns.contains(&at));
            for (turns, done) in around.zip(&self.turns[frame.turns..]) {
                instance.extend([turns.start.into(), *done]);
            }
            instance.push(at.into());
        }
        instance
    }

    /// The innermost loop that it is in, also when that loop is in a caller.
    fn around(&self, code: &Code) -> Option<Span> {
        let frames = self.callers.iter().chain([&self.top]).rev();
        frames.into_iter().find_map(|frame| {
            // The counter stands after the operation that is under way.
            let under_way = frame.pc.checked_sub(1)?;
            code.functions[frame.function].body.loops[under_way]
        })
    }

    /// Counts a statement.
    fn count(&mut self, dispatch: &Dispatch<'_>) -> Result<(), Error> {
        self.steps += 1;
        if self.steps > dispatch.control.steps_max {
            return Err(limit::reached(dispatch, self.global_id, self.around(dispatch.code)));
        }
        if self.steps.is_multiple_of(STOP_CHECK_STEPS) {
            limit::asked(dispatch, || self.around(dispatch.code))?;
        }
        Ok(())
    }

    fn atomic(
        &mut self,
        dispatch: &mut Dispatch<'_>,
        shared: &mut [u8],
        pointer: Pointer,
        fun: AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
    ) {
        let old = self.load(dispatch, shared, pointer);
        let compare = match fun {
            AtomicFunction::Exchange { compare } => compare.map(|compare| self.value(compare)),
            AtomicFunction::Add
            | AtomicFunction::Subtract
            | AtomicFunction::And
            | AtomicFunction::ExclusiveOr
            | AtomicFunction::InclusiveOr
            | AtomicFunction::Min
            | AtomicFunction::Max => None,
        };
        let reached = pointer.place != Place::Nowhere;
        let (outcome, new) = atomic::apply(fun, reached, &old, self.value(value), compare);
        if let Some(new) = new {
            store(&mut self.own, dispatch, shared, pointer, &new);
        }
        if let Some(result) = result {
            self.set(result.index() as u32, outcome);
        }
    }

    fn call(
        &mut self,
        dispatch: &Dispatch<'_>,
        function: usize,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
    ) {
        let code = dispatch.code;
        let caller = self.top;
        let own = code.functions[caller.function].own;
        let (operands, bytes) = (caller.operands + own.operands, caller.bytes + own.bytes);
        let turns = caller.turns + own.loops;
        self.callers.push(caller);
        self.top = Frame { function, pc: 0, operands, bytes, turns, result };
        self.fill(code, &dispatch.constants);
        self.clear(code);
        let callee = &code.functions[function];
        for &(into, which) in &callee.arguments {
            let (from, to) = (caller.operands + arguments[which as usize].index(), operands + into as usize);
            match callee.kinds[into as usize] {
                Kind::Pointer => self.pointers[to] = self.pointers[from],
                Kind::Value | Kind::Constant => self.values[to] = self.values[from].clone(),
            }
        }
    }

    /// Fills in what is the same in every call of a function at this depth.
    fn fill(&mut self, code: &Code, constants: &Constants) {
        let Frame { function, operands, bytes, .. } = self.top;
        for (into, value) in &constants.functions[function] {
            self.set(*into, value.clone());
        }
        let function = &code.functions[function];
        for &(into, pointer) in &function.globals {
            self.pointers[operands + into as usize] = pointer;
        }
        for &(into, pointer) in &function.locals {
            self.pointers[operands + into as usize] = Pointer { offset: pointer.offset + bytes, ..pointer };
        }
    }

    /// Gives a call's variables their first values.
    fn clear(&mut self, code: &Code) {
        let Frame { function, operands, bytes, .. } = self.top;
        let function = &code.functions[function];
        self.own[bytes..bytes + function.own.bytes].fill(0);
        for &(pointer, init) in &function.initialised {
            let value = &self.values[operands + init.index()];
            code.types.store(pointer.ty, value, &mut self.own[bytes + pointer.offset..]);
        }
    }

    /// Back to the caller, if there is one.
    fn leave(&mut self, value: Option<Handle<Expression>>) -> bool {
        let Some(caller) = self.callers.pop() else { return false };
        let value = value.map(|value| self.value(value).clone());
        let result = self.top.result;
        self.top = caller;
        if let (Some(result), Some(value)) = (result, value) {
            self.set(result.index() as u32, value);
        }
        true
    }

    pub(super) fn value(&self, handle: Handle<Expression>) -> &Value {
        &self.values[self.top.operands + handle.index()]
    }

    pub(super) fn set(&mut self, into: u32, value: Value) {
        self.values[self.top.operands + into as usize] = value;
    }

    fn pointer(&self, handle: Handle<Expression>) -> Pointer {
        self.pointers[self.top.operands + handle.index()]
    }

    fn place<'a>(&'a self, dispatch: &'a Dispatch<'_>, shared: &'a [u8], place: Place) -> &'a [u8] {
        match place {
            Place::Buffer(row) => dispatch.bound.bytes(row),
            Place::Workgroup => shared,
            Place::Own => &self.own,
            Place::Nowhere => &[],
        }
    }

    fn load(&self, dispatch: &Dispatch<'_>, shared: &[u8], pointer: Pointer) -> Value {
        let types = &dispatch.code.types;
        match pointer.place {
            Place::Nowhere => types.zero(pointer.ty),
            place => types.load(pointer.ty, &self.place(dispatch, shared, place)[pointer.offset..]),
        }
    }
}

/// Drops what goes nowhere.
fn store(own: &mut [u8], dispatch: &mut Dispatch<'_>, shared: &mut [u8], pointer: Pointer, value: &Value) {
    let types = &dispatch.code.types;
    let bytes = match pointer.place {
        Place::Buffer(row) => dispatch.bound.bytes_mut(row),
        Place::Workgroup => shared,
        Place::Own => own,
        Place::Nowhere => return,
    };
    types.store(pointer.ty, value, &mut bytes[pointer.offset..]);
}
