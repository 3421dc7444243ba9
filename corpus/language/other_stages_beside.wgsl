//! out b = u32[1]
//! entry main
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@vertex fn vs() -> @builtin(position) vec4f { return vec4f(); }
@fragment fn fs() -> @location(0) vec4f { return vec4f(dpdx(1.0)); }

@compute @workgroup_size(1)
fn main() {
    b[0] = 1;
}
