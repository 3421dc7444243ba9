//! Who writes machine code for this processor.

#[cfg(cranelift)]
use crate::clif;

/// Who writes machine code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Cranelift: any processor that it knows, in vectors of 128 bits.
    Cranelift,
    /// Our own, in vectors of 256 bits: for x86-64 with AVX2 and what came with it, on Unix.
    X64,
}

/// The variable that chooses a back end.
const BACKEND: &str = "SEAWALL_BACKEND";

impl Backend {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::Cranelift, Self::X64];

    /// Its name in the environment.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cranelift => "cranelift",
            Self::X64 => "x64",
        }
    }

    /// Whether its code runs on this processor.
    pub fn runs_here(self) -> bool {
        match self {
            Self::Cranelift => cfg!(cranelift),
            #[cfg(x64)]
            Self::X64 => crate::x64::X64::runs_here(),
            #[cfg(not(x64))]
            Self::X64 => false,
        }
    }

    /// What is asked for, here or in the environment, or the best that runs here; says why there is none.
    fn chosen(asked: Option<Self>) -> Result<Self, String> {
        let asked = match (asked, std::env::var_os(BACKEND)) {
            (Some(backend), _) => Some(backend),
            (None, None) => None,
            (None, Some(name)) => {
                let named = |backend: &Self| name.to_str() == Some(backend.name());
                let unknown = || format!("{BACKEND} is `{}`: it can be `cranelift` or `x64`", name.display());
                Some(Self::ALL.into_iter().find(named).ok_or_else(unknown)?)
            }
        };
        let needs = |backend: Self| match backend {
            Self::Cranelift => "needs the cargo feature `cranelift` of this build",
            Self::X64 => "needs an x86-64 processor with AVX2, and Unix",
        };
        match asked {
            Some(backend) if backend.runs_here() => Ok(backend),
            Some(backend) => Err(format!("the back end `{}` {}", backend.name(), needs(backend))),
            None => Self::ALL.into_iter().rev().find(|backend| backend.runs_here()).ok_or_else(|| {
                "this processor has no AVX2; the cargo feature `cranelift` brings code for others".to_owned()
            }),
        }
    }
}

/// The code generator for this processor.
pub(crate) enum Target {
    #[cfg(cranelift)]
    Cranelift(clif::Target),
    #[cfg(x64)]
    X64,
}

impl Target {
    /// By this back end if one is asked for; says why if there is none.
    pub(crate) fn native(backend: Option<Backend>) -> Result<Self, String> {
        Ok(match Backend::chosen(backend)? {
            #[cfg(cranelift)]
            Backend::Cranelift => Self::Cranelift(clif::Target::native()?),
            #[cfg(x64)]
            Backend::X64 => Self::X64,
            #[cfg(not(all(cranelift, x64)))]
            other => unreachable!("invariant back ends: {} does not run here", other.name()),
        })
    }

    /// 32-bit lanes of its vectors.
    pub(crate) fn lanes(&self) -> u32 {
        match self {
            #[cfg(cranelift)]
            Self::Cranelift(_) => 4,
            #[cfg(x64)]
            Self::X64 => 8,
        }
    }

    /// Whether products and sums can be fused.
    pub(crate) fn fuses(&self) -> bool {
        match self {
            #[cfg(cranelift)]
            Self::Cranelift(target) => target.features().fused,
            #[cfg(x64)]
            Self::X64 => true,
        }
    }

    /// Its name, for people.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            #[cfg(cranelift)]
            Self::Cranelift(target) => target.name(),
            #[cfg(x64)]
            Self::X64 => "x64 with AVX2",
        }
    }
}
