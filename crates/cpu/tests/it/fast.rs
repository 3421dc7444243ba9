//! The kernels of `docs/fast.md` become what it says.

use seawall_core::program::{Overrides, Program};
use seawall_cpu::{Backend, Config, Stage, dump};

const PAGE: &str = include_str!("../../../../docs/fast.md");

/// The blocks of the page in one language.
fn blocks(language: &str) -> Vec<&'static str> {
    let mut parts = PAGE.split("```");
    let mut blocks = Vec::new();
    while let (Some(_), Some(block)) = (parts.next(), parts.next()) {
        blocks.extend(block.strip_prefix(language).and_then(|text| text.strip_prefix('\n')));
    }
    blocks
}

#[test]
fn fast_kernels_become_what_the_page_says() {
    let (kernels, lines) = (blocks("wgsl"), blocks("text"));
    assert_eq!((kernels.len(), lines.len()), (4, 4));
    for (kernel, said) in kernels.into_iter().zip(lines) {
        let program = Program::wgsl(kernel).unwrap_or_else(|report| panic!("{report}\n{kernel}"));
        let kernel = program.kernel("main", &Overrides::new()).unwrap();
        // The page shows the widths of 256-bit vectors.
        let backend = Some(Backend::Avx2).filter(|backend| backend.runs_here());
        let text = dump(&kernel, Stage::Spmd, Config { backend, ..Config::default() }).unwrap();
        for line in said.lines().filter(|line| backend.is_some() || !line.starts_with("; width")) {
            assert!(text.lines().any(|other| other == line), "`{line}` is not in\n{text}");
        }
    }
}
