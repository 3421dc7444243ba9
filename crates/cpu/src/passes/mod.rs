//! The passes over the IR's three forms, in order: what each does, and why it stands where it does.
//!
//! A pass takes a function and leaves one that gives the same results. Those of [`SCALAR`] look at one
//! invocation; the width is chosen after them, and those of [`LANES`] and [`GROUP`] know how values lie
//! across the lanes. `seawall dump --stage after=PASS` prints what each made, `filetests` has examples of it, and
//! `docs/compiler.md` says how to add one.

mod join;
mod copy;
mod induction;
mod shown;
mod dce;
mod thread;
mod simplify_cfg;
mod canonicalize;
mod hoist;
mod licm;
mod unroll;
mod bound;
mod interchange;
mod coarsen;
mod mem2reg;
mod cse;
mod forward;
mod sink;
mod contract;
mod invariant_base;
mod strip_mine;
mod versions;
mod version;
mod cluster;
mod expand;
mod fission;
mod privatize;
mod nontemporal;
mod prefetch;
mod outside;
mod elide_zeroing;
mod narrow;
mod hoist_checks;
mod unswitch;
mod tile;
mod compress;
mod if_convert;
mod linearize;
mod scalarize;

#[cfg(test)]
mod filetests;

use std::time::{Duration, Instant};

use crate::cost;
use crate::divergence::{self, Shapes};
use crate::ir::remark::At;
use crate::ir::{Function, Region, verify};
use crate::witness;

pub(crate) use bound::unpolled_work;
#[cfg(test)]
pub(crate) use version::version;

/// What is done to a function.
pub(crate) struct Pass {
    /// The field's name for it.
    pub(crate) name: &'static str,
    run: Run,
}

enum Run {
    /// To one invocation.
    Scalar(fn(&mut Function, &mut Region)),
    /// The same, only where products may be fused.
    Contract(fn(&mut Function, &mut Region)),
    /// The same, to kernels that are all that their workgroups do.
    Workgroup(fn(&mut Function, &mut Region)),
    /// The same, for machines with wide vectors.
    Wide(fn(&mut Function, &mut Region)),
    /// To lanes; whether shapes are others now.
    Lanes(fn(&mut Function, &Shapes) -> bool),
    /// To lanes, with shapes for what it makes.
    Vector(fn(&mut Function, &mut Shapes)),
    /// To lanes, by whether the machine gathers; shapes stay.
    Gathers(fn(&mut Function, &Shapes, bool)),
}

const fn scalar(name: &'static str, run: fn(&mut Function, &mut Region)) -> Pass {
    Pass { name, run: Run::Scalar(run) }
}

/// Before the width is chosen.
pub(crate) const SCALAR: [Pass; 19] = [
    // Construction writes `if !c`; all that follows looks for one form.
    scalar("canonicalize", |f, body| canonicalize::canonicalize(f, body)),
    // Jumps that only fall keep blocks alive, which the next pass would drop.
    scalar("thread", thread::thread),
    scalar("simplify-cfg", simplify_cfg::simplify_cfg),
    // What one side of a branch loaded is then known before it, and may be all that arrives after it.
    scalar("hoist", hoist::hoist),
    scalar("simplify-cfg", simplify_cfg::simplify_cfg),
    scalar("dce", |f, body| dce::dce(f, body)),
    // Both look for loops as they were written, and at all that a workgroup does.
    Pass { name: "interchange", run: Run::Workgroup(interchange::interchange) },
    Pass { name: "coarsen", run: Run::Workgroup(coarsen::coarsen) },
    Pass { name: "coarsen", run: Run::Wide(coarsen::coarsen) },
    scalar("dce", |f, body| dce::dce(f, body)),
    // Bounds that stay the same are known as such from here on.
    scalar("licm", licm::licm),
    // Literals for counters let loads of one place be seen as such.
    scalar("unroll", unroll::unroll),
    // The same goes for memory of an invocation, and for places that were computed in each turn.
    scalar("mem2reg", mem2reg::mem2reg),
    scalar("cse", cse::cse),
    scalar("forward", forward::forward),
    scalar("dce", |f, body| dce::dce(f, body)),
    // Loads of what a variable begins with have been forwarded from its stores.
    scalar("sink", sink::sink),
    // Which loops need no poll: what they do is known now.
    scalar("bound", bound::bound),
    // Products that are used twice are not fused, so this counts uses last.
    Pass { name: "contract", run: Run::Contract(contract::contract) },
];

/// After it.
pub(crate) const LANES: [Pass; 2] = [
    // Which counters are scalars is known now.
    Pass { name: "version", run: Run::Lanes(version::version) },
    // In both versions of a loop.
    Pass { name: "cluster", run: Run::Lanes(cluster::cluster) },
];

/// To the group form, over it and to the vector form, whatever is called.
pub(crate) const GROUP: [Pass; 15] = [
    // Everything before has less to look at while elementary functions are calls.
    Pass { name: "expand", run: Run::Lanes(expand::expand) },
    // Whatever atomics there are, they stay.
    Pass { name: "privatize", run: Run::Lanes(privatize::privatize) },
    // Loops are as they will be, and indices still tell what they are made of.
    Pass { name: "nontemporal", run: Run::Lanes(nontemporal::nontemporal) },
    // Barriers are where there is time for it.
    Pass { name: "prefetch", run: Run::Lanes(prefetch::prefetch) },
    // From here on there are loops over lane groups, and no barriers.
    Pass { name: "fission", run: Run::Lanes(fission::fission) },
    // Where lane groups have all stored is known by their loops.
    Pass { name: "elide-zeroing", run: Run::Lanes(elide_zeroing::elide_zeroing) },
    // Fewer lane groups have less to be asked about.
    Pass { name: "narrow", run: Run::Lanes(narrow::narrow) },
    Pass { name: "hoist-checks", run: Run::Lanes(hoist_checks::hoist_checks) },
    // What is left of them may still be decided for each lane group.
    Pass { name: "unswitch", run: Run::Lanes(unswitch::unswitch) },
    // What workgroups do by themselves is final.
    Pass { name: "tile", run: Run::Lanes(tile::tile) },
    // Nobody else has to know of these stores.
    Pass { name: "compress", run: Run::Lanes(compress::compress) },
    Pass { name: "if-convert", run: Run::Lanes(if_convert::if_convert) },
    // From here on masks are values, and all control is that of lane groups.
    Pass { name: "linearize", run: Run::Vector(linearize::linearize) },
    // Nothing is made of values any more that would want them in vectors.
    Pass { name: "scalarize", run: Run::Gathers(scalarize::scalarize) },
    // Nothing moves any more.
    Pass { name: "witness", run: Run::Lanes(witness::witness) },
];

/// Why passes that move accesses of memory are not run.
const CALLS: &str = "it calls functions, which may touch memory too";

/// What a pass gave, where somebody wants to know.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// The pass whose functions are wanted as text.
    pub(crate) after: Option<&'static str>,
    pub(crate) text: String,
    /// What each pass has taken, in all functions.
    pub(crate) times: Vec<(&'static str, Duration)>,
}

/// The passes, and what they are asked to do.
#[derive(Debug, Default)]
pub(crate) struct Pipeline {
    /// Whether products and sums may be fused.
    pub(crate) contract: bool,
    /// 32-bit lanes of the machine's vectors.
    pub(crate) vector: u32,
    /// Whether it loads and stores lanes at any places by one instruction.
    pub(crate) gathers: bool,
    pub(crate) log: Log,
}

impl Pipeline {
    /// All that comes before the width is chosen.
    pub(crate) fn scalar(&mut self, f: &mut Function) {
        SCALAR.iter().for_each(|pass| self.run(pass, f, None));
    }

    /// All that comes after it.
    pub(crate) fn lanes(&mut self, f: &mut Function, shapes: &mut Shapes) {
        // They move accesses of memory, which functions that are called may touch too.
        if f.calls.is_empty() {
            LANES.iter().for_each(|pass| self.run(pass, f, Some(&mut *shapes)));
        } else if f.body.loops() > 0 {
            LANES.iter().for_each(|pass| f.missed(pass.name, At::Function, CALLS));
        }
        self.group(f, shapes);
    }

    /// From the SPMD form to the group form and the vector form, and passes over those.
    pub(crate) fn group(&mut self, f: &mut Function, shapes: &mut Shapes) {
        GROUP.iter().for_each(|pass| self.run(pass, f, Some(&mut *shapes)));
    }

    fn run(&mut self, pass: &Pass, f: &mut Function, shapes: Option<&mut Shapes>) {
        let start = Instant::now();
        let on_body = |f: &mut Function, run: fn(&mut Function, &mut Region)| {
            let mut body = std::mem::take(&mut f.body);
            run(f, &mut body);
            f.body = body;
        };
        let whole = f.calls.is_empty() && !f.is_callee && f.subgroup.is_none();
        if let (Run::Workgroup(_), false, false) = (&pass.run, whole, f.is_callee || f.body.loops() == 0) {
            let because = if f.calls.is_empty() { "lanes of a subgroup do something together" } else { CALLS };
            f.missed(pass.name, At::Function, because);
        }
        match (&pass.run, shapes) {
            (Run::Scalar(run), _) => on_body(f, *run),
            (Run::Contract(run), _) if self.contract => on_body(f, *run),
            (Run::Workgroup(run), _) if whole => on_body(f, *run),
            (Run::Wide(run), _) if whole && self.vector >= cost::VECTOR_WIDE => on_body(f, *run),
            (Run::Lanes(run), Some(shapes)) => {
                if run(f, shapes) {
                    *shapes = divergence::analyse(f, shapes.width);
                }
            }
            (Run::Vector(run), Some(shapes)) => run(f, shapes),
            (Run::Gathers(run), Some(shapes)) => run(f, shapes, self.gathers),
            (
                Run::Contract(_) | Run::Workgroup(_) | Run::Wide(_) | Run::Lanes(_) | Run::Vector(_) | Run::Gathers(_),
                _,
            ) => return,
        }
        self.log.done(pass.name, start.elapsed(), f);
        verified(pass.name, f);
    }
}

impl Log {
    fn done(&mut self, name: &'static str, took: Duration, f: &Function) {
        match self.times.iter_mut().find(|(other, _)| *other == name) {
            Some((_, time)) => *time += took,
            None => self.times.push((name, took)),
        }
        if self.after == Some(name) {
            self.text.extend(["; after ", name, "\n", &f.text(&|_| String::new())]);
        }
    }
}

/// The rules of the IR hold after each pass; where they do not, the pass is wrong.
fn verified(pass: &str, f: &Function) {
    if cfg!(debug_assertions)
        && let Err(error) = verify::verify(f)
    {
        unreachable!("invariant forms: after {pass}: {error}\n{}", f.text(&|_| String::new()));
    }
}

/// The passes by name, in order, each once.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for pass in SCALAR.iter().chain(&LANES).chain(&GROUP) {
        if !names.contains(&pass.name) {
            names.push(pass.name);
        }
    }
    names
}
