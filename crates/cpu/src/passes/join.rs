//! Joins: what arrives at them, and how their parameters are dropped or replaced.

use std::collections::HashMap;

use crate::ir::{End, Function, Label, Node, Region, Value};

/// What arrives at each join, and where everything is defined.
pub(super) struct Arrivals {
    /// Parameters of labels.
    params: HashMap<Label, Vec<Value>>,
    /// Arguments by parameter.
    pub(super) args: HashMap<Value, Vec<Value>>,
    /// The regions around each definition, outermost first.
    pub(super) scope: HashMap<Value, Vec<u32>>,
    /// How often each label is jumped to.
    pub(super) jumps: HashMap<Label, u32>,
    path: Vec<u32>,
    regions: u32,
}

impl Arrivals {
    pub(super) fn of(body: &Region) -> Self {
        let mut all = Self {
            params: HashMap::new(),
            args: HashMap::new(),
            scope: HashMap::new(),
            jumps: HashMap::new(),
            path: Vec::new(),
            regions: 0,
        };
        all.region(body, &[]);
        all
    }

    fn region(&mut self, region: &Region, falls_to: &[Value]) {
        self.regions += 1;
        self.path.push(self.regions);
        for node in &region.nodes {
            match node {
                Node::Let(value) => self.define(*value),
                Node::Store { .. } | Node::Barrier => {}
                Node::Group(group) => group.region().into_iter().for_each(|body| self.region(body, &[])),
                Node::If { accept, reject, results, .. } => {
                    results.iter().for_each(|&result| self.define(result));
                    self.region(accept, results);
                    self.region(reject, results);
                }
                Node::Block { label, body, results } => {
                    results.iter().for_each(|&result| self.define(result));
                    self.params.insert(*label, results.clone());
                    self.region(body, results);
                }
                Node::Loop { label, params, init, body } => {
                    // They are seen inside the loop only, but what replaces them must be known
                    // before it.
                    params.iter().for_each(|&param| self.define(param));
                    self.params.insert(*label, params.clone());
                    self.arrive(params, init);
                    self.region(body, &[]);
                }
            }
        }
        match &region.end {
            End::Fall(args) => self.arrive(falls_to, args),
            End::Jump(label, args) => {
                let params = self.params[label].clone();
                self.arrive(&params, args);
                *self.jumps.entry(*label).or_default() += 1;
            }
            End::Unreachable => {}
        }
        self.path.pop();
    }

    fn define(&mut self, value: Value) {
        self.scope.insert(value, self.path.clone());
    }

    fn arrive(&mut self, params: &[Value], args: &[Value]) {
        debug_assert_eq!(params.len(), args.len(), "invariant joins: one argument for each parameter");
        for (&param, &arg) in params.iter().zip(args) {
            self.args.entry(param).or_default().push(arg);
        }
    }
}

/// Keeps only some parameters, and their arguments.
pub(super) fn prune(body: &mut Region, keep: &dyn Fn(Value) -> bool) {
    fn filter(values: &mut Vec<Value>, kept: &[bool]) {
        let mut kept = kept.iter();
        values.retain(|_| *kept.next().expect("invariant joins: one argument for each parameter"));
    }
    fn region(
        at: &mut Region,
        falls_to: &[bool],
        labels: &mut HashMap<Label, Vec<bool>>,
        keep: &dyn Fn(Value) -> bool,
    ) {
        for node in &mut at.nodes {
            match node {
                Node::Let(_) | Node::Store { .. } | Node::Barrier => {}
                Node::Group(group) => {
                    group.region_mut().into_iter().for_each(|body| region(body, &[], labels, keep));
                }
                Node::If { accept, reject, results, .. } => {
                    let kept: Vec<bool> = results.iter().map(|&value| keep(value)).collect();
                    region(accept, &kept, labels, keep);
                    region(reject, &kept, labels, keep);
                    filter(results, &kept);
                }
                Node::Block { label, body, results } => {
                    let kept: Vec<bool> = results.iter().map(|&value| keep(value)).collect();
                    labels.insert(*label, kept.clone());
                    region(body, &kept, labels, keep);
                    filter(results, &kept);
                }
                Node::Loop { label, params, init, body } => {
                    let kept: Vec<bool> = params.iter().map(|&value| keep(value)).collect();
                    labels.insert(*label, kept.clone());
                    region(body, &[], labels, keep);
                    filter(params, &kept);
                    filter(init, &kept);
                }
            }
        }
        match &mut at.end {
            End::Fall(args) => filter(args, falls_to),
            End::Jump(label, args) => filter(args, &labels[label]),
            End::Unreachable => {}
        }
    }
    region(body, &[], &mut HashMap::new(), keep);
}

/// Chains of replacements.
pub(super) type Renames = HashMap<Value, Value>;

pub(super) fn resolve(renames: &Renames, mut value: Value) -> Value {
    while let Some(&next) = renames.get(&value) {
        value = next;
    }
    value
}

/// Replaces values wherever they are used.
pub(super) fn rename(f: &mut Function, body: &mut Region, renames: &Renames) {
    for def in &mut f.values {
        def.op.rename(|value| resolve(renames, value));
    }
    rename_region(body, renames);
}

/// Replaces values in a region, those that its operations use included. They are its own.
pub(super) fn rename_within(f: &mut Function, region: &mut Region, renames: &Renames) {
    if renames.is_empty() {
        return;
    }
    region.visit(&mut |region| {
        for node in &region.nodes {
            if let Node::Let(value) = node {
                f.values[value.index()].op.rename(|operand| resolve(renames, operand));
            }
        }
    });
    rename_region(region, renames);
}

fn rename_region(region: &mut Region, renames: &Renames) {
    let set = |value: &mut Value| *value = resolve(renames, *value);
    for node in &mut region.nodes {
        match node {
            Node::Let(_) | Node::Barrier => {}
            Node::Group(group) => {
                group.rename(|value| resolve(renames, value));
                group.region_mut().into_iter().for_each(|body| rename_region(body, renames));
            }
            Node::Store { at, value, when } => {
                at.terms.iter_mut().for_each(|term| set(&mut term.index));
                [value].into_iter().chain(when).for_each(set);
            }
            Node::If { condition, accept, reject, .. } => {
                set(condition);
                rename_region(accept, renames);
                rename_region(reject, renames);
            }
            Node::Block { body, .. } => rename_region(body, renames),
            Node::Loop { init, body, .. } => {
                init.iter_mut().for_each(set);
                rename_region(body, renames);
            }
        }
    }
    match &mut region.end {
        End::Fall(args) | End::Jump(_, args) => args.iter_mut().for_each(set),
        End::Unreachable => {}
    }
}
