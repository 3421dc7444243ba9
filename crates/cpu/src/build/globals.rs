//! What an invocation finds: variables of the module, and the arguments of the entry point; and room for its own.

use naga::{AddressSpace, Binding, BuiltIn};
use seawall_core::diag::Span;
use seawall_core::program::Access;

use super::place::{self, Root};
use super::{Builder, is_zero, types};
use crate::cost;
use crate::ir::{Binary, Builtin, Memory, Ty, Value};

impl Builder<'_> {
    /// Buffers, workgroup memory, and private variables with their initial values.
    pub(super) fn declare_globals(&mut self) {
        let indexed = place::indexed_globals(self.module);
        let mut workgroup_bytes = 0u32;
        for (handle, var) in self.module.global_variables.iter() {
            let root = match var.space {
                AddressSpace::Storage { .. } | AddressSpace::Uniform => {
                    let Some(at) = &var.binding else { continue };
                    let buffer =
                        self.kernel.buffers.iter().position(|b| (b.group, b.binding) == (at.group, at.binding));
                    let Some(buffer) = buffer else { continue };
                    let access = self.kernel.buffers[buffer].access;
                    let aliased = self.kernel.is_aliased() && access != Access::Uniform;
                    let read_only = access != Access::ReadWrite && !aliased;
                    Root::Memory(self.memory(Memory::Buffer { buffer: buffer as u32, read_only, aliased }))
                }
                AddressSpace::WorkGroup => {
                    let (bytes, align) = types::size(self.module, &self.module.types[var.ty].inner);
                    let start = workgroup_bytes.next_multiple_of(align);
                    workgroup_bytes = start + bytes;
                    Root::Memory(self.memory(Memory::Workgroup { start }))
                }
                AddressSpace::Private => {
                    let init = var.init.filter(|&init| !is_zero(&self.module.global_expressions[init]));
                    let indexed = indexed.contains(&handle) || self.is_found_by_callees(handle);
                    match init {
                        Some(init) => {
                            let init = self.global_expression(init);
                            self.declare(init, indexed)
                        }
                        None => self.declare_zero(&self.module.types[var.ty].inner, indexed),
                    }
                }
                AddressSpace::Function
                | AddressSpace::Handle
                | AddressSpace::Immediate
                | AddressSpace::TaskPayload
                | AddressSpace::RayPayload
                | AddressSpace::IncomingRayPayload => continue,
            };
            if let (Root::Memory(memory), Some(name)) = (root, &var.name) {
                let span = Span::of(self.module.global_variables.get_span(handle));
                self.f.origins.memories.push((memory, name.clone(), span));
            }
            self.globals.insert(handle, root);
        }
        self.f.workgroup_bytes = workgroup_bytes.into();
    }

    /// A variable of one invocation, in registers or (if it is indexed) in memory.
    pub(super) fn declare(&mut self, init: Vec<Value>, indexed: bool) -> Root {
        if !indexed && init.len() <= cost::STORES_IN_A_ROW {
            let start = self.env.len();
            self.env.extend(init);
            return Root::Register { start, len: self.env.len() - start };
        }
        let wide = init.iter().any(|&value| self.f.ty(value).bytes() == 8);
        let slot_bytes = if wide { 8 } else { 4 };
        let memory = self.memory(Memory::Private { slots: init.len() as u32, slot_bytes });
        let table = if init.len() > cost::STORES_IN_A_ROW { self.constant_table(&init) } else { None };
        match table {
            Some(table) => self.fill(memory, init.len() as u32, self.f.ty(init[0]), Some(table)),
            None => self.put_all(memory, &init),
        }
        Root::Memory(memory)
    }

    /// A variable that starts as zero.
    pub(super) fn declare_zero(&mut self, inner: &naga::TypeInner, indexed: bool) -> Root {
        let slots = types::count(self.module, inner);
        if slots <= cost::STORES_IN_A_ROW {
            let zeros = self.zeros(inner);
            return self.declare(zeros, indexed);
        }
        let ty = if types::is_wide(self.module, inner) { Ty::U64 } else { Ty::U32 };
        let memory = self.memory(Memory::Private { slots: slots as u32, slot_bytes: ty.bytes() });
        self.fill(memory, slots as u32, ty, None);
        Root::Memory(memory)
    }

    pub(super) fn entry_argument(&mut self, arg: &naga::FunctionArgument) -> Vec<Value> {
        let one = |this: &mut Self, binding: &Option<Binding>| match binding {
            Some(Binding::BuiltIn(builtin)) => this.builtin_argument(*builtin),
            other => unreachable!("invariant entry-arguments: {other:?} in a compute entry point"),
        };
        if let naga::TypeInner::Struct { members, .. } = &self.module.types[arg.ty].inner {
            members.iter().flat_map(|m| one(self, &m.binding)).collect()
        } else {
            one(self, &arg.binding)
        }
    }

    fn builtin_argument(&mut self, builtin: BuiltIn) -> Vec<Value> {
        let three = |this: &mut Self, f: fn(u8) -> Builtin| (0..3).map(|d| this.builtin(f(d))).collect();
        match builtin {
            BuiltIn::LocalInvocationIndex => vec![self.builtin(Builtin::LocalIndex)],
            BuiltIn::LocalInvocationId => three(self, Builtin::LocalId),
            BuiltIn::WorkGroupId => three(self, Builtin::WorkgroupId),
            BuiltIn::NumWorkGroups => three(self, Builtin::NumWorkgroups),
            BuiltIn::SubgroupSize => vec![self.u32(self.subgroup)],
            BuiltIn::NumSubgroups => {
                let invocations: u32 = self.kernel.workgroup_size.iter().product();
                vec![self.u32(invocations.div_ceil(self.subgroup))]
            }
            BuiltIn::SubgroupId => {
                let (index, bits) = (self.builtin(Builtin::LocalIndex), self.u32(self.subgroup.ilog2()));
                vec![self.binary(Binary::Shr, index, bits)]
            }
            BuiltIn::SubgroupInvocationId => {
                let (index, mask) = (self.builtin(Builtin::LocalIndex), self.u32(self.subgroup - 1));
                vec![self.binary(Binary::And, index, mask)]
            }
            BuiltIn::WorkGroupSize => self.kernel.workgroup_size.map(|n| self.u32(n)).to_vec(),
            BuiltIn::GlobalInvocationId => (0..3)
                .map(|d| {
                    let size = self.u32(self.kernel.workgroup_size[d as usize]);
                    let group = self.builtin(Builtin::WorkgroupId(d));
                    let first = self.binary(Binary::Mul, group, size);
                    let local = self.builtin(Builtin::LocalId(d));
                    self.binary(Binary::Add, first, local)
                })
                .collect(),
            other => unreachable!("invariant needs: {other:?} is refused before compilation"),
        }
    }
}
