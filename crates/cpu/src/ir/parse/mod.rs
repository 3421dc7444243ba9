//! Reads the text form back, for tests of passes. Values keep their numbers; literals and inputs get
//! numbers behind them.

mod head;
mod op;

use super::{Def, Each, End, Extent, Function, Group, Label, LabelKind, Mem, Node, Op, Region, Slot, Span, Ty, Value};

/// The function of a text, or what is wrong with it.
pub(crate) fn parse(text: &str) -> Result<Function, String> {
    let tokens = tokens(text);
    let values = tokens.iter().filter_map(|token| number(token, 'v')).max().map_or(0, |last| last as usize + 1);
    let labels = tokens.iter().filter_map(|token| number(token, '@')).max().map_or(0, |last| last as usize + 1);
    let param = Def { ty: Ty::U32, op: Op::Param };
    let (values, labels) = (vec![param; values], vec![LabelKind::Block; labels]);
    let f = Function { values, labels, ..Function::new("", [1; 3]) };
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
            "groups" => {
                self.at += 1;
                Node::Group(Group::Each(self.each()?))
            }
            what @ ("Keep" | "Merge") => {
                let merges = what == "Merge";
                self.at += 1;
                let slot = self.slot_id()?;
                self.expect("=")?;
                Node::Group(Group::Keep { slot, value: self.operand()?, merges })
            }
            "Zero" => {
                self.at += 1;
                Node::Group(Group::Zero(self.slot_id()?))
            }
            "workgroups" => {
                self.at += 1;
                Node::Group(Group::Workgroups(self.braces()?))
            }
            "Clear" => {
                self.at += 1;
                Node::Group(Group::Clear)
            }
            "Prefetch" => {
                self.at += 1;
                Node::Group(Group::Prefetch(self.extent()?))
            }
            what @ ("Store" | "Compress") => {
                let packed = what == "Compress";
                self.at += 1;
                let at = self.place()?;
                self.expect("=")?;
                let value = self.operand()?;
                let when = self.when()?;
                if packed { Node::Group(Group::Compress { at, value, when }) } else { Node::Store { at, value, when } }
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

    pub(super) fn slot_id(&mut self) -> Result<Slot, String> {
        self.id('s').map(Slot)
    }

    pub(super) fn gone(&mut self) -> Result<Vec<Slot>, String> {
        let mut gone = Vec::new();
        while self.take("without") {
            gone.push(self.slot_id()?);
        }
        Ok(gone)
    }

    fn each(&mut self) -> Result<Each, String> {
        let (gone, mut span) = (self.gone()?, None);
        if self.take("from") {
            let from = self.operand()?;
            self.expect("to")?;
            let to = self.operand()?;
            let some = if self.take("for") {
                self.expect("some")?;
                Some(self.operand()?)
            } else {
                None
            };
            span = Some(Span { from, to, some });
        }
        let rare = self.take("rarely");
        Ok(Each { span, gone, rare, body: self.braces()? })
    }

    fn extent(&mut self) -> Result<Extent, String> {
        let memory = Mem(self.id('m')?);
        self.expect("[")?;
        let start = self.word("place")?;
        self.expect("+")?;
        let step = self.word("step")?;
        ["a", "workgroup", "]"].into_iter().try_for_each(|token| self.expect(token))?;
        Ok(Extent { memory, step, start, bytes: self.word("number of bytes")? })
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
}
