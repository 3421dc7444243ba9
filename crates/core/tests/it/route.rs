//! Choosing a device: by precedence with reasons, or the one asked for and no other.

use std::sync::Arc;

use seawall_core::check::{Checked, check};
use seawall_core::device::{self, Buffer, Caps, Device, Fitted, Kind, Limits, Loaded, Stop};
use seawall_core::program::{Overrides, Program};
use seawall_core::route::{Absent, Asker, Because, Error, Refusal, Registry, Why};
use seawall_core::schedule::Schedule;

/// A device that can be chosen; running it is not part of these tests.
struct Dummy(Arc<Caps>);

impl Device for Dummy {
    fn caps(&self) -> &Arc<Caps> {
        &self.0
    }

    fn alloc(&self, _: u64) -> Result<Buffer, device::Error> {
        Err(device::Error::ForeignBuffer { device: self.0.id.clone() })
    }

    fn write(&self, _: &Buffer, _: u64, _: &[u8]) -> Result<(), device::Error> {
        Err(device::Error::ForeignBuffer { device: self.0.id.clone() })
    }

    fn fill(&self, _: &Buffer, _: &[u8]) -> Result<(), device::Error> {
        Err(device::Error::ForeignBuffer { device: self.0.id.clone() })
    }

    fn copy(&self, _: &Buffer, _: &Buffer) -> Result<(), device::Error> {
        Err(device::Error::ForeignBuffer { device: self.0.id.clone() })
    }

    fn read(&self, _: &Buffer, _: u64, _: &mut [u8]) -> Result<(), device::Error> {
        Err(device::Error::ForeignBuffer { device: self.0.id.clone() })
    }

    fn load_with(&self, _: Fitted, _: &Stop) -> Result<Box<dyn Loaded>, device::Error> {
        Err(device::Error::ForeignBuffer { device: self.0.id.clone() })
    }
}

fn open(id: &'static str, f16: bool) -> impl Fn() -> Result<Arc<dyn Device>, Absent> + Send + Sync {
    let limits =
        Limits { buffer_bytes_max: 1024, workgroup_bytes_max: 1024, workgroup_invocations_max: 64, ..Limits::NONE };
    let caps = Caps {
        id: id.to_owned(),
        name: id.to_owned(),
        kind: Kind::Cpu,
        limits,
        native_grid_barrier: false,
        indirect: false,
        control: false,
        subgroup: None,
        subgroup_barrier: false,
        f16,
        int64: false,
        f64: false,
        atomic_f32: false,
        atomic_int64_min_max: false,
        atomic_int64: false,
        threads: None,
        memory_bytes: None,
        facts: Vec::new(),
    };
    move || Ok(Arc::new(Dummy(Arc::new(caps.clone()))) as Arc<dyn Device>)
}

fn absent() -> Absent {
    Absent { reason: "no driver".to_owned() }
}

/// `gone` before `plain` before `half`, registered out of order.
fn registry() -> Registry {
    Registry::default()
        .register("half", 1, open("half", true))
        .and_then(|registry| registry.register("gone", 3, || Err(absent())))
        .and_then(|registry| registry.register("plain", 2, open("plain", false)))
        .unwrap()
}

fn needs_f16() -> Arc<Checked> {
    let program = Program::wgsl(
        "enable f16;
        @group(0) @binding(0) var<storage, read_write> v: array<f16>;
        @compute @workgroup_size(1) fn main() { v[0] += 1.0h; }",
    )
    .unwrap();
    let kernel = program.kernel("main", &Overrides::new()).unwrap();
    Arc::new(check(Schedule { kernels: vec![kernel], ..Schedule::default() }).unwrap())
}

#[test]
fn ids_are_unique() {
    let error = registry().register("plain", 9, open("plain", false)).unwrap_err();
    assert_eq!(error, Error::Duplicate { id: "plain".to_owned() });
}

#[test]
fn precedence_orders_the_slots() {
    let ids: Vec<String> = registry().slots().iter().map(|slot| slot.id.clone()).collect();
    assert_eq!(ids, ["gone", "plain", "half"]);
}

#[test]
fn the_first_that_can_run_is_chosen_and_says_who_was_passed_over() {
    let choice = registry().choose(None).unwrap();
    assert_eq!(choice.device.caps().id, "plain");
    let gone = Refusal { id: "gone".to_owned(), why: Why::Absent(absent()) };
    assert_eq!(choice.because, Because::First { passed_over: vec![gone] });
    assert_eq!(choice.because.to_string(), "it is the first that can run this; passed over: `gone`: no driver");
}

#[test]
fn a_schedule_passes_over_devices_that_lack_what_it_needs() {
    let (choice, fitted) = registry().choose_for(None, &needs_f16()).unwrap();
    assert!(fitted.of(choice.device.caps()).is_ok());
    assert_eq!(choice.device.caps().id, "half");
    let Because::First { passed_over } = choice.because else { panic!("{:?}", choice.because) };
    assert_eq!(passed_over.len(), 2);
    assert!(matches!(&passed_over[1], Refusal { id, why: Why::Unfit(_) } if id == "plain"));
}

#[test]
fn what_is_asked_for_is_never_replaced() {
    let asked = |id, asker| registry().choose_for(Some((id, asker)), &needs_f16());
    assert_eq!(asked("half", Asker::Environment).unwrap().0.because, Because::Asked(Asker::Environment));
    assert!(matches!(asked("plain", Asker::Caller).unwrap_err(), Error::Unfit(device::Error::Unsupported(_))));
    let error = asked("gone", Asker::Caller).unwrap_err();
    assert_eq!(error, Error::Absent { id: "gone".to_owned(), absent: absent() });
    let error = asked("warp", Asker::Caller).unwrap_err();
    assert_eq!(error.to_string(), "there is no device `warp`; this build has gone, plain, half");
}

#[test]
fn when_nobody_can_run_it_everybody_says_why() {
    let registry = Registry::default().register("gone", 0, || Err(absent())).unwrap();
    let error = registry.choose(None).unwrap_err();
    assert_eq!(error.to_string(), "no device can run this: `gone`: no driver");
}

#[test]
fn a_device_says_all_for_which_it_would_refuse_a_kernel() {
    let program = Program::wgsl(
        "enable f16;
        @group(0) @binding(0) var<storage, read_write> v: array<f16>;
        var<workgroup> w: array<u32, 1000>;
        @compute @workgroup_size(128) fn main() { v[0] += f16(i64(v[1])); w[0] = 1; gridBarrier(); }
        @compute @workgroup_size(1) fn small() { w[0] = 1; }",
    )
    .unwrap();
    let refused = |device: &str, entry: &str| {
        let kernel = program.kernel(entry, &Overrides::new()).unwrap();
        let registry = registry();
        let slot = registry.slots().iter().find(|slot| slot.id == device).unwrap();
        let refuses = slot.device().unwrap().refuses(&kernel);
        refuses.into_iter().map(|diagnostic| diagnostic.message).collect::<Vec<_>>()
    };
    // Kernels are cut at grid barriers: no device refuses those.
    let size = "a workgroup of 128 invocations (limit 64) is not supported by device";
    let bytes = "4000 bytes of workgroup memory (limit 1024) are not supported by device";
    let wide = "64-bit integers are not supported by device";
    assert_eq!(refused("half", "main"), [wide, size, bytes].map(|what| format!("{what} `half`")));
    let half = "`f16` is not supported by device";
    assert_eq!(refused("plain", "main"), [half, wide, size, bytes].map(|what| format!("{what} `plain`")));
    assert_eq!(refused("half", "small"), [format!("{bytes} `half`")]);
}
