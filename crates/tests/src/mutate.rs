//! Takes barriers away: a corpus that stays green without them tests nothing.

use seawall_suite::case::Case;
use seawall_suite::run::{self, Bench};
use seawall_suite::sanitize::{self, Config};

/// Says that a barrier is there for its own sake, and that nothing breaks without it.
const REDUNDANT: &str = "// redundant";

/// Says that nothing but atomics is touched on both sides of a barrier.
const ORDERS_ATOMICS: &str = "// orders atomics";

/// Statements that an invocation of a mutant may execute: many, but not for minutes.
const STEPS_MAX: u64 = 1 << 20;

/// The source without one of its barriers, for each of them; and the line, counted from 1.
pub fn without_barriers(source: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = source.lines().collect();
    let barriers = ["workgroupBarrier();", "storageBarrier();", "gridBarrier();"];
    let barrier = |line: &str| barriers.iter().any(|call| line.trim().starts_with(call));
    let taken = (0..lines.len()).filter(|&at| barrier(lines[at]) && !lines[at].contains(REDUNDANT));
    let without = |at: usize| {
        let rest = lines.iter().enumerate().map(|(i, &line)| if i == at { "" } else { line });
        rest.collect::<Vec<_>>().join("\n")
    };
    taken.map(|at| (at + 1, without(at))).collect()
}

/// The sanitizer misses each barrier that is taken away, but for those between atomics, which do not
/// race whatever their order.
pub fn barriers_are_missed(name: &str, source: &str, case: &Case) -> Result<(), String> {
    let case = Case { racy: true, seeds: None, steps: Some(STEPS_MAX), ..case.clone() };
    for (line, mutant) in without_barriers(source) {
        if run::is_refused(name, &mutant, &case)? {
            continue;
        }
        let found = sanitize::findings(name, &mutant, &case, (None, Config::default()), &case.control())?;
        let races = found.list.iter().any(|finding| finding.diagnostic.code == "race");
        let text = source.lines().nth(line - 1).unwrap_or_default();
        if races == text.contains(ORDERS_ATOMICS) {
            return Err(format!("without the barrier on line {line} (`{}`) it finds\n{found}", text.trim()));
        }
    }
    Ok(())
}

/// Every barrier of the case is needed: without it some order of the invocations breaks the result.
pub fn barriers_matter(bench: &Bench, name: &str, source: &str, case: &Case) -> Result<(), String> {
    let case = Case { racy: true, seeds: None, steps: Some(STEPS_MAX), ..case.clone() };
    for (line, mutant) in without_barriers(source) {
        if !run::breaks(bench, name, &mutant, &case)? {
            return Err(format!("nothing breaks without the barrier on line {line} (`{REDUNDANT}` if that is meant)"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_one_at_a_time() {
        let source = "a\n    workgroupBarrier();\n//! x\n  storageBarrier(); // why\nworkgroupBarrier(); // redundant\nb = 1; // workgroupBarrier();\ngridBarrier();";
        let mutants = without_barriers(source);
        assert_eq!(mutants.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 4, 7]);
        assert_eq!(mutants[0].1, source.replacen("    workgroupBarrier();", "", 1));
        assert_eq!(mutants[1].1, source.replacen("  storageBarrier(); // why", "", 1));
        assert_eq!(mutants[2].1, source.replacen("gridBarrier();", "", 1));
    }
}
