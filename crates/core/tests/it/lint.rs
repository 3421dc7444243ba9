//! Warnings: each where it is meant, and none where it is not.

use seawall_core::diag::{Report, Severity};
use seawall_core::lint;
use seawall_core::program::{Overrides, Program};

/// The codes of the warnings about a program and all its entry points, with what they point at.
fn warned(text: &str) -> Vec<(&'static str, String)> {
    let program = Program::wgsl(text).unwrap_or_else(|report| panic!("{report}"));
    let kernels: Vec<_> = program.entries().map(|entry| program.kernel(entry, &Overrides::new()).unwrap()).collect();
    let reports = lint::program(&program).into_iter().chain(kernels.iter().filter_map(|kernel| lint::kernel(kernel)));
    let told = |report: Report| {
        assert!(report.diagnostics.iter().all(|told| told.severity == Severity::Warning));
        let pointed = |told: &seawall_core::diag::Diagnostic| {
            let spans = told.labels.iter().map(|label| &text[label.span.start as usize..label.span.end as usize]);
            (told.code, spans.collect::<Vec<_>>().join(" | "))
        };
        report.diagnostics.iter().map(pointed).collect::<Vec<_>>()
    };
    reports.flat_map(told).collect()
}

#[test]
fn a_program_as_it_should_be_has_none() {
    let text = "struct S { n: atomic<u32>, v: u32 }
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<storage, read_write> s: S;
@compute @workgroup_size(1) fn first() { y[0] = x[0] + atomicLoad(&s.n); }
@compute @workgroup_size(1) fn second() { atomicAdd(&s.n, y[0]); }";
    assert_eq!(warned(text), []);
}

#[test]
fn a_binding_that_nobody_uses() {
    let text = "@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@group(0) @binding(1) var<uniform> forgotten: vec4<u32>;
fn helper() -> u32 { return forgotten.x; }
@compute @workgroup_size(1) fn main() { y[0] = 1u; }";
    let [(code, place)] = &warned(text)[..] else { panic!("one warning") };
    assert_eq!(*code, "unused-binding");
    assert!(place.contains("forgotten"), "{place}");
    assert_eq!(warned(&text.replace("= 1u", "= helper()")), []);
}

#[test]
fn a_buffer_that_is_only_read() {
    let text = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(1) fn main() { y[0] = x[0]; }";
    let [(code, place)] = &warned(text)[..] else { panic!("one warning") };
    assert_eq!(*code, "never-written");
    assert!(place.contains("x: array"), "{place}");
    // Another entry point that writes it is a reason.
    assert_eq!(warned(&format!("{text}\n@compute @workgroup_size(1) fn other() {{ x[1] = 2u; }}")), []);
}

#[test]
fn a_texture_that_is_only_read() {
    let text = "@group(0) @binding(0) var x: texture_storage_1d<r32uint, read_write>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(1) fn main() { y[0] = textureLoad(x, 0).x; }";
    let report = lint::program(&Program::wgsl(text).unwrap()).expect("a warning");
    let [warning] = &report.diagnostics[..] else { panic!("one warning") };
    assert_eq!(warning.code, "never-written");
    assert_eq!(warning.help, ["declare it as a texture with `read`, or write to it"]);
}

#[test]
fn a_kernel_without_a_result() {
    let text = "@group(0) @binding(0) var<storage, read> x: array<u32>;
@compute @workgroup_size(1) fn main() { let twice = 2u * x[0]; }";
    let codes: Vec<_> = warned(text).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["no-effect"]);
    assert_eq!(warned("@compute @workgroup_size(1) fn main() {}"), [("no-effect", String::new())]);
}

#[test]
fn they_are_rendered_as_warnings() {
    let program = Program::wgsl("@compute @workgroup_size(1) fn main() {}").unwrap();
    let report = lint::kernel(&program.kernel("main", &Overrides::new()).unwrap()).unwrap();
    let shown = "warning[no-effect]: `main` changes no buffer, so running it has no result
 = help: store what it computes in a `var<storage, read_write>` buffer";
    assert_eq!(report.to_string(), shown);
}

#[test]
fn subgroups_that_may_be_split_where_that_is_a_warning() {
    let text = |severity: &str| {
        format!(
            "enable subgroups;\ndiagnostic({severity}, subgroup_uniformity);\n\
             @group(0) @binding(0) var<storage, read_write> b: array<u32>;\n\
             @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {{\n\
             if i > 3u {{ b[i] = subgroupAdd(i); }}\n}}\n"
        )
    };
    let codes = |severity: &str| warned(&text(severity)).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    assert_eq!(codes("warning"), ["subgroup-divergence"]);
    assert_eq!([codes("off"), codes("info")].concat(), [""; 0]);
    assert!(Program::wgsl(&text("error")).is_err());
}
