//! The host's clock, for devices, which have none.

use std::time::Instant;

use seawall_core::device::Clock;

/// One that starts now, to time a run's steps with:
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// use seawall::device::Control;
///
/// let runtime = seawall::Runtime::new()?;
/// let double = runtime.kernel(
///     "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
///      @compute @workgroup_size(64)
///      fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= 2u; }",
/// )?;
/// let control = Control { clock: Some(seawall::clock()), ..Control::default() };
/// let outcome = runtime.call(&double).bind("v", &mut [1u32, 2, 3]).threads(3).run_with(&control)?;
/// for timed in &outcome.stats.times {
///     println!("{}: {} ns", outcome.schedule.steps[timed.step], timed.nanos);
/// }
/// # assert!(!outcome.stats.times.is_empty());
/// # Ok(())
/// # }
/// ```
pub fn clock() -> Clock {
    let start = Instant::now();
    Clock::new(move || u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}
