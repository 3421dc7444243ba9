//! Ten thousand results in one buffer, each with room for 64 bytes and 4 to 64 that mean
//! something, read back as one plan packs them.

use std::sync::Arc;

use seawall::core::readback::{self, Packing, Slot, SlotId};
use seawall::device::{self, Control, Device, Io, Loaded};
use seawall::schedule::{self, Binding, Buffer, BufferId, HostId, Life, Schedule, Step};

use crate::error::Error;
use crate::inputs::Random;

const RESULTS: u32 = 10_000;
const CAPACITY_BYTES: u64 = 64;

/// The results on a device, and the plan, ready to run.
pub(crate) struct Results {
    /// The whole buffer.
    pub(crate) contents: Vec<u8>,
    pub(crate) plan: readback::Plan,
    pub(crate) buffer: device::Buffer,
    loaded: Box<dyn Loaded>,
}

impl Results {
    pub(crate) fn new(device: &dyn Device) -> Result<Self, Error> {
        let mut random = Random::new(7);
        let contents: Vec<u8> = (0..u64::from(RESULTS) * CAPACITY_BYTES).map(|_| random.word() as u8).collect();
        let buffer = device.alloc(contents.len() as u64)?;
        device.write(&buffer, 0, &contents)?;
        let plan = plan(&mut random);
        let checked = seawall::check::check(downloads(&plan, contents.len() as u64))?;
        let loaded = device.load(Arc::new(checked))?;
        Ok(Self { contents, plan, buffer, loaded })
    }

    /// All of them at once.
    pub(crate) fn read(&self, slab: &mut [u8]) -> Result<(), Error> {
        let io = Io { hosts: vec![device::Host::Write(slab)], residents: vec![&self.buffer] };
        self.loaded.run(io, &Control::default())?;
        Ok(())
    }

    /// One after the other, each into its place in the slab.
    pub(crate) fn each<E>(
        &self,
        slab: &mut [u8],
        mut read: impl FnMut(u64, &mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let place = |record: &readback::Record| record.offset as usize..(record.offset + record.bytes) as usize;
        self.plan.records.iter().try_for_each(|record| read(record.source, &mut slab[place(record)]))
    }
}

fn plan(random: &mut Random) -> readback::Plan {
    let slot = |i: u32| Slot {
        id: SlotId(i),
        buffer: readback::BufferId(0),
        offset: u64::from(i) * CAPACITY_BYTES,
        meaningful_bytes: u64::from(random.below(16) + 1) * 4,
        capacity_bytes: CAPACITY_BYTES,
    };
    let slots: Vec<Slot> = (0..RESULTS).map(slot).collect();
    readback::plan(&slots, Packing::new(CAPACITY_BYTES)).expect("the slots have no faults")
}

/// The plan as steps.
fn downloads(plan: &readback::Plan, buffer_bytes: u64) -> Schedule {
    let download = |record: &readback::Record| Step::Download {
        from: Binding { buffer: BufferId(0), offset: record.source, bytes: record.bytes },
        host: HostId(0),
        at: record.offset,
        length: None,
    };
    Schedule {
        buffers: vec![Buffer { name: "results".to_owned(), bytes: buffer_bytes, life: Life::Resident }],
        hosts: vec![schedule::Host { name: "slab".to_owned(), bytes: plan.compact_bytes, writable: true }],
        steps: plan.records.iter().map(download).collect(),
        ..Schedule::default()
    }
}
