//! Ten thousand results, in one buffer or in several, each with room for 64 bytes and 4 to 64 that
//! mean something, read back as one plan packs them.

use std::sync::Arc;

use seawall::device::{self, Control, Device, Io, Loaded};
use seawall::schedule::{self, Binding, Buffer, BufferId, HostId, Life, Schedule, Step};
use seawall_core::readback::{self, Packing, Slot, SlotId};

use crate::error::Error;
use crate::inputs::Random;

pub(crate) const RESULTS: u32 = 10_000;
const CAPACITY_BYTES: u64 = 64;

/// The results on a device, and the plan, ready to run.
pub(crate) struct Results {
    /// Of each buffer.
    pub(crate) contents: Vec<Vec<u8>>,
    pub(crate) plan: readback::Plan,
    pub(crate) buffers: Vec<device::Buffer>,
    loaded: Box<dyn Loaded>,
}

impl Results {
    /// In so many buffers, as many in each.
    pub(crate) fn new(device: &dyn Device, buffers: u32) -> Result<Self, Error> {
        let mut random = Random::new(7);
        let bytes = u64::from(RESULTS / buffers) * CAPACITY_BYTES;
        let contents = |_| (0..bytes).map(|_| random.word() as u8).collect();
        let contents: Vec<Vec<u8>> = (0..buffers).map(contents).collect();
        let mut filled = Vec::new();
        for contents in &contents {
            let buffer = device.alloc(bytes)?;
            device.write(&buffer, 0, contents)?;
            filled.push(buffer);
        }
        let plan = plan(&mut random, buffers);
        let checked = seawall::check::check(downloads(&plan, buffers, bytes))?;
        let loaded = device.load(Arc::new(checked))?;
        Ok(Self { contents, plan, buffers: filled, loaded })
    }

    /// All of them at once.
    pub(crate) fn read(&self, slab: &mut [u8]) -> Result<(), Error> {
        let io = Io { hosts: vec![device::Host::Write(slab)], residents: self.buffers.iter().collect() };
        self.loaded.run(io, &Control::default())?;
        Ok(())
    }

    /// One after the other, each from its buffer and offset into its place in the slab.
    pub(crate) fn each<E>(
        &self,
        slab: &mut [u8],
        mut read: impl FnMut(usize, u64, &mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let place = |record: &readback::Record| record.offset as usize..(record.offset + record.bytes) as usize;
        for record in &self.plan.records {
            read(record.buffer.0 as usize, record.source, &mut slab[place(record)])?;
        }
        Ok(())
    }
}

fn plan(random: &mut Random, buffers: u32) -> readback::Plan {
    let each = RESULTS / buffers;
    let slot = |i: u32| Slot {
        id: SlotId(i),
        buffer: BufferId(i / each),
        offset: u64::from(i % each) * CAPACITY_BYTES,
        meaningful_bytes: u64::from(random.below(16) + 1) * 4,
        capacity_bytes: CAPACITY_BYTES,
    };
    let slots: Vec<Slot> = (0..RESULTS).map(slot).collect();
    readback::plan(&slots, Packing::new(CAPACITY_BYTES)).expect("the slots have no faults")
}

/// The plan as steps.
fn downloads(plan: &readback::Plan, buffers: u32, bytes: u64) -> Schedule {
    let download = |record: &readback::Record| Step::Download {
        from: Binding { buffer: record.buffer, offset: record.source, bytes: record.bytes },
        host: HostId(0),
        at: record.offset,
        length: None,
    };
    let buffer = |at| Buffer { name: format!("results {at}"), bytes, life: Life::Resident };
    Schedule {
        buffers: (0..buffers).map(buffer).collect(),
        hosts: vec![schedule::Host { name: "slab".to_owned(), bytes: plan.compact_bytes, writable: true }],
        steps: plan.records.iter().map(download).collect(),
        ..Schedule::default()
    }
}
