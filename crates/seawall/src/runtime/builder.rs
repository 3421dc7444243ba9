//! How a runtime is opened, and the devices that it knows.

use std::env;
use std::num::NonZeroUsize;
use std::sync::Arc;

use seawall_core::cache::Hands;
use seawall_core::device::{Device, SubgroupSize};
use seawall_core::reference;
use seawall_core::route::{self, Absent, Asker, Because, Registry, Why};
use seawall_core::sanitize;
use seawall_cpu::{Crew, Process};

use super::{Runtime, named};
use crate::error::Error;
use crate::loaded::{Loads, Splits};

/// Chooses the device when the caller does not.
pub const DEVICE_VARIABLE: &str = "SEAWALL_DEVICE";

/// How many worker threads the CPU device has when the caller does not say.
pub const THREADS_VARIABLE: &str = "SEAWALL_THREADS";

/// Jobs that run at once; runs take turns on a device anyway.
const JOBS_MAX: usize = 16;

const JOB_STACK_BYTES: usize = 2 << 20;

const CPU_PRECEDENCE: i32 = 0;

/// The last resort: it is there to define results, not to give them soon.
const REFERENCE_PRECEDENCE: i32 = -30;

/// Below the CPU device: it must be asked for, or be the only one that can run a program.
#[cfg(feature = "gpu")]
const GPU_PRECEDENCE: i32 = -20;

/// How to open a [`Runtime`].
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// let runtime = seawall::Runtime::builder().device("reference").open()?;
/// assert_eq!(runtime.caps().id, "reference");
///
/// // With a seed, invocations are interleaved in another order, the same one at each run.
/// let runtime = seawall::Runtime::builder().seed(7).open()?;
/// let add = runtime.kernel(
///     "@group(0) @binding(0) var<storage, read_write> sum: u32;
///      @compute @workgroup_size(64) fn main() { sum += 1u; }",
/// )?;
/// let mut sum = [0u32];
/// runtime.call(&add).bind("sum", &mut sum).workgroups(1).run()?;
/// assert!(sum[0] < 64, "without atomics some additions are lost");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Builder {
    device: Option<String>,
    seed: Option<u64>,
    sanitize: Option<sanitize::Config>,
    counts_steps: bool,
    contract: bool,
    subgroup: SubgroupSize,
    threads: Option<NonZeroUsize>,
    #[cfg(feature = "gpu")]
    slice: Option<std::time::Duration>,
    #[cfg(feature = "gpu")]
    budget_bytes: Option<u64>,
}

impl Builder {
    /// This device and no other.
    #[must_use]
    pub fn device(mut self, id: &str) -> Self {
        self.device = Some(id.to_owned());
        self
    }

    /// Interleaves invocations by this seed instead of in order. Only the reference device
    /// can, so it is chosen; another one that was asked for is an error.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Watches what is run, and ends it in [`device::Error::Unsound`] if it finds a race or an access
    /// out of bounds, with both places in the source; what is no error is in
    /// [`device::Stats::findings`]. Only the reference device can, as with [`Self::seed`].
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// use seawall::{Error, device, sanitize};
    ///
    /// let runtime = seawall::Runtime::builder().sanitize(sanitize::Config::default()).open()?;
    /// let sum = runtime.kernel(
    ///     "@group(0) @binding(0) var<storage, read_write> sum: u32;
    ///      @compute @workgroup_size(64)
    ///      fn main(@builtin(local_invocation_index) i: u32) { sum += i; }",
    /// )?;
    /// let mut total = [0u32];
    /// let Err(Error::Device(device::Error::Unsound(found))) =
    ///     runtime.call(&sum).bind("sum", &mut total).workgroups(1).run()
    /// else {
    ///     panic!("it has a race")
    /// };
    /// assert!(found.list.iter().all(|finding| finding.diagnostic.code == "race"));
    /// println!("{found}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// [`device::Error::Unsound`]: seawall_core::device::Error::Unsound
    /// [`device::Stats::findings`]: seawall_core::device::Stats::findings
    #[must_use]
    pub fn sanitize(mut self, config: sanitize::Config) -> Self {
        self.sanitize = Some(config);
        self
    }

    /// A device that counts statements, so that [`Control::steps_max`] holds: the reference
    /// device, as with [`Self::seed`].
    ///
    /// [`Control::steps_max`]: seawall_core::device::Control::steps_max
    #[must_use]
    pub fn count_steps(mut self) -> Self {
        self.counts_steps = true;
        self
    }

    /// The CPU device has so many worker threads, rather than as many as [`THREADS_VARIABLE`] says or
    /// the machine runs at once.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Subgroups of the CPU and the reference device have so many invocations, rather than 32. A GPU has
    /// a size of its own.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// use seawall::device::SubgroupSize;
    ///
    /// let size = SubgroupSize::new(16).expect("a power of two from 4 to 128");
    /// let runtime = seawall::Runtime::builder().device("cpu").subgroup_size(size).open()?;
    /// let sums = runtime.kernel(
    ///     "enable subgroups;
    ///      @group(0) @binding(0) var<storage, read_write> sums: array<u32>;
    ///      @compute @workgroup_size(32)
    ///      fn main(@builtin(local_invocation_index) i: u32) { sums[i] = subgroupAdd(i); }",
    /// )?;
    /// let mut found = [0u32; 32];
    /// runtime.call(&sums).bind("sums", &mut found).workgroups(1).run()?;
    /// assert_eq!((found[0], found[31]), ((0..16).sum(), (16..32).sum()));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn subgroup_size(mut self, size: SubgroupSize) -> Self {
        self.subgroup = size;
        self
    }

    /// The GPU device hands its adapter work for no longer than this at a time, as far as it can
    /// tell; a fifth of a second otherwise.
    #[cfg(feature = "gpu")]
    #[must_use]
    pub fn gpu_slice(mut self, slice: std::time::Duration) -> Self {
        self.slice = Some(slice);
        self
    }

    /// The GPU device takes no more memory than this, staging included.
    #[cfg(feature = "gpu")]
    #[must_use]
    pub fn gpu_budget(mut self, bytes: u64) -> Self {
        self.budget_bytes = Some(bytes);
        self
    }

    /// Whether a product and a sum may be rounded once instead of twice where that is faster. The
    /// CPU device then no longer gives the reference's bits; the reference device never does it.
    #[must_use]
    pub fn contract(mut self, allowed: bool) -> Self {
        self.contract = allowed;
        self
    }

    /// The devices that this build knows.
    pub fn registry(&self) -> Result<Registry, Error> {
        self.registry_with(&seawall_cpu::compilers())
    }

    /// The same, with these threads to compile on.
    fn registry_with(&self, compilers: &Arc<Crew>) -> Result<Registry, Error> {
        let config = reference::Config { seed: self.seed, subgroup: self.subgroup, sanitize: self.sanitize };
        let hands = compilers.clone() as Arc<dyn Hands>;
        let open = {
            let hands = hands.clone();
            move || Ok(Arc::new(reference::Device::with_hands(config, Some(hands.clone()))) as Arc<dyn Device>)
        };
        let threads = self.threads_wanted()?;
        let (subgroup, contract) = (self.subgroup, self.contract);
        let config = seawall_cpu::Config { threads, subgroup, contract, ..seawall_cpu::Config::default() };
        let compilers = compilers.clone();
        let cpu = move || match seawall_cpu::Device::open_with(config, compilers.clone()) {
            Ok(device) => Ok(Arc::new(device) as Arc<dyn Device>),
            Err(error) => Err(Absent { reason: error.to_string() }),
        };
        let registry = Registry::default().register(seawall_cpu::ID, CPU_PRECEDENCE, cpu)?;
        let registry = registry.register(reference::ID, REFERENCE_PRECEDENCE, open)?;
        #[cfg(feature = "gpu")]
        let registry = gpu::register(registry, self.slice, self.budget_bytes, &hands)?;
        Ok(registry)
    }

    /// Opens the device asked for here, or else by [`DEVICE_VARIABLE`], or else the best one.
    pub fn open(self) -> Result<Runtime, Error> {
        let compilers = seawall_cpu::compilers();
        let (registry, threads) = (self.registry_with(&compilers)?, self.threads_wanted()?);
        let asked = self.asked()?;
        let home = registry.choose(named(asked.as_ref()))?;
        if let (Some(_), Because::First { passed_over }) = (threads, &home.because) {
            // Who says how many threads the CPU device has does not want another one.
            let absent = passed_over.iter().find(|refusal| refusal.id == seawall_cpu::ID).map(|refusal| &refusal.why);
            if let Some(Why::Absent(absent)) = absent {
                return Err(route::Error::Absent { id: seawall_cpu::ID.to_owned(), absent: absent.clone() }.into());
            }
        }
        log::info!(target: "seawall::runtime", "device {} ({}): {}", home.device.caps().id, home.device.caps().name, home.because);
        let jobs = Arc::new(Crew::new("seawall job", JOBS_MAX, JOB_STACK_BYTES));
        Ok(Runtime {
            registry,
            asked,
            home,
            loaded: Loads::default(),
            splits: Splits::default(),
            compilers,
            jobs,
            process: Process::this(),
        })
    }

    /// How many worker threads the caller or else [`THREADS_VARIABLE`] asks for.
    fn threads_wanted(&self) -> Result<Option<NonZeroUsize>, Error> {
        let most = seawall_cpu::THREADS_MAX;
        let (asker, text) = match (self.threads, variable(THREADS_VARIABLE)) {
            (Some(threads), _) => ("`Builder::threads`", threads.to_string()),
            (None, Some(text)) => ("`SEAWALL_THREADS`", text),
            (None, None) => return Ok(None),
        };
        match text.parse::<NonZeroUsize>() {
            Ok(threads) if threads.get() <= most => Ok(Some(threads)),
            Ok(_) | Err(_) => Err(Error::Threads { asker, text, most }),
        }
    }

    /// The device that must run, and who says so.
    fn asked(self) -> Result<Option<(String, Asker)>, Error> {
        let from_environment = || variable(DEVICE_VARIABLE);
        let named =
            self.device.map(|id| (id, Asker::Caller)).or_else(|| from_environment().map(|id| (id, Asker::Environment)));
        let (asker, what) = match (self.sanitize, self.seed, self.counts_steps) {
            (Some(_), ..) => (Asker::Sanitizer, "the sanitizer"),
            (None, Some(_), _) => (Asker::Seed, "a seed"),
            (None, None, true) => (Asker::Steps, "a limit of statements"),
            (None, None, false) => return Ok(named),
        };
        match named {
            None => Ok(Some((reference::ID.to_owned(), asker))),
            Some((id, asker)) if id == reference::ID => Ok(Some((id, asker))),
            Some((device, _)) => Err(Error::ReferenceOnly { what, device }),
        }
    }
}

#[cfg(feature = "gpu")]
mod gpu {
    use std::sync::Arc;
    use std::time::Duration;

    use seawall_core::cache::Hands;
    use seawall_core::device;
    use seawall_core::route::{self, Absent, Member, Registry};
    use seawall_gpu::{Adapter, Config, Device, ID};

    pub(super) fn register(
        registry: Registry,
        slice: Option<Duration>,
        budget_bytes: Option<u64>,
        hands: &Arc<dyn Hands>,
    ) -> Result<Registry, route::Error> {
        let hands = hands.clone();
        let config = move |name: Option<&str>| Config {
            name: name.map(str::to_owned),
            slice,
            budget_bytes,
            hands: Some(hands.clone()),
            ..Config::default()
        };
        let named = config.clone();
        let open = move |name: Option<&str>| match Device::open(config(name)) {
            Ok(device) => Ok(Arc::new(device) as Arc<dyn device::Device>),
            Err(error) => Err(Absent { reason: error.to_string() }),
        };
        let member = move |adapter: Adapter| {
            let (id, config) = (adapter.id(), named(Some(&adapter.info.name)));
            let device = match Device::open_adapter(adapter, config) {
                Ok(device) => Ok(Arc::new(device) as _),
                Err(reason) => Err(Absent { reason }),
            };
            Member { id, device }
        };
        let list = move || seawall_gpu::list().into_iter().map(&member).collect();
        registry.register_family(ID, super::GPU_PRECEDENCE, open, list)
    }
}

/// What the environment says; an empty word says nothing, and one that is no text is none that we know.
fn variable(name: &str) -> Option<String> {
    env::var_os(name).filter(|word| !word.is_empty()).map(|word| word.to_string_lossy().into_owned())
}
