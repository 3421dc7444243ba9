//! Takes away what keeps lanes apart, one thing at a time: each time the answer must change.
//! Were it the same, nothing would test that thing.

mod groups;
mod masks;
mod pairs;
mod questions;
mod rows;
mod scalarized;
mod strips;
mod subgroups;
mod unrolled;

use std::num::NonZeroUsize;
use std::sync::Arc;

use seawall_core::cache::Found;
use seawall_core::check::check;
use seawall_core::device::{Control, Host, Io, Loaded as _};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{self, Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step};

use crate::divergence::Shapes;
use crate::exec::pool::Pool;
use crate::ir::{Address, Bound, Function, Node, Op, Region};
use crate::passes::Pipeline;
use crate::range::Ranges;
use crate::run::Loaded;
use crate::walk::Part;
use crate::width::{self, Lanes};
use crate::{build, compile, divergence, range};

const KERNEL: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
var<workgroup> shared_: array<u32, 16>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    shared_[i] = v[i];
    workgroupBarrier();
    v[i] = shared_[15u - i];
    if i % 3u == 0u { v[i] = 1000u + i; }
}";

/// Its indices leave the workgroup's array, which is half as long as the workgroup.
const SHORT: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
var<workgroup> shared_: array<u32, 8>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    shared_[i] = v[i];
    workgroupBarrier();
    v[i] = shared_[i];
}";

/// Words of the buffer, and of the part of it that the kernel is given.
const WORDS: u32 = 32;
const BOUND: u32 = 12;

/// Runs the kernel over 1, 2, 3, … after some change to it.
fn run(change: impl FnOnce(&mut Function, &mut Shapes)) -> Vec<u32> {
    run_with(KERNEL, change, honest)
}

fn run_with(
    text: &str,
    change: impl FnOnce(&mut Function, &mut Shapes),
    lie: impl FnOnce(&mut Function, &mut Shapes, &mut Ranges),
) -> Vec<u32> {
    run_on(text, WORDS, BOUND, change, lie)
}

/// Says nothing but the truth.
fn honest(_: &mut Function, _: &mut Shapes, _: &mut Ranges) {}

fn run_on(
    text: &str,
    words: u32,
    bound: u32,
    change: impl FnOnce(&mut Function, &mut Shapes),
    lie: impl FnOnce(&mut Function, &mut Shapes, &mut Ranges),
) -> Vec<u32> {
    let kernel = Program::wgsl(text).unwrap().kernel("main", &Overrides::new()).unwrap();
    let mut function = build::build(&kernel, 32, &mut Pipeline::default()).unwrap().kernel;
    let (mut shapes, _) = width::choose(&function, Some(Lanes::Eight), 4);
    change(&mut function, &mut shapes);
    shapes = divergence::analyse(&function, shapes.width);
    let target = compile::target(None).unwrap();
    Pipeline { gathers: target.gathers(), ..Pipeline::default() }.group(&mut function, &mut shapes);
    let mut ranges = range::analyse(&function, &shapes);
    lie(&mut function, &mut shapes, &mut ranges);
    let part = Part { function, shapes, ranges };
    let code = compile::generate(&target, part, &[], None).unwrap();
    let bytes = u64::from(words) * 4;
    let whole = Binding { buffer: BufferId(0), offset: 0, bytes };
    let bound = Binding { bytes: u64::from(bound) * 4, ..whole };
    let schedule = Schedule {
        kernels: vec![kernel],
        buffers: vec![Buffer { name: "v".to_owned(), bytes, life: Life::Transient }],
        hosts: vec![schedule::Host { name: "v".to_owned(), bytes, writable: true }],
        steps: vec![
            Step::Upload { host: HostId(0), at: 0, to: whole },
            Step::Barrier,
            Step::Dispatch { kernel: KernelId(0), grid: [1, 1, 1], bindings: vec![bound] },
            Step::Barrier,
            Step::Download { from: whole, host: HostId(0), at: 0, length: None },
        ],
        budget_bytes: None,
    };
    let pool = Arc::new(Pool::new(NonZeroUsize::MIN).unwrap());
    let loaded = Loaded::new(Arc::new(check(schedule).unwrap()), vec![Arc::new(code)], vec![Found::New], pool, None);
    let mut v: Vec<u8> = (1..=words).flat_map(u32::to_le_bytes).collect();
    loaded.run(Io { hosts: vec![Host::Write(&mut v)], residents: Vec::new() }, &Control::default()).unwrap();
    v.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn expected() -> Vec<u32> {
    let held = |i: u32| if i < BOUND { i + 1 } else { 0 };
    let word = |i: u32| match i {
        BOUND.. => i + 1,
        _ if i.is_multiple_of(3) => 1000 + i,
        _ => held(15 - i),
    };
    (0..WORDS).map(word).collect()
}

/// All regions, the outermost first.
fn regions(region: &mut Region, change: &mut dyn FnMut(&mut Region)) {
    change(region);
    for node in &mut region.nodes {
        match node {
            Node::If { accept, reject, .. } => {
                regions(accept, change);
                regions(reject, change);
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => regions(body, change),
            Node::Let(_) | Node::Store { .. } | Node::Barrier => {}
            Node::Group(group) => group.region_mut().into_iter().for_each(|body| regions(body, change)),
        }
    }
}

#[test]
fn unchanged() {
    assert_eq!(run(|_, _| ()), expected());
}

#[test]
fn without_the_barrier() {
    let got = run(|f, _| regions(&mut f.body, &mut |region| region.nodes.retain(|node| *node != Node::Barrier)));
    assert_ne!(got, expected());
}

/// The binding ends inside the buffer, so that what lies behind it is there to be hit.
#[test]
fn without_the_bounds_check_of_loads() {
    let got = run(|f, _| {
        for def in &mut f.values {
            if let Op::Load { at, .. } = &mut def.op {
                at.terms.iter_mut().for_each(|term| term.bound = Bound::Const(WORDS));
            }
        }
    });
    assert_ne!(got, expected());
}

/// Reads past the end of the caller's slice, which stands for the buffer: a checker of memory that
/// does not see this one sees none (`.ci/memcheck`).
#[test]
#[ignore = "goes outside its memory, for a checker to see"]
fn planted() {
    run_on(
        KERNEL,
        BOUND,
        BOUND,
        |f, _| {
            for def in &mut f.values {
                if let Op::Load { at, .. } = &mut def.op {
                    at.terms.iter_mut().for_each(|term| term.bound = Bound::Const(WORDS));
                }
            }
        },
        honest,
    );
}

#[test]
fn without_the_bounds_check_of_stores() {
    let wide = |node: &mut Node| {
        if let Node::Store { at, .. } = node {
            at.terms.iter_mut().for_each(|term| term.bound = Bound::Const(WORDS));
        }
    };
    let got = run(|f, _| regions(&mut f.body, &mut |region| region.nodes.iter_mut().for_each(wide)));
    assert_ne!(got, expected());
}

/// Vectors that are read and written whole, of which the last lane group's are not all there.
const ELEMENTS: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<vec4u>;
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    v[i] = v[i].wzyx * 3u;
}";

#[test]
fn elements_without_their_bounds_check() {
    let (words, bound) = (64, 52);
    let word = |i: u32| if i < bound { (i / 4 * 8 + 4 - i) * 3 } else { i + 1 };
    let expected: Vec<u32> = (0..words).map(word).collect();
    let wide = |at: &mut Address| at.terms.iter_mut().for_each(|term| term.bound = Bound::Const(words / 4));
    let store = |node: &mut Node| {
        if let Node::Store { at, .. } = node {
            wide(at);
        }
    };
    assert_eq!(run_on(ELEMENTS, words, bound, |_, _| (), honest), expected);
    let unchecked = |f: &mut Function, _: &mut Shapes| {
        regions(&mut f.body, &mut |region| region.nodes.iter_mut().for_each(store));
    };
    assert_ne!(run_on(ELEMENTS, words, bound, unchecked, honest), expected);
}

#[test]
fn without_the_mask_of_a_branch() {
    let got = run(|f, _| {
        regions(&mut f.body, &mut |region| {
            let nodes = std::mem::take(&mut region.nodes);
            let open = |node| match node {
                Node::If { accept, .. } => accept.nodes,
                other => vec![other],
            };
            region.nodes = nodes.into_iter().flat_map(open).collect();
        });
    });
    assert_ne!(got, expected());
}

#[test]
fn with_all_lanes_called_the_same() {
    assert_ne!(run_with(KERNEL, |_, _| (), |_, shapes, _| shapes.flatten()), expected());
}

#[test]
fn with_all_indices_called_zero() {
    let word = |i: u32| if (8..BOUND).contains(&i) { 0 } else { i + 1 };
    let expected: Vec<u32> = (0..WORDS).map(word).collect();
    assert_eq!(run_with(SHORT, |_, _| (), honest), expected);
    assert_ne!(run_with(SHORT, |_, _| (), |_, _, ranges| ranges.flatten()), expected);
}
