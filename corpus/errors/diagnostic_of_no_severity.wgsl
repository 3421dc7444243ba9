@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    @diagnostic(loud, derivative_uniformity) { b[0] = 1; } //~ error[invalid]
}
