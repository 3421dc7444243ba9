//! Where a worker's scratch memory holds what: workgroup memory, private memory, values that
//! live across barriers; and the kernel's tables of constants.

use std::collections::{BTreeMap, HashMap};

use crate::cost;
use crate::divergence::Shapes;
use crate::helpers::LINE;
use crate::ir::{Function, Mem, Memory, Op, Private, Shape, Slot, Ty, Value};

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
    pub(crate) private: HashMap<Mem, Area>,
    /// What lane groups keep between loops over them.
    pub(crate) slots: HashMap<Slot, Area>,
    /// The same where it is one workgroup's alone and the same in all lanes.
    pub(crate) registers: Vec<Slot>,
    /// Where the words of a scalarized load are put together, should some lanes lie outside.
    pub(crate) rows: BTreeMap<Value, u64>,
    /// Where a call counts what it adds to a buffer at its end.
    pub(crate) privates: BTreeMap<Mem, (u64, Private)>,
    /// Where writes outside their memory land.
    pub(crate) sink: u64,
    /// Room for the words of an element in each lane, where lanes are looked at one by one, and for
    /// their mask.
    pub(crate) stage: u64,
    pub(crate) flags: u64,
    /// From one workgroup's scratch to the next one's, where some go together.
    pub(crate) stride: u64,
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
    pub(crate) fn new(f: &Function, shapes: &Shapes) -> Self {
        let workgroup_bytes = f.workgroup_bytes;
        let width = u64::from(shapes.width);
        let size: u64 = f.workgroup_size.iter().map(|&n| u64::from(n)).product();
        let groups = size.div_ceil(width);
        let mut bytes = workgroup_bytes.next_multiple_of(ALIGN);
        let mut area = |each: u64, per_group: bool| {
            // A lane group finds its part by its first lane.
            let each = each.next_multiple_of(ALIGN.max(width));
            let start = bytes;
            bytes += if per_group { each * groups } else { each };
            Area { start, group_stride: if per_group { each } else { 0 } }
        };
        let mut private = HashMap::new();
        for (i, memory) in f.memories.iter().enumerate() {
            if let Memory::Private { slots, slot_bytes } = memory {
                let each = u64::from(*slots) * u64::from(*slot_bytes) * width;
                private.insert(Mem(i as u32), area(each, f.outlives));
            }
        }
        let privates =
            f.privates.iter().map(|(&memory, &private)| (memory, (area(private.bytes, false).start, private)));
        let privates = privates.collect();
        let (mut slots, mut registers) = (HashMap::new(), Vec::new());
        for (i, kept) in f.slots.iter().enumerate() {
            let each = match kept.shape {
                Shape::Varying => width * u64::from(kept_bytes(kept.ty)),
                Shape::Linear(_) => 8,
                // Registers hold those of one workgroup.
                Shape::Uniform if f.tile > 1 && !kept.every => 8,
                Shape::Uniform => {
                    registers.push(Slot(i as u32));
                    continue;
                }
            };
            slots.insert(Slot(i as u32), area(each, kept.shape != Shape::Uniform));
        }
        let reach = u64::from(cost::CLUSTER_BYTES);
        let [sink, flags] = [(); 2].map(|()| area(reach.max(width * 8), false).start);
        let stage = area(width * reach.max(8), false).start;
        let mut constants = vec![0; reach.max(width * 8) as usize];
        let loads = f.scalarized.iter().filter(|&&value| matches!(f.op(value), Op::Load { .. }));
        let rows = loads.map(|&load| (load, area(width * 4, false).start)).collect();
        let tables = tables(f, &mut constants);
        let local_ids = local_ids(f, shapes, groups * width, &mut constants);
        Self {
            private,
            slots,
            registers,
            rows,
            privates,
            sink,
            stage,
            flags,
            stride: bytes,
            bytes: bytes * u64::from(f.tile),
            tables,
            local_ids,
            zeros: 0,
            constants,
            groups: groups as u32,
        }
    }
}

impl Frame {
    /// The same for a function that is called: it keeps nothing across barriers.
    pub(crate) fn for_callee(&self) -> Self {
        Self { slots: HashMap::new(), rows: BTreeMap::new(), privates: BTreeMap::new(), ..self.clone() }
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
