//! `var<immediate>`: a value that comes with a dispatch, which other interfaces call push constants.
//!
//! It becomes a buffer here, in a group of its own, so that every device has it and schedules, plans
//! and proofs see buffers only. A uniform buffer where its layout allows that, and a read-only
//! storage buffer where members lie closer than in uniform buffers.

use naga::valid::{ModuleInfo, ValidationError};
use naga::{AddressSpace, GlobalVariable, Handle, Module, ResourceBinding, StorageAccess, WithSpan};

use crate::diag::{Diagnostic, Span};
use crate::layout::Type;

/// The group of the buffers that stand for immediates, which no program may use for others.
pub(super) const GROUP: u32 = u32::MAX;
/// Bytes of one at most: what GPUs take.
const BYTES_MAX: u64 = 256;

/// What naga has no words for, or would not survive: it counts words of immediates in one number.
pub(super) fn refused(module: &Module) -> Option<Diagnostic> {
    module.global_variables.iter().find_map(|(handle, var)| {
        let name = var.name.as_deref().unwrap_or("a variable");
        let refuse = |code, message: String| {
            Some(Diagnostic::error(code, message).at(Span::of(module.global_variables.get_span(handle)), ""))
        };
        if var.binding.is_some_and(|place| place.group == GROUP) {
            return refuse("invalid", format!("`{name}` is in group {GROUP}, which is kept for immediates"));
        }
        if var.space != AddressSpace::Immediate {
            return None;
        }
        match Type::of(module, var.ty).map(|ty| ty.min_bytes()) {
            Some(bytes) if bytes <= BYTES_MAX => None,
            Some(bytes) => {
                let told = refuse("too-large", format!("`{name}` takes {bytes} bytes of immediates, of {BYTES_MAX}"));
                told.map(|told| told.help("pass it in a `var<uniform>` or `var<storage>` buffer"))
            }
            None => refuse("invalid", format!("`{name}` is immediate, and must be data of a known size")),
        }
    })
}

/// Makes buffers of a valid module's immediates; `info` is what is known of the module.
pub(super) fn lower(
    module: &mut Module,
    info: ModuleInfo,
    validate: impl Fn(&Module) -> Result<ModuleInfo, Box<WithSpan<ValidationError>>>,
) -> Result<ModuleInfo, Box<WithSpan<ValidationError>>> {
    let is_immediate = |(_, var): &(_, &GlobalVariable)| var.space == AddressSpace::Immediate;
    let found: Vec<_> = module.global_variables.iter().filter(is_immediate).map(|(handle, _)| handle).collect();
    // One after the other, so that each is uniform which can be.
    found.into_iter().zip(0..).try_fold(info, |_, (handle, binding)| {
        bind(module, handle, AddressSpace::Uniform, binding);
        validate(module).or_else(|_| {
            bind(module, handle, AddressSpace::Storage { access: StorageAccess::LOAD }, binding);
            validate(module)
        })
    })
}

fn bind(module: &mut Module, handle: Handle<GlobalVariable>, space: AddressSpace, binding: u32) {
    let var = &mut module.global_variables[handle];
    (var.space, var.binding) = (space, Some(ResourceBinding { group: GROUP, binding }));
    var.name.get_or_insert_with(|| format!("immediate {binding}"));
}
