//! grid 3
//! in limit = u32[4]
//! in a = u32[1, 9, 2, 8, 3, 7, 4, 6, 5, 1, 9, 2, 8, 3, 7, 4, 6, 5, 1, 9, 2, 8, 3, 7]
//! out out = u32[6000, 100, 6200, 300, 6400, 500, 600, 700, 800, 6900, 1000, 7100, 1200, 7300,
//!     1400, 1500, 1600, 1700, 7800, 1900, 8000, 2100, 8200, 2300, 10000, 100, 10200, 300, 10400,
//!     500, 600, 700, 800, 10900, 1000, 11100, 1200, 11300, 1400, 1500, 1600, 1700, 11800, 1900,
//!     12000, 2100, 12200, 2300, 15000, 100, 15200, 300, 15400, 500, 600, 700, 800, 15900, 1000,
//!     16100, 1200, 16300, 1400, 1500, 1600, 1700, 16800, 1900, 17000, 2100, 17200, 2300]
// Some invocations go on to the next turn ahead of the others, with the same counter as all; a
// turn may take the whole workgroup away, which has a barrier before it.
@group(0) @binding(0) var<uniform> limit: u32;
@group(0) @binding(1) var<storage> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(24)
fn main(@builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
    let some = a[local] > 3u;
    workgroupBarrier(); // redundant
    var k = 0u;
    var sum = local;
    while k < 7u {
        k++;
        switch limit {
            case 1u, 2u: {
                if group.x == 1u { return; }
            }
            default: {
                if k == limit + group.x { out[group.x * 24u + local] = sum * 100u; return; }
                if some { continue; }
            }
        }
        sum += k * 10u;
    }
    out[group.x * 24u + local] = sum + k;
}
