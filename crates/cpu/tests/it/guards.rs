//! Memory with edges: who goes outside is stopped, and named.
#![cfg(target_os = "linux")]

use std::process::Command;

use seawall_core::device::Control;
use seawall_cpu::{Case, Config, Device, Edge};

use super::{run, words};

const COPY: &str = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(33)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] += id.x; }";

/// Whatever the size, with a guard on either side.
#[test]
fn results_are_the_same() {
    for edge in [Edge::Start, Edge::End] {
        let device = Device::open(Config { edge: Some(edge), ..Config::default() }).unwrap();
        for count in [1, 2, 31, 33, 1023, 1024, 1025, 5000] {
            let mut v = vec![0; 4 * count];
            run(&device, COPY, 152, &mut v, &Control::default()).unwrap();
            assert_eq!(words(&v), (0..count as u32).collect::<Vec<_>>());
        }
    }
}

/// The process dies as it would have, after the case was named. Run by the test below, in a process of
/// its own.
#[test]
#[ignore = "dies"]
fn touch() {
    let _device = Device::open(Config { edge: Some(Edge::End), ..Config::default() }).unwrap();
    let _case = Case::new("the case that dies");
    let past: *const u8 = std::ptr::without_provenance(4096);
    // SAFETY: none: nothing is there, and the test wants to see that.
    unsafe { past.read_volatile() };
}

#[test]
fn a_fault_names_the_case() {
    let me = std::env::current_exe().unwrap();
    let out = Command::new(me).args(["--ignored", "--exact", "guards::touch", "--nocapture"]).output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success());
    assert!(said.contains("touched at 0x0000000000001000") && said.contains("the case that dies"), "{said}");
}
