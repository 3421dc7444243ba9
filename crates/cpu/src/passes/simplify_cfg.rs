//! Simplification of control flow: parameters of joins that are the same on every way in, blocks that
//! nothing jumps out of and branches that always go one way are dropped, until none is left to drop.

use std::collections::HashMap;

use super::join::{Arrivals, Renames, prune, rename, resolve};
use crate::ir::{End, Function, Label, Node, Region, Value};

/// Drops parameters and blocks until none is left to drop.
pub(super) fn simplify_cfg(f: &mut Function, body: &mut Region) {
    loop {
        let renamed = same_params(f, body);
        let flattened = flatten(f, body);
        if !renamed && !flattened {
            break;
        }
    }
}

/// Replaces parameters that are one and the same value on every way in.
fn same_params(f: &mut Function, body: &mut Region) -> bool {
    let Arrivals { args, scope, .. } = Arrivals::of(body);
    let mut params: Vec<Value> = args.keys().copied().collect();
    params.sort();
    let mut same = Renames::new();
    let mut changed = true;
    while changed {
        changed = false;
        for &param in &params {
            if same.contains_key(&param) {
                continue;
            }
            let mut only = None;
            let one = args[&param].iter().all(|&arg| {
                let arg = resolve(&same, arg);
                arg == param || *only.get_or_insert(arg) == arg
            });
            let (true, Some(only)) = (one, only) else { continue };
            // It must be in scope where the join is; constants and inputs always are.
            if scope.get(&only).is_none_or(|at| scope[&param].starts_with(at)) {
                same.insert(param, only);
                changed = true;
            }
        }
    }
    if same.is_empty() {
        return false;
    }
    prune(body, &|param| !same.contains_key(&param));
    rename(f, body, &same);
    true
}

/// Puts the nodes of blocks that nothing jumps out of, and of the only way through a branch,
/// into the region around them.
fn flatten(f: &mut Function, body: &mut Region) -> bool {
    let jumps = Arrivals::of(body).jumps;
    let mut flat = Flatten { f, jumps, renames: Renames::new(), changed: false };
    flat.region(body);
    let Flatten { renames, changed, .. } = flat;
    rename(f, body, &renames);
    changed
}

struct Flatten<'a> {
    f: &'a Function,
    jumps: HashMap<Label, u32>,
    renames: Renames,
    changed: bool,
}

impl Flatten<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            let only = match &mut node {
                Node::Let(_) | Node::Store { .. } | Node::Barrier => None,
                Node::Group(group) => {
                    group.region_mut().into_iter().for_each(|body| self.region(body));
                    None
                }
                Node::If { condition, accept, reject, results } => {
                    self.region(accept);
                    self.region(reject);
                    let way = self.f.constant(resolve(&self.renames, *condition));
                    way.map(|holds| (if holds == 0 { reject } else { accept }, results))
                }
                Node::Loop { body, .. } => {
                    self.region(body);
                    None
                }
                Node::Block { label, body, results } => {
                    self.region(body);
                    (!self.jumps.contains_key(label)).then_some((body, results))
                }
            };
            let Some((only, results)) = only else {
                nodes.push(node);
                continue;
            };
            self.changed = true;
            nodes.append(&mut only.nodes);
            match &only.end {
                End::Fall(args) => self.renames.extend(results.iter().copied().zip(args.iter().copied())),
                // What follows cannot be reached.
                end => {
                    region.end = end.clone();
                    break;
                }
            }
        }
        region.nodes = nodes;
    }
}
