//! `docs/fast.md` is made of the remarks about its kernels: each block of WGSL is followed by what the passes say of
//! it. `SEAWALL_BLESS=1` writes them into the page.

use std::fs;
use std::path::Path;

use seawall_core::program::{Overrides, Program};
use seawall_cpu::{Backend, Config, Stage, dump};

const FENCE: &str = "```";

fn remarks(text: &str) -> String {
    let program = Program::wgsl(text).unwrap_or_else(|report| panic!("{report}\n{text}"));
    let kernel = program.kernel("main", &Overrides::new()).unwrap();
    // The page shows what comes of vectors of 256 bits.
    dump(&kernel, Stage::Remarks, Config { backend: Some(Backend::Avx2), ..Config::default() }).unwrap()
}

#[test]
fn the_page_says_what_the_passes_say() {
    if !Backend::Avx2.runs_here() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/fast.md");
    let page = fs::read_to_string(&path).unwrap();
    let mut parts: Vec<String> = page.split(FENCE).map(str::to_owned).collect();
    let kernels: Vec<usize> = (1..parts.len()).step_by(2).filter(|&at| parts[at].starts_with("wgsl\n")).collect();
    assert!(kernels.len() >= 6, "{} kernels", kernels.len());
    for at in kernels {
        assert!(parts[at + 2].starts_with("text\n"), "after\n{}", parts[at]);
        parts[at + 2] = format!("text\n{}", remarks(parts[at].strip_prefix("wgsl\n").unwrap()));
    }
    let made = parts.join(FENCE);
    if std::env::var_os("SEAWALL_BLESS").is_some() {
        fs::write(&path, made).unwrap();
    } else {
        assert_eq!(made, page, "SEAWALL_BLESS=1 writes the page");
    }
}
