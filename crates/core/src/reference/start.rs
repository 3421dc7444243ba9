//! Who an invocation is: what the builtins of its entry point hold.

use naga::BuiltIn;

use super::code::Input;
use super::dispatch::Dispatch;
use super::machine::Machine;
use crate::ops::{Num, Value, Vector};

impl Dispatch<'_> {
    /// Puts a machine at the start of an invocation.
    pub(super) fn start(&self, machine: &mut Machine, group: [u32; 3], index: usize) {
        let size = self.kernel.workgroup_size;
        let index = index as u32;
        let local = [index % size[0], index / size[0] % size[1], index / size[0] / size[1]];
        let global: [u32; 3] = std::array::from_fn(|i| group[i] * size[i] + local[i]);
        let one = |builtin: &BuiltIn| match *builtin {
            BuiltIn::GlobalInvocationId => triple(global),
            BuiltIn::LocalInvocationId => triple(local),
            BuiltIn::LocalInvocationIndex => Value::Num(Num::U32(index)),
            BuiltIn::WorkGroupId => triple(group),
            BuiltIn::WorkGroupSize => triple(size),
            BuiltIn::NumWorkGroups => triple(self.grid),
            BuiltIn::SubgroupSize => Value::Num(Num::U32(self.subgroup)),
            BuiltIn::NumSubgroups => {
                let count = self.kernel.workgroup_invocations().div_ceil(self.subgroup.into());
                Value::Num(Num::U32(count as u32))
            }
            BuiltIn::SubgroupId => Value::Num(Num::U32(index / self.subgroup)),
            BuiltIn::SubgroupInvocationId => Value::Num(Num::U32(index % self.subgroup)),
            // Not worth naming the fifty builtins of other stages.
            other => unreachable!("invariant compute-inputs: {other:?} is no input of this device's kernels"),
        };
        machine.start(self.code, &self.constants, global, |input| match input {
            Input::One(builtin) => one(builtin),
            Input::Struct(builtins) => Value::Composite(builtins.iter().map(one).collect()),
        });
    }
}

fn triple(ids: [u32; 3]) -> Value {
    Value::Vector(Vector::new(ids.map(Num::U32)))
}
