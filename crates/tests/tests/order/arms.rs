//! Arms for whatever is left, beside arms of naga's enums.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, Expr, File, Pat, Stmt};

use crate::tree::used;

/// Lines of a file with an arm for whatever naga may add, to any enum but that one.
///
/// `other => unreachable!(..)` may stand: it names what must not come, and no new variant passes it in silence.
pub(crate) fn catch_alls(file: &File, but: Option<&str>) -> Vec<usize> {
    let mut names = Names { but, ..Names::default() };
    names.visit_file(file);
    let mut found = Found { names: names.names, lines: Vec::new() };
    found.visit_file(file);
    found.lines
}

/// Whether this is the name of one of naga's enums that rooms must decide about. Errors fall back on naga's words,
/// and a `Scalar` is a structure whose constants nobody can list.
fn counts(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && !name.ends_with("Error") && name != "Scalar"
}

/// The types of naga that a file has under a name of its own.
#[derive(Default)]
struct Names<'a> {
    but: Option<&'a str>,
    names: BTreeSet<String>,
}

impl Visit<'_> for Names<'_> {
    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        for (path, name) in used(&item.tree) {
            let is_naga = path.iter().any(|part| part == "naga");
            let is_enum = path.last().is_some_and(|last| counts(last) && self.but != Some(last));
            self.names.extend(name.filter(|_| is_naga && is_enum));
        }
    }
}

struct Found {
    names: BTreeSet<String>,
    lines: Vec<usize>,
}

impl Visit<'_> for Found {
    fn visit_expr_match(&mut self, choice: &syn::ExprMatch) {
        let is_naga = |arm: &Arm| {
            let mut mention = Mention { names: &self.names, found: false };
            mention.visit_pat(&arm.pat);
            mention.found
        };
        if choice.arms.iter().any(is_naga) {
            let is_caught = |arm: &&Arm| takes_all(&arm.pat) && !is_unreachable(&arm.body);
            self.lines.extend(choice.arms.iter().filter(is_caught).map(|arm| arm.pat.span().start().line));
        }
        visit::visit_expr_match(self, choice);
    }
}

/// Whether a pattern has a variant of naga in it.
struct Mention<'a> {
    names: &'a BTreeSet<String>,
    found: bool,
}

impl Visit<'_> for Mention<'_> {
    fn visit_pat_guard(&mut self, guarded: &syn::PatGuard) {
        self.visit_pat(&guarded.pat);
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let parts: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [first @ .., name, _] = parts.as_slice() {
            self.found |= if first.is_empty() {
                self.names.contains(name)
            } else {
                first.iter().any(|part| part == "naga") && counts(name)
            };
        }
    }
}

/// Whether nothing is left after this pattern.
fn takes_all(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) | Pat::Rest(_) => true,
        // A name in capitals is a constant or a variant.
        Pat::Ident(name) => match &name.subpat {
            Some((_, pattern)) => takes_all(pattern),
            None => name.ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_'),
        },
        Pat::Tuple(tuple) => tuple.elems.iter().all(takes_all),
        Pat::Or(or) => or.cases.iter().any(takes_all),
        Pat::Paren(inner) => takes_all(&inner.pat),
        // A guard may hold for what is new.
        Pat::Guard(guarded) => takes_all(&guarded.pat),
        Pat::Reference(inner) => takes_all(&inner.pat),
        _ => false,
    }
}

fn is_unreachable(body: &Expr) -> bool {
    match body {
        Expr::Macro(call) => call.mac.path.is_ident("unreachable"),
        Expr::Block(block) => match block.block.stmts.as_slice() {
            [Stmt::Macro(call)] => call.mac.path.is_ident("unreachable"),
            [Stmt::Expr(body, _)] => is_unreachable(body),
            _ => false,
        },
        _ => false,
    }
}
