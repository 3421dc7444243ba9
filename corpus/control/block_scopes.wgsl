//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[6, 107, 208, 309, 410, 511, 612, 713]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var x = a[id.x];
    {
        let y = x + 1;
        {
            let y = 100 * x;
            x = y;
        }
        x += y;
    }
    {
        let y = 5u;
        x += y;
    }
    b[id.x] = x;
}
