//! Who writes machine code for this processor.

#[cfg(cranelift)]
use crate::clif;
#[cfg(x64)]
use crate::x64::Isa;

/// Who writes machine code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Cranelift: any processor that it knows, in vectors of 128 bits.
    Cranelift,
    /// Our own for x86-64, in vectors of 256 bits: AVX2 and what came with it, on Unix.
    Avx2,
    /// The same with AVX-512 (F, VL, BW and DQ), in vectors of 512 bits.
    Avx512,
}

/// The variable that chooses a back end.
const BACKEND: &str = "SEAWALL_BACKEND";

/// Its word for the better of our own.
const OWN: &str = "x64";

impl Backend {
    /// Every one, the best last.
    pub const ALL: [Self; 3] = [Self::Cranelift, Self::Avx2, Self::Avx512];

    /// Its name in the environment.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cranelift => "cranelift",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Whether its code runs on this processor.
    pub fn runs_here(self) -> bool {
        match self {
            Self::Cranelift => cfg!(cranelift),
            #[cfg(x64)]
            Self::Avx2 => Isa::Avx2.runs_here(),
            #[cfg(x64)]
            Self::Avx512 => Isa::Avx512.runs_here(),
            #[cfg(not(x64))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// The best that runs here.
    fn best() -> Option<Self> {
        Self::ALL.into_iter().rev().find(|backend| backend.runs_here())
    }

    /// What is asked for, here or in the environment, or the best that runs here; says why there is none.
    fn chosen(asked: Option<Self>) -> Result<Self, String> {
        let asked = match (asked, std::env::var_os(BACKEND)) {
            (Some(backend), _) => Some(backend),
            (None, None) => None,
            (None, Some(name)) => {
                let own = Self::best().filter(|best| *best != Self::Cranelift).unwrap_or(Self::Avx2);
                let named = |backend: &Self| name.to_str() == Some(backend.name());
                let found = if name == OWN { Some(own) } else { Self::ALL.into_iter().find(named) };
                let names = "`cranelift`, `x64`, or one of its levels, `avx2` and `avx512`";
                Some(found.ok_or_else(|| format!("{BACKEND} is `{}`: it can be {names}", name.display()))?)
            }
        };
        let needs = |backend: Self| match backend {
            Self::Cranelift => "needs the cargo feature `cranelift` of this build",
            Self::Avx2 => "needs an x86-64 processor with AVX2, and Unix",
            Self::Avx512 => "needs an x86-64 processor with AVX-512 (F, VL, BW and DQ), and Unix",
        };
        match asked {
            Some(backend) if backend.runs_here() => Ok(backend),
            Some(backend) => Err(format!("the back end `{}` {}", backend.name(), needs(backend))),
            None => Self::best().ok_or_else(|| {
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
    X64(Isa),
}

impl Target {
    /// By this back end if one is asked for; says why if there is none.
    pub(crate) fn native(backend: Option<Backend>) -> Result<Self, String> {
        Ok(match Backend::chosen(backend)? {
            #[cfg(cranelift)]
            Backend::Cranelift => Self::Cranelift(clif::Target::native()?),
            #[cfg(x64)]
            Backend::Avx2 => Self::X64(Isa::Avx2),
            #[cfg(x64)]
            Backend::Avx512 => Self::X64(Isa::Avx512),
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
            Self::X64(isa) => isa.lanes(),
        }
    }

    /// Whether products and sums can be fused.
    pub(crate) fn fuses(&self) -> bool {
        match self {
            #[cfg(cranelift)]
            Self::Cranelift(target) => target.features().fused,
            #[cfg(x64)]
            Self::X64(_) => true,
        }
    }

    /// Whether it loads one number for each lane at once, from anywhere.
    pub(crate) fn gathers(&self) -> bool {
        match self {
            #[cfg(cranelift)]
            Self::Cranelift(_) => false,
            #[cfg(x64)]
            Self::X64(isa) => isa.gathers(),
        }
    }

    /// Its name, for people.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            #[cfg(cranelift)]
            Self::Cranelift(target) => target.name(),
            #[cfg(x64)]
            Self::X64(isa) => isa.name(),
        }
    }
}
