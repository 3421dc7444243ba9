//! The code of a workgroup around its loops over lane groups.

use std::collections::HashSet;

use super::dce::dce;
use super::simplify_cfg::simplify_cfg;
use crate::divergence::{Shape, Shapes};
use crate::ir::{Each, Function, Group, Node, Region, Value};

/// What is made outside of loops over lane groups, or is there anyhow, the same for the workgroup. Whatever of it a
/// loop uses can be used before that loop.
pub(super) struct Outside {
    made: HashSet<Value>,
    uniform: Vec<bool>,
}

impl Outside {
    pub(super) fn of(f: &Function, shapes: &Shapes) -> Self {
        let mut made = HashSet::new();
        gather(&f.body, &mut made);
        let uniform = (0..f.values.len() as u32).map(|i| shapes.of(Value(i)) == Shape::Uniform).collect();
        Self { made, uniform }
    }

    pub(super) fn has(&self, f: &Function, value: Value) -> bool {
        let uniform = self.uniform.get(value.index()).is_some_and(|&uniform| uniform);
        uniform && (f.is_input(value) || self.made.contains(&value))
    }
}

fn gather(region: &Region, made: &mut HashSet<Value>) {
    for node in &region.nodes {
        made.extend(node.gives());
        if !matches!(node, Node::Group(Group::Each(_))) {
            node.regions().for_each(|region| gather(region, made));
        }
    }
}

/// Where conditions have become known, code goes one way, and what they were made of is not made.
pub(super) fn settle(f: &mut Function) {
    let mut body = std::mem::take(&mut f.body);
    simplify_cfg(f, &mut body);
    dce(f, &mut body);
    f.body = body;
}

/// Calls `change` for every loop over lane groups, with the nodes before it, to which it adds what becomes of the loop.
pub(super) fn each_loop(f: &mut Function, change: &mut dyn FnMut(&mut Function, Each, &mut Vec<Node>)) {
    fn region(f: &mut Function, at: &mut Region, change: &mut dyn FnMut(&mut Function, Each, &mut Vec<Node>)) {
        let mut nodes = Vec::with_capacity(at.nodes.len());
        for mut node in std::mem::take(&mut at.nodes) {
            match &mut node {
                Node::Let(_) | Node::Store { .. } | Node::Barrier => {}
                Node::If { accept, reject, .. } => {
                    [accept, reject].into_iter().for_each(|arm| region(f, arm, change));
                }
                Node::Block { body, .. } | Node::Loop { body, .. } => region(f, body, change),
                Node::Group(Group::Each(each)) => {
                    change(f, std::mem::take(each), &mut nodes);
                    continue;
                }
                Node::Group(group) => group.region_mut().into_iter().for_each(|body| region(f, body, change)),
            }
            nodes.push(node);
        }
        at.nodes = nodes;
    }
    let mut body = std::mem::take(&mut f.body);
    region(f, &mut body, change);
    f.body = body;
}
