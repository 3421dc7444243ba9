//! What passes have shown can be derived where code is written: nothing that they do is undone.

use std::fs;
use std::path::Path;

use seawall_core::program::{Overrides, Program};
use seawall_cpu::{Config, Stage, dump};

#[test]
fn no_mark_of_a_pass_is_lost() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut kernels = 0;
    for folder in ["bench/kernels", "corpus/control", "corpus/oob", "corpus/workgroup", "examples"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let Ok(program) = Program::wgsl(&text) else { continue };
            let entries: Vec<String> = program.entries().map(str::to_owned).collect();
            for kernel in entries.iter().filter_map(|name| program.kernel(name, &Overrides::new()).ok()) {
                let remarks = dump(&kernel, Stage::Remarks, Config::default());
                let remarks = remarks.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                assert!(!remarks.contains("cannot be derived"), "{}\n{remarks}", path.display());
                kernels += 1;
            }
        }
    }
    assert!(kernels > 150, "{kernels} kernels");
}
