//! Where variation comes from: builtins and memory that others write.

use naga::{AddressSpace, Binding, BuiltIn, GlobalVariable, Handle, StorageAccess};

use super::{Analysis, Cause, Fact, Scope, Since};
use crate::diag::Span;

impl Analysis<'_> {
    /// An input of the entry point, used at `span`.
    pub(super) fn input(&mut self, binding: Option<&Binding>, span: naga::Span) -> Fact {
        let Some(Binding::BuiltIn(builtin)) = binding else {
            return Some(self.cause(span, "depends on an input of the entry point"));
        };
        let name = match builtin {
            BuiltIn::NumWorkGroups | BuiltIn::WorkGroupSize | BuiltIn::NumSubgroups | BuiltIn::SubgroupSize => {
                return None;
            }
            BuiltIn::WorkGroupId if self.scope != Scope::Grid => return None,
            BuiltIn::SubgroupId if self.scope == Scope::Subgroup => return None,
            BuiltIn::WorkGroupId => "workgroup_id",
            BuiltIn::GlobalInvocationId => "global_invocation_id",
            BuiltIn::LocalInvocationId => "local_invocation_id",
            BuiltIn::LocalInvocationIndex => "local_invocation_index",
            BuiltIn::SubgroupId => "subgroup_id",
            BuiltIn::SubgroupInvocationId => "subgroup_invocation_id",
            BuiltIn::PrimitiveIndex
            | BuiltIn::Position { .. }
            | BuiltIn::ViewIndex
            | BuiltIn::BaseInstance
            | BuiltIn::BaseVertex
            | BuiltIn::ClipDistances
            | BuiltIn::CullDistance
            | BuiltIn::InstanceIndex
            | BuiltIn::PointSize
            | BuiltIn::VertexIndex
            | BuiltIn::DrawIndex
            | BuiltIn::FragDepth
            | BuiltIn::PointCoord
            | BuiltIn::FrontFacing
            | BuiltIn::Barycentric { .. }
            | BuiltIn::SampleIndex
            | BuiltIn::SampleMask
            | BuiltIn::MeshTaskSize
            | BuiltIn::CullPrimitive
            | BuiltIn::PointIndex
            | BuiltIn::LineIndices
            | BuiltIn::TriangleIndices
            | BuiltIn::VertexCount
            | BuiltIn::Vertices
            | BuiltIn::PrimitiveCount
            | BuiltIn::Primitives
            | BuiltIn::RayInvocationId
            | BuiltIn::NumRayInvocations
            | BuiltIn::InstanceCustomData
            | BuiltIn::GeometryIndex
            | BuiltIn::WorldRayOrigin
            | BuiltIn::WorldRayDirection
            | BuiltIn::ObjectRayOrigin
            | BuiltIn::ObjectRayDirection
            | BuiltIn::RayTmin
            | BuiltIn::RayTCurrentMax
            | BuiltIn::ObjectToWorld
            | BuiltIn::WorldToObject
            | BuiltIn::HitKind => "an input of another stage",
        };
        Some(self.cause(span, format!("depends on `{name}`")))
    }

    /// What a module-scope variable holds, loaded at `span`.
    pub(super) fn memory(&mut self, handle: Handle<GlobalVariable>, since: &Since, span: naga::Span) -> Fact {
        let var = &self.module.global_variables[handle];
        let kind = match var.space {
            AddressSpace::Uniform | AddressSpace::Immediate | AddressSpace::Handle => return None,
            AddressSpace::Storage { access } if !access.contains(StorageAccess::STORE) => return None,
            AddressSpace::Storage { .. } if self.is_still(since, handle) => return None,
            AddressSpace::Storage { .. } if self.scope == Scope::Grid => {
                let name = var.name.as_deref().unwrap_or("a variable").to_owned();
                let text =
                    format!("depends on a load of `{name}`, which is storage that some of them may write meanwhile");
                return Some(self.note(Cause { span: Span::of(span), text, written: Some(name) }));
            }
            AddressSpace::Storage { .. } => "read_write storage",
            AddressSpace::WorkGroup => "workgroup memory",
            AddressSpace::Private => "private memory",
            AddressSpace::Function
            | AddressSpace::TaskPayload
            | AddressSpace::RayPayload
            | AddressSpace::IncomingRayPayload => "memory",
        };
        let name = var.name.as_deref().unwrap_or("a variable");
        Some(self.cause(span, format!("depends on a load of `{name}`, which is {kind}")))
    }
}
