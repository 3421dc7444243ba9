//! The typed ids that plans and schedules are written in: small, dense, printable.

use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $letter:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A wave: one node of the graph that the planners lay out, counted from zero.
    WaveId "w";
    /// A result that the host may want back; the caller chooses the number.
    SlotId "s";
    /// A kernel of a schedule.
    KernelId "k";
    /// A buffer of a schedule.
    BufferId "b";
    /// A slice of the caller's memory.
    HostId "h";
    /// A loop or a branch of a graph.
    BlockId "l";
    /// A piece of memory that the waves of a graph share; it may have several buffers in turn.
    DataId "d";
}
