//! Steps backwards: paths from a room to one that stands below it.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::tree::{Name, Tree, attributes, is_test, used};

/// A room names another, or what is in it. Both are in one room, and the second may stand above or below the first.
pub(crate) struct Step {
    pub(crate) around: Name,
    pub(crate) from: String,
    pub(crate) to: String,
    /// Where, and the path as it is written.
    pub(crate) at: String,
}

/// All steps from room to room, each once for the room that makes it.
pub(crate) fn steps(tree: &Tree) -> Vec<Step> {
    let mut steps = Vec::new();
    for (name, room) in &tree.rooms {
        let (mut paths, mut seen) = (Paths::default(), BTreeSet::new());
        room.items.iter().for_each(|item| paths.visit_item(item));
        for (path, span) in paths.0 {
            let Some(target) = tree.find(name, &path) else { continue };
            // Rooms see what stands around them, and what is inside them.
            let Some(fork) = name.iter().zip(&target).position(|(a, b)| a != b) else { continue };
            if seen.insert((fork, target[fork].clone())) {
                let at = format!("{}:{}: {}", room.file.display(), span.start().line, path.join("::"));
                let (from, to) = (name[fork].clone(), target[fork].clone());
                steps.push(Step { around: name[..fork].to_vec(), from, to, at });
            }
        }
    }
    steps
}

/// Steps to a room that stands below.
pub(crate) fn backward(tree: &Tree) -> Vec<Step> {
    let is_backward = |step: &Step| {
        let place = |name: &String| tree.rooms[&step.around].rooms.iter().position(|room| room == name);
        place(&step.from) < place(&step.to)
    };
    steps(tree).into_iter().filter(is_backward).collect()
}

/// Every path in a room that is not for tests.
#[derive(Default)]
struct Paths(Vec<(Name, Span)>);

impl Paths {
    /// Paths in what a macro is given, which need not be Rust: only those that begin at a module.
    fn tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (None::<(Name, Span)>, 0);
        for token in tokens {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(ident) => match &mut path {
                    Some((path, _)) if colons == 2 => path.push(ident.to_string()),
                    _ => {
                        self.0.extend(path.take());
                        let begins = ["crate", "super", "self"].iter().any(|word| ident == word);
                        path = begins.then(|| (vec![ident.to_string()], ident.span()));
                    }
                },
                TokenTree::Group(group) => {
                    self.0.extend(path.take());
                    self.tokens(group.stream());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => self.0.extend(path.take()),
            }
            colons = 0;
        }
        self.0.extend(path);
    }
}

impl<'a> Visit<'a> for Paths {
    fn visit_item(&mut self, item: &'a syn::Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        if !is_test(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.0.extend(used(&item.tree).into_iter().map(|(path, _)| (path, item.span())));
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.leading_colon.is_none() {
            self.0.push((path.segments.iter().map(|segment| segment.ident.to_string()).collect(), path.span()));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }
}
