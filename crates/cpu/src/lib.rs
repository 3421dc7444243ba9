//! Seawall's CPU device: WGSL compiled to vector code and run on worker threads.

#![allow(dead_code, reason = "the device that uses it all comes last")]

mod helpers;
mod ir;
mod build;
mod shape;
mod width;
mod context;
mod emit;
mod walk;
mod clif;
mod exec;
