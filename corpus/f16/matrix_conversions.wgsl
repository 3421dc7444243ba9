//! in a = f32[1, 2, 3] pad[4] f32[4, 0.5, -6] pad[4]
//! out h = f16[1, 2, 3] pad[2] f16[4, 0.5, -6] pad[2]
//! out f = f32[1, 2, 3] pad[4] f32[4, 0.5, -6] pad[4]
enable f16;

@group(0) @binding(0) var<storage> a: mat2x3f;
@group(0) @binding(1) var<storage, read_write> h: mat2x3h;
@group(0) @binding(2) var<storage, read_write> f: mat2x3f;

// From f32 to f16 and back, whole matrices at a time.
@compute @workgroup_size(1)
fn main() {
    let narrow = mat2x3h(a);
    h = narrow;
    f = mat2x3f(narrow);
}
