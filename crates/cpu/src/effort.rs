//! How hard the code generator tries.

use crate::cost;

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
    /// What a function of this many instructions is worth. Each region that others lie in keeps what
    /// comes after it alive through all of them: it counts as if there were so many more.
    pub(crate) fn of(instructions: usize, nesting: usize, loops: usize) -> Self {
        let instructions = instructions.saturating_mul(1 + nesting / cost::NESTING_PLAIN);
        let flat = nesting < cost::NESTING_PLAIN;
        if instructions <= cost::EFFORT_MOST {
            Self::Most
        } else if instructions <= cost::EFFORT_LESS || loops > cost::LOOPS_MANY && flat {
            Self::Less
        } else {
            Self::Least
        }
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

#[cfg(test)]
mod tests {
    use super::Effort::{Least, Less, Most};
    use super::*;

    #[test]
    fn larger_functions_are_worth_less_effort() {
        let sizes = [0, 12_000, 12_001, 64_000, 64_001, usize::MAX];
        assert_eq!(sizes.map(|size| Effort::of(size, 3, 3)), [Most, Most, Less, Less, Least, Least]);
        assert_eq!(Effort::of(12_000, 160, 3), Least, "deep nesting counts");
        assert_eq!(Effort::of(100_000, 3, 1000), Less, "many loops count");
    }
}
