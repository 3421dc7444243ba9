//! Worker threads and who calls them, the hand-out of workgroups, and memory.
//!
//! Who waits for whom, so that nothing waits in a circle: a run first takes the lock of
//! every resident buffer that it binds ([`memory::lock_all`]), then, when it first has
//! something to share, its turn on the pool ([`pool::Team::share`]); what is shared takes neither. A
//! team inside a team is its leader alone.
//!
//! The mailbox, the pool and the hand-out are modelled with loom, which tries every
//! interleaving within a bound:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom cargo test --release -p seawall-cpu --lib exec
//! ```
//!
//! `ThreadSanitizer` is no substitute: it needs a nightly compiler and a std built with it;
//! with the std that is shipped it takes any mutex that threads wait for to be a race.

mod sync;
pub(crate) mod mailbox;
pub(crate) mod chunks;
pub(crate) mod fault;
pub(crate) mod memory;
pub(crate) mod scratch;
pub(crate) mod stack;
pub(crate) mod pool;
