//! What only a fault of ours can bring about.

use std::sync::Arc;

use crate::check::{Checked, check};
use crate::device::{Control, Device as _, Error, Io};
use crate::program::{Overrides, Program};
use crate::reference::{Config, Device};
use crate::sanitize;
use crate::schedule::{Binding, Buffer, BufferId, KernelId, Life, Schedule, Step};

/// Two waves that write one buffer, and the barrier between them.
fn waves() -> Checked {
    let wgsl = "
        @group(0) @binding(0) var<storage, read_write> v: array<u32>;
        @compute @workgroup_size(4)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] += id.x; }";
    let program = Program::wgsl(wgsl).unwrap_or_else(|report| panic!("{report}"));
    let kernel = program.kernel("main", &Overrides::new()).unwrap_or_else(|report| panic!("{report}"));
    let bindings = vec![Binding { buffer: BufferId(0), offset: 0, bytes: 32 }];
    let wave = Step::Dispatch { kernel: KernelId(0), grid: [2, 1, 1], bindings };
    let buffers = vec![Buffer { name: "v".to_owned(), bytes: 32, life: Life::Resident }];
    let steps = vec![wave.clone(), Step::Barrier, wave];
    check(Schedule { kernels: vec![kernel], buffers, steps, ..Schedule::default() }).expect("it is sound")
}

fn run(checked: Checked, seed: Option<u64>) -> Result<(), Error> {
    let device = Device::new(Config { seed, sanitize: Some(sanitize::Config::default()), ..Config::default() });
    let memory = device.alloc(32)?;
    let io = Io { hosts: Vec::new(), residents: vec![&memory] };
    device.load(Arc::new(checked))?.run(io, &Control::default()).map(drop)
}

#[test]
fn waves_of_one_group_that_race_are_our_fault() {
    for seed in [None, Some(1)] {
        run(waves(), seed).expect("the barrier orders them");
        let Err(Error::Unsound(found)) = run(waves().without(1), seed) else { panic!("it is not told") };
        let told = &found.list[0].diagnostic;
        assert_eq!((found.list.len(), told.code), (1, "race"), "{found}");
        assert_eq!(told.message, "`v` is written and read by waves that run at once", "{found}");
        assert!(told.help[0].starts_with("this is a fault of Seawall's"), "{found}");
    }
}

#[test]
fn tickets_can_run_out() {
    let checked = Arc::new(waves());
    let codes = [Arc::new(crate::reference::code::Code::new(&checked.kernels[0]))];
    let mut watch = super::Watch::new(sanitize::Config::default(), "reference", &checked, &codes);
    watch.come(0, 32, true);
    watch.next = u32::MAX - 1;
    watch.boundary();
    watch.begin(0, [2, 1, 1], vec![(0, 0)], true);
    assert_eq!((watch.first, watch.next, watch.now.first), (2, 4, 2));
    watch.begin(0, [2, 1, 1], vec![(0, 0)], true);
    assert_eq!((watch.first, watch.next, watch.now.first), (2, 6, 4));
}
