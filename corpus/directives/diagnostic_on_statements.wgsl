//! out b = u32[1, 3, 4, 1, 7]
diagnostic(warning, derivative_uniformity);
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@diagnostic(off, derivative_uniformity)
fn seven() -> u32 @diagnostic(off, derivative_uniformity) {
    return 7;
}

@compute @workgroup_size(1)
fn main() {
    @diagnostic(off, derivative_uniformity) { b[0] = 0; }
    @diagnostic(off, derivative_uniformity)
    if b[0] == 0 @diagnostic(info, subgroup_uniformity) { b[0] = 1; } else @diagnostic(off, my.rule,) { b[0] = 3; }
    var n = 0u;
    @diagnostic(off, derivative_uniformity) for (var i = 0u; i < 3; i++) @diagnostic(off, derivative_uniformity) { n += 1; }
    b[1] = n;
    @diagnostic(off, derivative_uniformity)
    loop { n += 1; continuing @diagnostic(off, derivative_uniformity) { break if n > 3; } }
    b[2] = n;
    @diagnostic(error, derivative_uniformity) while n > 1 { n -= 1; }
    b[3] = n;
    @diagnostic(off, derivative_uniformity) switch n @diagnostic(off, derivative_uniformity) {
        default @diagnostic(off, derivative_uniformity) { b[4] = seven(); }
    }
}
