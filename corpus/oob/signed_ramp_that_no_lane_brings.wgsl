// All lanes leave before the index is made, so that what stands for it is anything; it grows from below zero, and no
// load may follow it out of the table.
//! grid 2
//! in data = u32[9 x 128]
//! in sel = u32[1, 1, 1, 1]
//! in tab = u32[0..4097]
//! in out = u32[7 x 128]
//! out out = u32[0 x 128]
@group(0) @binding(0) var<storage> data: array<u32>;
@group(0) @binding(1) var<storage> sel: array<u32, 4>;
@group(0) @binding(2) var<storage> tab: array<u32, 4097>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local: u32, @builtin(global_invocation_id) id: vec3u) {
    var r = 0u;
    loop {
        if sel[1] != 0u {
            var v: i32;
            if sel[0] != 0u {
                if data[id.x] > 5u { break; }
                v = i32(local) * 64 - 4096;
            } else {
                v = i32(local) * 64 - 4090;
            }
            r = tab[u32(v + 4096)];
        }
        r++;
        break;
    }
    out[id.x] = r;
}
