//! Expressions: parsed as far as their values need it, and evaluated on the way.
//!
//! Types are expressions too, as in WGSL's grammar. Brackets recurse, which `guard` bounds, and
//! template lists, which are bounded here; operators go on a stack of their own.

use std::collections::HashSet;

use naga::{BinaryOperator as Binary, UnaryOperator as Unary};

use super::builtin::Builtin;
use super::construct::Maker;
use super::eval;
use super::names::{Meaning, Names};
use super::token::{Kind, Token};
use super::typed;
use super::value::{Const, Stop, Ty};
use super::{Edit, Mend};
use crate::diag::{Diagnostic, Span};
use crate::program::Overrides;

/// The text is not WGSL, or nothing that is known here: naga should judge it.
#[derive(Debug)]
pub(super) struct Lost;

pub(super) type Parsed<T> = Result<T, Lost>;

/// Brackets and template lists inside one another.
const DEPTH_MAX: u32 = 150;

/// What an expression stands for.
#[derive(Debug, Clone)]
pub(super) enum Fold {
    Known(Const),
    Maker(Maker),
    Builtin(Builtin, Option<Ty>),
    /// No constant, or not understood.
    Unknown,
    /// A constant expression that WGSL refuses.
    Wrong(Box<Diagnostic>),
}

/// An expression, where it stands, and whether naga would make something else of it.
#[derive(Debug, Clone)]
pub(super) struct Operand {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) fold: Fold,
    pub(super) mend: bool,
    /// The type of what is found at run time, where it is known.
    pub(super) late: Option<Ty>,
}

impl Operand {
    /// The type of its value.
    pub(super) fn ty(&self) -> Option<Ty> {
        match &self.fold {
            Fold::Known(constant) => Some(constant.ty.clone()),
            Fold::Unknown => self.late.clone(),
            Fold::Maker(_) | Fold::Builtin(..) | Fold::Wrong(_) => None,
        }
    }

    /// The type that it names; of a pointer, the one that it points to.
    pub(super) fn named(&self) -> Option<Ty> {
        match &self.fold {
            Fold::Maker(Maker::Type(ty)) => Some(ty.clone()),
            Fold::Unknown => self.late.clone(),
            Fold::Known(_) | Fold::Maker(_) | Fold::Builtin(..) | Fold::Wrong(_) => None,
        }
    }
}

pub(super) struct Parser<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) at: usize,
    pub(super) names: Names<'a>,
    pub(super) edits: Vec<Edit>,
    pub(super) found: Vec<Diagnostic>,
    /// Where the words of `let`s stand that are written to.
    pub(super) written: HashSet<usize>,
    /// What overrides are set to, once they are to be decided.
    pub(super) decided: Option<&'a Overrides>,
    /// Whether half floats are enabled; naga says where they are not.
    pub(super) half: bool,
    depth: u32,
}

impl<'a> Parser<'a> {
    pub(super) fn new(tokens: Vec<Token<'a>>, decided: Option<&'a Overrides>) -> Self {
        let mut directives = tokens.split(|token| token.is(";"));
        let half = directives.any(|words| {
            words.first().is_some_and(|first| first.is_word("enable")) && words.iter().any(|word| word.is_word("f16"))
        });
        Self {
            tokens,
            at: 0,
            names: Names::default(),
            edits: Vec::new(),
            found: Vec::new(),
            written: HashSet::new(),
            decided,
            half,
            depth: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Parsed<Token<'a>> {
        let token = self.peek().ok_or(Lost)?;
        self.at += 1;
        Ok(token)
    }

    pub(super) fn sees(&self, symbol: &str) -> bool {
        self.peek().is_some_and(|token| token.is(symbol))
    }

    pub(super) fn sees_word(&self, word: &str) -> bool {
        self.peek().is_some_and(|token| token.is_word(word))
    }

    pub(super) fn take(&mut self, symbol: &str) -> bool {
        let sees = self.sees(symbol);
        self.at += usize::from(sees);
        sees
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<Token<'a>> {
        self.next().and_then(|token| if token.is(symbol) { Ok(token) } else { Err(Lost) })
    }

    pub(super) fn word(&mut self) -> Parsed<Token<'a>> {
        self.next().and_then(|token| if token.kind == Kind::Word { Ok(token) } else { Err(Lost) })
    }

    /// Notes that the bytes of an operand are to be replaced. What was noted inside it is dropped,
    /// and a `--` before it too, whose second half it begins with.
    pub(super) fn replace(&mut self, start: usize, end: usize, mend: Mend) {
        while self.edits.pop_if(|edit| edit.start < end && edit.end > start).is_some() {}
        self.edits.push(Edit { start, end, mend });
    }

    /// An expression whose value nothing around it takes part in.
    pub(super) fn settle(&mut self, operand: &Operand) {
        match &operand.fold {
            Fold::Known(constant) if operand.mend && constant.ty.kind().is_some() => {
                self.replace(operand.start, operand.end, Mend::Constant(constant.clone()));
            }
            Fold::Wrong(diagnostic) => self.found.push((**diagnostic).clone()),
            Fold::Known(_) | Fold::Maker(_) | Fold::Builtin(..) | Fold::Unknown => {}
        }
    }

    /// A whole expression, settled.
    pub(super) fn whole(&mut self) -> Parsed<Operand> {
        let operand = self.expression()?;
        self.settle(&operand);
        Ok(operand)
    }

    /// An expression up to what cannot go on in it.
    pub(super) fn expression(&mut self) -> Parsed<Operand> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(Lost);
        }
        let mut operands = vec![self.unary()?];
        let mut operators: Vec<(Binary, u8)> = Vec::new();
        while let Some((op, level)) = self.peek().and_then(binary) {
            self.minus(false);
            self.at += 1;
            while operators.last().is_some_and(|(_, before)| *before >= level) {
                self.reduce(&mut operands, &mut operators)?;
            }
            operators.push((op, level));
            operands.push(self.unary()?);
        }
        while !operators.is_empty() {
            self.reduce(&mut operands, &mut operators)?;
        }
        self.depth -= 1;
        operands.pop().ok_or(Lost)
    }

    /// naga takes `--` for one token wherever it stands, WGSL only at the end of a statement. As
    /// operators, the two are a plus, or nothing at all.
    fn minus(&mut self, prefix: bool) {
        let (Some(first), Some(second)) = (self.peek(), self.tokens.get(self.at + 1)) else { return };
        if first.is("-") && second.is("-") && first.end() == second.start {
            // Of `---` naga takes the first two together.
            let taken = self.edits.last().is_some_and(|edit| edit.end > first.start && edit.start <= first.start);
            if !taken {
                let mend = if prefix { Mend::Text("  ") } else { Mend::Text(" +") };
                self.edits.push(Edit { start: first.start, end: second.end(), mend });
            }
        }
    }

    fn reduce(&mut self, operands: &mut Vec<Operand>, operators: &mut Vec<(Binary, u8)>) -> Parsed<()> {
        let (Some(right), Some(left), Some((op, _))) = (operands.pop(), operands.pop(), operators.pop()) else {
            return Err(Lost);
        };
        let (start, end) = (left.start, right.end);
        let fold = match (&left.fold, &right.fold) {
            (Fold::Known(a), b) if decides(op, a) && !matches!(b, Fold::Unknown) => Fold::Known(a.clone()),
            (Fold::Known(a), Fold::Known(b)) => Self::folded(eval::binary(op, a, b), start, end),
            (Fold::Wrong(wrong), _) if !matches!(right.fold, Fold::Unknown) => Fold::Wrong(wrong.clone()),
            (Fold::Known(_), Fold::Wrong(wrong)) => Fold::Wrong(wrong.clone()),
            _ => Fold::Unknown,
        };
        if matches!(fold, Fold::Unknown) {
            self.settle(&left);
            self.settle(&right);
        }
        let late = match op {
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo => {
                left.ty().zip(right.ty()).and_then(|(left, right)| typed::arithmetic(&left, &right))
            }
            Binary::And | Binary::ExclusiveOr | Binary::InclusiveOr | Binary::ShiftLeft | Binary::ShiftRight => {
                left.ty().map(|ty| ty.concrete())
            }
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::LogicalAnd
            | Binary::LogicalOr => None,
        };
        operands.push(Operand { start, end, fold, mend: true, late });
        Ok(())
    }

    /// The value of an expression, or its error with its place.
    pub(super) fn folded(result: super::value::Result<Const>, start: usize, end: usize) -> Fold {
        match result {
            Ok(constant) => Fold::Known(constant),
            Err(Stop::Unknown) => Fold::Unknown,
            Err(Stop::Wrong(message)) => Fold::Wrong(Box::new(wrong(message, start, end))),
        }
    }

    fn unary(&mut self) -> Parsed<Operand> {
        let mut before: Vec<(Option<Unary>, usize)> = Vec::new();
        while let Some(token) = self.peek().filter(|token| token.kind == Kind::Symbol) {
            let op = match token.text {
                "-" => Some(Unary::Negate),
                "!" => Some(Unary::LogicalNot),
                "~" => Some(Unary::BitwiseNot),
                "&" | "*" => None,
                _ => break,
            };
            self.minus(true);
            if token.text == "&" {
                self.place();
            }
            self.at += 1;
            before.push((op, token.start));
        }
        let mut operand = self.postfix()?;
        while let Some((op, start)) = before.pop() {
            let fold = match (op, &operand.fold) {
                (Some(op), Fold::Known(constant)) => Self::folded(eval::unary(op, constant), start, operand.end),
                (Some(_), Fold::Wrong(wrong)) => Fold::Wrong(wrong.clone()),
                _ => Fold::Unknown,
            };
            if matches!(fold, Fold::Unknown) {
                self.settle(&operand);
            }
            // A pointer is told by what it points to: `p.x` is `(*p).x`.
            let late = operand.ty();
            operand = Operand { start, fold, late, ..operand };
        }
        Ok(operand)
    }

    /// A `let` whose name is written to, or pointed at, stays one: naga says what is wrong then.
    pub(super) fn place(&mut self) {
        let mut at = self.at;
        while self.tokens.get(at).is_some_and(|token| ["&", "*", "("].iter().any(|symbol| token.is(symbol))) {
            at += 1;
        }
        if let Some(Meaning::Let(start, _)) = self.tokens.get(at).and_then(|token| self.names.get(token.text)) {
            self.written.insert(*start);
        }
    }

    /// What stands to the left of an assignment, or a call: an operand with its prefixes, but no
    /// more than that, since a `--` may follow.
    pub(super) fn left(&mut self) -> Parsed<Operand> {
        self.unary()
    }

    fn postfix(&mut self) -> Parsed<Operand> {
        let mut operand = self.primary()?;
        while let Some(token) = self.peek().filter(|token| token.kind == Kind::Symbol) {
            match token.text {
                "(" => operand = self.call(&operand)?,
                "." => {
                    self.at += 1;
                    let member = self.word()?;
                    let fold = match &operand.fold {
                        Fold::Known(constant) => {
                            Self::folded(self::member(constant, member.text), operand.start, member.end())
                        }
                        Fold::Wrong(wrong) => Fold::Wrong(wrong.clone()),
                        Fold::Maker(_) | Fold::Builtin(..) | Fold::Unknown => Fold::Unknown,
                    };
                    if matches!(fold, Fold::Unknown) {
                        self.settle(&operand);
                    }
                    // naga has no constant that `frexp` and `modf` could give.
                    let pair =
                        matches!(&operand.fold, Fold::Known(Const { ty: Ty::Struct(ty), .. }) if ty.name.is_empty());
                    let late = operand.ty().and_then(|ty| picked(&ty, member.text));
                    operand =
                        Operand { start: operand.start, end: member.end(), fold, mend: operand.mend || pair, late };
                }
                "[" => {
                    self.at += 1;
                    let index = self.expression()?;
                    let end = self.expect("]")?.end();
                    let fold = match (&operand.fold, &index.fold) {
                        (Fold::Known(base), Fold::Known(index)) => {
                            let at = index.integer().ok().and_then(|index| usize::try_from(index).ok());
                            at.and_then(|at| base.part(at).ok()).map_or(Fold::Unknown, Fold::Known)
                        }
                        (Fold::Wrong(wrong), Fold::Known(_)) | (Fold::Known(_), Fold::Wrong(wrong)) => {
                            Fold::Wrong(wrong.clone())
                        }
                        _ => Fold::Unknown,
                    };
                    let single = matches!(&fold, Fold::Known(constant) if constant.ty.kind().is_some());
                    if !single && !matches!(fold, Fold::Wrong(_)) {
                        self.settle(&operand);
                        self.settle(&index);
                    }
                    let mend = operand.mend || index.mend;
                    let late = operand.ty().and_then(|ty| ty.item());
                    operand = Operand { start: operand.start, end, fold, mend, late };
                }
                _ => break,
            }
        }
        Ok(operand)
    }
}

/// The type of a member or of components.
fn picked(ty: &Ty, name: &str) -> Option<Ty> {
    match ty {
        Ty::Struct(ty) => ty.members.iter().find(|(member, _)| member == name).map(|(_, ty)| ty.clone()),
        Ty::Vector(_, kind) if name.len() == 1 => Some(Ty::Scalar(*kind)),
        Ty::Vector(_, kind) if name.len() <= 4 => Some(Ty::Vector(name.len() as u8, *kind)),
        Ty::Scalar(_) | Ty::Vector(..) | Ty::Matrix(..) | Ty::Array(..) => None,
    }
}

/// An error about a constant expression.
pub(super) fn wrong(message: String, start: usize, end: usize) -> Diagnostic {
    let span = Span { start: start as u32, end: end as u32 };
    Diagnostic::error("invalid", message).at(Some(span), "this constant expression has no value")
}

/// Whether `&&` or `||` looks at its left operand alone.
fn decides(op: Binary, left: &Const) -> bool {
    op == Binary::LogicalAnd && *left == Const::bool(false) || op == Binary::LogicalOr && *left == Const::bool(true)
}

/// A member of a structure, or components of a vector.
fn member(constant: &Const, name: &str) -> super::value::Result<Const> {
    match &constant.ty {
        Ty::Struct(ty) => {
            let index = ty.members.iter().position(|(member, _)| member == name).ok_or(Stop::Unknown)?;
            constant.part(index)
        }
        Ty::Vector(n, kind) => {
            let letter = |c: char| "xyzw".find(c).or_else(|| "rgba".find(c)).filter(|i| *i < usize::from(*n));
            let picked: Option<Vec<usize>> = name.chars().map(letter).collect();
            let picked = picked.filter(|picked| picked.len() <= 4).ok_or(Stop::Unknown)?;
            let nums: super::value::Result<Vec<_>> =
                picked.into_iter().map(|index| constant.part(index)?.scalar()).collect();
            Ok(Const::shaped(*kind, eval::collect(&nums?)))
        }
        Ty::Scalar(_) | Ty::Matrix(..) | Ty::Array(..) => Err(Stop::Unknown),
    }
}

/// Binary operators, and how tightly they bind.
fn binary(token: Token<'_>) -> Option<(Binary, u8)> {
    if token.kind != Kind::Symbol {
        return None;
    }
    Some(match token.text {
        "||" => (Binary::LogicalOr, 1),
        "&&" => (Binary::LogicalAnd, 2),
        "|" => (Binary::InclusiveOr, 3),
        "^" => (Binary::ExclusiveOr, 4),
        "&" => (Binary::And, 5),
        "==" => (Binary::Equal, 6),
        "!=" => (Binary::NotEqual, 6),
        "<" => (Binary::Less, 7),
        "<=" => (Binary::LessEqual, 7),
        ">" => (Binary::Greater, 7),
        ">=" => (Binary::GreaterEqual, 7),
        "<<" => (Binary::ShiftLeft, 8),
        ">>" => (Binary::ShiftRight, 8),
        "+" => (Binary::Add, 9),
        "-" => (Binary::Subtract, 9),
        "*" => (Binary::Multiply, 10),
        "/" => (Binary::Divide, 10),
        "%" => (Binary::Modulo, 10),
        _ => return None,
    })
}

/// The type that a declared constant has: what it says, or its value's.
pub(super) fn declared(ty: Option<&Operand>, init: &Operand) -> Fold {
    match (ty.map(|ty| &ty.fold), &init.fold) {
        (None, fold) => fold.clone(),
        (Some(Fold::Maker(Maker::Type(ty))), Fold::Known(constant)) => match constant.to(ty) {
            Ok(constant) => Fold::Known(constant),
            Err(Stop::Unknown) => Fold::Unknown,
            Err(Stop::Wrong(message)) => Fold::Wrong(Box::new(wrong(message, init.start, init.end))),
        },
        (Some(_), Fold::Wrong(wrong)) => Fold::Wrong(wrong.clone()),
        (Some(_), _) => Fold::Unknown,
    }
}

/// The type of an override without one.
pub(super) fn concrete(constant: &Const) -> super::value::Result<Const> {
    constant.to(&constant.ty.concrete())
}

/// Names that the constants which replace others are written with.
pub(super) fn spelled(ty: &Ty) -> Option<String> {
    match ty {
        Ty::Vector(n, _) => Some(format!("vec{n}")),
        Ty::Matrix(columns, rows, _) => Some(format!("mat{columns}x{rows}")),
        Ty::Scalar(_) | Ty::Array(..) | Ty::Struct(_) => None,
    }
}
