//! Counters in memory: a word that is loaded, gets a literal added and is stored where it came from is one
//! instruction, which takes no register and two places less in the processor's queues.
//!
//! It is right where the load and the sum have no other use, and nothing is written between the load and the store:
//! the instruction then reads what the load would have read.

use std::collections::BTreeSet;

use super::form::{Form, Val, args};
use super::op::{Alu, Op, Width};
use super::place::Placed;
use super::reg::Size;
use super::ssa::Flow;

/// Puts such instructions in the place of stores, and drops what they were made of.
pub(super) fn update(form: &mut Form, flow: &Flow, placed: &mut Placed) {
    let uses = placed.uses(form, flow);
    for code in &mut placed.code {
        let mut gone = BTreeSet::new();
        for at in 0..code.len() {
            let Some((load, sum, literal)) = counted(form, &uses, code[at]) else { continue };
            let Some(from) = code[..at].iter().rposition(|&val| val == load) else { continue };
            let between = &code[from + 1..at];
            let (Op::Store(_, place), [base, index, ..]) = (form.op(code[at]), form.args(code[at])) else { continue };
            if between.contains(&sum) && !between.iter().any(|&val| form.op(val).writes()) {
                let node = &mut form.nodes[code[at].index()];
                (node.op, node.args) = (Op::AddTo(literal, place), args([base, index]));
                gone.extend([load, sum]);
            }
        }
        code.retain(|val| !gone.contains(val));
    }
}

/// The load and the sum of a store that adds a literal to a word.
fn counted(form: &Form, uses: &[u32], store: Val) -> Option<(Val, Val, i32)> {
    let (Op::Store(Width::Word, place), [base, index, sum, _]) = (form.op(store), form.args(store)) else {
        return None;
    };
    let Op::AluLiteral(Alu::Add, Size::Word, literal) = form.op(sum) else { return None };
    let load = form.args(sum)[0];
    let same = form.op(load) == Op::Load(Width::Word, place) && form.args(load)[..2] == [base, index];
    (same && uses[load.index()] == 1 && uses[sum.index()] == 1).then_some((load, sum, literal))
}
