//! The buffer table of an entry point, and the kernel that carries it.

use std::sync::Arc;

use naga::valid::ModuleInfo;
use naga::{AddressSpace, Function, GlobalVariable, Handle, Module, StorageAccess};

use super::effects::{self, Touched};
use super::texture::{self, Views};
use super::{Access, Buffer, Kernel, Overrides, front, immediate, needs, overrides, walk};
use crate::diag::{Diagnostic, Source, Span, closest};
use crate::layout::Type;

/// One entry point with its overrides decided.
pub(super) fn kernel(
    (source, wgsl): (&Arc<Source>, bool),
    (module, info): (&Module, &ModuleInfo),
    views: &Views,
    entry: &str,
    values: &Overrides,
) -> Result<Kernel, Vec<Diagnostic>> {
    if !module.entry_points.iter().any(|point| point.name == entry) {
        return Err(vec![unknown_entry(module, entry)]);
    }
    let (module, info) = overrides::decide((source, wgsl), (module, info), entry, values)?;
    let entry_point = &module.entry_points[0].function;
    let touched = effects::of(&module, entry_point);
    let large = large_variables(&module, entry_point);
    if !large.is_empty() {
        return Err(large);
    }
    let buffers = buffers(&module, &touched);
    let bound = |texture: &&texture::Texture| {
        buffers.iter().any(|row| (row.group, row.binding) == (texture.group, texture.binding))
    };
    let used = |sampler: &&texture::Sampler| sampler.entries.iter().any(|name| name == entry);
    Ok(Kernel {
        name: entry.to_owned(),
        workgroup_size: module.entry_points[0].workgroup_size,
        workgroup_bytes: needs::workgroup_bytes(&module, &touched)
            .unwrap_or_else(|| unreachable!("invariant override-array: a kernel's arrays have their lengths")),
        textures: views.textures.iter().filter(bound).cloned().collect(),
        samplers: views.samplers.iter().filter(used).cloned().collect(),
        buffers,
        needs: needs::of(&module, &info, 0, &touched),
        source: source.clone(),
        binary: None,
        digest: 0,
        overrides: values.clone(),
        segment: None,
        aliased: false,
        module,
        info,
    })
}

/// A part of a kernel, with these variables as buffers after its own.
pub(super) fn segment(
    kernel: &Kernel,
    mut module: Module,
    rows: &[Handle<naga::GlobalVariable>],
    (at, of): (u32, u32),
) -> Kernel {
    let added = rows.iter().map(|&handle| (handle, super::Effects::default())).collect();
    let mut table = kernel.buffers.clone();
    table.extend(buffers(&module, &added).into_iter().map(|row| Buffer { immediate: false, ..row }));
    naga::compact::compact(&mut module, naga::compact::KeepUnused::No);
    let info = front::valid(&module);
    let touched = effects::of(&module, &module.entry_points[0].function);
    let used = buffers(&module, &touched);
    for row in &mut table {
        let same = |other: &&Buffer| (other.group, other.binding) == (row.group, row.binding);
        row.effects = used.iter().find(same).map_or(super::Effects::default(), |other| other.effects);
    }
    Kernel {
        name: format!("{} (segment {at} of {of})", kernel.name),
        workgroup_size: kernel.workgroup_size,
        workgroup_bytes: needs::workgroup_bytes(&module, &touched)
            .unwrap_or_else(|| unreachable!("invariant override-array: a kernel's arrays have their lengths")),
        buffers: table,
        textures: kernel.textures.clone(),
        samplers: kernel.samplers.clone(),
        needs: needs::of(&module, &info, 0, &touched),
        source: kernel.source.clone(),
        binary: kernel.binary.clone(),
        digest: kernel.digest,
        overrides: kernel.overrides.clone(),
        segment: None,
        aliased: kernel.aliased,
        module,
        info,
    }
}

/// Bytes of one variable of an invocation at most: two thousand times what WGSL promises for all.
const VARIABLE_BYTES_MAX: u32 = 1 << 24;

/// One diagnostic for each variable of an invocation that is too large for any device.
fn large_variables(module: &Module, entry: &Function) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut see = |name: &Option<String>, ty: Handle<naga::Type>, span: naga::Span| {
        let bytes = module.types[ty].inner.size(module.to_ctx());
        if bytes > VARIABLE_BYTES_MAX {
            let name = name.as_deref().unwrap_or("a variable");
            let message = format!("`{name}` takes {bytes} bytes in each invocation; the limit is {VARIABLE_BYTES_MAX}");
            let diagnostic = Diagnostic::error("too-large", message).at(Span::of(span), "this variable");
            found.push(diagnostic.help("keep it in a storage buffer, which all invocations share"));
        }
    };
    for (handle, var) in module.global_variables.iter() {
        if var.space == AddressSpace::Private {
            see(&var.name, var.ty, module.global_variables.get_span(handle));
        }
    }
    let helpers = walk::helpers(module, entry).into_iter().map(|handle| &module.functions[handle]);
    for function in helpers.chain([entry]) {
        for (handle, var) in function.local_variables.iter() {
            see(&var.name, var.ty, function.local_variables.get_span(handle));
        }
    }
    found
}

fn unknown_entry(module: &Module, entry: &str) -> Diagnostic {
    let names: Vec<&str> = module.entry_points.iter().map(|point| point.name.as_str()).collect();
    let diagnostic = Diagnostic::error("unknown-entry", format!("the program has no compute entry point `{entry}`"))
        .help(format!("it has `{}`", names.join("`, `")));
    match closest(entry, names) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

/// The buffers in `touched`, by group and binding.
pub(super) fn buffers(module: &Module, touched: &Touched) -> Vec<Buffer> {
    let mut buffers = Vec::new();
    for (&handle, &effects) in touched {
        let var = &module.global_variables[handle];
        let Some(place) = &var.binding else { continue };
        let access = match var.space {
            AddressSpace::Uniform => Access::Uniform,
            AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => Access::ReadWrite,
            AddressSpace::Function
            | AddressSpace::Private
            | AddressSpace::WorkGroup
            | AddressSpace::Storage { .. }
            | AddressSpace::Handle
            | AddressSpace::Immediate
            | AddressSpace::TaskPayload
            | AddressSpace::RayPayload
            | AddressSpace::IncomingRayPayload => Access::Read,
        };
        let ty = Type::of(module, var.ty)
            .unwrap_or_else(|| unreachable!("invariant buffer-type: what is no buffer is refused as unsupported"));
        buffers.push(Buffer {
            name: var.name.clone().unwrap_or_else(|| format!("g{}b{}", place.group, place.binding)),
            group: place.group,
            binding: place.binding,
            access,
            immediate: place.group == immediate::GROUP,
            min_bytes: ty.min_bytes(),
            ty,
            effects,
            span: Span::of(module.global_variables.get_span(handle)),
        });
    }
    buffers.sort_by_key(|buffer| (buffer.group, buffer.binding));
    buffers
}

/// The buffers of all entry points.
pub(super) fn all_buffers(module: &Module) -> Vec<Buffer> {
    let mut touched = Touched::new();
    for (handle, effects) in module.entry_points.iter().flat_map(|point| effects::of(module, &point.function)) {
        touched.entry(handle).or_default().add(effects);
    }
    buffers(module, &touched)
}

/// Variables with a binding that no entry point names.
pub(super) fn unused(module: &Module) -> Vec<(&str, Option<Span>)> {
    let used: Vec<Touched> = module.entry_points.iter().map(|point| effects::of(module, &point.function)).collect();
    let variables = module.global_variables.iter().filter(|(_, var)| var.binding.is_some());
    let unused = variables.filter(|(handle, _)| !used.iter().any(|touched| touched.contains_key(handle)));
    let told = |(handle, var)| {
        let var: &GlobalVariable = var;
        (var.name.as_deref().unwrap_or("a variable"), Span::of(module.global_variables.get_span(handle)))
    };
    unused.map(told).collect()
}
