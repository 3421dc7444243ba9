//! The rooms of a crate, as its `mod` lines make them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Expr, ExprLit, Ident, Item, ItemMod, Lit, Meta, UseTree};

/// A module's path from the root of its crate, which is empty.
pub(crate) type Name = Vec<String>;

pub(crate) struct Room {
    pub(crate) file: PathBuf,
    pub(crate) items: Vec<Item>,
    /// The rooms inside, in the order of their `mod` lines.
    pub(crate) rooms: Vec<String>,
    /// What `use` lines bring in: the name here, and the path as it is written.
    names: BTreeMap<String, Name>,
    /// Paths of `use path::*`, as they are written.
    globs: Vec<Name>,
}

#[derive(Default)]
pub(crate) struct Tree {
    pub(crate) rooms: BTreeMap<Name, Room>,
}

/// Whether code is compiled for tests only: those may use what is made of a room.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    fn holds(meta: &Meta) -> bool {
        let Meta::List(list) = meta else { return meta.path().is_ident("test") };
        let parts = list.parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated);
        list.path.is_ident("all") && parts.is_ok_and(|parts| parts.iter().any(holds))
    }
    let is_cfg = |attribute: &&Attribute| attribute.path().is_ident("cfg");
    attributes.iter().filter(is_cfg).any(|attribute| attribute.parse_args::<Meta>().is_ok_and(|meta| holds(&meta)))
}

/// The attributes of an item that `cfg` may stand among.
pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Each path of a `use` line, and the name that it gets; none for `*`.
pub(crate) fn used(tree: &UseTree) -> Vec<(Name, Option<String>)> {
    fn go(tree: &UseTree, before: &Name, into: &mut Vec<(Name, Option<String>)>) {
        let with = |ident: &Ident| before.iter().cloned().chain([ident.to_string()]).collect::<Name>();
        match tree {
            UseTree::Path(path) => go(&path.tree, &with(&path.ident), into),
            UseTree::Name(name) if name.ident == "self" => into.push((before.clone(), before.last().cloned())),
            UseTree::Name(name) => into.push((with(&name.ident), Some(name.ident.to_string()))),
            UseTree::Rename(name) if name.ident == "self" => into.push((before.clone(), Some(name.rename.to_string()))),
            UseTree::Rename(name) => into.push((with(&name.ident), Some(name.rename.to_string()))),
            UseTree::Glob(_) => into.push((before.clone(), None)),
            UseTree::Group(group) => group.items.iter().for_each(|tree| go(tree, before, into)),
        }
    }
    let mut paths = Vec::new();
    go(tree, &Name::new(), &mut paths);
    paths
}

/// The file that `#[path]` names.
fn given_path(item: &ItemMod) -> Option<String> {
    item.attrs.iter().filter(|attribute| attribute.path().is_ident("path")).find_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else { return None };
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return None };
        Some(text.value())
    })
}

impl Tree {
    /// The crate whose root is this file.
    pub(crate) fn read(root: &Path) -> Self {
        let mut tree = Self::default();
        tree.enter(Name::new(), root, root.parent().expect("a file is in a folder"));
        tree
    }

    /// A crate that is one text.
    pub(crate) fn parse(text: &str) -> Self {
        let mut tree = Self::default();
        tree.add(Name::new(), Path::new("sample.rs"), Path::new(""), syn::parse_file(text).unwrap().items);
        tree
    }

    fn enter(&mut self, name: Name, file: &Path, inside: &Path) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.add(name, file, inside, parsed.items);
    }

    /// `inside` is the folder of the rooms in this one.
    fn add(&mut self, name: Name, file: &Path, inside: &Path, mut items: Vec<Item>) {
        items.retain(|item| !is_test(attributes(item)));
        let (mut rooms, mut names, mut globs) = (Vec::new(), BTreeMap::new(), Vec::new());
        for item in &mut items {
            if let Item::Use(item) = item {
                for (path, name) in used(&item.tree) {
                    match name {
                        Some(name) => drop(names.insert(name, path)),
                        None => globs.push(path),
                    }
                }
            }
            let Item::Mod(item) = item else { continue };
            let last = item.ident.to_string();
            let room = name.iter().cloned().chain([last.clone()]).collect();
            let folder = inside.join(&last);
            if let Some((_, items)) = item.content.take() {
                self.add(room, file, &folder, items);
            } else if let Some(path) = given_path(item) {
                let path = file.parent().expect("a file is in a folder").join(path);
                self.enter(room, &path, path.parent().expect("a file is in a folder"));
            } else {
                let flat = inside.join(format!("{last}.rs"));
                self.enter(room, &if flat.exists() { flat } else { folder.join("mod.rs") }, &folder);
            }
            rooms.push(last);
        }
        items.retain(|item| !matches!(item, Item::Mod(_)));
        self.rooms.insert(name, Room { file: file.to_owned(), items, rooms, names, globs });
    }

    /// The same rooms in reverse order.
    pub(crate) fn reversed(mut self) -> Self {
        self.rooms.values_mut().for_each(|room| room.rooms.reverse());
        self
    }

    /// The room in which what a path means stands, when the path is written in room `from`; none if that is no room of
    /// this crate.
    pub(crate) fn find(&self, from: &Name, path: &[String]) -> Option<Name> {
        self.follow(from, path, 16)
    }

    fn follow(&self, from: &Name, path: &[String], steps: usize) -> Option<Name> {
        let steps = steps.checked_sub(1)?;
        let (mut at, mut rest) = (from.clone(), path);
        let mut rooted = false;
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "crate" => at.clear(),
                "super" => drop(at.pop()?),
                "self" => {}
                _ => break,
            }
            (rooted, rest) = (true, after);
        }
        while let Some((first, after)) = rest.split_first() {
            let room = &self.rooms[&at];
            if room.rooms.contains(first) {
                at.push(first.clone());
                (rooted, rest) = (true, after);
            } else if let Some(target) = room.names.get(first) {
                let target: Name = target.iter().chain(after).cloned().collect();
                return self.follow(&at, &target, steps).or(rooted.then_some(at));
            } else {
                let hit = room.globs.iter().find_map(|glob| {
                    let source = self.follow(&at, glob, steps)?;
                    (source != at && self.defines(&source, first)).then_some(source)
                });
                return match hit {
                    Some(source) => self.follow(&source, &[&["self".to_owned()], rest].concat(), steps),
                    None => rooted.then_some(at),
                };
            }
        }
        rooted.then_some(at)
    }

    /// Whether a room itself gives this name.
    fn defines(&self, room: &Name, name: &str) -> bool {
        let room = &self.rooms[room];
        let is_named = |item: &Item| match item {
            Item::Const(item) => item.ident == name,
            Item::Enum(item) => item.ident == name,
            Item::Fn(item) => item.sig.ident == name,
            Item::Static(item) => item.ident == name,
            Item::Struct(item) => item.ident == name,
            Item::Trait(item) => item.ident == name,
            Item::Type(item) => item.ident == name,
            _ => false,
        };
        room.names.contains_key(name) || room.rooms.iter().any(|room| room == name) || room.items.iter().any(is_named)
    }
}
