//! Which back ends are compiled: `x64` where its code can run, `cranelift` elsewhere and on request.

use std::env::var_os;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(x64)");
    println!("cargo::rustc-check-cfg=cfg(cranelift)");
    let x64 =
        var_os("CARGO_CFG_UNIX").is_some() && var_os("CARGO_CFG_TARGET_ARCH").is_some_and(|arch| arch == "x86_64");
    if x64 {
        println!("cargo::rustc-cfg=x64");
    }
    if !x64 || var_os("CARGO_FEATURE_CRANELIFT").is_some() {
        println!("cargo::rustc-cfg=cranelift");
    }
}
