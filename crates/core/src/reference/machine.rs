//! One invocation: its stack, and what each operation does to it. There is no recursion
//! here, neither on statements nor on calls, so an invocation can stop after any
//! operation and go on later.

use std::sync::atomic::Ordering;

use naga::{AtomicFunction, Expression, Handle, SwitchValue};

use super::atomic;
use super::code::Code;
use super::constant::Constants;
use super::dispatch::Dispatch;
use super::eval::pure;
use super::flatten::Op;
use super::pointer::{Place, Pointer, index};
use super::value::{Num, Value};
use super::{limit, memory};
use crate::device::Error;

/// Steps between two looks at the caller's stop flag; a power of two.
const STOP_CHECK_STEPS: u64 = 1 << 12;

/// What an expression evaluates to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    Value(Value),
    Pointer(Pointer),
}

/// Why an invocation has stopped for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// It has just touched memory that others see. Only if the dispatch asks for pauses.
    Access,
    /// It waits for its workgroup.
    Barrier,
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
    operands: Vec<Operand>,
    /// Private variables, then the variables of every call.
    own: Vec<u8>,
    steps: u64,
}

impl Machine {
    /// Room for the deepest chain of calls, so that running allocates nothing here.
    pub(super) fn new(code: &Code) -> Result<Self, std::collections::TryReserveError> {
        let deep = code.functions[code.entry()].deep;
        let mut callers = Vec::new();
        callers.try_reserve_exact(deep.frames)?;
        Ok(Self {
            callers,
            top: Frame::default(),
            global_id: [0; 3],
            operands: memory::filled(deep.operands, Operand::Value(Value::Num(Num::Bool(false))))?,
            own: memory::filled(code.private_bytes + deep.bytes, 0)?,
            steps: 0,
        })
    }

    /// Bytes that [`Machine::new`] asks for.
    pub(super) fn size(code: &Code) -> usize {
        let deep = code.functions[code.entry()].deep;
        let sizes = [(deep.frames, size_of::<Frame>()), (deep.operands, size_of::<Operand>()), (deep.bytes, 1)];
        sizes.iter().fold(code.private_bytes, |sum, &(count, size)| sum.saturating_add(count.saturating_mul(size)))
    }

    /// At the start of the entry point, with these arguments.
    pub(super) fn start(&mut self, code: &Code, constants: &Constants, global_id: [u32; 3], arguments: &[Value]) {
        self.callers.clear();
        self.steps = 0;
        self.global_id = global_id;
        self.own[..code.private_bytes].copy_from_slice(&constants.privates);
        self.top = Frame { function: code.entry(), bytes: code.private_bytes, ..Frame::default() };
        self.enter(code, constants);
        for &(slot, which) in &code.functions[code.entry()].arguments {
            self.set(slot, Operand::Value(arguments[which as usize].clone()));
        }
    }

    /// Goes on until something happens that others must know of.
    pub(super) fn run(&mut self, dispatch: &mut Dispatch<'_>, shared: &mut [u8]) -> Result<Event, Error> {
        let code = dispatch.code;
        if dispatch.control.stop.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        loop {
            let op = &code.functions[self.top.function].ops[self.top.pc];
            self.top.pc += 1;
            if !matches!(op, Op::Eval(..)) {
                self.count(dispatch)?;
            }
            let touched = match *op {
                Op::Eval(slot, ref expression) => {
                    let (operand, touched) = self.eval(dispatch, shared, expression);
                    self.set(slot, operand);
                    touched
                }
                Op::Jump(target) => {
                    self.top.pc = target as usize;
                    Place::Own
                }
                Op::Unless(condition, target) => {
                    if *self.value(condition) == Value::Num(Num::Bool(false)) {
                        self.top.pc = target as usize;
                    }
                    Place::Own
                }
                Op::Switch { selector, ref targets, otherwise } => {
                    let selected = match *self.value(selector) {
                        Value::Num(Num::I32(x)) => SwitchValue::I32(x),
                        Value::Num(Num::U32(x)) => SwitchValue::U32(x),
                        ref value => unreachable!("invariant typed-switch: {value:?} selects nothing"),
                    };
                    let case = targets.iter().find(|(value, _)| *value == selected);
                    self.top.pc = case.map_or(otherwise, |&(_, target)| target) as usize;
                    Place::Own
                }
                Op::Store { pointer, value } => {
                    let pointer = self.pointer(pointer);
                    let value = value_of(&self.operands[self.top.operands + value.index()]);
                    store(&mut self.own, dispatch, shared, pointer, value);
                    pointer.place
                }
                Op::Atomic { pointer, fun, value, result } => {
                    let pointer = self.pointer(pointer);
                    let old = self.load(dispatch, shared, pointer);
                    let compare = match fun {
                        AtomicFunction::Exchange { compare } => compare.map(|compare| self.value(compare)),
                        _ => None,
                    };
                    let reached = pointer.place != Place::Nowhere;
                    let (outcome, new) = atomic::apply(fun, reached, &old, self.value(value), compare);
                    if let Some(new) = new {
                        store(&mut self.own, dispatch, shared, pointer, &new);
                    }
                    if let Some(result) = result {
                        self.set(result.index() as u32, Operand::Value(outcome));
                    }
                    pointer.place
                }
                Op::Barrier => return Ok(Event::Barrier),
                Op::UniformLoad { pointer, result } => {
                    let pointer = self.pointer(pointer);
                    let value = self.load(dispatch, shared, pointer);
                    self.set(result.index() as u32, Operand::Value(value));
                    pointer.place
                }
                Op::Call { function, ref arguments, result } => {
                    self.call(dispatch, function.index(), arguments, result);
                    Place::Own
                }
                Op::Return(value) => {
                    if !self.leave(value) {
                        return Ok(Event::Done);
                    }
                    Place::Own
                }
            };
            if dispatch.pauses && matches!(touched, Place::Buffer(_) | Place::Workgroup) {
                return Ok(Event::Access);
            }
        }
    }

    fn count(&mut self, dispatch: &Dispatch<'_>) -> Result<(), Error> {
        self.steps += 1;
        if self.steps > dispatch.control.steps_max {
            return Err(limit::reached(dispatch, self));
        }
        if self.steps.is_multiple_of(STOP_CHECK_STEPS) && dispatch.control.stop.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        Ok(())
    }

    /// The value of an expression, and the memory it has looked at.
    fn eval(&self, dispatch: &Dispatch<'_>, shared: &[u8], expression: &Expression) -> (Operand, Place) {
        let types = &dispatch.code.types;
        let operand = match *expression {
            Expression::Load { pointer } => {
                let pointer = self.pointer(pointer);
                return (Operand::Value(self.load(dispatch, shared, pointer)), pointer.place);
            }
            Expression::ArrayLength(array) => {
                let pointer = self.pointer(array);
                let len = pointer.len(types, self.place(dispatch, shared, pointer.place).len());
                Operand::Value(Value::Num(Num::U32(len as u32)))
            }
            Expression::Access { base, index: at } if let Operand::Pointer(base) = *self.operand(base) => {
                let bytes = self.place(dispatch, shared, base.place).len();
                Operand::Pointer(base.at(types, bytes, index(self.value(at))))
            }
            Expression::AccessIndex { base, index } if let Operand::Pointer(base) = *self.operand(base) => {
                let bytes = self.place(dispatch, shared, base.place).len();
                Operand::Pointer(base.at(types, bytes, Some(index as usize)))
            }
            _ => Operand::Value(pure(expression, types, |handle| self.value(handle))),
        };
        (operand, Place::Own)
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
        self.callers.push(caller);
        self.top = Frame { function, pc: 0, operands, bytes, result };
        self.enter(code, &dispatch.constants);
        for &(slot, which) in &code.functions[function].arguments {
            let argument = self.operands[caller.operands + arguments[which as usize].index()].clone();
            self.set(slot, argument);
        }
    }

    /// Fills in what a call starts with, apart from its arguments.
    fn enter(&mut self, code: &Code, constants: &Constants) {
        let Frame { function, bytes, .. } = self.top;
        for (slot, value) in &constants.functions[function] {
            self.set(*slot, Operand::Value(value.clone()));
        }
        let function = &code.functions[function];
        for &(slot, pointer) in &function.globals {
            self.set(slot, Operand::Pointer(pointer));
        }
        for &(slot, pointer) in &function.locals {
            self.set(slot, Operand::Pointer(Pointer { offset: pointer.offset + bytes, ..pointer }));
        }
        self.own[bytes..bytes + function.own.bytes].fill(0);
        for &(pointer, init) in &function.initialised {
            let value = value_of(&self.operands[self.top.operands + init.index()]);
            code.types.store(pointer.ty, value, &mut self.own[bytes + pointer.offset..]);
        }
    }

    /// Back to the caller, if there is one.
    fn leave(&mut self, value: Option<Handle<Expression>>) -> bool {
        let Some(caller) = self.callers.pop() else { return false };
        let value = value.map(|value| self.operand(value).clone());
        let result = self.top.result;
        self.top = caller;
        if let (Some(result), Some(value)) = (result, value) {
            self.set(result.index() as u32, value);
        }
        true
    }

    fn operand(&self, handle: Handle<Expression>) -> &Operand {
        &self.operands[self.top.operands + handle.index()]
    }

    fn set(&mut self, slot: u32, operand: Operand) {
        self.operands[self.top.operands + slot as usize] = operand;
    }

    fn value(&self, handle: Handle<Expression>) -> &Value {
        value_of(self.operand(handle))
    }

    fn pointer(&self, handle: Handle<Expression>) -> Pointer {
        let Operand::Pointer(pointer) = *self.operand(handle) else {
            unreachable!("invariant typed-operands: a value where a pointer belongs")
        };
        pointer
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

fn value_of(operand: &Operand) -> &Value {
    match operand {
        Operand::Value(value) => value,
        Operand::Pointer(_) => unreachable!("invariant typed-operands: a pointer where a value belongs"),
    }
}
