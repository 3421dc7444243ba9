//! grid 3
//! out b = u32[1657623559, 449919306, 1874940811, 1160325589, 3537207391, 110440971, 653293411, 1180377355,
//!     396729117, 2902985687, 0, 0]
// Too many turns to be written out, few enough to need no question in between.
@group(0) @binding(0) var<storage, read_write> b: array<u32, 12>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = id.x;
    if x >= 10u {
        return;
    }
    var acc = x;
    for (var i = 0u; i < 100u; i++) {
        for (var j = 0u; j < 40u; j++) {
            if (acc >> 7u) % 97u == 5u {
                break;
            }
            acc = acc * 31u + (i ^ j);
        }
        if acc % 1000u == x {
            break;
        }
    }
    b[x] = acc;
}
