//! Adapters that are known to give wrong answers without a word, and what is done about each.
//! `docs/devices.md` tells the same to users.

/// What an adapter does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// All loops of an invocation, together with those of its neighbours, go round so often at the
    /// most; then each ends after one turn. Loops are watched (`watch`), and a run in which one is
    /// cut short fails.
    LoopTurns(u32),
}

/// By the driver's name, for whichever version: lavapipe has had its limit from the first on.
const FLAWS: [(wgpu::Backend, &str, Flaw); 1] = [(wgpu::Backend::Vulkan, "llvmpipe", Flaw::LoopTurns(65_535))];

impl Flaw {
    /// Those of an adapter.
    pub(crate) fn of(info: &wgpu::AdapterInfo) -> impl Iterator<Item = Self> {
        let (backend, driver) = (info.backend, info.driver.clone());
        FLAWS.into_iter().filter(move |(on, name, _)| *on == backend && *name == driver).map(|(.., flaw)| flaw)
    }

    /// How often loops go round, if the adapter has a limit.
    pub(crate) fn loop_turns(info: &wgpu::AdapterInfo) -> Option<u32> {
        Self::of(info).map(|Self::LoopTurns(turns)| turns).next()
    }
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::LoopTurns(turns) => {
                write!(f, "ends loops after {turns} turns of all in an invocation; runs where it does fail")
            }
        }
    }
}
