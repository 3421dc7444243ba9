//! Reads the text form back, for tests of passes. Values keep their numbers; literals and inputs get
//! numbers behind them.

use std::collections::{HashMap, HashSet};

use seawall_core::diag::Span;

use super::{
    Address, Atomic, Binary, Bound, Builtin, Coarsened, Def, End, Function, Helper, Interchange, Label, LabelKind,
    Lanes, Mem, Memory, Node, Op, Reach, Region, Shuffle, Subgroup, Term, Ty, Unary, Value,
};

/// The function of a text, or what is wrong with it.
pub(crate) fn parse(text: &str) -> Result<Function, String> {
    let tokens = tokens(text);
    let values = tokens.iter().filter_map(|token| number(token, 'v')).max().map_or(0, |last| last as usize + 1);
    let labels = tokens.iter().filter_map(|token| number(token, '@')).max().map_or(0, |last| last as usize + 1);
    let param = Def { ty: Ty::U32, op: Op::Param };
    let f = Function {
        name: String::new(),
        workgroup_size: [1; 3],
        workgroup_bytes: 0,
        values: vec![param; values],
        labels: vec![LabelKind::Block; labels],
        memories: Vec::new(),
        body: Region::default(),
        loops: Vec::new(),
        interchanged: Vec::new(),
        coarsened: None,
        bounded: HashSet::new(),
        calls: Vec::new(),
        subgroup: None,
        is_callee: false,
        counters: HashMap::new(),
    };
    let mut parser = Parser { tokens, at: 0, f, inputs: Vec::new() };
    parser.head()?;
    parser.f.body = parser.region()?;
    match parser.next() {
        None => Ok(parser.f),
        Some(token) => Err(format!("`{token}` comes after the end")),
    }
}

/// Words, single signs and ends of lines.
fn tokens(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || "_.@-".contains(c);
    let mut tokens: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut word = String::new();
        for c in line.chars().chain(['\n']) {
            if is_word(c) {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                tokens.push(std::mem::take(&mut word));
            }
            if c == '\n' || !c.is_whitespace() {
                tokens.push(c.to_string());
            }
        }
    }
    tokens
}

fn number(token: &str, sign: char) -> Option<u32> {
    token.strip_prefix(sign)?.parse().ok()
}

fn ty(token: &str) -> Option<Ty> {
    let all = [Ty::Bool, Ty::I32, Ty::U32, Ty::F32, Ty::F16, Ty::I64, Ty::U64, Ty::F64];
    all.into_iter().find(|ty| ty.to_string() == token)
}

/// The one of a list that is written so.
fn named<T: std::fmt::Debug + Copy>(all: &[T], token: &str) -> Option<T> {
    all.iter().copied().find(|one| format!("{one:?}") == token)
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
    f: Function,
    /// Literals and inputs that have a number.
    inputs: Vec<Value>,
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> Option<String> {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned()
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) {
            return Ok(());
        }
        let before = self.tokens[self.at.saturating_sub(8)..self.at].join(" ");
        Err(format!("`{token}` belongs after `{before}`, where `{}` is", self.peek()))
    }

    fn word<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, String> {
        let token = self.next().unwrap_or_default();
        token.parse().map_err(|_| format!("`{token}` is no {what}"))
    }

    fn id(&mut self, sign: char) -> Result<u32, String> {
        let token = self.next().unwrap_or_default();
        number(&token, sign).ok_or_else(|| format!("`{token}` does not begin with `{sign}`"))
    }

    fn label(&mut self) -> Result<Label, String> {
        self.id('@').map(Label)
    }

    fn bits(&mut self) -> Result<u64, String> {
        let token = self.next().unwrap_or_default();
        let digits = token.strip_prefix("0x").ok_or_else(|| format!("`{token}` is no number of bits"))?;
        u64::from_str_radix(digits, 16).map_err(|error| error.to_string())
    }

    fn head(&mut self) -> Result<(), String> {
        self.expect("kernel")?;
        self.f.name = self.next().unwrap_or_default();
        self.expect("workgroup")?;
        for d in 0..3 {
            self.f.workgroup_size[d] = self.word("size")?;
            self.expect(if d < 2 { "," } else { "\n" })?;
        }
        loop {
            match self.peek().to_owned().as_str() {
                "callee" => {
                    self.at += 1;
                    self.f.is_callee = true;
                }
                "subgroup" => {
                    self.at += 1;
                    self.f.subgroup = Some(self.word("size")?);
                }
                "workgroup-bytes" => {
                    self.at += 1;
                    self.f.workgroup_bytes = self.word("size")?;
                }
                "call" => {
                    self.at += 1;
                    let work = self.word("number")?;
                    self.f.calls.push(work);
                }
                "interchanged" => self.interchanged()?,
                "coarsened" => self.coarsened()?,
                "bounded" => {
                    self.at += 1;
                    let label = self.label()?;
                    self.f.bounded.insert(label);
                }
                "counter" => {
                    self.at += 1;
                    let value = Value(self.id('v')?);
                    self.expect("from")?;
                    let low = self.word("number")?;
                    self.expect("to")?;
                    let high = self.word("number")?;
                    self.f.counters.insert(value, (low, high));
                }
                // Not the loop itself, which has parameters.
                "loop" if !self.tokens[self.at..].iter().take(3).any(|token| token == "(") => {
                    self.at += 1;
                    let label = self.label()?;
                    let mut span = None;
                    if self.take("at") {
                        let start = self.word("place")?;
                        self.expect("to")?;
                        span = Some(Span { start, end: self.word("place")? });
                    }
                    self.f.loops.push((label, span));
                }
                token if number(token, 'm').is_some() => self.memory()?,
                _ => return Ok(()),
            }
            self.expect("\n")?;
        }
    }

    fn interchanged(&mut self) -> Result<(), String> {
        self.at += 1;
        let label = self.label()?;
        self.expect("of")?;
        let memory = Mem(self.id('m')?);
        let rest = if self.take("rest") { Some(self.label()?) } else { None };
        self.f.interchanged.push(Interchange { label, rest, memory });
        Ok(())
    }

    fn coarsened(&mut self) -> Result<(), String> {
        self.at += 1;
        let label = self.label()?;
        self.expect("of")?;
        let memory = Mem(self.id('m')?);
        self.expect("by")?;
        let by = self.word("number")?;
        self.expect("in")?;
        self.f.coarsened = Some(Coarsened { by, dimension: self.word("dimension")?, label, memory });
        Ok(())
    }

    fn memory(&mut self) -> Result<(), String> {
        let number = self.id('m')?;
        if number as usize != self.f.memories.len() {
            return Err(format!("m{number} is not the next memory"));
        }
        self.expect("=")?;
        let memory = match self.next().unwrap_or_default().as_str() {
            "buffer" => Memory::Buffer { row: self.word("row")?, read_only: self.take("read-only") },
            "workgroup" => {
                self.expect("at")?;
                Memory::Workgroup { start: self.word("place")? }
            }
            "private" => {
                let slots = self.word("number")?;
                self.expect("slots")?;
                self.expect("of")?;
                let slot_bytes = self.word("number")?;
                self.expect("bytes")?;
                Memory::Private { slots, slot_bytes }
            }
            "constants" => {
                let name = self.next().unwrap_or_default();
                let ty = ty(&name).ok_or_else(|| format!("`{name}` is no type"))?;
                let mut bits = Vec::new();
                while self.peek() != "\n" {
                    bits.push(self.bits()?);
                }
                Memory::Constants { ty, bits }
            }
            other => return Err(format!("`{other}` is no memory")),
        };
        self.f.memories.push(memory);
        Ok(())
    }

    /// Up to a closing brace, or the end.
    fn region(&mut self) -> Result<Region, String> {
        let mut nodes = Vec::new();
        loop {
            let end = match self.peek().to_owned().as_str() {
                "" | "}" => End::Fall(Vec::new()),
                "fall" => {
                    self.at += 1;
                    End::Fall(self.list("\n")?)
                }
                "jump" => {
                    self.at += 1;
                    End::Jump(self.label()?, self.list("\n")?)
                }
                "unreachable" => {
                    self.at += 1;
                    self.expect("\n")?;
                    End::Unreachable
                }
                _ => {
                    nodes.push(self.node()?);
                    continue;
                }
            };
            return Ok(Region { nodes, end });
        }
    }

    fn braces(&mut self) -> Result<Region, String> {
        self.expect("{")?;
        self.expect("\n")?;
        let region = self.region()?;
        self.expect("}")?;
        Ok(region)
    }

    fn node(&mut self) -> Result<Node, String> {
        let node = match self.peek() {
            "Barrier" => {
                self.at += 1;
                Node::Barrier
            }
            "Store" => {
                self.at += 1;
                let at = self.place()?;
                self.expect("=")?;
                Node::Store { at, value: self.operand()? }
            }
            "loop" => {
                self.at += 1;
                let label = self.label()?;
                self.f.labels[label.index()] = LabelKind::Loop;
                let params = self.defined()?;
                self.expect("=")?;
                self.expect("(")?;
                let init = self.list(")")?;
                Node::Loop { label, params, init, body: self.braces()? }
            }
            "(" => {
                let results = self.defined()?;
                self.expect("=")?;
                if self.take("block") {
                    Node::Block { label: self.label()?, body: self.braces()?, results }
                } else {
                    self.expect("if")?;
                    let (condition, accept) = (self.operand()?, self.braces()?);
                    self.expect("else")?;
                    Node::If { condition, accept, reject: self.braces()?, results }
                }
            }
            _ => {
                let value = self.define()?;
                self.expect("=")?;
                self.f.values[value.index()].op = self.op()?;
                Node::Let(value)
            }
        };
        self.expect("\n")?;
        Ok(node)
    }

    /// A value and its type.
    fn define(&mut self) -> Result<Value, String> {
        let value = Value(self.id('v')?);
        self.expect(":")?;
        let name = self.next().unwrap_or_default();
        self.f.values[value.index()].ty = ty(&name).ok_or_else(|| format!("`{name}` is no type"))?;
        Ok(value)
    }

    fn defined(&mut self) -> Result<Vec<Value>, String> {
        self.expect("(")?;
        let mut values = Vec::new();
        while !self.take(")") {
            values.push(self.define()?);
            self.take(",");
        }
        Ok(values)
    }

    fn list(&mut self, end: &str) -> Result<Vec<Value>, String> {
        let mut values = Vec::new();
        while !self.take(end) {
            values.push(self.operand()?);
        }
        Ok(values)
    }

    fn operand(&mut self) -> Result<Value, String> {
        if let Some(value) = number(self.peek(), 'v') {
            self.at += 1;
            return Ok(Value(value));
        }
        let name = self.next().unwrap_or_default();
        let (ty, op) = if let Some(ty) = ty(&name) {
            self.expect(":")?;
            (ty, Op::Const(self.bits()?))
        } else if let Some(row) = name.strip_prefix("length").and_then(|row| row.parse().ok()) {
            (Ty::U32, Op::Length { row })
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

    fn place(&mut self) -> Result<Address, String> {
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
                Some(row) => {
                    let row = row.parse().map_err(|_| format!("`{token}` is no length"))?;
                    self.shown(row)?
                }
            };
            terms.push(Term { index, stride, bound });
        }
        Ok(Address { memory, offset, terms })
    }

    fn shown(&mut self, row: u32) -> Result<Bound, String> {
        if !self.take(",") {
            return Ok(Bound::Length { row });
        }
        self.expect("shown")?;
        let lanes = if self.take("for") { Lanes::Ramp(self.word("number")?) } else { Lanes::Scalar };
        Ok(Bound::Shown { row, lanes })
    }

    fn op(&mut self) -> Result<Op, String> {
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
            let compare = if self.take("if") { Some(self.operand()?) } else { None };
            return Ok(Op::Atomic { at, fun, value, compare });
        }
        if let Some(what) = name.strip_prefix("Subgroup.") {
            let what = self.subgroup(what)?;
            return Ok(Op::Subgroup(what, self.rest()?));
        }
        Ok(match name.as_str() {
            "Select" => Op::Select(self.operand()?, self.operand()?, self.operand()?),
            "Convert" => Op::Convert(self.operand()?),
            "Bitcast" => Op::Bitcast(self.operand()?),
            "Run" => Op::Run(self.word("number")?),
            "Load" => Op::Load { at: self.place()?, uniform: false },
            "Load.uniform" => Op::Load { at: self.place()?, uniform: true },
            _ => return Err(format!("`{name}` is no operation")),
        })
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
