//! What is followed across cuts: whole variables.

use std::collections::BTreeSet;

use naga::{Expression, Function, GlobalVariable, Handle, LocalVariable, Module, Type};

/// A variable that an invocation or a workgroup has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Local(Handle<LocalVariable>),
    Private(Handle<GlobalVariable>),
    Workgroup(Handle<GlobalVariable>),
}

impl Place {
    pub(super) fn ty(self, module: &Module, function: &Function) -> Handle<Type> {
        match self {
            Self::Local(handle) => function.local_variables[handle].ty,
            Self::Private(handle) | Self::Workgroup(handle) => module.global_variables[handle].ty,
        }
    }

    /// The pointer to it.
    pub(super) fn expression(self) -> Expression {
        match self {
            Self::Local(handle) => Expression::LocalVariable(handle),
            Self::Private(handle) | Self::Workgroup(handle) => Expression::GlobalVariable(handle),
        }
    }
}

pub(super) type Places = BTreeSet<Place>;
