//! Where floating operations go: into the block that is entered least often of those in which they can
//! stand, and there right before whoever wants them first (Click 1995, see [`super::form`]).

use super::form::{Block, End, Form, Val};
use super::op::Op;
use super::ssa::Flow;

/// The code of each block, in order.
#[derive(Debug)]
pub(super) struct Placed {
    /// Blocks, each after those that it can be entered from, but for the ends of loops.
    pub(super) order: Vec<Block>,
    /// Blocks as they are to lie.
    pub(super) layout: Vec<Block>,
    pub(super) code: Vec<Vec<Val>>,
}

impl Placed {
    /// How often each value is used: what a block wants at its end counts twice, so that only an operation can be the
    /// one user of a value.
    pub(super) fn uses(&self, form: &Form, flow: &Flow) -> Vec<u32> {
        let mut uses = vec![0; form.nodes.len()];
        let mut count = |val: Val, times: u32| {
            if val != Val::NONE {
                uses[val.index()] += times;
            }
        };
        self.code.iter().flatten().for_each(|&val| form.args(val).into_iter().for_each(|arg| count(arg, 1)));
        self.layout.iter().for_each(|&block| ends(form, flow, block, |val| count(val, 2)));
        uses
    }
}

/// Whether a literal is made anew wherever it is wanted.
pub(super) fn is_literal(op: Op) -> bool {
    matches!(op, Op::Int(_) | Op::Pool { .. } | Op::MaskLiteral(_))
}

pub(super) fn place(form: &Form, flow: &Flow) -> Placed {
    let shape = Shape::of(form, flow);
    let order = ranked(form, flow, &shape);
    let mut blocks = vec![None; form.nodes.len()];
    for &block in &shape.order {
        let here = &form.blocks[block.index()];
        here.pinned
            .iter()
            .chain(here.params.iter().map(|(val, _)| val))
            .for_each(|val| blocks[val.index()] = Some(block));
    }
    // The first block in which the operands are all there.
    let mut early = vec![Block(0); form.nodes.len()];
    for &val in &order {
        early[val.index()] = blocks[val.index()].unwrap_or_else(|| {
            let known = form.args(val).into_iter().filter(|&arg| arg != Val::NONE && !is_literal(form.op(arg)));
            known.map(|arg| early_of(&blocks, &early, arg)).max_by_key(|block| shape.depth(*block)).unwrap_or(Block(0))
        });
    }
    let mut uses: Vec<Option<Block>> = vec![None; form.nodes.len()];
    let wants = |uses: &mut Vec<Option<Block>>, val: Val, block: Block| {
        if val != Val::NONE && form.op(val).is_pure() && !is_literal(form.op(val)) {
            let at = &mut uses[val.index()];
            *at = Some(at.map_or(block, |other| shape.meet(other, block)));
        }
    };
    for &block in &shape.order {
        ends(form, flow, block, |val| wants(&mut uses, val, block));
    }
    for &val in order.iter().rev() {
        let block = blocks[val.index()].or_else(|| Some(shape.best(form, early[val.index()], uses[val.index()]?)));
        blocks[val.index()] = block;
        let Some(block) = block else { continue };
        form.args(val).into_iter().for_each(|arg| wants(&mut uses, arg, block));
    }
    let mut code = vec![Vec::new(); form.blocks.len()];
    for val in order {
        if let Some(block) = blocks[val.index()] {
            code[block.index()].push(val);
        }
    }
    let (warm, cold): (Vec<Block>, Vec<Block>) = form.order.iter().partition(|block| !form.blocks[block.index()].cold);
    let layout = [warm, cold].concat();
    Placed { order: shape.order, layout, code }
}

fn early_of(blocks: &[Option<Block>], early: &[Block], val: Val) -> Block {
    blocks[val.index()].unwrap_or(early[val.index()])
}

/// What a block wants at its end: for its test, and for the parameters of those that follow it.
fn ends(form: &Form, flow: &Flow, block: Block, mut wants: impl FnMut(Val)) {
    match form.blocks[block.index()].end() {
        End::Branch { args, .. } => args.into_iter().for_each(&mut wants),
        End::Return(Some(val)) => wants(val),
        End::Return(None) | End::Jump(_) | End::Open => {}
    }
    for to in form.blocks[block.index()].end().successors() {
        for (at, _) in flow.preds[to.index()].iter().enumerate().filter(|(_, pred)| **pred == block) {
            flow.given[to.index()].iter().for_each(|given| wants(given[at]));
        }
    }
}

/// Everything that somebody wants, each after its operands.
fn ranked(form: &Form, flow: &Flow, shape: &Shape) -> Vec<Val> {
    let mut order = Vec::new();
    let mut seen = vec![false; form.nodes.len()];
    let mut stack: Vec<(Val, usize)> = Vec::new();
    let mut visit = |root: Val, order: &mut Vec<Val>| {
        stack.push((root, 0));
        while let Some((val, next)) = stack.pop() {
            if val == Val::NONE || seen[val.index()] || next == 0 && is_literal(form.op(val)) {
                continue;
            }
            match form.args(val).get(next) {
                // Parameters stand at the start of their blocks.
                Some(&arg) if !matches!(form.op(val), Op::Param(_)) => {
                    stack.push((val, next + 1));
                    // What is pinned comes in its own turn.
                    if arg != Val::NONE && form.op(arg).is_pure() {
                        stack.push((arg, 0));
                    }
                }
                _ => {
                    seen[val.index()] = true;
                    if !matches!(form.op(val), Op::Param(_)) {
                        order.push(val);
                    }
                }
            }
        }
    };
    for &block in &shape.order {
        for &val in &form.blocks[block.index()].pinned {
            visit(val, &mut order);
        }
        ends(form, flow, block, |val| {
            if val != Val::NONE && form.op(val).is_pure() {
                visit(val, &mut order);
            }
        });
    }
    order
}

/// Blocks: which come before which, whatever way is taken, and which lie in loops.
struct Shape {
    /// Each after those that it can be entered from, but for the ends of loops.
    order: Vec<Block>,
    /// The nearest block through which every way to this one leads.
    dominator: Vec<Block>,
    /// How many of those there are.
    depths: Vec<u32>,
    /// Loops around it.
    loops: Vec<u32>,
    /// The nearest dominator with fewer loops around it.
    outside: Vec<Block>,
}

impl Shape {
    fn of(form: &Form, flow: &Flow) -> Self {
        let count = form.blocks.len();
        let mut order = Vec::with_capacity(count);
        let (mut seen, mut stack) = (vec![false; count], vec![(Block(0), 0)]);
        seen[0] = true;
        while let Some((block, next)) = stack.pop() {
            match form.blocks[block.index()].end().successors().nth(next) {
                Some(to) => {
                    stack.push((block, next + 1));
                    if !std::mem::replace(&mut seen[to.index()], true) {
                        stack.push((to, 0));
                    }
                }
                None => order.push(block),
            }
        }
        order.reverse();
        let (dominator, outside) = (vec![Block(0); count], vec![Block(0); count]);
        let mut shape = Self { order, dominator, depths: vec![0; count], loops: vec![0; count], outside };
        shape.find_dominators(flow);
        shape.find_loops(flow);
        for &block in &shape.order[1..] {
            let above = shape.dominator[block.index()];
            let fewer = shape.loops[above.index()] < shape.loops[block.index()];
            shape.outside[block.index()] = if fewer { above } else { shape.outside[above.index()] };
        }
        shape
    }

    /// K. Cooper, T. Harvey and K. Kennedy, A Simple, Fast Dominance Algorithm, 2001.
    fn find_dominators(&mut self, flow: &Flow) {
        let mut number = vec![usize::MAX; self.dominator.len()];
        self.order.iter().enumerate().for_each(|(i, block)| number[block.index()] = i);
        let mut of: Vec<Option<usize>> = vec![None; self.order.len()];
        of[0] = Some(0);
        let mut changed = true;
        while changed {
            changed = false;
            for i in 1..self.order.len() {
                let mut new: Option<usize> = None;
                for pred in &flow.preds[self.order[i].index()] {
                    let pred = number[pred.index()];
                    if of[pred].is_none() {
                        continue;
                    }
                    new = Some(match new {
                        None => pred,
                        Some(mut a) => {
                            let mut b = pred;
                            while a != b {
                                while a > b {
                                    a = of[a].unwrap_or(0);
                                }
                                while b > a {
                                    b = of[b].unwrap_or(0);
                                }
                            }
                            a
                        }
                    });
                }
                changed |= of[i] != new;
                of[i] = new;
            }
        }
        for (i, &block) in self.order.iter().enumerate().skip(1) {
            let above = self.order[of[i].unwrap_or(0)];
            self.dominator[block.index()] = above;
            self.depths[block.index()] = self.depths[above.index()] + 1;
        }
    }

    /// A block that jumps back to one that dominates it ends a loop, of which all are a part from which
    /// that end is reached.
    fn find_loops(&mut self, flow: &Flow) {
        let mut inside = vec![usize::MAX; self.dominator.len()];
        for (turn, &head) in self.order.clone().iter().enumerate() {
            let mut work: Vec<Block> = flow.preds[head.index()]
                .iter()
                .copied()
                .filter(|&end| self.meet(head, end) == head && (end != Block(0) || head == Block(0)))
                .collect();
            if work.is_empty() {
                continue;
            }
            inside[head.index()] = turn;
            self.loops[head.index()] += 1;
            while let Some(block) = work.pop() {
                if inside[block.index()] != turn {
                    inside[block.index()] = turn;
                    self.loops[block.index()] += 1;
                    work.extend(&flow.preds[block.index()]);
                }
            }
        }
    }

    fn depth(&self, block: Block) -> u32 {
        self.depths[block.index()]
    }

    /// The nearest block that dominates both.
    fn meet(&self, a: Block, b: Block) -> Block {
        let (mut a, mut b) = (a, b);
        while a != b {
            if self.depth(a) >= self.depth(b) {
                a = self.dominator[a.index()];
            } else {
                b = self.dominator[b.index()];
            }
        }
        a
    }

    /// In the fewest loops, and of those the last; what only a rare block wants stays there.
    fn best(&self, form: &Form, early: Block, late: Block) -> Block {
        let mut best = late;
        while !form.blocks[best.index()].cold && self.loops[best.index()] > 0 {
            let out = self.outside[best.index()];
            if self.depth(out) < self.depth(early) {
                break;
            }
            best = out;
        }
        best
    }
}
