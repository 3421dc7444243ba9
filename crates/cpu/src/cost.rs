//! What decisions of the compiler rest on: every number that was found by measuring, in one table, for the x86-64
//! processors that we have; and what a region of code costs ([`region`]).
//!
//! Limits beyond which a kernel is refused are not here but where they hold.

mod region;

pub(crate) use region::{accesses, is_brief, is_plain, is_worth_a_branch, loads, operations, straight, weigh, work};

// What code does.

/// What has no vector form is done for each lane.
const BY_LANE: u64 = 16;

/// Turns that a loop is taken to have where nobody counts them.
pub(crate) const TURNS: u64 = 10;

// How many lanes go together.

/// Vectors for each lane value: enough to hide latency, few enough for 16 registers.
pub(crate) const VECTORS_USUAL: u32 = 2;

/// The same, where few values live.
pub(crate) const VECTORS_MOST: u32 = 4;

/// Lanes of wide vectors: four invocations in one find place in the registers.
pub(crate) const VECTOR_WIDE: u32 = 8;

/// One 128-bit vector of 32-bit numbers.
pub(crate) const WIDTH_LEAST: u32 = 4;

/// The lane group by which kernels are judged, whatever vectors there are.
pub(crate) const WIDTH_JUDGED: u32 = 8;

/// The widest lane group.
pub(crate) const WIDTH_MOST: u32 = 32;

/// Lane values that live at once in a kernel with two vectors for each, on a machine whose vectors have so many
/// lanes: more of them would go to the stack. Those with 16 lanes have twice as many registers.
pub(crate) fn usual_live(vector: u32) -> usize {
    if vector > 8 { 26 } else { 12 }
}

/// Lane values that a broad kernel may keep at once, besides those that it works on.
/// One more for a pair, whose two products of what it shares are never there at once.
pub(crate) const WIDTH_MOST_LIVE: usize = 3;

/// Plain operations that pay for fetching or storing one element for each lane.
pub(crate) const WORK_PER_GATHER: u64 = 12;

// Inlining.

/// Operations of a kernel up to which every function is written where it is called.
pub(crate) const INLINED_MAX: u64 = 8192;

/// Operations that are worth a call.
pub(crate) const INLINED_ALWAYS: u64 = 48;

/// Blocks inside one another up to which a function is not called for their sake.
pub(crate) const NESTED_FREELY: u32 = 256;

/// Cases of a `switch` that are tried one after the other; of more, the half that it cannot be is
/// left out first.
pub(crate) const CASES_IN_A_ROW: usize = 8;

/// Scalars of a variable that are worth keeping in registers, or a store each to begin with.
pub(crate) const STORES_IN_A_ROW: usize = 64;

// Unrolling, and loops that are not polled.

/// Turns that are counted before a loop passes for endless.
pub(crate) const UNROLL_TURNS: u32 = 1024;

/// Work of all turns of a loop that is written out.
pub(crate) const UNROLL_WORK: u64 = 256;

/// Values that a loop which is written out loads before it works on them.
pub(crate) const UNROLL_LOADS: u64 = 8;

/// The same where it stays a loop: what two vectors for each value leave room for.
pub(crate) const UNROLL_LOADS_AT_ONCE: u64 = 4;

/// Reads and writes of memory in a loop with barriers that is written out: a tree of eight levels,
/// each of which adds one element to another.
pub(crate) const UNROLL_ACCESSES: u64 = 24;

/// How many turns of a loop are done in one, the first of these that fits.
pub(crate) const UNROLL_BY: [u32; 2] = [4, 2];

/// Work that all written-out loops of a kernel add to it.
pub(crate) const UNROLL_ADDED: u64 = 1024;

/// Work of one invocation after which a loop must have asked whether to stop.
pub(crate) const UNPOLLED_WORK: u64 = 1 << 14;

/// Work of all invocations of a workgroup after which one of its loops must have: each operation may wait for memory.
pub(crate) const UNPOLLED_WORKGROUP: u64 = 1 << 24;

/// Loops inside written-out loops are looked at again, with literals for the outer counters.
pub(crate) const UNROLL_ROUNDS: u32 = 3;

// Interchange, coarsening and workgroups that go together.

/// Fewer invocations read no row worth the name.
pub(crate) const INTERCHANGE_INVOCATIONS: u32 = 32;

/// Lane values that a turn may find in memory and leave there.
pub(crate) const INTERCHANGE_CARRIED: usize = 4;

/// Turns that are taken at once, each another stream of memory for the processor to run ahead on.
pub(crate) const INTERCHANGE_TURNS: usize = 4;

/// Nodes of a body that is written so many times.
pub(crate) const INTERCHANGE_NODES: usize = 16;

/// Lanes that must agree on everything but their first id: the two of a pair then differ by scalars.
pub(crate) const COARSEN_ROW: u32 = 8;

/// Lane values that a loop may carry from turn to turn for each of a pair.
pub(crate) const COARSEN_CARRIED: usize = 2;

/// Loads that a pair may share in a loop: what they give stands in registers for both.
pub(crate) const COARSEN_SHARED: usize = 2;

/// Bytes of a row that are worth a jump.
pub(crate) const TILE_ROW_BYTES: u32 = 4096;

/// How many go together at most: each takes scratch memory, which should stay in the nearest cache.
/// That of invocations would be too much.
pub(crate) const TILE_WORKGROUPS: u32 = 8;

pub(crate) const TILE_SCRATCH_BYTES: u64 = 16 << 10;

// Versions of code: loops, workgroups and branches without checks.

/// Work of a loop that may be written twice.
pub(crate) const VERSION_WORK: u64 = 64;

/// Loops of a kernel that may be.
pub(crate) const VERSION_LOOPS: u32 = 4;

/// Numbers that are added to a counter, and asked about before its loop.
pub(crate) const VERSION_AHEAD: usize = 2;

/// Operations that make such a number.
pub(crate) const VERSION_NEEDS: usize = 4;

/// Work of a loop that is written a third time, in strips: more would hide what polls and checks cost.
pub(crate) const STRIP_WORK: u64 = 24;

/// The greatest step of a counter whose way is divided into strips.
pub(crate) const VERSION_STEP: u64 = 1 << 16;

/// Lane groups that pay for the questions.
pub(crate) const HOIST_GROUPS: u64 = 3;

/// Nodes that may be written twice.
pub(crate) const HOIST_NODES: usize = 64;

/// Operations that are looked through for how a number grows.
pub(crate) const AFFINE_DEPTH: u32 = 8;

/// A literal that is added to a number need not be part of it.
pub(crate) const EVEN_AHEAD: u64 = 1 << 16;

/// Nodes of a side that is written once more, for groups that take it as a whole.
pub(crate) const UNSWITCH_NODES: usize = 24;

/// Nodes at a loop's exit that may be written twice, those of branches included.
pub(crate) const UNSWITCH_REST_NODES: usize = 47;

/// Plain operations that cost no more than a branch around them.
pub(crate) const BRANCH_NODES: usize = 8;

// Loads and what is known of memory.

/// Loads that are moved out of a loop: each is one more value to keep in a register.
pub(crate) const LICM_LOADS: usize = 4;

/// Bytes over which the words of one element may reach to be read or written at once, and which
/// they may take.
pub(crate) const CLUSTER_BYTES: u32 = 64;

/// Scalars of one variable that become values; more of them would go to the stack one by one.
pub(crate) const PROMOTED_SLOTS: usize = 64;

/// Slots times regions up to which it is done: programs of a stranger may have thousands of both.
pub(crate) const PROMOTED_WORK: usize = 1 << 17;

/// Places that are kept in mind at once.
pub(crate) const FORWARD_KNOWN: usize = 64;

/// Lines of memory that are zeroed without a loop.
pub(crate) const ZERO_LINES: u64 = 4;

/// Lanes further apart than this are looked up one by one.
pub(crate) const ELEMENT_BYTES: u32 = 4096;

/// Bytes of a buffer that are worth a copy in every call.
pub(crate) const PRIVATE_BYTES: u64 = 4096;

/// Bytes of a buffer from which on what is written is not in a cache any more when somebody comes for it.
pub(crate) const STREAM_BYTES: u64 = 64 << 20;

/// Invocations side by side whose words fill whole lines.
pub(crate) const STREAM_LANES: u32 = 16;

/// Values that an index is looked for in.
pub(crate) const STREAM_NODES: usize = 64;

/// What is asked for must stay in the nearest cache until it is wanted, beside this workgroup's own.
pub(crate) const PREFETCH_BYTES: u64 = 16 << 10;

/// Loads further apart along the invocations take a line each, of which they read little.
pub(crate) const PREFETCH_STEP: u64 = 16;

/// Bytes to ask for at one barrier, where others follow. Who asks for more at once than the processor
/// keeps track of waits, and so do the loads behind it.
pub(crate) const PREFETCH_SHARE: u64 = 1024;

// Elementary functions, and values that are computed once.

/// Nodes that may come of it in one kernel; what is left then stays a call. Programs of a stranger may call thousands.
pub(crate) const EXPAND_NODES: usize = 8192;

/// Operations upon one another that are made again where another loop over lane groups wants what they give, rather
/// than kept for it.
pub(crate) const REMADE_STEPS: u32 = 2;

/// Operations between a word that stays in memory and the index that it becomes.
pub(crate) const SCALARIZED_STEPS: u32 = 4;

/// Operations that are dearer than to write down what they give.
pub(crate) const PIN_WORK: u32 = 16;

/// Values of a function that are written down; each takes its part of the stack.
#[cfg(cranelift)]
pub(crate) const PINS: u32 = 64;

// How hard the code generator tries.

/// Its instructions, before it has optimised them, up to which it does all that it can.
pub(crate) const EFFORT_MOST: usize = 12_000;

/// The same up to which it does more than the least.
pub(crate) const EFFORT_LESS: usize = 64_000;

/// Regions inside one another that keep as many values alive as others do.
pub(crate) const NESTING_PLAIN: usize = 16;

/// Loops from which on the least effort takes longer than more: its time grows with the square of their number.
pub(crate) const LOOPS_MANY: usize = 256;
