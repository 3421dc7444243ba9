//! Kernels that cases share.

use std::sync::Arc;

use seawall::{Kernel, Overrides, Program, Runtime};

pub(crate) fn runtime() -> Runtime {
    Runtime::builder().device("cpu").open().expect("a runtime")
}

/// `next` is twice `now` minus its neighbours, in a halo of one.
pub(crate) fn stencil() -> Arc<Kernel> {
    kernel(
        "@group(0) @binding(0) var<storage, read> now: array<u32>;
         @group(0) @binding(1) var<storage, read_write> next: array<u32>;
         @compute @workgroup_size(64)
         fn main(@builtin(global_invocation_id) id: vec3<u32>) {
             let i = id.x + 1u;
             if i + 1u < arrayLength(&now) { next[i] = 3u * now[i] + now[i - 1u] - now[i + 1u]; }
         }",
    )
}

/// Adds a number to each element.
pub(crate) fn add() -> Arc<Kernel> {
    kernel(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
         @group(0) @binding(1) var<uniform> by: u32;
         @compute @workgroup_size(64)
         fn main(@builtin(global_invocation_id) id: vec3<u32>) {
             if id.x < arrayLength(&v) { v[id.x] += by; }
         }",
    )
}

pub(crate) fn kernel(text: &str) -> Arc<Kernel> {
    let program = Program::wgsl(text).expect("a program");
    program.kernel("main", &Overrides::new()).expect("a kernel")
}
