//! Names, literals, brackets and calls: what operators stand between.

use super::builtin::{self, Builtin};
use super::construct::{self, Maker};
use super::names::Meaning;
use super::parse::{Fold, Lost, Operand, Parsed, Parser, wrong};
use super::token::Kind;
use super::value::{Const, Kind as Number, Ty};
use super::{Edit, Mend, number, typed};
use crate::diag::Diagnostic;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parsed<Operand> {
        let token = self.next()?;
        let (start, end) = (token.start, token.end());
        let plain = |fold: Fold| Operand { start, end, fold, mend: false, late: None };
        match token.kind {
            Kind::Number => {
                let number = number::parse(token.text).filter(|number| self.knows(&number.ty));
                Ok(plain(number.map_or(Fold::Unknown, Fold::Known)))
            }
            Kind::Word if token.text == "true" || token.text == "false" => {
                Ok(plain(Fold::Known(Const::bool(token.text == "true"))))
            }
            Kind::Word => {
                if let Some(name) = self.names.renamed(token.text) {
                    self.edits.push(Edit { start, end, mend: Mend::Rename(name) });
                }
                let fold = match self.names.get(token.text) {
                    Some(Meaning::Const(constant)) => Fold::Known(constant.clone()),
                    Some(Meaning::Maker(maker)) => Fold::Maker(maker.clone()),
                    Some(Meaning::Let(..) | Meaning::Function(_) | Meaning::Other(_)) => Fold::Unknown,
                    None => match (construct::predeclared(token.text), builtin::named(token.text)) {
                        (Some(Maker::Type(ty)), _) if !self.knows(&ty) => Fold::Unknown,
                        (Some(maker), _) => Fold::Maker(maker),
                        (None, Some(builtin)) => Fold::Builtin(builtin, None),
                        (None, None) => Fold::Unknown,
                    },
                };
                if self.peek().is_some_and(|token| token.kind == Kind::Open) {
                    // Both are told by what they hold.
                    let holds = ["ptr", "atomic"].contains(&token.text) && self.names.get(token.text).is_none();
                    return self.template(start, &fold, holds);
                }
                let late = match self.names.get(token.text) {
                    Some(Meaning::Let(_, ty) | Meaning::Other(Some(ty)) | Meaning::Function(ty)) => Some(ty.clone()),
                    Some(Meaning::Const(_) | Meaning::Maker(_) | Meaning::Other(None)) | None => None,
                };
                Ok(Operand { late, ..plain(fold) })
            }
            Kind::Symbol if token.text == "(" => {
                let inner = self.expression()?;
                let end = self.expect(")")?.end();
                Ok(Operand { start, end, ..inner })
            }
            Kind::Symbol | Kind::Open | Kind::Close => Err(Lost),
        }
    }

    /// Whether a predeclared type may be used.
    fn knows(&self, ty: &Ty) -> bool {
        self.half || ty.kind() != Some(Number::F16)
    }

    /// A name with a template list.
    fn template(&mut self, start: usize, before: &Fold, holds: bool) -> Parsed<Operand> {
        self.at += 1;
        let (mut types, mut numbers, mut known) = (Vec::new(), Vec::new(), true);
        while self.peek().is_some_and(|token| token.kind != Kind::Close) {
            let item = self.whole()?;
            match item.fold {
                Fold::Maker(Maker::Type(ty)) => types.push(ty),
                Fold::Known(constant) => numbers.push(constant),
                Fold::Maker(_) | Fold::Builtin(..) | Fold::Unknown | Fold::Wrong(_) => known = false,
            }
            if !self.take(",") {
                break;
            }
        }
        let close = self.next()?;
        if close.kind != Kind::Close {
            return Err(Lost);
        }
        let fold = match before {
            Fold::Maker(maker) if known => {
                construct::template(maker, &types, &numbers).map_or(Fold::Unknown, Fold::Maker)
            }
            Fold::Builtin(builtin, None) if known && numbers.is_empty() && types.len() == 1 => {
                Fold::Builtin(*builtin, types.pop())
            }
            _ => Fold::Unknown,
        };
        let late = types.pop().filter(|_| holds);
        Ok(Operand { start, end: close.end(), fold, mend: false, late })
    }

    /// A call, from its bracket on.
    pub(super) fn call(&mut self, callee: &Operand) -> Parsed<Operand> {
        let name = self.at.checked_sub(1).map_or("", |before| self.tokens[before].text);
        let loads = typed::loads(name) && self.names.get(name).is_none();
        self.at += 1;
        let mut args = Vec::new();
        while !self.sees(")") {
            args.push(self.expression()?);
            if !self.take(",") {
                break;
            }
        }
        let (start, end) = (callee.start, self.expect(")")?.end());
        let wrong = args.iter().find_map(|arg| match &arg.fold {
            Fold::Wrong(wrong) => Some(wrong.clone()),
            _ => None,
        });
        let values: Option<Vec<Const>> = args
            .iter()
            .map(|arg| match &arg.fold {
                Fold::Known(constant) => Some(constant.clone()),
                _ => None,
            })
            .collect();
        let constant = matches!(callee.fold, Fold::Maker(_) | Fold::Builtin(..));
        let whole = args.iter().all(|arg| matches!(arg.fold, Fold::Known(_) | Fold::Wrong(_)));
        let fold = match (&callee.fold, values) {
            (Fold::Maker(maker), Some(args)) => Self::folded(construct::construct(maker, &args), start, end),
            (Fold::Builtin(builtin, to), Some(args)) => {
                Self::folded(builtin::call(*builtin, to.as_ref(), &args), start, end)
            }
            (_, None) if constant && whole => wrong.map_or(Fold::Unknown, Fold::Wrong),
            _ => Fold::Unknown,
        };
        let types: Vec<Option<Ty>> = args.iter().map(|arg| arg.ty().map(|ty| ty.concrete())).collect();
        let late = match &callee.fold {
            Fold::Maker(maker) => typed::call(Some(maker), None, &types),
            Fold::Builtin(builtin, to) => typed::call(None, Some((*builtin, to.as_ref())), &types),
            Fold::Unknown if loads => types.first().cloned().flatten(),
            // A function's name has the type of what it gives.
            Fold::Unknown => callee.late.clone(),
            Fold::Known(_) | Fold::Wrong(_) => None,
        };
        // A constructor keeps its arguments, each mended by itself; and so does what naga may have
        // to do at run time.
        let pair = matches!(&fold, Fold::Known(constant) if constant.ty.kind().is_none());
        // naga converts few numbers, and some to others than devices do.
        let converts = |ty: &Ty| {
            args.len() == 1
                && matches!((ty, &args[0].fold), (ty, Fold::Known(arg)) if ty.kind().is_some_and(|kind| arg.ty.of(kind) == *ty))
        };
        let mend = match &callee.fold {
            Fold::Builtin(..) => true,
            Fold::Maker(Maker::Type(ty)) => converts(ty),
            Fold::Maker(_) | Fold::Known(_) | Fold::Unknown | Fold::Wrong(_) => false,
        };
        if matches!(fold, Fold::Unknown) || !mend || pair {
            let told = |arg: &&Operand| !matches!((&fold, &arg.fold), (Fold::Wrong(_), Fold::Wrong(_)));
            args.iter().filter(told).for_each(|arg| self.settle(arg));
        }
        if let (Fold::Builtin(builtin, to), Fold::Unknown) = (&callee.fold, &fold) {
            self.half_floats(callee, (*builtin, to.as_ref()), types.first().and_then(Option::as_ref), end);
        }
        Ok(Operand { start, end, fold, mend, late })
    }

    /// naga mistypes some functions of half floats: where the argument's type is known, others are
    /// called in their places; what would be taken for single floats without a word is refused.
    fn half_floats(&mut self, callee: &Operand, (builtin, to): (Builtin, Option<&Ty>), arg: Option<&Ty>, end: usize) {
        let shadowed = typed::SPELLED.iter().any(|name| self.names.get(name).is_some());
        if let Some(helper) = arg.filter(|_| !shadowed && self.half).and_then(|arg| typed::helper(builtin, to, arg)) {
            self.edits.push(Edit { start: callee.start, end: callee.end, mend: Mend::Call(helper) });
        } else if matches!(to, Some(Ty::Vector(_, Number::F16)))
            && arg.is_none_or(|arg| arg.kind() != Some(Number::F16))
        {
            self.found.push(half_bits(callee.start, end));
        }
    }
}

/// naga would take the bits for single floats.
fn half_bits(start: usize, end: usize) -> Diagnostic {
    let mut found = wrong("`bitcast` to half floats needs an argument whose type is told".to_owned(), start, end);
    "this is found at run time".clone_into(&mut found.labels[0].text);
    found.help("write `vec2<f16>(unpack2x16float(x))`, where `x` is a `u32`")
}
