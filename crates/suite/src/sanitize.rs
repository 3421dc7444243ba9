//! Tests under the sanitizer: it must find what a file says that it does, and nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;

use seawall_core::device::{self, Control, Device};
use seawall_core::diag::Severity;
use seawall_core::reference;
pub use seawall_core::sanitize::{Config, Findings};

use super::case::Case;
use super::run::Job;

/// What the sanitizer finds in a case, in plain order or by a seed.
pub fn findings(
    name: &str,
    source: &str,
    case: &Case,
    (seed, config): (Option<u64>, Config),
    control: &Control,
) -> Result<Findings, String> {
    let job = Job::new(name, source, case)?;
    let config = reference::Config { seed, subgroup: case.subgroup.unwrap_or_default(), sanitize: Some(config) };
    let device: Arc<dyn Device> = Arc::new(reference::Device::new(config));
    match job.run(&*device, control) {
        Ok((_, stats)) => Ok(stats.findings.expect("invariant watched: the device was told to look on")),
        Err(device::Error::Unsound(findings)) => Ok(*findings),
        Err(error) => Err(error.to_string()),
    }
}

/// The codes of all findings that are errors or notes; reads of what nobody wrote are the program's
/// own business, unless a file names them.
fn codes(findings: &Findings, named: &BTreeSet<String>) -> BTreeSet<String> {
    let told = findings.list.iter().map(|finding| &finding.diagnostic);
    let told = told.filter(|told| told.severity != Severity::Warning || named.contains(told.code));
    told.map(|told| told.code.to_owned()).collect()
}

/// The case shows what its `finds` say, and nothing else, in every order that it is tested in. What
/// is `racy` may show more: there, control may depend on the order.
pub fn judge(name: &str, source: &str, case: &Case, config: Config, control: &Control) -> Result<(), String> {
    let expected: BTreeSet<String> = case.finds.iter().cloned().collect();
    for seed in 0..=case.seeds(source).min(SEEDS_MAX) {
        let found = findings(name, source, case, ((seed > 0).then_some(seed), config), control)?;
        let codes = codes(&found, &expected);
        let right = if case.racy { expected.is_subset(&codes) } else { codes == expected };
        if !right {
            let order = if seed == 0 { "in plain order".to_owned() } else { format!("with seed {seed}") };
            let expected: Vec<String> = expected.into_iter().collect();
            let expected = if expected.is_empty() { "nothing".to_owned() } else { expected.join(", ") };
            return Err(format!("the sanitizer was to find {expected}; {order} it found\n{found}"));
        }
    }
    Ok(())
}

/// What races does so in every order, as long as control does not depend on it.
const SEEDS_MAX: u64 = 2;
