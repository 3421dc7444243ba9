//! Scalarization: a row of words that lanes want only as indices, one by one, is not loaded into a vector but stays
//! where it is, and each word is fetched when its lane has its turn. To fetch them into vectors first, and then each
//! from its vector, takes twice as long as all the rest.
//!
//! It is right for memory that nobody writes: a word is the same whenever it is fetched. Of what is made of words on
//! their way to indices, only operations with a literal are done lane by lane too, and few of them, for a vector does
//! them for all lanes at once.
//!
//! A machine that fetches lanes from any places by one instruction wants indices in vectors.

use std::collections::HashMap;

use crate::cost;
use crate::divergence::{Shape, Shapes};
use crate::ir::{Address, Binary, End, Function, Memory, Node, Op, Ty, Value, is_gathered};

const NAME: &str = "scalarize";

/// Marks loads that stay in memory, and what is made of them.
pub(super) fn scalarize(f: &mut Function, shapes: &Shapes, gathers: bool) {
    // What is called looks at no lanes apart.
    if shapes.width == 1 || f.is_callee {
        return;
    }
    let uses = uses(f, shapes, gathers);
    let mut loads = Vec::new();
    f.body.visit(&mut |region| {
        loads.extend(region.nodes.iter().filter_map(|node| match node {
            Node::Let(value) if is_row(f, shapes, *value) => Some(*value),
            _ => None,
        }));
    });
    for load in loads {
        match Goes::of(&uses, load) {
            Goes { indices: false, .. } => {}
            Goes { other: true, .. } => f.missed(NAME, load, "its words are wanted for more than indices"),
            Goes { far: true, .. } => f.missed(NAME, load, "too much is made of its words before they are indices"),
            Goes { steps, .. } => {
                f.done(NAME, load, "its words stay in memory until their lanes want them, which is only as indices");
                f.scalarized.insert(load);
                f.scalarized.extend(steps);
            }
        }
    }
}

/// Whether a value is words that lie side by side, in memory that nobody writes.
fn is_row(f: &Function, shapes: &Shapes, value: Value) -> bool {
    let Op::Load { at, .. } = f.op(value) else { return false };
    let fixed = matches!(f.memories[at.memory.index()], Memory::Buffer { read_only: true, .. });
    let mut moving = at.terms.iter().filter(|term| !shapes.of(term.index).is_scalar());
    let (Some(term), None) = (moving.next(), moving.next()) else { return false };
    let beside = match shapes.of(term.index) {
        Shape::Linear(stride) => stride > 0 && stride.checked_mul(term.stride.into()) == Some(4),
        Shape::Uniform | Shape::Varying => false,
    };
    fixed && beside && matches!(f.ty(value), Ty::I32 | Ty::U32)
}

/// Where a value goes.
#[derive(Debug, Clone, Copy)]
enum Use {
    /// Into an address that is looked up lane by lane.
    Index,
    /// With a literal into another value.
    Step(Value),
    Other,
}

/// Where the words of a row go.
#[derive(Debug, Default)]
struct Goes {
    /// What is made of them on the way.
    steps: Vec<Value>,
    indices: bool,
    other: bool,
    /// Whether the way to an index is too long.
    far: bool,
}

impl Goes {
    fn of(uses: &HashMap<Value, Vec<Use>>, row: Value) -> Self {
        let (mut goes, mut work) = (Self::default(), vec![(row, 0)]);
        while let Some((value, steps)) = work.pop() {
            for at in uses.get(&value).map_or(&[Use::Other][..], Vec::as_slice) {
                match *at {
                    Use::Index => {
                        goes.indices = true;
                        goes.far |= steps > cost::SCALARIZED_STEPS;
                    }
                    Use::Step(next) => {
                        goes.steps.push(next);
                        work.push((next, steps + 1));
                    }
                    Use::Other => goes.other = true,
                }
            }
        }
        goes
    }
}

fn uses(f: &Function, shapes: &Shapes, gathers: bool) -> HashMap<Value, Vec<Use>> {
    let mut uses: HashMap<Value, Vec<Use>> = HashMap::new();
    let mut add = |value: Value, at: Use| uses.entry(value).or_default().push(at);
    let indices = |at: &Address, whole: bool, add: &mut dyn FnMut(Value, Use)| {
        at.each(|index| add(index, if !whole && shapes.of(index) == Shape::Varying { Use::Index } else { Use::Other }));
    };
    f.body.visit(&mut |region| {
        for node in &region.nodes {
            match node {
                Node::Let(value) => match f.op(*value) {
                    Op::Load { at, .. } => indices(at, gathers && is_gathered(f.ty(*value)), &mut add),
                    Op::Atomic { at, value, compare, when, .. } => {
                        indices(at, false, &mut add);
                        [*value].into_iter().chain(*compare).chain(*when).for_each(|operand| add(operand, Use::Other));
                    }
                    Op::Binary(op, a, b) if is_step(*op) && f.constant(*b).is_some() => add(*a, Use::Step(*value)),
                    other => other.each(|operand| add(operand, Use::Other)),
                },
                Node::Store { at, value, when } => {
                    indices(at, gathers && is_gathered(f.ty(*value)), &mut add);
                    [*value].into_iter().chain(*when).for_each(|operand| add(operand, Use::Other));
                }
                Node::Group(group) => group.each(|value| add(value, Use::Other)),
                Node::Barrier | Node::Block { .. } => {}
                Node::If { condition, .. } => add(*condition, Use::Other),
                Node::Loop { init, .. } => init.iter().for_each(|&first| add(first, Use::Other)),
            }
        }
        if let End::Fall(args) | End::Jump(_, args) = &region.end {
            args.iter().for_each(|&arg| add(arg, Use::Other));
        }
    });
    uses
}

fn is_step(op: Binary) -> bool {
    matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::And | Binary::Or | Binary::Shl | Binary::Shr)
}
