//! Where a worker's scratch memory holds what: workgroup memory, private memory, values that
//! live across barriers; and the kernel's tables of constants.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::apart::{self, Apart};
use super::privatize::{self, Private};
use super::{fission, fresh, together};
use crate::cost;
use crate::emit::LINE;
use crate::ir::{Function, Label, Mem, Memory, Op, Ty, Value};
use crate::shape::{Shape, Shapes};

/// Every area starts on a cache line.
const ALIGN: u64 = LINE;

/// An area of scratch: the whole workgroup's, or one part for each lane group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) start: u64,
    /// 0 where all lane groups share it.
    pub(crate) group_stride: u64,
}

/// The layout of scratch memory and of the tables.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// Bytes that are zeroed before each workgroup, at the start of scratch.
    pub(crate) zeroed_bytes: u64,
    pub(crate) private: HashMap<Mem, Area>,
    /// Values that pieces keep for one another, one for each lane group or lane.
    pub(crate) values: HashMap<Value, Area>,
    /// Those that are the same for the workgroup.
    pub(crate) uniform: BTreeSet<Value>,
    pub(crate) apart: Apart,
    /// Where a call counts what it adds to a buffer at its end.
    pub(crate) privates: BTreeMap<Mem, (u64, Private)>,
    /// Lanes that have left for a label ahead of the others.
    pub(crate) gone: BTreeMap<Label, Area>,
    /// Labels of nodes that stand alone.
    pub(crate) outer: BTreeSet<Label>,
    /// Where writes outside their memory land.
    pub(crate) sink: u64,
    /// Room for the words of an element in each lane, where lanes are looked at one by one, and for
    /// their mask.
    pub(crate) stage: u64,
    pub(crate) flags: u64,
    /// From one workgroup's scratch to the next one's, where some go together.
    pub(crate) stride: u64,
    pub(crate) together: Option<together::Plan>,
    pub(crate) bytes: u64,
    pub(crate) tables: HashMap<Mem, u64>,
    /// Local ids by dimension, for shapes that need them.
    pub(crate) local_ids: [Option<u64>; 3],
    /// Zero bytes enough for a read of any lanes, or of an element's words.
    pub(crate) zeros: u64,
    pub(crate) constants: Vec<u8>,
    pub(crate) groups: u32,
}

impl Frame {
    pub(crate) fn new(f: &Function, shapes: &Shapes, gathers: bool) -> Self {
        let workgroup_bytes = f.workgroup_bytes;
        let width = u64::from(shapes.width);
        let size: u64 = f.workgroup_size.iter().map(|&n| u64::from(n)).product();
        let groups = size.div_ceil(width);
        let mut bytes = workgroup_bytes.next_multiple_of(ALIGN);
        let mut area = |each: u64, per_group: bool| {
            let each = each.next_multiple_of(ALIGN);
            let start = bytes;
            bytes += if per_group { each * groups } else { each };
            Area { start, group_stride: if per_group { each } else { 0 } }
        };
        let fissioned = f.body.has_barrier();
        let mut private = HashMap::new();
        for (i, memory) in f.memories.iter().enumerate() {
            if let Memory::Private { slots, slot_bytes } = memory {
                let each = u64::from(*slots) * u64::from(*slot_bytes) * width;
                private.insert(Mem(i as u32), area(each, fissioned));
            }
        }
        let privates = privatize::found(f)
            .into_iter()
            .map(|(memory, private)| (memory, (area(private.bytes, false).start, private)));
        let privates = privates.collect();
        let plan = if fissioned { fission::plan(f, shapes) } else { fission::Plan::default() };
        let mut values = HashMap::new();
        for &value in plan.kept.iter().filter(|value| !plan.homes.contains_key(value)) {
            let each = match shapes.of(value) {
                Shape::Varying => width * u64::from(kept_bytes(f.ty(value))),
                Shape::Linear(_) => 8,
                Shape::Uniform => continue,
            };
            values.insert(value, area(each, true));
        }
        let together = together::plan(f);
        let is_uniform = |value: &Value| shapes.of(*value) == Shape::Uniform;
        let uniform: BTreeSet<Value> = plan.kept.iter().copied().filter(is_uniform).collect();
        for &value in plan.homes.keys().filter(|value| !uniform.contains(value)) {
            if let Some(&area) = values.get(&plan.home(value)) {
                values.insert(value, area);
            }
        }
        // Registers hold those of one workgroup.
        if together.is_some() {
            values.extend(uniform.iter().map(|&value| (value, area(8, false))));
        }
        let parted: BTreeSet<Label> =
            plan.outer.iter().copied().filter(|label| shapes.parted.contains(label)).collect();
        let gone = parted.into_iter().map(|label| (label, area(width * 4, true))).collect();
        let reach = u64::from(cost::CLUSTER_BYTES);
        let [sink, flags] = [(); 2].map(|()| area(reach.max(width * 8), false).start);
        let stage = area(width * reach.max(8), false).start;
        let mut constants = vec![0; reach.max(width * 8) as usize];
        let mut apart = apart::found(f, shapes, gathers, |value| plan.kept.contains(&value));
        apart.rows.values_mut().for_each(|start| *start = area(width * 4, false).start);
        let tables = tables(f, &mut constants);
        let local_ids = local_ids(f, shapes, groups * width, &mut constants);
        Self {
            zeroed_bytes: if fresh::is_wanted(f) { workgroup_bytes } else { 0 },
            private,
            values,
            uniform: if together.is_some() { BTreeSet::new() } else { uniform },
            apart,
            privates,
            gone,
            outer: plan.outer,
            sink,
            stage,
            flags,
            stride: bytes,
            bytes: bytes * together.as_ref().map_or(1, |plan| u64::from(plan.count)),
            together,
            tables,
            local_ids,
            zeros: 0,
            constants,
            groups: groups as u32,
        }
    }
}

impl Frame {
    /// The same for a function that is called: it keeps nothing across barriers, and looks at no
    /// lanes apart.
    pub(crate) fn for_callee(&self) -> Self {
        Self {
            values: HashMap::new(),
            uniform: BTreeSet::new(),
            apart: Apart::default(),
            privates: BTreeMap::new(),
            gone: BTreeMap::new(),
            outer: BTreeSet::new(),
            together: None,
            ..self.clone()
        }
    }
}

/// Bytes of a kept lane: booleans and half floats take a word.
pub(crate) fn kept_bytes(ty: Ty) -> u32 {
    ty.bytes().max(4)
}

fn tables(f: &Function, constants: &mut Vec<u8>) -> HashMap<Mem, u64> {
    let mut tables = HashMap::new();
    for (i, memory) in f.memories.iter().enumerate() {
        let Memory::Constants { ty, bits } = memory else { continue };
        constants.resize(constants.len().next_multiple_of(8), 0);
        tables.insert(Mem(i as u32), constants.len() as u64);
        for bits in bits {
            constants.extend(&bits.to_le_bytes()[..ty.bytes() as usize]);
        }
    }
    tables
}

fn local_ids(f: &Function, shapes: &Shapes, lanes: u64, constants: &mut Vec<u8>) -> [Option<u64>; 3] {
    let used: BTreeMap<u8, Value> = (0..f.values.len() as u32)
        .map(Value)
        .filter_map(|value| match f.op(value) {
            Op::Builtin(crate::ir::Builtin::LocalId(d)) => Some((*d, value)),
            _ => None,
        })
        .collect();
    let [x, y, _] = f.workgroup_size.map(u64::from);
    std::array::from_fn(|d| {
        let value = used.get(&(d as u8))?;
        if shapes.of(*value) == Shape::Uniform {
            return None;
        }
        constants.resize(constants.len().next_multiple_of(16), 0);
        let start = constants.len() as u64;
        for lane in 0..lanes {
            let id = [lane % x, lane / x % y, lane / (x * y)][d];
            constants.extend((id as u32).to_le_bytes());
        }
        Some(start)
    })
}
