//! Operations, their operands and the places in memory that they name.

use super::{Parser, named, number, ty};
use crate::ir::{
    Address, Any, Atomic, Binary, Bound, Builtin, Def, Edge, Helper, Lanes, Mem, Op, Reach, Shuffle, Subgroup, Term,
    Ty, Unary, Value,
};

impl Parser {
    pub(super) fn operand(&mut self) -> Result<Value, String> {
        if let Some(value) = number(self.peek(), 'v') {
            self.at += 1;
            return Ok(Value(value));
        }
        let name = self.next().unwrap_or_default();
        let (ty, op) = if let Some(ty) = ty(&name) {
            self.expect(":")?;
            (ty, Op::Const(self.bits()?))
        } else if let Some(buffer) = name.strip_prefix("length").and_then(|buffer| buffer.parse().ok()) {
            (Ty::U32, Op::Length { buffer })
        } else {
            let builtin = match name.as_str() {
                "LocalIndex" => Builtin::LocalIndex,
                "LocalId" => Builtin::LocalId(self.dimension()?),
                "WorkgroupId" => Builtin::WorkgroupId(self.dimension()?),
                "NumWorkgroups" => Builtin::NumWorkgroups(self.dimension()?),
                _ => return Err(format!("`{name}` is no operand")),
            };
            (Ty::U32, Op::Builtin(builtin))
        };
        let same = |value: &&Value| *self.f.op(**value) == op && self.f.ty(**value) == ty;
        if let Some(&value) = self.inputs.iter().find(same) {
            return Ok(value);
        }
        self.f.values.push(Def { ty, op });
        let value = Value(self.f.values.len() as u32 - 1);
        self.inputs.push(value);
        Ok(value)
    }

    fn dimension(&mut self) -> Result<u8, String> {
        self.expect("(")?;
        let dimension = self.word("dimension")?;
        self.expect(")")?;
        Ok(dimension)
    }

    pub(super) fn place(&mut self) -> Result<Address, String> {
        let memory = Mem(self.id('m')?);
        self.expect("[")?;
        let (offset, mut terms) = (self.word("offset")?, Vec::new());
        while !self.take("]") {
            self.expect("+")?;
            let index = self.operand()?;
            self.expect("*")?;
            let stride = self.word("stride")?;
            self.expect("<")?;
            let token = self.next().unwrap_or_default();
            let bound = match token.strip_prefix("length") {
                None => Bound::Const(token.parse().map_err(|_| format!("`{token}` is no bound"))?),
                Some(buffer) => {
                    Bound::Length { buffer: buffer.parse().map_err(|_| format!("`{token}` is no length"))? }
                }
            };
            terms.push(Term { index, stride, bound, shown: self.shown()? });
        }
        Ok(Address { memory, offset, terms })
    }

    fn shown(&mut self) -> Result<Option<Lanes>, String> {
        if !self.take(",") {
            return Ok(None);
        }
        self.expect("shown")?;
        Ok(Some(if self.take("evenly") {
            self.expect("for")?;
            Lanes::Even(self.word("number")?)
        } else if self.take("for") {
            Lanes::Ramp(self.word("number")?)
        } else {
            Lanes::Scalar
        }))
    }

    pub(super) fn op(&mut self) -> Result<Op, String> {
        let name = self.next().unwrap_or_default();
        if let Some(op) = named(&Unary::ALL, &name) {
            return Ok(Op::Unary(op, self.operand()?));
        }
        if let Some(op) = named(&Binary::ALL, &name) {
            return Ok(Op::Binary(op, self.operand()?, self.operand()?));
        }
        if let Some(helper) = named(Helper::ALL, &name) {
            let args = self.rest()?;
            return Ok(Op::Call(helper, args));
        }
        if let Some(fun) = name.strip_prefix("Atomic.") {
            let fun = named(&Atomic::ALL, fun).ok_or_else(|| format!("`{fun}` is no atomic"))?;
            let (at, value) = (self.place()?, self.operand()?);
            let compare = if self.take("equals") { Some(self.operand()?) } else { None };
            return Ok(Op::Atomic { at, fun, value, compare, when: self.when()? });
        }
        if let Some(what) = name.strip_prefix("Subgroup.") {
            let what = self.subgroup(what)?;
            return Ok(Op::Subgroup(what, self.rest()?));
        }
        Ok(match name.as_str() {
            "Select" => Op::Select(self.operand()?, self.operand()?, self.operand()?),
            "Convert" => Op::Convert(self.operand()?),
            "Bitcast" => Op::Bitcast(self.operand()?),
            "Run" => Op::Run(self.word("number")?, self.when()?),
            "AnyLane" => Op::AnyLane(self.operand()?),
            "Callers" => Op::Callers,
            "Edge.First" => Op::Edge(Edge::First, self.operand()?),
            "Edge.Last" => Op::Edge(Edge::Last, self.operand()?),
            "Recall" => Op::Recall(self.slot_id()?),
            "Any" => {
                let of = if self.peek().starts_with('s') { Some(self.slot_id()?) } else { None };
                Op::Any(Any { of, gone: self.gone()? })
            }
            "Load" => Op::Load { at: self.place()?, uniform: false },
            "Load.uniform" => Op::Load { at: self.place()?, uniform: true },
            _ => return Err(format!("`{name}` is no operation")),
        })
    }

    /// The mask of what is done by some lanes only.
    pub(super) fn when(&mut self) -> Result<Option<Value>, String> {
        if self.take("if") { self.operand().map(Some) } else { Ok(None) }
    }

    /// Operands up to the end of the line.
    fn rest(&mut self) -> Result<Vec<Value>, String> {
        let mut values = Vec::new();
        while self.peek() != "\n" {
            values.push(self.operand()?);
        }
        Ok(values)
    }

    fn subgroup(&mut self, what: &str) -> Result<Subgroup, String> {
        let mut args = Vec::new();
        if self.take("(") {
            while !self.take(")") {
                args.extend(self.next().filter(|token| token != ","));
            }
        }
        let arg = |at: usize| args.get(at).map_or("", String::as_str);
        let found = match what {
            "Ballot" => arg(0).parse().ok().map(Subgroup::Ballot),
            "First" => Some(Subgroup::First),
            "Fence" => Some(Subgroup::Fence),
            "Fold" => named(&Binary::ALL, arg(0))
                .zip(named(&[Reach::All, Reach::UpTo, Reach::Before], arg(1)))
                .map(|(op, reach)| Subgroup::Fold(op, reach)),
            "Shuffle" => {
                let all = [Shuffle::At, Shuffle::Down, Shuffle::Up, Shuffle::Xor, Shuffle::Quad];
                named(&all, arg(0)).map(Subgroup::Shuffle)
            }
            _ => None,
        };
        found.ok_or_else(|| format!("`{what}` of {args:?} is nothing that a subgroup does"))
    }
}
