//! What drivers are known to do wrong never reaches a result.

use seawall_core::device::{Device as _, Error};
use seawall_gpu::Config;

use crate::support::{self, call, kernel};

/// Loops in every form: each goes round as often as `n` says, for one invocation of eight.
const FORMS: [&str; 7] = [
    "for (var i = 0u; i < turns; i++) { c++; }",
    "while c < turns { c++; }",
    "loop { if c >= turns { break; } c++; }",
    "loop { c++; continuing { break if c >= turns; } }",
    "c = counted(turns);",
    // The break of the switch is not one of the loop.
    "loop { switch c % 3u { case 1u: { c++; break; } default: { c++; } } if c >= turns { break; } }",
    // A loop around it that goes round once.
    "for (var j = 0u; j < 1u; j++) { for (var i = 0u; i < turns; i++) { c++; if i % 2u == 3u { continue; } } }",
];

/// lavapipe ends loops after 65,535 turns: a run is right, or it fails by name. Other drivers are right.
pub(crate) fn loops_cut_short() {
    let device = support::open(Config::default());
    let flawed = device.caps().facts.iter().any(|(what, _)| what == "flaw");
    for form in FORMS {
        let source = format!(
            "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
fn counted(turns: u32) -> u32 {{ var c = 0u; for (var i = 0u; i < turns; i++) {{ if c == turns {{ return 7u; }} c++; }} return c; }}
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {{
    let turns = v[id.x];
    var c = 0u;
    {form}
    v[id.x] = c;
}}"
        );
        let check = call(&kernel(&source), [2, 1, 1], &[64]);
        let loaded = device.load(check).unwrap_or_else(|error| panic!("{form}: {error}"));
        for turns in [60_000, 70_000, 1000] {
            let mut words: Vec<u32> = (1..17).collect();
            words[11] = turns;
            let mut hosts = [words.clone()];
            match support::run(&*loaded, &mut hosts) {
                Ok(_) => {
                    assert!(!flawed || turns < 65_536, "{form}: {turns}");
                    assert_eq!(hosts[0], words, "{form}: {turns}");
                }
                Err(Error::Unsupported(unsupported)) => {
                    assert!(flawed && turns > 65_535, "{form}: {turns}: {}", unsupported.report);
                    assert!(unsupported.report.to_string().contains("65535"), "{}", unsupported.report);
                }
                Err(error) => panic!("{form}: {turns}: {error}"),
            }
        }
    }
}
