//! threads 19
//! in b = u32[9 x 24]
//! out b = u32[35341133, 36296399, 1202593, 1263169, 39158345, 40113611, 1325729, 1386305, 42975573,
//!     2147529354, 1448865, 48694, 48694, 49680, 1638, 1703, 52658, 1735, 1766, 9 x 5]
// A loop of six turns that lanes skip parts of, break out of and return from, each in its own turn.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = id.x;
    if x >= 19u {
        return;
    }
    var acc = 1u;
    for (var k = 0u; k < 6u; k++) {
        if (x + k) % 4u == 3u {
            continue;
        }
        if x * k > 40u {
            break;
        }
        acc = acc * 31u + k + x;
        if x % 5u == 4u && k == 3u {
            b[x] = acc | 0x80000000u;
            return;
        }
        acc += 7u;
    }
    b[x] = acc ^ 5u;
}
