//! How values lie across the lanes, and what lane groups keep of them from one loop to the next.

use super::Ty;

/// How a value lies across the lanes, from most to least regular.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// One value for the whole workgroup.
    Uniform,
    /// `base + lane * stride`; stride 0 is one value for the lane group.
    Linear(i64),
    Varying,
}

/// One value for the lane group.
pub(crate) const EVEN: Shape = Shape::Linear(0);

impl Shape {
    /// Whether one scalar stands for all lanes.
    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Self::Uniform | Self::Linear(0))
    }
}

/// What is kept: index into [`Function::slots`](super::Function::slots).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot(pub(crate) u32);

impl Slot {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) ty: Ty,
    /// For the workgroup, for each lane group by its first lane, or for each lane.
    pub(crate) shape: Shape,
    /// Whether it is one for all workgroups that go together.
    pub(crate) every: bool,
}

/// Whether some lane is there, of those for which none of `gone` holds, and for which `of` does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Any {
    pub(crate) of: Option<Slot>,
    pub(crate) gone: Vec<Slot>,
}
