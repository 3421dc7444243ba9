//! What reads and writes memory, and whether two places may be one.

use super::{Address, Function, Group, Mem, Memory, Node, Op, Region, Ty, Value};

/// A read or a write of memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access<'a> {
    pub(crate) kind: Kind,
    pub(crate) at: &'a Address,
    /// What it gives or stores.
    pub(crate) value: Value,
    pub(crate) ty: Ty,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    Atomic,
    Store,
    /// From the place on, side by side.
    Compress,
}

impl Kind {
    pub(crate) fn writes(self) -> bool {
        self != Self::Load
    }
}

impl Node {
    /// The access that it is, if it is one.
    pub(crate) fn access<'a>(&'a self, f: &'a Function) -> Option<Access<'a>> {
        let (kind, at, value) = match self {
            Self::Let(value) => match f.op(*value) {
                Op::Load { at, .. } => (Kind::Load, at, *value),
                Op::Atomic { at, .. } => (Kind::Atomic, at, *value),
                _ => return None,
            },
            Self::Store { at, value, .. } => (Kind::Store, at, *value),
            Self::Group(Group::Compress { at, value, .. }) => (Kind::Compress, at, *value),
            Self::Barrier | Self::If { .. } | Self::Block { .. } | Self::Loop { .. } | Self::Group(_) => return None,
        };
        Some(Access { kind, at, value, ty: f.ty(value) })
    }
}

impl Region {
    /// Calls `each` for every access in it.
    pub(crate) fn accesses<'a>(&'a self, f: &'a Function, each: &mut impl FnMut(Access<'a>)) {
        self.visit(&mut |region| region.nodes.iter().filter_map(|node| node.access(f)).for_each(&mut *each));
    }
}

impl Function {
    /// Whether two memories may have bytes in common.
    pub(crate) fn may_meet(&self, a: Mem, b: Mem) -> bool {
        let aliased = |mem: Mem| matches!(self.memories[mem.index()], Memory::Buffer { aliased: true, .. });
        a == b || aliased(a) && aliased(b)
    }

    /// Whether two places that hold such types may have bytes in common: not if they are other parts of one element.
    pub(crate) fn may_alias(&self, (a, a_ty): (&Address, Ty), (b, b_ty): (&Address, Ty)) -> bool {
        let slots = matches!(self.memories[a.memory.index()], Memory::Private { .. } | Memory::Constants { .. });
        let size = |ty: Ty| if slots { 1 } else { u64::from(ty.bytes()) };
        let (x, y) = (u64::from(a.offset), u64::from(b.offset));
        let apart = x + size(a_ty) <= y || y + size(b_ty) <= x;
        let one_element = a.memory == b.memory && a.terms == b.terms;
        self.may_meet(a.memory, b.memory) && !(one_element && apart)
    }
}
