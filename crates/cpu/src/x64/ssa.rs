//! Mutable numbers become values: a block that reads one that it has not set gets a parameter for it.
//!
//! All jumps are known at the end; then each parameter is given what its block's predecessors leave, and
//! those that are given one value only are that value (M. Braun et al., Simple and Efficient Construction
//! of Static Single Assignment Form, CC 2013).

use std::collections::HashMap;

use super::form::{BasicBlock, Block, Form, Val, args};
use super::op::Op;
use super::reg::Class;

#[derive(Debug, Default)]
pub(super) struct Variables {
    classes: Vec<Class>,
    /// What a block leaves in a variable.
    ends: HashMap<(u32, Block), Val>,
}

/// What each parameter is given along each edge, and what other values have become.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// By block, then in the order of its parameters, for each of `preds`.
    pub(super) given: Vec<Vec<Vec<Val>>>,
    pub(super) preds: Vec<Vec<Block>>,
}

impl Variables {
    pub(super) fn declare(&mut self, class: Class) -> u32 {
        self.classes.push(class);
        self.classes.len() as u32 - 1
    }

    pub(super) fn set(&mut self, block: Block, variable: u32, val: Val) {
        self.ends.insert((variable, block), val);
    }

    pub(super) fn get(&mut self, form: &mut Form, block: Block, variable: u32) -> Val {
        if let Some(&val) = self.ends.get(&(variable, block)) {
            return val;
        }
        let val = form.param(block, self.classes[variable as usize], variable);
        self.ends.insert((variable, block), val);
        val
    }

    /// What a block leaves. One that has a single predecessor and does not know leaves what that leaves.
    fn end(
        &mut self,
        form: &mut Form,
        preds: &[Vec<Block>],
        block: Block,
        variable: u32,
        fresh: &mut Vec<Block>,
    ) -> Val {
        let (mut at, mut passed) = (block, Vec::new());
        let val = loop {
            if let Some(&val) = self.ends.get(&(variable, at)) {
                break val;
            }
            passed.push(at);
            match preds[at.index()][..] {
                [] => break zero(form, self.classes[variable as usize]),
                // Every block is reached from the first, so that this comes to an end.
                [only] => at = only,
                _ => {
                    fresh.push(at);
                    break form.param(at, self.classes[variable as usize], variable);
                }
            }
        };
        for at in passed {
            self.ends.insert((variable, at), val);
        }
        val
    }

    /// Gives every parameter its values, and takes those away that need none.
    pub(super) fn finish(mut self, form: &mut Form) -> Flow {
        drop_unreached(form);
        let preds = predecessors(form);
        let mut given: Vec<Vec<Vec<Val>>> = form.blocks.iter().map(|_| Vec::new()).collect();
        let mut fresh: Vec<Block> = (0..form.blocks.len() as u32).map(Block).collect();
        while let Some(block) = fresh.pop() {
            let i = block.index();
            while given[i].len() < form.blocks[i].params.len() {
                let (_, variable) = form.blocks[i].params[given[i].len()];
                let all = preds[i].iter().map(|&pred| self.end(form, &preds, pred, variable, &mut fresh)).collect();
                given[i].push(all);
            }
        }
        let mut flow = Flow { given, preds };
        flow.simplify(form);
        flow
    }
}

impl Flow {
    /// Takes away parameters that are always the same value, whatever way led here.
    fn simplify(&mut self, form: &mut Form) {
        let mut alias: Vec<Val> = (0..form.nodes.len() as u32).map(Val).collect();
        let mut users: HashMap<Val, Vec<(usize, usize)>> = HashMap::new();
        let mut work = Vec::new();
        for (block, params) in self.given.iter().enumerate() {
            for (param, given) in params.iter().enumerate() {
                work.push((block, param));
                given.iter().for_each(|&val| users.entry(val).or_default().push((block, param)));
            }
        }
        work.reverse();
        while let Some((block, param)) = work.pop() {
            let own = form.blocks[block].params[param].0;
            if resolve(&mut alias, own) != own {
                continue;
            }
            let mut only = None;
            let alike = self.given[block][param].iter().all(|&val| {
                let val = resolve(&mut alias, val);
                val == own || *only.get_or_insert(val) == val
            });
            if !alike {
                continue;
            }
            // Only blocks that nobody enters are given nothing.
            let Some(same) = only else { continue };
            alias[own.index()] = same;
            let again = users.remove(&own).unwrap_or_default();
            work.extend(&again);
            users.entry(same).or_default().extend(again);
        }
        for (block, params) in self.given.iter_mut().enumerate() {
            let own = &mut form.blocks[block].params;
            let keep: Vec<bool> = own.iter().map(|(val, _)| alias[val.index()] == *val).collect();
            let mut kept = keep.iter();
            own.retain(|_| *kept.next().unwrap_or(&true));
            let mut kept = keep.iter();
            params.retain(|_| *kept.next().unwrap_or(&true));
            params.iter_mut().flatten().for_each(|val| *val = resolve(&mut alias, *val));
        }
        form.rename(|val| resolve(&mut alias, val));
        self.number(form);
    }

    /// Operations that have become alike are one.
    fn number(&mut self, form: &mut Form) {
        let mut alias: Vec<Val> = (0..form.nodes.len() as u32).map(Val).collect();
        let mut known = HashMap::new();
        for i in 0..form.nodes.len() {
            let node = &mut form.nodes[i];
            node.args = node.args.map(|arg| if arg == Val::NONE { arg } else { alias[arg.index()] });
            if node.op.is_pure() {
                alias[i] = *known.entry(*node).or_insert(Val(i as u32));
            }
        }
        form.rename(|val| alias[val.index()]);
        self.given.iter_mut().flatten().flatten().for_each(|val| *val = alias[val.index()]);
    }
}

fn resolve(alias: &mut [Val], val: Val) -> Val {
    let mut at = val;
    while alias[at.index()] != at {
        at = alias[at.index()];
    }
    let mut from = val;
    while alias[from.index()] != at {
        from = std::mem::replace(&mut alias[from.index()], at);
    }
    at
}

/// Empties blocks that nobody enters.
fn drop_unreached(form: &mut Form) {
    let mut reached = vec![false; form.blocks.len()];
    let mut work = vec![Block(0)];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut reached[block.index()], true) {
            work.extend(form.blocks[block.index()].end().successors());
        }
    }
    for (block, _) in form.blocks.iter_mut().zip(&reached).filter(|(_, reached)| !**reached) {
        *block = BasicBlock::default();
    }
    form.order.retain(|block| reached[block.index()]);
}

fn predecessors(form: &Form) -> Vec<Vec<Block>> {
    let mut preds = vec![Vec::new(); form.blocks.len()];
    for (i, block) in form.blocks.iter().enumerate() {
        block.end().successors().for_each(|to| preds[to.index()].push(Block(i as u32)));
    }
    preds
}

pub(super) fn zero(form: &mut Form, class: Class) -> Val {
    match class {
        Class::General => form.pure(Op::Int(0), args([])),
        Class::Vector => {
            let at = form.pool.place(&[0; 64]);
            form.pure(Op::Pool { at, bytes: 64 }, args([]))
        }
        Class::Mask => form.pure(Op::MaskLiteral(0), args([])),
    }
}
