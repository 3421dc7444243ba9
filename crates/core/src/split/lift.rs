//! From control around barriers to segments and the schedule's control between them.
//!
//! Statements are collected into the segment that is open, and a barrier closes it. Of a branch with
//! barriers, what stands before the first of them is still done by the segment before it, what
//! stands behind the last one by the segment after it, both under an ordinary `if`; only what is
//! between them is a branch of the schedule. A loop is rotated (as compilers rotate loops to test at
//! the bottom): what stands before its first barrier is done once before the loop, and at the end of
//! each turn for the next one. So there are as many segments as barriers, and one more for what
//! follows a loop.

use naga::{BinaryOperator, Block, Expression, Handle, Span, Statement};

use super::tree::{self, Node, Tree, boundaries};

/// Control between segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Run(usize),
    Loop(While),
    /// If the word is not zero, or if it is (`zero`).
    When {
        word: u32,
        zero: bool,
    },
    End,
}

/// How long a loop goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum While {
    /// As long as this word of the spill memory is not zero.
    Word(u32),
    /// For so many turns.
    Turns(u32),
}

/// A segment, in the expressions of the [`Tree`].
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) body: Block,
    /// Words of control, and the conditions that they are at its end.
    pub(super) words: Vec<(u32, Handle<Expression>)>,
}

/// What a kernel is cut into.
#[derive(Debug, Default)]
pub(super) struct Lifted {
    pub(super) drafts: Vec<Draft>,
    pub(super) steps: Vec<Step>,
    /// Words of control.
    pub(super) words: u32,
}

/// A branch with barriers that statements are in.
struct Arm {
    condition: Handle<Expression>,
    zero: bool,
    /// Boundaries to come.
    left: usize,
    /// Whether the schedule is inside the branch; before its first boundary and behind its last one
    /// it is not, and the open segment has an `if` instead.
    inside: bool,
    /// Whether there was a boundary.
    begun: bool,
}

struct Lift<'t, 'm> {
    tree: &'t mut Tree<'m>,
    out: Lifted,
    arms: Vec<Arm>,
    /// The open segment: its body, and one for each `if` that is open.
    open: Vec<Block>,
    /// The conditions of those.
    ifs: Vec<(Handle<Expression>, bool)>,
}

pub(super) fn lift(tree: &mut Tree<'_>, nodes: Vec<Node>) -> Lifted {
    let mut lift = Lift { tree, out: Lifted::default(), arms: Vec::new(), open: vec![Block::new()], ifs: Vec::new() };
    lift.nodes(nodes);
    lift.close(Vec::new(), None);
    if lift.out.drafts.is_empty() {
        // A kernel that does nothing is still dispatched.
        lift.out.steps.push(Step::Run(0));
        lift.out.drafts.push(Draft::default());
    }
    lift.out
}

impl Lift<'_, '_> {
    fn nodes(&mut self, nodes: Vec<Node>) {
        for node in nodes {
            match node {
                Node::Do { statement, span, .. } => self.push(statement, span),
                Node::Cut => {
                    self.enter(1, None);
                    self.leave();
                }
                Node::If { condition, zero, body, .. } => {
                    let left = boundaries(&body);
                    self.arms.push(Arm { condition, zero, left, inside: false, begun: false });
                    self.open_if(condition, zero);
                    self.nodes(body);
                    self.close_if();
                    self.arms.pop();
                }
                Node::Loop { region, trips, body, continuing } => self.repeat(region, trips, body, continuing),
                Node::Land(_) => {}
            }
        }
    }

    fn push(&mut self, statement: Statement, span: Span) {
        let block = self.open.last_mut().unwrap_or_else(|| unreachable!("invariant open: there is a segment"));
        block.push(statement, span);
    }

    fn open_if(&mut self, condition: Handle<Expression>, zero: bool) {
        self.ifs.push((condition, zero));
        self.open.push(Block::new());
    }

    fn close_if(&mut self) {
        let (Some((condition, zero)), Some(body)) = (self.ifs.pop(), self.open.pop()) else {
            unreachable!("invariant ifs: each is closed once")
        };
        if !body.is_empty() {
            let (accept, reject) = tree::arms(zero, body);
            self.push(Statement::If { condition, accept, reject }, Span::UNDEFINED);
        }
    }

    /// Ends the open segment, which is one if it does anything. At its end it is known whether a loop
    /// with the word `stay` goes on.
    fn close(&mut self, mut words: Vec<(u32, Handle<Expression>)>, stay: Option<u32>) {
        while !self.ifs.is_empty() {
            self.close_if();
        }
        if let Some(word) = stay {
            let (condition, emit) = self.tree.test_jump(BinaryOperator::Equal, 0);
            self.push(emit, Span::UNDEFINED);
            words.push((word, condition));
        }
        let body = self.open.pop().unwrap_or_default();
        self.open = vec![Block::new()];
        if !body.is_empty() || !words.is_empty() {
            self.out.steps.push(Step::Run(self.out.drafts.len()));
            self.out.drafts.push(Draft { body, words });
        }
    }

    fn word(&mut self) -> u32 {
        self.out.words += 1;
        self.out.words - 1
    }

    /// Comes to a boundary, the first of so many: the schedule goes into the branches around it that
    /// have more of them.
    fn enter(&mut self, many: usize, stay: Option<u32>) {
        let (mut words, mut whens) = (Vec::new(), Vec::new());
        for at in 0..self.arms.len() {
            let arm = &self.arms[at];
            if !arm.begun && arm.left > 1 {
                let (condition, zero) = (arm.condition, arm.zero);
                let word = self.word();
                words.push((word, condition));
                whens.push(Step::When { word, zero });
                self.arms[at].inside = true;
            }
            self.arms[at].begun = true;
            self.arms[at].left -= many;
        }
        self.close(words, stay);
        self.out.steps.append(&mut whens);
    }

    /// Leaves a boundary: branches of which it was the last one are left by the schedule.
    fn leave(&mut self) {
        for arm in self.arms.iter_mut().rev().filter(|arm| arm.left == 0 && arm.inside) {
            arm.inside = false;
            match self.out.steps.last() {
                Some(Step::When { .. }) => drop(self.out.steps.pop()),
                _ => self.out.steps.push(Step::End),
            }
        }
        let ifs: Vec<_> = self.arms.iter().filter(|arm| arm.left == 0).map(|arm| (arm.condition, arm.zero)).collect();
        for (condition, zero) in ifs {
            self.open_if(condition, zero);
        }
    }

    fn repeat(&mut self, region: u32, trips: Option<u32>, body: Vec<Node>, continuing: Vec<Node>) {
        let (head, mut rest) = rotate(region, body);
        // Where nothing of a turn is done before the loop, the last test is a turn of its own.
        let trips = trips.filter(|_| !head.is_empty());
        let left = tree::jumps(&rest);
        let others = left.iter().any(|&to| to != tree::go_on(region));
        if tree::continues(region, &left) {
            if others {
                rest.extend(self.tree.reset_jump(tree::go_on(region)));
            } else {
                rest.extend(self.tree.set_jump(0));
            }
        }
        if others && !continuing.is_empty() {
            rest.extend(self.unless_left(continuing));
        } else {
            rest.extend(continuing);
        }
        if !head.is_empty() {
            if tree::jumps(&rest).is_empty() {
                rest.extend(head.clone());
            } else {
                rest.extend(self.unless_left(head.clone()));
            }
        }
        if tree::jumps(&rest).is_empty() {
            rest.extend(self.tree.set_jump(0));
        }
        let how = trips.map_or_else(|| While::Word(self.word()), While::Turns);
        let word = if let While::Word(word) = how { Some(word) } else { None };
        let first = self.tree.set_jump(0);
        self.nodes(first.into());
        self.nodes(head);
        self.enter(2, word);
        self.out.steps.push(Step::Loop(how));
        let arms = std::mem::take(&mut self.arms);
        self.nodes(rest);
        self.close(Vec::new(), word);
        self.arms = arms;
        self.out.steps.push(Step::End);
        self.leave();
    }

    fn unless_left(&mut self, body: Vec<Node>) -> [Node; 2] {
        let (condition, emit) = self.tree.test_jump(BinaryOperator::Equal, 0);
        let emit = Node::Do { statement: emit, span: Span::UNDEFINED, jumps: tree::Jumps::new() };
        if boundaries(&body) > 0 {
            return [emit, Node::If { condition, zero: false, unless: tree::Jumps::new(), body }];
        }
        let jumps = tree::jumps(&body);
        let statement = Statement::If { condition, accept: tree::seal(body), reject: Block::new() };
        [emit, Node::Do { statement, span: Span::UNDEFINED, jumps }]
    }
}

/// The turn of a loop up to its first barrier, and the rest of it: the rest begins only if nobody has
/// left the loop before. A `continue` would have to begin the turn again, so there is no way past one.
fn rotate(region: u32, mut body: Vec<Node>) -> (Vec<Node>, Vec<Node>) {
    let first = body.iter().position(|node| node.boundaries() > 0).unwrap_or(body.len());
    if !tree::leaves(region, &tree::jumps(&body[..first])) {
        return (Vec::new(), body);
    }
    let mut rest = body.split_off(first);
    if matches!(rest.first(), Some(Node::If { unless, .. }) if !unless.is_empty() && tree::leaves(region, unless)) {
        let Node::If { condition, zero, body: inner, .. } = rest.remove(0) else {
            unreachable!("invariant guard: it was one")
        };
        let (head, mut tail) = rotate(region, inner);
        if !head.is_empty() {
            let jumps = tree::jumps(&head);
            let (accept, reject) = tree::arms(zero, tree::seal(head));
            let statement = Statement::If { condition, accept, reject };
            body.push(Node::Do { statement, span: Span::UNDEFINED, jumps });
        }
        tail.append(&mut rest);
        rest = tail;
    }
    (body, rest)
}
