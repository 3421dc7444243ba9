//! With a scratch and a plan that have served before, planning allocates nothing. The
//! counting allocator counts the calling thread only, so other tests do not disturb it.

use allocation_counter::measure;
use seawall_core::barrier::{self, Edge};
use seawall_core::frontier::{self, Budget, Input, Live, Read, Wave};
use seawall_core::ids::{BufferId, SlotId};
use seawall_core::queue::{self, Host};
use seawall_core::readback::{self, Packing, Slot};

const WAVES: u32 = 10_000;

/// Allocations of the first call and of the second.
fn allocations(mut call: impl FnMut()) -> (u64, u64) {
    (measure(&mut call).count_total, measure(&mut call).count_total)
}

/// Layers of a hundred; `name` decides whether ids ascend along the edges.
fn edges(name: impl Fn(u32) -> u32) -> Vec<Edge> {
    let edge = |wave: u32| [1, 7].map(|step| Edge::new(name(wave), name((wave / 100 + 1) * 100 + (wave + step) % 100)));
    (0..WAVES - 100).rev().flat_map(edge).collect()
}

#[test]
fn the_counter_counts() {
    assert!(measure(|| drop(std::hint::black_box(vec![1_u8; 9]))).count_total == 1);
}

#[test]
fn barrier_plans_again_without_allocating() {
    let forward = edges(|wave| wave);
    let mut grouped = forward.clone();
    grouped.sort_unstable();
    let shuffled = edges(|wave| wave * 7_919 % WAVES);
    for edges in [&forward, &grouped, &shuffled, &Vec::new()] {
        let (mut scratch, mut plan) = Default::default();
        let call = || barrier::plan_with(&mut scratch, &mut plan, WAVES, edges).unwrap();
        let (first, again) = allocations(call);
        assert!(first > 0);
        assert_eq!(again, 0);
        assert_eq!(plan, barrier::plan(WAVES, edges).unwrap());
    }
}

#[test]
fn frontier_plans_again_without_allocating() {
    let edges = edges(|wave| wave);
    let layers = barrier::plan(WAVES, &edges).unwrap();
    let wave = |i: u64| Wave { frontier_bytes: i * 37 % 91, scratch_bytes: i % 11, output_bytes: i * 13 % 29 };
    let waves: Vec<Wave> = (0..u64::from(WAVES)).map(wave).collect();
    let budget = Budget { limit_bytes: 1_000, resident_bytes: 100 };
    let input = Input { waves: &waves, layers: &layers, budget, measured_readback_bytes: 0 };
    let (mut scratch, mut plan) = Default::default();
    let (first, again) = allocations(|| frontier::plan_with(&mut scratch, &mut plan, &input).unwrap());
    assert!(first > 0 && plan.memory_splits > 0);
    assert_eq!(again, 0);

    let reads: Vec<Read> = edges.iter().map(|edge| Read { output: edge.before, reader: edge.after }).collect();
    let mut live = Live::default();
    let call = || frontier::live_with(&mut scratch, &mut live, &waves, &plan, &reads).unwrap();
    let (first, again) = allocations(call);
    assert!(first > 0);
    assert_eq!(again, 0);
}

#[test]
fn readback_plans_again_without_allocating() {
    let slot = |id: u32, i: u32| {
        let (offset, bytes) = (u64::from(i) * 64, u64::from(i % 65));
        Slot { id: SlotId(id), buffer: BufferId(0), offset, meaningful_bytes: bytes, capacity_bytes: 64 }
    };
    let sorted = |i| slot(i, i);
    let dense = |i| slot(i * 7_919 % WAVES, i);
    let sparse = |i: u32| slot((i * 7_919 % WAVES) * 100_000, i);
    for slots in [&sorted as &dyn Fn(u32) -> Slot, &dense, &sparse] {
        let slots: Vec<Slot> = (0..WAVES).map(slots).collect();
        let (mut scratch, mut plan) = Default::default();
        let call = || readback::plan_with(&mut scratch, &mut plan, &slots, Packing::new(32)).unwrap();
        let (first, again) = allocations(call);
        assert!(first > 0);
        assert_eq!(again, 0);
        assert_eq!(plan, readback::plan(&slots, Packing::new(32)).unwrap());
    }
}

#[test]
fn queues_never_allocate() {
    let profile = queue::Profile {
        initial_items: 256,
        capacity_items: 1024,
        entry_bytes: 16,
        control_bytes: 128,
        budget_bytes: 32768,
        host: Host::FinalOnly,
        drain_limit_items: Some(100),
    };
    let call = || {
        std::hint::black_box(queue::plan(&profile).unwrap());
    };
    assert_eq!(allocations(call), (0, 0));
}
