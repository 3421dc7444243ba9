//! What a kernel asks of a device: language features, and bytes of workgroup memory.

use naga::proc::{Layouter, TypeResolution};
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{
    AddressSpace, AtomicFunction, Binding, BuiltIn, EntryPoint, Function, Module, ScalarKind, Statement, TypeInner,
};

use super::effects::Touched;
use super::{Need, Needs, grid, walk};
use crate::diag::Span;

/// The features that a type asks for.
#[derive(Clone, Copy, Default)]
struct Asks {
    f16: bool,
    int64: bool,
    f64: bool,
    atomic_f32: bool,
    atomic_int64: bool,
}

impl Asks {
    fn scalar(scalar: naga::Scalar) -> Self {
        let integer = matches!(scalar.kind, ScalarKind::Sint | ScalarKind::Uint);
        let float = scalar.kind == ScalarKind::Float;
        Self {
            f16: float && scalar.width == 2,
            int64: integer && scalar.width == 8,
            f64: float && scalar.width == 8,
            ..Self::default()
        }
    }

    fn atomic(scalar: naga::Scalar) -> Self {
        let asks = Self::scalar(scalar);
        Self { atomic_f32: scalar.kind == ScalarKind::Float, atomic_int64: asks.int64, ..asks }
    }

    fn and(self, other: Self) -> Self {
        Self {
            f16: self.f16 | other.f16,
            int64: self.int64 | other.int64,
            f64: self.f64 | other.f64,
            atomic_f32: self.atomic_f32 | other.atomic_f32,
            atomic_int64: self.atomic_int64 | other.atomic_int64,
        }
    }

    /// Of a type whose parts are already in `known`.
    fn of(inner: &TypeInner, known: &[Self]) -> Self {
        match inner {
            TypeInner::Atomic(scalar) => Self::atomic(*scalar),
            TypeInner::Scalar(scalar)
            | TypeInner::Vector { scalar, .. }
            | TypeInner::Matrix { scalar, .. }
            | TypeInner::CooperativeMatrix { scalar, .. }
            | TypeInner::ValuePointer { scalar, .. } => Self::scalar(*scalar),
            TypeInner::Pointer { base, .. } | TypeInner::Array { base, .. } | TypeInner::BindingArray { base, .. } => {
                known[base.index()]
            }
            TypeInner::Struct { members, .. } => {
                members.iter().fold(Self::default(), |asks, member| asks.and(known[member.ty.index()]))
            }
            TypeInner::Image { .. }
            | TypeInner::Sampler { .. }
            | TypeInner::AccelerationStructure { .. }
            | TypeInner::RayQuery { .. } => Self::default(),
        }
    }
}

/// The features that an entry point needs, each with the first place in the source that does.
pub(super) fn of(module: &Module, info: &ModuleInfo, entry: usize, touched: &Touched) -> Needs {
    // A type's parts stand before it in the arena.
    let mut types: Vec<Asks> = Vec::with_capacity(module.types.len());
    for (_, ty) in module.types.iter() {
        types.push(Asks::of(&ty.inner, &types));
    }
    let mut found = Needs::default();
    for &handle in touched.keys() {
        found.ask(types[module.global_variables[handle].ty.index()], module.global_variables.get_span(handle));
    }
    let point = &module.entry_points[entry];
    found.function(&point.function, info.get_entry_point(entry), &types, module);
    for handle in walk::helpers(module, &point.function) {
        found.function(&module.functions[handle], &info[handle], &types, module);
    }
    if subgroup_input(module, point) {
        // The builtin has no span of its own: its first use stands for it.
        let place = point.function.expressions.iter().find_map(|(handle, expression)| {
            matches!(expression, naga::Expression::FunctionArgument(_))
                .then(|| point.function.expressions.get_span(handle))
        });
        first(&mut found.subgroup, place.unwrap_or_default());
    }
    found
}

pub(super) fn subgroup_input(module: &Module, point: &EntryPoint) -> bool {
    let is_subgroup = |binding: &Option<Binding>| {
        matches!(
            binding,
            Some(Binding::BuiltIn(
                BuiltIn::NumSubgroups | BuiltIn::SubgroupId | BuiltIn::SubgroupSize | BuiltIn::SubgroupInvocationId
            ))
        )
    };
    point.function.arguments.iter().any(|argument| {
        if let TypeInner::Struct { members, .. } = &module.types[argument.ty].inner {
            members.iter().any(|member| is_subgroup(&member.binding))
        } else {
            is_subgroup(&argument.binding)
        }
    })
}

/// Keeps the earlier of two places; a known one is earlier than a lost one.
fn first(need: &mut Option<Need>, span: naga::Span) {
    let span = Span::of(span);
    let earlier = match (&need, span) {
        (None, _) => true,
        (Some(Need { span: None }), new) => new.is_some(),
        (Some(Need { span: Some(old) }), Some(new)) => new < *old,
        (Some(_), None) => false,
    };
    if earlier {
        *need = Some(Need { span });
    }
}

impl Needs {
    /// Each by its name, as devices have it among their abilities.
    pub fn list(&self) -> Vec<(&'static str, Need)> {
        let Self {
            f16,
            int64,
            f64,
            subgroup,
            subgroup_barrier,
            atomic_f32,
            atomic_int64_min_max,
            atomic_int64,
            grid_barrier,
        } = *self;
        let all = [
            ("f16", f16),
            ("int64", int64),
            ("f64", f64),
            ("subgroup", subgroup),
            ("subgroup_barrier", subgroup_barrier),
            ("atomic_f32", atomic_f32),
            ("atomic_int64_min_max", atomic_int64_min_max),
            ("atomic_int64", atomic_int64),
            ("grid_barrier", grid_barrier),
        ];
        all.into_iter().filter_map(|(name, need)| Some((name, need?))).collect()
    }

    /// What either asks for, with the earlier place.
    pub(super) fn and(self, other: &Self) -> Self {
        let earlier = |one: Option<Need>, other: Option<Need>| match (one, other) {
            (Some(Need { span: None }), Some(other)) => Some(other),
            (Some(one), Some(Need { span: None })) => Some(one),
            (Some(one), Some(other)) => Some(if other.span < one.span { other } else { one }),
            (one, other) => one.or(other),
        };
        Self {
            f16: earlier(self.f16, other.f16),
            int64: earlier(self.int64, other.int64),
            f64: earlier(self.f64, other.f64),
            subgroup: earlier(self.subgroup, other.subgroup),
            subgroup_barrier: earlier(self.subgroup_barrier, other.subgroup_barrier),
            atomic_f32: earlier(self.atomic_f32, other.atomic_f32),
            atomic_int64_min_max: earlier(self.atomic_int64_min_max, other.atomic_int64_min_max),
            atomic_int64: earlier(self.atomic_int64, other.atomic_int64),
            grid_barrier: earlier(self.grid_barrier, other.grid_barrier),
        }
    }

    fn ask(&mut self, asks: Asks, span: naga::Span) {
        for (asked, need) in [
            (asks.f16, &mut self.f16),
            (asks.int64, &mut self.int64),
            (asks.f64, &mut self.f64),
            (asks.atomic_f32, &mut self.atomic_f32),
            (asks.atomic_int64, &mut self.atomic_int64_min_max),
        ] {
            if asked {
                first(need, span);
            }
        }
    }

    fn function(&mut self, function: &Function, info: &FunctionInfo, types: &[Asks], module: &Module) {
        let arena = &module.types;
        for (handle, local) in function.local_variables.iter() {
            self.ask(types[local.ty.index()], function.local_variables.get_span(handle));
        }
        for (handle, _) in function.expressions.iter() {
            let asks = match &info[handle].ty {
                TypeResolution::Handle(handle) => types[handle.index()],
                TypeResolution::Value(inner) => Asks::of(inner, types),
            };
            self.ask(asks, function.expressions.get_span(handle));
        }
        for (statement, span) in walk::statements(&function.body) {
            let subgroup = match statement {
                Statement::ControlBarrier(barrier) | Statement::MemoryBarrier(barrier) => {
                    let subgroup = barrier.contains(naga::Barrier::SUB_GROUP);
                    if subgroup {
                        first(&mut self.subgroup_barrier, span);
                    }
                    subgroup
                }
                Statement::Atomic { pointer, fun, result, .. } => {
                    let little = matches!(fun, AtomicFunction::Min | AtomicFunction::Max) && result.is_none();
                    let wide = info[*pointer].ty.inner_with(arena).pointer_base_type().is_some_and(
                        |base| matches!(base.inner_with(arena), TypeInner::Atomic(scalar) if scalar.width == 8),
                    );
                    if wide && !little {
                        first(&mut self.atomic_int64, span);
                    }
                    false
                }
                Statement::Call { function, .. } => {
                    if grid::is_barrier(&module.functions[*function]) {
                        first(&mut self.grid_barrier, span);
                    }
                    false
                }
                Statement::SubgroupBallot { .. }
                | Statement::SubgroupGather { .. }
                | Statement::SubgroupCollectiveOperation { .. } => true,
                Statement::Emit(_)
                | Statement::Block(_)
                | Statement::If { .. }
                | Statement::Switch { .. }
                | Statement::Loop { .. }
                | Statement::Break
                | Statement::Continue
                | Statement::Return { .. }
                | Statement::Kill
                | Statement::Store { .. }
                | Statement::ImageStore { .. }
                | Statement::ImageAtomic { .. }
                | Statement::WorkGroupUniformLoad { .. }
                | Statement::RayQuery { .. }
                | Statement::RayPipelineFunction(_)
                | Statement::CooperativeStore { .. } => false,
            };
            if subgroup {
                first(&mut self.subgroup, span);
            }
        }
    }
}

/// Bytes of the workgroup variables in `touched`, one after another, each aligned;
/// `None` while the size of one depends on an override.
pub(super) fn workgroup_bytes(module: &Module, touched: &Touched) -> Option<u64> {
    let mut layouter = Layouter::default();
    layouter.update(module.to_ctx()).expect("invariant program-valid: a validated module has a layout");
    let mut bytes = 0_u64;
    for &handle in touched.keys() {
        let var = &module.global_variables[handle];
        if var.space != AddressSpace::WorkGroup {
            continue;
        }
        if let TypeInner::Array { size: naga::ArraySize::Pending(_), .. } = module.types[var.ty].inner {
            return None;
        }
        let layout = layouter[var.ty];
        bytes = bytes.next_multiple_of(u64::from(layout.alignment * 1)) + u64::from(layout.size);
    }
    Some(bytes)
}
