//! The barrier planner, proved by the check that its tests use.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seawall_core::barrier::case::TestCase;

fuzz_target!(|case: TestCase| case.run());
