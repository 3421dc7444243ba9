//! A clock for devices, which have none.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use seawall_core::device::{Control, Reason};

use crate::error::Error;

/// Does `work`; if that is not done in this time, asks it through `control` to end. One deadline
/// for several things, each of which is given the same `control`:
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// use std::time::Duration;
/// use seawall::device::Control;
///
/// let runtime = seawall::Runtime::new()?;
/// let text = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
///     @compute @workgroup_size(64)
///     fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= 2u; }";
/// let (mut v, control) = ([1u32, 2, 3], Control::default());
/// seawall::within(Duration::from_secs(60), &control, || {
///     let double = runtime.kernel_with(text, &control)?;
///     runtime.call(&double).bind("v", &mut v).threads(3).run_with(&control)
/// })?;
/// assert_eq!(v, [2, 4, 6]);
/// # Ok(())
/// # }
/// ```
pub fn within<T, E: From<Error>>(
    time: Duration,
    control: &Control,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    if time.is_zero() {
        control.stop.ask(Reason::Deadline);
        return work();
    }
    thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        let watcher = move || {
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                control.stop.ask(Reason::Deadline);
            }
        };
        let refused = |error: std::io::Error| E::from(Error::Thread { reason: error.to_string() });
        thread::Builder::new().name("seawall deadline".to_owned()).spawn_scoped(scope, watcher).map_err(refused)?;
        let result = work();
        // Dropping the sender ends the watcher, also when `work` panics.
        drop(done);
        result
    })
}
