//! WGSL text, on the host devices and on memory with edges, by the case that the tests use.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seawall_tests::any;

fuzz_target!(|bytes: &[u8]| {
    let _verdict = any::wgsl(bytes);
});
