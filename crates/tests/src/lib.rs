//! What the tests share. Unpublished.

pub mod any;
pub mod kernels;
pub mod mutate;

use std::sync::Arc;

use seawall::Runtime;
use seawall_core::device::Device;

/// The devices of this build that can run here, with their ids. Says which cannot.
pub fn devices() -> Vec<(String, Arc<dyn Device>)> {
    let registry = Runtime::builder().registry().expect("the build registers each device once");
    let mut there = Vec::new();
    for slot in registry.slots() {
        match slot.device() {
            Ok(device) => there.push((slot.id.clone(), device.clone())),
            Err(absent) => println!("skipped: device `{}`: {absent}", slot.id),
        }
    }
    there
}

/// The README's code is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// So is that of the tutorial and of the pages on graphs and the kit.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorial.md")]
#[doc = include_str!("../../../docs/graphs.md")]
#[doc = include_str!("../../../docs/kit.md")]
#[doc = include_str!("../../../docs/kit-pieces.md")]
#[doc = include_str!("../../../docs/graph-algorithms.md")]
pub struct Graphs;
