//! What `seawall --version` says beyond the number: the commit, the target and the features.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let features = ["gpu", "spirv", "glsl"].into_iter().filter(|feature| {
        let variable = format!("CARGO_FEATURE_{}", feature.to_uppercase());
        env::var_os(variable).is_some()
    });
    let features: Vec<&str> = features.collect();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    println!("cargo::rustc-env=SEAWALL_FEATURES={features}");
    println!("cargo::rustc-env=SEAWALL_TARGET={}", env::var("TARGET").unwrap_or_default());
    println!("cargo::rustc-env=SEAWALL_COMMIT={}", commit().unwrap_or_else(|| "unknown".to_owned()));
}

/// Of the repository that this is built in, or else of the one that it was packaged from.
fn commit() -> Option<String> {
    let here = env::var("CARGO_MANIFEST_DIR").ok()?;
    let packaged = Path::new(&here).join(".cargo_vcs_info.json");
    if let Ok(text) = fs::read_to_string(packaged) {
        let (_, rest) = text.split_once("\"sha1\": \"")?;
        return rest.get(..12).map(str::to_owned);
    }
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).current_dir(&here).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    // Another commit is another version, whether a branch was moved or another one taken.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(&here).join(path).exists())
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}
