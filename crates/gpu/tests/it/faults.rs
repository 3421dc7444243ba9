//! Every call of the driver fails in turn, in every way: the right error comes back, the next
//! run works, and nothing is left behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use seawall_core::device::{Device as _, Error};
use seawall_gpu::fault::{Fault, Faults, Point};
use seawall_gpu::{Config, Device};

use crate::{loops, support};

/// One fault, after so many calls; negative: none.
struct Once {
    fault: Fault,
    calls: AtomicI64,
}

impl Faults for Once {
    fn at(&self, _: Point) -> Option<Fault> {
        (self.calls.fetch_sub(1, Ordering::Relaxed) == 0).then_some(self.fault)
    }
}

impl Once {
    fn after(&self, calls: i64) {
        self.calls.store(calls, Ordering::Relaxed);
    }

    fn fired(&self) -> bool {
        self.calls.load(Ordering::Relaxed) < 0
    }
}

fn device(fault: Fault) -> (Device, Arc<Once>) {
    let once = Arc::new(Once { fault, calls: AtomicI64::new(-1) });
    (support::open(Config { faults: Some(once.clone()), ..Config::default() }), once)
}

fn right(fault: Fault, error: &Error) -> bool {
    match fault {
        Fault::OutOfMemory => matches!(error, Error::OutOfMemory { .. }),
        Fault::Refused => matches!(error, Error::Refused { .. }),
        Fault::Lost => matches!(error, Error::Lost { .. } | Error::BufferLost { .. }),
    }
}

/// Makes each call of `work` fail until it has no more calls.
fn each(fault: Fault, device: &Device, once: &Once, work: &dyn Fn() -> Result<(), Error>) {
    for calls in 0.. {
        once.after(calls);
        let result = work();
        let fired = once.fired();
        once.after(-1);
        if !fired {
            assert!(calls > 0, "no call could fail");
            result.unwrap_or_else(|error| panic!("{fault:?}: nothing went wrong, and still: {error}"));
            return;
        }
        let error = result.err().unwrap_or_else(|| panic!("{fault:?} at call {calls} went unnoticed"));
        assert!(right(fault, &error), "{fault:?} at call {calls} gave: {error}");
        work().unwrap_or_else(|error| panic!("{fault:?} at call {calls}, and the next run gave: {error}"));
    }
    let _ = device;
}

const FAULTS: [Fault; 3] = [Fault::OutOfMemory, Fault::Refused, Fault::Lost];

/// Loading and running.
pub(crate) fn load_and_run() {
    for fault in FAULTS {
        let (device, once) = device(fault);
        each(fault, &device, &once, &|| support::sums(&*support::sum(&device)?));
        assert_eq!(device.usage().buffers, 0, "{fault:?}");
    }
}

/// Running what was loaded before.
pub(crate) fn run_again() {
    for fault in FAULTS {
        let (device, once) = device(fault);
        let loaded = support::sum(&device).expect("nothing fails yet");
        each(fault, &device, &once, &|| support::sums(&*loaded));
        drop(loaded);
        assert_eq!(device.usage().buffers, 0, "{fault:?}");
    }
}

/// A loop that the device decides, in the first run and in the next.
pub(crate) fn loops() {
    for fault in FAULTS {
        let (device, once) = device(fault);
        each(fault, &device, &once, &|| {
            let loaded = loops::few_turns(&device)?;
            loops::six_turns(&*loaded)?;
            loops::six_turns(&*loaded)
        });
        assert_eq!(device.usage().buffers, 0, "{fault:?}");
    }
}

/// Resident memory.
pub(crate) fn residents() {
    for fault in FAULTS {
        let (device, once) = device(fault);
        each(fault, &device, &once, &|| {
            let buffer = device.alloc(10)?;
            device.write(&buffer, 3, &[1, 2, 3])?;
            let mut bytes = [9; 10];
            device.read(&buffer, 0, &mut bytes)?;
            assert_eq!(bytes, [0, 0, 0, 1, 2, 3, 0, 0, 0, 0]);
            Ok(())
        });
        assert_eq!(device.usage().buffers, 0, "{fault:?}");
    }
}

/// A write in pieces, of which the third goes where the first was.
pub(crate) fn large_writes() {
    let from: Vec<u8> = (0..17 << 20).map(|i: u32| (i / 7) as u8).collect();
    for fault in FAULTS {
        let (device, once) = device(fault);
        each(fault, &device, &once, &|| {
            let buffer = device.alloc(from.len() as u64)?;
            device.write(&buffer, 0, &from)?;
            for at in [0, (8 << 20) - 2, (16 << 20) - 2] {
                let mut bytes = [0; 4];
                device.read(&buffer, at, &mut bytes)?;
                assert_eq!(bytes, from[at as usize..][..4]);
            }
            Ok(())
        });
        assert_eq!(device.usage().buffers, 0, "{fault:?}");
    }
}

/// What was on a lost device is gone, and says so.
pub(crate) fn lost_buffers() {
    let (device, once) = device(Fault::Lost);
    let kept = device.alloc(16).expect("nothing fails yet");
    once.after(0);
    let error = device.alloc(16).expect_err("the device is lost here");
    assert!(matches!(error, Error::Lost { .. }), "{error}");
    let error = device.read(&kept, 0, &mut [0]).expect_err("its memory is gone");
    assert!(matches!(error, Error::BufferLost { .. }), "{error}");
    let fresh = device.alloc(16).expect("the device is open again");
    device.write(&fresh, 0, &[7]).expect("it works");
    drop((kept, fresh));
    assert_eq!(device.usage().buffers, 0);
}
