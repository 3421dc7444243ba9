//! out b = u32[2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn up(p: ptr<storage, u32, read_write>) { *p += 1; }

@compute @workgroup_size(1)
fn main() {
    for (var i = 0u; i < 2; i++) { switch i { case 0 { up(&b[0]); } default { up(&b[i - 1]); } } }
}
