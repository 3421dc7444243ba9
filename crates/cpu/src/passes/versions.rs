//! Versions of code: a fast one behind questions, and a slow one for whoever answers no to any of them.
//!
//! ```text
//! (results) = block @done {
//!   () = block @slow {
//!     () = if question { } else { jump @slow }
//!     fast
//!     jump @done fast results
//!   }
//!   slow
//!   fall slow results
//! }
//! ```

use crate::ir::{Binary, End, Function, Label, LabelKind, Node, Region, Value};

/// Questions that are being asked, one after the other.
pub(super) struct Questions {
    slow: Label,
    /// The questions, and what they are made of.
    pub(super) nodes: Vec<Node>,
}

impl Questions {
    pub(super) fn new(f: &mut Function) -> Self {
        Self { slow: f.label(LabelKind::Block), nodes: Vec::new() }
    }

    /// Goes on where a comparison holds.
    pub(super) fn ask(&mut self, f: &mut Function, op: Binary, a: Value, b: Value) {
        let condition = f.binary(op, a, b, &mut self.nodes);
        let no = Region { nodes: Vec::new(), end: End::Jump(self.slow, Vec::new()) };
        self.nodes.push(Node::If { condition, accept: Region::default(), reject: no, results: Vec::new() });
    }

    /// The slow version is for the few.
    pub(super) fn rarely(self, f: &mut Function) -> Self {
        f.cold.insert(self.slow);
        self
    }

    /// Both versions.
    pub(super) fn versions(mut self, f: &mut Function, fast: Region, slow: Region, results: Vec<Value>) -> Vec<Node> {
        self.nodes.extend(fast.nodes);
        let mut asked = Region { nodes: self.nodes, end: fast.end };
        let falls = matches!(asked.end, End::Fall(_));
        let done = f.label(LabelKind::Block);
        if let End::Fall(args) = &asked.end {
            asked.end = End::Jump(done, args.clone());
        }
        let asked = Node::Block { label: self.slow, body: asked, results: Vec::new() };
        let nodes = std::iter::once(asked).chain(slow.nodes).collect();
        if !falls && !matches!(slow.end, End::Fall(_)) {
            return nodes;
        }
        vec![Node::Block { label: done, body: Region { nodes, end: slow.end }, results }]
    }
}
