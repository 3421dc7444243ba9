//! The readback planner, proved by the check that its tests use.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seawall_core::readback::case::TestCase;

fuzz_target!(|case: TestCase| case.run());
