//! The module that wgpu gets for a kernel. It is the kernel's own, with four changes:
//!
//! - Buffers are bound in group 0 at the place of their row in the buffer table, so that no
//!   limit on groups or binding numbers is ever met.
//! - A row whose buffer another row of the same dispatch may change becomes read-write storage
//!   too: wgpu watches whole buffers, and takes disjoint parts of one only as the same kind.
//! - Where the device's grid is not the kernel's, the entry point stands inside another one,
//!   which hands on the ids that the kernel should see.
//! - Where the driver is known to cut loops short, they are watched.

use std::collections::BTreeSet;

use seawall_core::naga::{AddressSpace, Module, ResourceBinding, StorageAccess, compact};
use seawall_core::program::{Buffer, Kernel};

use crate::{outer, watch};

/// How the device's grid stands to the kernel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Grid {
    /// They are the same.
    #[default]
    Whole,
    /// A dispatch covers a box of the kernel's grid, whose place comes as immediate data.
    Part,
    /// A grid that the device decides is folded into rows, as a slot of `indirect` says.
    Folded,
}

/// What a kernel's module is made for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Form {
    /// The grid.
    pub(crate) grid: Grid,
    /// Rows that are bound as read-write storage whatever they declare.
    pub(crate) shared: BTreeSet<usize>,
    /// Whether its loops are watched, with one binding more, after those of the rows.
    pub(crate) watched: bool,
}

/// The module for a kernel in this form.
pub(crate) fn of(kernel: &Kernel, form: &Form) -> Module {
    let mut module = kernel.module().clone();
    compact::compact(&mut module, compact::KeepUnused::No);
    for (_, var) in module.global_variables.iter_mut() {
        let Some(place) = var.binding else { continue };
        let same = |row: &Buffer| (row.group, row.binding) == (place.group, place.binding);
        let row = kernel.buffers.iter().position(same);
        let row = row.unwrap_or_else(|| unreachable!("invariant buffer-table: every bound variable has a row"));
        var.binding = Some(ResourceBinding { group: 0, binding: row as u32 });
        if form.shared.contains(&row) {
            var.space = AddressSpace::Storage { access: StorageAccess::LOAD | StorageAccess::STORE };
        }
    }
    if form.watched {
        watch::watch(&mut module, kernel.buffers.len() as u32);
    }
    match form.grid {
        Grid::Whole => {}
        Grid::Part => outer::wrap(&mut module, outer::Place::Part),
        Grid::Folded => outer::wrap(&mut module, outer::Place::Folded),
    }
    module
}
