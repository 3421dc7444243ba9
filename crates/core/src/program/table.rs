//! The buffer table and overrides of an entry point.

use std::sync::Arc;

use naga::back::pipeline_constants::process_overrides;
use naga::valid::{GlobalUse, ModuleInfo};
use naga::{AddressSpace, ShaderStage, StorageAccess};

use super::{Access, Buffer, Effects, Kernel, Needs, Override, Overrides};
use crate::diag::{Diagnostic, Source, Span};
use crate::layout::{Scalar, Type};

pub(super) fn overrides(module: &naga::Module) -> Vec<Override> {
    let scalar = |ty| match module.types[ty].inner {
        naga::TypeInner::Scalar(scalar) => Scalar::of(scalar),
        _ => None,
    };
    module
        .overrides
        .iter()
        .filter_map(|(_, item)| {
            Some(Override {
                name: item.name.clone().unwrap_or_default(),
                id: item.id,
                scalar: scalar(item.ty)?,
                has_default: item.init.is_some(),
            })
        })
        .collect()
}

pub(super) fn kernel(
    source: &Arc<Source>,
    module: &naga::Module,
    info: &ModuleInfo,
    entry: &str,
    overrides: &Overrides,
) -> Result<Kernel, Diagnostic> {
    let constants = overrides.iter().map(|(k, v)| (k.clone(), *v)).collect();
    let (module, info) = process_overrides(module, info, Some((ShaderStage::Compute, entry)), &constants)
        .map_err(|error| Diagnostic::error("override", error.to_string()))?;
    let (module, info) = (module.into_owned(), info.into_owned());
    let point = &module.entry_points[0];
    let uses = info.get_entry_point(0);
    let mut buffers = Vec::new();
    for (handle, var) in module.global_variables.iter() {
        let (Some(place), used) = (&var.binding, uses[handle]) else { continue };
        if used.is_empty() {
            continue;
        }
        let access = match var.space {
            AddressSpace::Uniform => Access::Uniform,
            AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => Access::ReadWrite,
            _ => Access::Read,
        };
        let Some(ty) = Type::of(&module, var.ty) else { continue };
        buffers.push(Buffer {
            name: var.name.clone().unwrap_or_else(|| format!("g{}b{}", place.group, place.binding)),
            group: place.group,
            binding: place.binding,
            access,
            min_bytes: ty.min_bytes(),
            ty,
            effects: Effects {
                reads: used.contains(GlobalUse::READ),
                writes: used.contains(GlobalUse::WRITE),
                updates: used.contains(GlobalUse::ATOMIC),
            },
            span: Span::of(module.global_variables.get_span(handle)),
        });
    }
    buffers.sort_by_key(|buffer| (buffer.group, buffer.binding));
    Ok(Kernel {
        name: entry.to_owned(),
        workgroup_size: point.workgroup_size,
        workgroup_bytes: 0,
        buffers,
        needs: Needs::default(),
        source: source.clone(),
        overrides: overrides.clone(),
        module,
        info,
    })
}
