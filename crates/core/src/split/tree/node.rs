//! What a kernel is taken apart into.

use std::collections::BTreeSet;

use naga::{Block, Expression, Handle, Span, Statement};

/// Numbers that `jump` may have got.
pub(in crate::split) type Jumps = BTreeSet<u32>;

/// What leaves a region, and what continues the loop that it is. Regions inside it have higher ones.
pub(in crate::split) fn leave(region: u32) -> u32 {
    2 * region + 1
}

pub(in crate::split) fn go_on(region: u32) -> u32 {
    2 * region + 2
}

/// A part of the kernel.
#[derive(Debug, Clone)]
pub(in crate::split) enum Node {
    /// A statement without a barrier, and the jumps it may take.
    Do { statement: Statement, span: Span, jumps: Jumps },
    /// A grid barrier.
    Cut,
    /// What is done if the condition holds, or if it does not (`zero`); it has barriers inside.
    If {
        condition: Handle<Expression>,
        zero: bool,
        /// Jumps because of which it is not done; empty if it is a branch of the program.
        unless: Jumps,
        body: Vec<Node>,
    },
    /// What is done turn after turn until `jump` is a number that is not 0; it has barriers inside.
    Loop {
        region: u32,
        /// How many turns that are, if it is known.
        trips: Option<u32>,
        body: Vec<Node>,
        continuing: Vec<Node>,
    },
    /// Where those arrive that have jumped with this number.
    Land(u32),
}

impl Node {
    /// Boundaries between segments that it brings.
    pub(in crate::split) fn boundaries(&self) -> usize {
        match self {
            Self::Do { .. } | Self::Land(_) => 0,
            Self::Cut => 1,
            Self::If { body, .. } => boundaries(body),
            Self::Loop { .. } => 2,
        }
    }

    pub(in crate::split) fn jumps(&self) -> Jumps {
        match self {
            Self::Do { jumps, .. } => jumps.clone(),
            Self::Cut | Self::Land(_) => Jumps::new(),
            Self::If { body, .. } => jumps(body),
            Self::Loop { region, body, .. } => {
                let own = [leave(*region), go_on(*region)];
                jumps(body).into_iter().filter(|to| !own.contains(to)).collect()
            }
        }
    }
}

pub(in crate::split) fn boundaries(nodes: &[Node]) -> usize {
    nodes.iter().map(Node::boundaries).sum()
}

/// Jumps that leave all of these.
pub(in crate::split) fn jumps(nodes: &[Node]) -> Jumps {
    let mut all = Jumps::new();
    for node in nodes {
        all.extend(node.jumps());
        if let Node::Land(number) = node {
            all.remove(number);
        }
    }
    all
}

/// Whether jumps all leave the loop that is this region.
pub(in crate::split) fn leaves(region: u32, jumps: &Jumps) -> bool {
    jumps.iter().all(|&to| to <= leave(region))
}

/// Whether one of them is the `continue` of this region.
pub(in crate::split) fn continues(region: u32, jumps: &Jumps) -> bool {
    jumps.contains(&go_on(region))
}

/// Nodes without barriers, as statements.
pub(in crate::split) fn seal(nodes: Vec<Node>) -> Block {
    let mut block = Block::new();
    for node in nodes {
        match node {
            Node::Do { statement, span, .. } => block.push(statement, span),
            Node::If { condition, zero, body, .. } => {
                let (accept, reject) = arms(zero, seal(body));
                block.push(Statement::If { condition, accept, reject }, Span::UNDEFINED);
            }
            Node::Land(_) => {}
            Node::Cut | Node::Loop { .. } => unreachable!("invariant sealed: there is no barrier inside"),
        }
    }
    block
}

/// The arms of an `if` of which one is empty.
pub(in crate::split) fn arms(zero: bool, body: Block) -> (Block, Block) {
    if zero { (Block::new(), body) } else { (body, Block::new()) }
}

pub(super) fn plain(statement: Statement) -> Node {
    Node::Do { statement, span: Span::UNDEFINED, jumps: Jumps::new() }
}

/// A branch, of which the arms with barriers stand one after the other.
pub(super) fn branch(condition: Handle<Expression>, one: Vec<Node>, other: Vec<Node>, span: Span, out: &mut Vec<Node>) {
    let (cuts_one, cuts_other) = (boundaries(&one) > 0, boundaries(&other) > 0);
    let jumps: Jumps = jumps(&one).into_iter().chain(jumps(&other)).collect();
    if !cuts_one && !cuts_other {
        let statement = Statement::If { condition, accept: seal(one), reject: seal(other) };
        out.push(Node::Do { statement, span, jumps });
        return;
    }
    for (zero, body) in [(false, one), (true, other)] {
        guarded(condition, zero, Jumps::new(), body, out);
    }
}

/// What is done if a condition holds, or if it does not.
pub(super) fn guarded(condition: Handle<Expression>, zero: bool, unless: Jumps, body: Vec<Node>, out: &mut Vec<Node>) {
    if body.is_empty() {
        return;
    }
    if boundaries(&body) > 0 {
        out.push(Node::If { condition, zero, unless, body });
        return;
    }
    let jumps = jumps(&body);
    let (accept, reject) = arms(zero, seal(body));
    out.push(Node::Do { statement: Statement::If { condition, accept, reject }, span: Span::UNDEFINED, jumps });
}
