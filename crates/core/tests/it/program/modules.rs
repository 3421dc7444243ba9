//! Modules that were made elsewhere.

use seawall_core::naga::{self, Module};
use seawall_core::program::{Overrides, Program};

fn parsed(text: &str) -> Module {
    naga::front::wgsl::parse_str(text).unwrap()
}

fn main(factor: u32) -> String {
    format!(
        "override size: u32 = 64;
         @group(0) @binding(0) var<storage, read_write> v: array<u32>;
         @compute @workgroup_size(size) fn main(@builtin(local_invocation_index) i: u32) {{ v[i] *= {factor}u; }}"
    )
}

#[test]
fn kernels_of_modules_are_told_apart_without_their_texts() {
    let kernel = |factor, size: f64| {
        let program = Program::module(parsed(&main(factor)), "made", "").unwrap();
        program.kernel("main", &Overrides::from([("size".to_owned(), size)])).unwrap()
    };
    assert_eq!(kernel(2, 32.0), kernel(2, 32.0));
    assert_ne!(kernel(2, 32.0), kernel(3, 32.0));
    assert_ne!(kernel(2, 32.0), kernel(2, 16.0));
    assert_eq!(kernel(2, 16.0).workgroup_size, [16, 1, 1]);
}

#[test]
fn a_module_is_refused_like_a_text() {
    let text = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
        @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
            if v[i] == 1u { workgroupBarrier(); }
        }";
    let with_text = Program::module(parsed(text), "barrier.wgsl", text).unwrap_err();
    assert_eq!(with_text.diagnostics, Program::wgsl(text).unwrap_err().diagnostics);
    assert!(with_text.to_string().contains("barrier.wgsl:3"), "{with_text}");
    // Without it there is nothing to point at.
    let without = Program::module(parsed(text), "barrier.wgsl", "").unwrap_err();
    assert_eq!(without.diagnostics, with_text.diagnostics);
    assert!(!without.to_string().contains("barrier.wgsl:"), "{without}");
}
