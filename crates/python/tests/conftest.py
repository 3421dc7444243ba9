"""What the tests share: programs, and a runtime for each device that is here."""

import numpy as np
import pytest

import seawall

SAXPY = """
struct P { a: f32, n: u32 }
@group(0) @binding(0) var<uniform> p: P;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < p.n { y[id.x] += p.a * x[id.x]; }
}
"""

SQUARE = """
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = x[id.x] * x[id.x]; }
}
"""

ENDLESS = """
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(1) fn main() { loop { v[0] += 1u; if v[1] != 0u { break; } } }
"""

HERE = [device["id"] for device in seawall.devices() if "absent" not in device]
DEVICES = ["cpu", "reference"] + [device for device in HERE if device.startswith("gpu")]


@pytest.fixture(scope="session", params=DEVICES)
def runtime(request):
    return seawall.Runtime(request.param)


@pytest.fixture
def x():
    return np.arange(100, dtype=np.float32)
