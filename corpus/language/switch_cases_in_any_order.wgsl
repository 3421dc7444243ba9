//! out b = u32[10, 20, 30, 40, 30, 50]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
const one = 1;

@compute @workgroup_size(1)
fn main() {
    for (var i = 0; i < 6; i++) {
        var r = 0u;
        switch i {
            case 0: { r = 10; }
            default { r = 30; }
            case one, { r = 20; }
            case one + 2: { r = 40; }
            case 5, 6 { r = 50; }
        }
        b[i] = r;
    }
}
