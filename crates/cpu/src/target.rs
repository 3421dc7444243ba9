//! The code generator for this processor, and how hard it tries.

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};

/// How hard the code generator tries.
///
/// What is computed once before a loop stays in a register or on the stack through all of it,
/// and finding places for many such values takes time that grows with the square of their
/// number. A function of a hundred thousand instructions, which would take minutes so, is worth
/// more soon than it is fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effort {
    /// All optimisations.
    Most,
    /// Everything is computed where it is used.
    Less,
    /// And what was computed goes to the stack at the end of each block.
    Least,
}

impl Effort {
    /// The code generator's instructions, before it has optimised them.
    const MOST_MAX: usize = 12_000;
    const LESS_MAX: usize = 64_000;

    /// Regions inside one another that keep as many values alive as others do.
    const NESTING_PLAIN: usize = 16;

    /// Loops from which on the least effort takes longer than more: its time grows with the square of
    /// their number.
    pub(crate) const LOOPS_MANY: usize = 256;

    /// What a function of this many instructions is worth. Each region that others lie in keeps what
    /// comes after it alive through all of them: it counts as if there were so many more.
    pub(crate) fn of(instructions: usize, nesting: usize, loops: usize) -> Self {
        let instructions = instructions.saturating_mul(1 + nesting / Self::NESTING_PLAIN);
        let flat = nesting < Self::NESTING_PLAIN;
        if instructions <= Self::MOST_MAX {
            Self::Most
        } else if instructions <= Self::LESS_MAX || loops > Self::LOOPS_MANY && flat {
            Self::Less
        } else {
            Self::Least
        }
    }

    fn flags(self) -> [(&'static str, &'static str); 2] {
        let (optimise, registers) = match self {
            Self::Most => ("speed", "backtracking"),
            Self::Less => ("none", "backtracking"),
            Self::Least => ("none", "single_pass"),
        };
        [("opt_level", optimise), ("regalloc_algorithm", registers)]
    }
}

impl std::fmt::Display for Effort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Most => "most",
            Self::Less => "less",
            Self::Least => "least",
        })
    }
}

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
            Self::Cranelift => true,
            #[cfg(all(unix, target_arch = "x86_64"))]
            Self::X64 => crate::x64::X64::runs_here(),
            #[cfg(not(all(unix, target_arch = "x86_64")))]
            Self::X64 => false,
        }
    }

    /// 32-bit lanes of its vectors.
    pub(crate) fn lanes(self) -> u32 {
        match self {
            Self::Cranelift => 4,
            Self::X64 => 8,
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
        match asked {
            Some(backend) if !backend.runs_here() => {
                Err(format!("the back end `{}` needs an x86-64 processor with AVX2, and Unix", backend.name()))
            }
            Some(backend) => Ok(backend),
            None if Self::X64.runs_here() => Ok(Self::X64),
            None => Ok(Self::Cranelift),
        }
    }
}

/// The code generator, one for each effort.
pub(crate) struct Target {
    pub(crate) backend: Backend,
    most: OwnedTargetIsa,
    less: OwnedTargetIsa,
    least: OwnedTargetIsa,
}

impl Target {
    /// For the processor that this runs on; says why if there is none.
    pub(crate) fn native(backend: Option<Backend>) -> Result<Self, String> {
        let backend = Backend::chosen(backend)?;
        Ok(Self { backend, most: isa(Effort::Most)?, less: isa(Effort::Less)?, least: isa(Effort::Least)? })
    }

    pub(crate) fn isa(&self, effort: Effort) -> &OwnedTargetIsa {
        match effort {
            Effort::Most => &self.most,
            Effort::Less => &self.less,
            Effort::Least => &self.least,
        }
    }

    /// For what does not depend on the effort: the processor's features and conventions.
    pub(crate) fn any(&self) -> &OwnedTargetIsa {
        &self.most
    }
}

fn isa(effort: Effort) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let all = [
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        // A frame larger than a page must not step over the page that ends a stack.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
    ];
    for (key, value) in all.into_iter().chain(effort.flags()) {
        flags.set(key, value).map_err(|error| error.to_string())?;
    }
    let builder = cranelift_native::builder().map_err(str::to_owned)?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_functions_are_worth_less_effort() {
        let sizes = [0, 12_000, 12_001, 64_000, 64_001, usize::MAX];
        use Effort::{Least, Less, Most};
        assert_eq!(sizes.map(|size| Effort::of(size, 3, 3)), [Most, Most, Less, Less, Least, Least]);
        assert_eq!(Effort::of(12_000, 160, 3), Least, "deep nesting counts");
        assert_eq!(Effort::of(100_000, 3, 1000), Less, "many loops count");
    }
}
