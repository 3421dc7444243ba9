//! What names stand for, by scope.

use std::collections::HashMap;

use super::construct::Maker;
use super::value::{Const, Ty};

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// A constant whose value is known here.
    Const(Const),
    /// A type.
    Maker(Maker),
    /// A `let` of a constant expression, which is no constant: where the word stands, and its type.
    Let(usize, Ty),
    /// A function that gives a value of this type.
    Function(Ty),
    /// Whatever else, with its type where it is known: a variable, or what is not understood.
    Other(Option<Ty>),
}

/// The scopes that are open.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    globals: HashMap<&'a str, Meaning>,
    locals: HashMap<&'a str, Vec<Local>>,
    /// Names in the order of their declaration, and how many there were when each scope began.
    declared: Vec<&'a str>,
    scopes: Vec<Scope>,
    renames: usize,
}

#[derive(Debug)]
struct Local {
    meaning: Meaning,
    /// In which scope it is declared, counted from the function's.
    depth: usize,
    /// Which of those that get another name it is.
    renamed: Option<usize>,
}

#[derive(Debug)]
struct Scope {
    names: usize,
    /// The block of a `continuing`, which naga takes for a part of the loop's body.
    continuing: bool,
    /// A `for` or a function: it ends with the block after it.
    header: bool,
}

impl<'a> Names<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&Meaning> {
        self.locals
            .get(name)
            .and_then(|locals| locals.last())
            .map(|local| &local.meaning)
            .or_else(|| self.globals.get(name))
    }

    pub(super) fn global(&mut self, name: &'a str, meaning: Meaning) {
        self.globals.insert(name, meaning);
    }

    /// Which of those that get another name it stands for, if it does.
    pub(super) fn renamed(&self, name: &str) -> Option<usize> {
        self.locals.get(name)?.last()?.renamed
    }

    /// Declares a name. Where naga would take it for one that is there already, it gets another:
    /// the one with the number that comes back.
    pub(super) fn local(&mut self, name: &'a str, meaning: Meaning) -> Option<usize> {
        let depth = self.scopes.len();
        let continuing = self.scopes.last().is_some_and(|scope| scope.continuing);
        let locals = self.locals.entry(name).or_default();
        let taken = continuing && locals.last().is_some_and(|local| local.depth + 1 == depth);
        let renamed = taken.then_some(self.renames);
        self.renames += usize::from(taken);
        locals.push(Local { meaning, depth, renamed });
        self.declared.push(name);
        renamed
    }

    pub(super) fn open(&mut self, header: bool) {
        self.scopes.push(Scope { names: self.declared.len(), continuing: false, header });
    }

    /// Begins the block of a `continuing`.
    pub(super) fn open_continuing(&mut self) {
        self.scopes.push(Scope { names: self.declared.len(), continuing: true, header: false });
    }

    /// Ends a block, and the header before it. Says whether anything was open.
    pub(super) fn close(&mut self) -> bool {
        let Some(mut scope) = self.scopes.pop() else { return false };
        while let Some(header) = self.scopes.pop_if(|scope| scope.header) {
            scope = header;
        }
        for name in self.declared.drain(scope.names..) {
            self.locals.get_mut(name).map(Vec::pop);
        }
        true
    }

    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }
}
