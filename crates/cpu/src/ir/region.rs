//! Control flow: a tree of regions.

mod group;

use std::collections::{BTreeSet, HashMap};

use super::{Address, Function, Label, Value};
pub(crate) use group::{Each, Extent, Group, Span};

/// Nodes in order, then an end.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Region {
    pub(crate) nodes: Vec<Node>,
    pub(crate) end: End,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    /// Evaluate the value here.
    Let(Value),
    /// In all lanes that are active, or only where a condition holds; in the vector form, in the lanes of a mask.
    Store {
        at: Address,
        value: Value,
        when: Option<Value>,
    },
    /// All invocations of the workgroup arrive before any goes on.
    Barrier,
    If {
        condition: Value,
        accept: Region,
        reject: Region,
        results: Vec<Value>,
    },
    /// Falling out of the body or jumping to the label gives the results.
    Block {
        label: Label,
        body: Region,
        results: Vec<Value>,
    },
    /// Jumping to the label repeats the body with new parameters; nothing falls out of it.
    Loop {
        label: Label,
        params: Vec<Value>,
        init: Vec<Value>,
        body: Region,
    },
    /// What only the group form has.
    Group(Group),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    /// On to what follows, with values for the enclosing node's results.
    Fall(Vec<Value>),
    Jump(Label, Vec<Value>),
    /// Every way to here has jumped.
    Unreachable,
}

impl Default for End {
    fn default() -> Self {
        Self::Fall(Vec::new())
    }
}

impl Region {
    /// How often each value is used in it.
    pub(crate) fn uses(&self, f: &Function) -> HashMap<Value, u32> {
        let mut uses = HashMap::new();
        let mut use_of = |value: Value| *uses.entry(value).or_default() += 1;
        self.visit(&mut |region| {
            for node in &region.nodes {
                match node {
                    Node::Let(value) => f.op(*value).each(&mut use_of),
                    Node::Store { at, value, when } => {
                        at.each(&mut use_of);
                        [*value].into_iter().chain(*when).for_each(&mut use_of);
                    }
                    Node::If { condition, .. } => use_of(*condition),
                    Node::Loop { init, .. } => init.iter().copied().for_each(&mut use_of),
                    Node::Group(group) => group.each(&mut use_of),
                    Node::Barrier | Node::Block { .. } => {}
                }
            }
            if let End::Fall(args) | End::Jump(_, args) = &region.end {
                args.iter().copied().for_each(&mut use_of);
            }
        });
        uses
    }

    /// Calls `f` for this region and every region inside it.
    pub(crate) fn visit<'a>(&'a self, f: &mut impl FnMut(&'a Region)) {
        f(self);
        for node in &self.nodes {
            node.regions().for_each(|region| region.visit(f));
        }
    }

    /// How many nodes there are, here and inside.
    pub(crate) fn size(&self) -> usize {
        let mut nodes = 0;
        self.visit(&mut |region| nodes += region.nodes.len());
        nodes
    }

    /// How many regions lie inside one another.
    pub(crate) fn nesting(&self) -> usize {
        1 + self.nodes.iter().flat_map(Node::regions).map(Self::nesting).max().unwrap_or(0)
    }

    /// How many loops there are, here and inside.
    pub(crate) fn loops(&self) -> usize {
        let mut loops = 0;
        self.visit(&mut |region| {
            loops += region.nodes.iter().filter(|node| matches!(node, Node::Loop { .. })).count();
        });
        loops
    }

    /// Whether any node here or inside is a barrier.
    pub(crate) fn has_barrier(&self) -> bool {
        self.nodes.iter().any(Node::has_barrier)
    }
}

impl Node {
    pub(crate) fn regions(&self) -> impl Iterator<Item = &Region> {
        let (first, second) = match self {
            Self::Let(_) | Self::Store { .. } | Self::Barrier => (None, None),
            Self::If { accept, reject, .. } => (Some(accept), Some(reject)),
            Self::Block { body, .. } | Self::Loop { body, .. } => (Some(body), None),
            Self::Group(group) => (group.region(), None),
        };
        first.into_iter().chain(second)
    }

    pub(crate) fn regions_mut(&mut self) -> impl Iterator<Item = &mut Region> {
        let (first, second) = match self {
            Self::Let(_) | Self::Store { .. } | Self::Barrier => (None, None),
            Self::If { accept, reject, .. } => (Some(accept), Some(reject)),
            Self::Block { body, .. } | Self::Loop { body, .. } => (Some(body), None),
            Self::Group(group) => (group.region_mut(), None),
        };
        first.into_iter().chain(second)
    }

    /// Whether anything in it jumps to a label around it.
    pub(crate) fn leaves(&self) -> bool {
        fn region(at: &Region, inside: &mut Vec<Label>) -> bool {
            let leaves = matches!(&at.end, End::Jump(to, _) if !inside.contains(to));
            leaves || at.nodes.iter().any(|at| node(at, inside))
        }
        fn node(at: &Node, inside: &mut Vec<Label>) -> bool {
            let depth = inside.len();
            if let Node::Block { label, .. } | Node::Loop { label, .. } = at {
                inside.push(*label);
            }
            let leaves = at.regions().any(|at| region(at, inside));
            inside.truncate(depth);
            leaves
        }
        node(self, &mut Vec::new())
    }

    /// Whether anything in it jumps to one of these labels.
    pub(crate) fn jumps_to(&self, labels: &BTreeSet<Label>) -> bool {
        let mut found = false;
        for region in self.regions() {
            region.visit(&mut |region| found |= matches!(&region.end, End::Jump(to, _) if labels.contains(to)));
        }
        found
    }

    pub(crate) fn has_barrier(&self) -> bool {
        matches!(self, Self::Barrier) || self.regions().any(Region::has_barrier)
    }
}
