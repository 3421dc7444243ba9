//! Two ways to run a graph: wave by wave, and as planned.

use std::sync::Arc;

use seawall_core::check::{Checked, Placement, Slot, check};
use seawall_core::device::{Control, Device, Host, Io, Stats};
use seawall_core::graph::{Arg, Launch, Node, Resolved, Role};
use seawall_core::reference;
use seawall_core::schedule::{self, Binding, Buffer, BufferId, HostId, KernelId, Life, Schedule, Step};

/// What the caller sees afterwards, by data, on the device too; empty for what it does not.
pub(crate) type Seen = Vec<Vec<u8>>;

/// Each wave as a schedule of its own on the reference device, in the order of the graph.
pub(crate) fn one_by_one(graph: &Resolved, inputs: &[Vec<u8>]) -> Seen {
    let device = reference::Device::new(reference::Config::default());
    let start = |(bytes, data): (&Vec<u8>, &seawall_core::graph::Data)| {
        if data.role == Role::Output { vec![0; bytes.len()] } else { bytes.clone() }
    };
    let mut memory: Vec<Vec<u8>> = inputs.iter().zip(&graph.data).map(start).collect();
    for wave in &graph.order {
        let node = &graph.waves[wave.0 as usize];
        run_wave(&device, node, graph.args(node), &mut memory);
    }
    let seen = |(at, data): (usize, &seawall_core::graph::Data)| match data.role {
        _ if data.stays() => memory[at].clone(),
        Role::InOut => memory[at].clone(),
        Role::Output => match graph.counted[at] {
            None => memory[at].clone(),
            Some(counted) => {
                let count = word(&memory[counted.count.data.0 as usize], counted.count.offset);
                let bytes = (u64::from(count) * counted.element_bytes).min(data.bytes) as usize;
                [&memory[at][..bytes], &inputs[at][bytes..]].concat()
            }
        },
        Role::Input | Role::Persistent | Role::Transient => Vec::new(),
    };
    graph.data.iter().enumerate().map(seen).collect()
}

fn word(bytes: &[u8], offset: u64) -> u32 {
    u32::from_le_bytes(bytes[offset as usize..][..4].try_into().unwrap())
}

fn run_wave(device: &reference::Device, node: &Node, args: &[Arg], memory: &mut [Vec<u8>]) {
    let mut parts: Vec<(BufferId, &Arg)> = Vec::new();
    let mut hosts: Vec<Vec<u8>> = Vec::new();
    let mut buffer_of = vec![None; memory.len()];
    for arg in args {
        let id = match arg {
            Arg::Value(bytes) => {
                hosts.push(bytes.clone());
                hosts.len() - 1
            }
            Arg::Data(span) => *buffer_of[span.data.0 as usize].get_or_insert_with(|| {
                hosts.push(memory[span.data.0 as usize].clone());
                hosts.len() - 1
            }),
        };
        parts.push((BufferId(id as u32), arg));
    }
    let binding = |&(buffer, arg): &(BufferId, &Arg)| match arg {
        Arg::Value(bytes) => Binding { buffer, offset: 0, bytes: bytes.len() as u64 },
        Arg::Data(span) => Binding { buffer, offset: span.offset, bytes: span.bytes },
    };
    let grid = match node.launch {
        Launch::Workgroups(grid) => grid,
        Launch::Indirect { args, .. } => {
            std::array::from_fn(|i| word(&memory[args.data.0 as usize], args.offset + 4 * i as u64))
        }
    };
    let whole = |at: usize| Binding { buffer: BufferId(at as u32), offset: 0, bytes: hosts[at].len() as u64 };
    let ids = || (0..hosts.len()).map(|at| (HostId(at as u32), whole(at)));
    let dispatch = Step::Dispatch { kernel: KernelId(0), grid, bindings: parts.iter().map(binding).collect() };
    let mut steps: Vec<Step> = ids().map(|(host, to)| Step::Upload { host, at: 0, to }).collect();
    steps.extend([Step::Barrier, dispatch, Step::Barrier]);
    steps.extend(ids().map(|(host, from)| Step::Download { from, host, at: 0, length: None }));
    let named = |bytes: &Vec<u8>| schedule::Host { name: "host".to_owned(), bytes: bytes.len() as u64, writable: true };
    let buffer =
        |bytes: &Vec<u8>| Buffer { name: "buffer".to_owned(), bytes: bytes.len() as u64, life: Life::Transient };
    let schedule = Schedule {
        kernels: vec![node.kernel.clone()],
        buffers: hosts.iter().map(buffer).collect(),
        hosts: hosts.iter().map(named).collect(),
        steps,
        budget_bytes: None,
    };
    let loaded = device.load(Arc::new(check(schedule).unwrap())).unwrap();
    let slices = hosts.iter_mut().map(|bytes| Host::Write(bytes)).collect();
    loaded.run(Io { hosts: slices, residents: Vec::new() }, &Control::default()).unwrap();
    for (data, at) in buffer_of.iter().enumerate() {
        if let Some(at) = at {
            memory[data].clone_from(&hosts[*at]);
        }
    }
}

/// The whole schedule at once.
pub(crate) fn planned(
    device: &dyn Device,
    schedule: &Arc<Checked>,
    placement: &Placement,
    graph: &Resolved,
    inputs: &[Vec<u8>],
) -> (Seen, Stats) {
    let loaded = device.load(schedule.clone()).unwrap();
    let slot = |(slot, host): (&Slot, &schedule::Host)| match slot {
        Slot::Data(data) => inputs[data.0 as usize].clone(),
        Slot::Values => placement.values.clone(),
        Slot::Scratch(_) | Slot::Count(_) => vec![7; host.bytes as usize],
    };
    let mut hosts: Vec<Vec<u8>> = placement.slots.iter().zip(&schedule.hosts).map(slot).collect();
    let homes: Vec<_> = schedule.residents().map(|id| placement.lives[id.0 as usize].unwrap().0 as usize).collect();
    let resident = |&data: &usize| {
        let buffer = device.alloc(inputs[data].len() as u64).unwrap();
        device.write(&buffer, 0, &inputs[data]).unwrap();
        buffer
    };
    let residents: Vec<_> = homes.iter().map(resident).collect();
    let slices = hosts.iter_mut().map(|bytes| Host::Write(bytes)).collect();
    let io = Io { hosts: slices, residents: residents.iter().collect() };
    let stats = loaded.run(io, &Control::default()).unwrap();
    let mut seen: Seen = vec![Vec::new(); graph.data.len()];
    for (slot, bytes) in placement.slots.iter().zip(hosts) {
        match slot {
            Slot::Data(data) if graph.data[data.0 as usize].role != Role::Input => seen[data.0 as usize] = bytes,
            Slot::Data(_) | Slot::Values | Slot::Scratch(_) | Slot::Count(_) => {}
        }
    }
    for (data, buffer) in homes.into_iter().zip(&residents) {
        seen[data].clone_from(&inputs[data]);
        device.read(buffer, 0, &mut seen[data]).unwrap();
    }
    (seen, stats)
}
