//! Declarations: which names they bring, and which expressions they hold.
//!
//! Those of a module may stand in any order: what others need is read first.

use std::collections::HashMap;

use super::construct::Maker;
use super::names::Meaning;
use super::parse::{Fold, Lost, Operand, Parsed, Parser, concrete, declared};
use super::token::{Kind, Token};
use super::value::{Const, Kind as Number, Struct, Ty};
use super::{Edit, Mend};
use crate::ops::Num;

/// A module-scope declaration: its tokens, from its attributes on.
#[derive(Debug, Clone, Copy)]
struct Item<'a> {
    keyword: &'a str,
    name: &'a str,
    start: usize,
    end: usize,
}

/// Reads a whole module.
pub(super) fn module(parser: &mut Parser<'_>) -> Parsed<()> {
    let items = split(&parser.tokens)?;
    for item in items.iter().filter(|item| !item.name.is_empty()) {
        parser.names.global(item.name, Meaning::Other(None));
    }
    let order = order(&items, &parser.tokens);
    let first = order.iter().position(|&index| items[index].keyword == "fn").unwrap_or(order.len());
    for (at, &index) in order.iter().enumerate() {
        if at == first {
            results(parser, &items);
        }
        let item = items[index];
        parser.at = item.start;
        parser.item(item)?;
        if parser.at != item.end {
            return Err(Lost);
        }
    }
    Ok(())
}

/// What functions give, for calls that stand above them.
fn results<'a>(parser: &mut Parser<'a>, items: &[Item<'a>]) {
    for item in items.iter().filter(|item| item.keyword == "fn") {
        let head = &parser.tokens[item.start..item.end];
        let end = head.iter().position(|token| token.is("{")).unwrap_or(head.len());
        let Some(arrow) = head[..end].iter().position(|token| token.is("->")) else { continue };
        // Only a type without a template list is told from here without reading it twice.
        let name = head[arrow + 1];
        let maker = match parser.names.get(name.text) {
            Some(Meaning::Maker(maker)) => Some(maker.clone()),
            Some(_) => None,
            None => super::construct::predeclared(name.text),
        };
        if let (Some(Maker::Type(ty)), true) = (maker, arrow + 2 == end) {
            parser.names.global(item.name, Meaning::Function(ty));
        }
    }
}

/// The declarations of a module.
fn split<'a>(tokens: &[Token<'a>]) -> Parsed<Vec<Item<'a>>> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        // Attributes, with what they hold in brackets.
        while tokens.get(at).is_some_and(|token| token.is("@")) {
            at += 2;
            if tokens.get(at).is_some_and(|token| token.is("(")) {
                at = matching(tokens, at, "(", ")")?;
            }
        }
        let keyword = tokens.get(at).ok_or(Lost)?;
        if keyword.is(";") {
            at += 1;
            continue;
        }
        let mut name = at + 1;
        if tokens.get(name).is_some_and(|token| token.kind == Kind::Open) {
            while tokens.get(name).is_some_and(|token| token.kind != Kind::Close) {
                name += 1;
            }
            name += 1;
        }
        let named = ["fn", "struct", "const", "override", "alias", "var"].contains(&keyword.text);
        let name = if named { tokens.get(name).ok_or(Lost)?.text } else { "" };
        let block = ["fn", "struct"].contains(&keyword.text);
        let end = tokens[at..].iter().position(|token| token.is(if block { "{" } else { ";" })).ok_or(Lost)?;
        at = if block { matching(tokens, at + end, "{", "}")? } else { at + end + 1 };
        items.push(Item { keyword: keyword.text, name, start, end: at });
    }
    Ok(items)
}

/// One past the bracket that closes the one at an index.
fn matching(tokens: &[Token<'_>], open: usize, left: &str, right: &str) -> Parsed<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += usize::from(token.is(left));
        if token.is(right) {
            depth -= 1;
            if depth == 0 {
                return Ok(at + 1);
            }
        }
    }
    Err(Lost)
}

/// The declarations, each after those that it names, functions and variables last.
fn order(items: &[Item<'_>], tokens: &[Token<'_>]) -> Vec<usize> {
    let early = |item: &Item<'_>| ["const", "override", "alias", "struct"].contains(&item.keyword);
    let index: HashMap<&str, usize> =
        items.iter().enumerate().filter(|(_, item)| early(item)).map(|(at, item)| (item.name, at)).collect();
    let mut done = vec![false; items.len()];
    let mut order = Vec::new();
    for root in (0..items.len()).filter(|&at| early(&items[at])) {
        let mut path = vec![(root, items[root].start)];
        if std::mem::replace(&mut done[root], true) {
            continue;
        }
        while let Some((item, at)) = path.last_mut() {
            if *at == items[*item].end {
                order.push(*item);
                path.pop();
                continue;
            }
            let named = index.get(tokens[*at].text).copied();
            *at += 1;
            if let Some(to) = named.filter(|&to| !std::mem::replace(&mut done[to], true)) {
                path.push((to, items[to].start));
            }
        }
    }
    order.extend((0..items.len()).filter(|&at| !early(&items[at])));
    order
}

impl<'a> Parser<'a> {
    fn item(&mut self, item: Item<'a>) -> Parsed<()> {
        let start = self.tokens[item.start].start;
        let id = self.attributes()?;
        let keyword = self.next()?;
        match keyword.text {
            "override" => self.setting(id, start)?,
            "const" | "var" => self.variable(keyword, true)?,
            "alias" => {
                self.word()?;
                self.expect("=")?;
                if let Fold::Maker(maker @ Maker::Type(_)) = self.whole()?.fold {
                    self.names.global(item.name, Meaning::Maker(maker));
                }
                self.expect(";")?;
            }
            "struct" => self.structure(item.name)?,
            "const_assert" => self.assertion(keyword)?,
            "fn" => self.function()?,
            // Directives.
            _ => self.at = item.end,
        }
        Ok(())
    }

    /// Attributes; the numbers in some of them are constant expressions. Gives that of `@id`.
    pub(super) fn attributes(&mut self) -> Parsed<Option<i128>> {
        let mut id = None;
        while self.take("@") {
            let name = self.word()?;
            if !self.sees("(") {
                continue;
            }
            let numbers = ["align", "binding", "group", "id", "location", "size", "workgroup_size", "blend_src"];
            if !numbers.contains(&name.text) {
                self.at = matching(&self.tokens, self.at, "(", ")")?;
                continue;
            }
            self.at += 1;
            while !self.sees(")") {
                let number = self.whole()?;
                if let ("id", Fold::Known(constant)) = (name.text, number.fold) {
                    id = constant.integer().ok();
                }
                if !self.take(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(id)
    }

    fn structure(&mut self, name: &'a str) -> Parsed<()> {
        self.word()?;
        self.expect("{")?;
        let (mut members, mut known) = (Vec::new(), true);
        while !self.take("}") {
            self.attributes()?;
            let member = self.word()?;
            self.expect(":")?;
            match self.whole()?.fold {
                Fold::Maker(Maker::Type(ty)) => members.push((member.text.to_owned(), ty)),
                Fold::Known(_) | Fold::Maker(_) | Fold::Builtin(..) | Fold::Unknown | Fold::Wrong(_) => known = false,
            }
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        let ty = Ty::Struct(Struct::new(name.to_owned(), members).into());
        if known && ty.is_shallow() {
            self.names.global(name, Meaning::Maker(Maker::Type(ty)));
        }
        // Some write a `;` after it, which is a declaration of nothing.
        Ok(())
    }

    fn function(&mut self) -> Parsed<()> {
        self.word()?;
        self.expect("(")?;
        self.names.open(true);
        while !self.take(")") {
            self.attributes()?;
            let name = self.word()?;
            self.expect(":")?;
            let ty = self.whole()?.named();
            self.names.local(name.text, Meaning::Other(ty));
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        if self.take("->") {
            self.attributes()?;
            self.whole()?;
        }
        self.attributes()?;
        self.expect("{")?;
        self.names.open(false);
        while self.names.depth() > 0 {
            self.statement()?;
        }
        Ok(())
    }

    /// A declaration of a value, from its name to its semicolon.
    pub(super) fn variable(&mut self, keyword: Token<'a>, global: bool) -> Parsed<()> {
        if self.peek().is_some_and(|token| token.kind == Kind::Open) {
            while self.next()?.kind != Kind::Close {}
        }
        let name = self.word()?;
        let ty = if self.take(":") { Some(self.whole()?) } else { None };
        let mut meaning = Meaning::Other(ty.as_ref().and_then(Operand::named));
        if self.take("=") {
            let init = self.expression()?;
            let value = declared(ty.as_ref(), &init);
            self.settle_in(keyword.text == "const", &init, &value);
            match (keyword.text, &value) {
                ("const", Fold::Known(constant)) => meaning = Meaning::Const(constant.clone()),
                ("let", _) if matches!(init.fold, Fold::Known(_)) => {
                    let ty = ty.as_ref().and_then(Operand::named).or_else(|| init.ty());
                    meaning = ty.map_or(Meaning::Other(None), |ty| Meaning::Let(keyword.start, ty.concrete()));
                    self.replace(keyword.start, keyword.end(), Mend::Let);
                }
                ("let" | "var", _) if ty.is_none() => meaning = Meaning::Other(init.ty().map(|ty| ty.concrete())),
                _ => {}
            }
        }
        self.expect(";")?;
        if global {
            self.names.global(name.text, meaning);
        } else if let Some(rename) = self.names.local(name.text, meaning) {
            self.edits.push(Edit { start: name.start, end: name.end(), mend: Mend::Rename(rename) });
        }
        Ok(())
    }

    /// An override, which becomes a constant where its value is decided.
    fn setting(&mut self, id: Option<i128>, start: usize) -> Parsed<()> {
        let name = self.word()?;
        let ty = if self.take(":") { Some(self.whole()?) } else { None };
        let init = if self.take("=") { Some(self.expression()?) } else { None };
        let end = self.expect(";")?.start;
        let Some(values) = self.decided else {
            if let Some(init) = &init {
                self.settle(init);
            }
            return Ok(());
        };
        let declared = match (&ty, &init) {
            (_, Some(init)) => declared(ty.as_ref(), init),
            (Some(ty), None) => ty.fold.clone(),
            (None, None) => Fold::Unknown,
        };
        let kind = match &declared {
            Fold::Known(constant) => constant.ty.kind(),
            Fold::Maker(Maker::Type(ty @ Ty::Scalar(_))) => ty.kind(),
            _ => match ty.as_ref().map(|ty| &ty.fold) {
                Some(Fold::Maker(Maker::Type(ty @ Ty::Scalar(_)))) => ty.kind(),
                _ => None,
            },
        };
        let set = values.get(name.text).or_else(|| values.get(&id?.to_string()));
        let decided = match (set, kind, declared) {
            (Some(&value), Some(kind), _) => Const::num(Number::F64, Num::F64(value)).cast(kind.concrete()).ok(),
            (None, _, Fold::Known(constant)) => concrete(&constant).ok(),
            (None, _, Fold::Wrong(wrong)) => {
                self.found.push(*wrong);
                None
            }
            _ => None,
        };
        match decided {
            Some(constant) => {
                self.names.global(name.text, Meaning::Const(constant.clone()));
                self.replace(start, end, Mend::Decide(name.text.to_owned(), constant));
            }
            None => {
                if let Some(init) = &init {
                    self.settle(init);
                }
            }
        }
        Ok(())
    }

    /// The value of a declaration. naga must see that it does not fit the type; what `frexp` and
    /// `modf` give a constant must be written in another way.
    fn settle_in(&mut self, constant: bool, init: &Operand, value: &Fold) {
        self.settle(init);
        if let (Fold::Known(_), Fold::Wrong(_)) = (&init.fold, value) {
            self.settle(&Operand { fold: value.clone(), ..init.clone() });
        }
        if let (true, true, Fold::Known(value)) = (constant, init.mend, value)
            && value.ty.kind().is_none()
        {
            self.replace(init.start, init.end, Mend::Constant(value.clone()));
        }
    }
}
