//! One dispatch: what all its invocations share, and who they are.

use naga::BuiltIn;

use super::code::{Code, Input};
use super::constant::Constants;
use super::machine::Machine;
use super::memory::Bound;
use super::watch::Watch;
use crate::device::{Control, Error};
use crate::ops::{Num, Value, Vector};
use crate::program::Kernel;

#[derive(Debug)]
pub(super) struct Dispatch<'a> {
    /// The device's id, for errors.
    pub(super) device: &'a str,
    pub(super) kernel: &'a Kernel,
    pub(super) code: &'a Code,
    pub(super) constants: Constants,
    pub(super) grid: [u32; 3],
    /// Invocations of a subgroup.
    pub(super) subgroup: u32,
    pub(super) bound: Bound<'a>,
    pub(super) control: &'a Control,
    /// Whether invocations stop after each access to memory that others see.
    pub(super) pauses: bool,
    /// The sanitizer, if it looks on.
    pub(super) watch: Option<&'a mut Watch>,
}

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

    pub(super) fn out_of_memory(&self, what: &str, bytes: u64) -> Error {
        let what = format!("{what} of `{}`", self.kernel.name);
        Error::OutOfMemory { device: self.device.to_owned(), what, bytes }
    }
}

fn triple(ids: [u32; 3]) -> Value {
    Value::Vector(Vector::new(ids.map(Num::U32)))
}
