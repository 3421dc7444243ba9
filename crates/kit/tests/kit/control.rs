//! Who stops a call, and what is kept between kits.

use std::sync::Arc;

use seawall::device::{self, Control, Reason};
use seawall_kit::{Error, Kept, Kit, Op, reduce};

use crate::devices::runtimes;

#[test]
fn a_call_ends_when_its_control_says_so() {
    for runtime in runtimes() {
        let (x, control) = (runtime.buffer_from(&[3u32, 1, 4]).unwrap(), Control::default());
        let kit = Kit::new(runtime).control(&control);
        assert_eq!(reduce::reduce(&kit, Op::Sum, &x), Ok(8));
        control.stop.ask(Reason::Caller);
        let stopped = reduce::reduce(&kit, Op::Sum, &x).unwrap_err();
        let Error::Seawall(seawall::Error::Device(device::Error::Stopped { reason, .. })) = stopped else {
            panic!("{stopped}")
        };
        assert_eq!(reason, Reason::Caller);
    }
}

#[test]
fn kits_share_what_is_kept() {
    let (runtime, kept) = (&runtimes()[0], Arc::new(Kept::default()));
    let x = runtime.buffer_from(&[3u32, 1, 4]).unwrap();
    for _ in 0..2 {
        let kit = Kit::with(runtime, kept.clone());
        assert_eq!(reduce::reduce(&kit, Op::Max, &x), Ok(4));
    }
    assert_eq!(kept.len(), 1);
}
