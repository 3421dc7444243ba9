//! grid 4
//! in text = u8[115, 104, 101, 32, 115, 101, 108, 108, 115, 32, 115, 101, 97, 32, 115, 104, 101, 108, 108,
//!     115, 32, 98, 121, 32, 116, 104, 101, 32, 115, 101, 97, 32, 115, 104, 111, 114, 101, 44, 32, 115, 101,
//!     97, 115, 105, 100, 101, 32, 115, 101, 97, 108, 115, 32, 115, 101, 101, 32, 116, 104, 101, 32, 115,
//!     101, 97]
//! out bits = u32[268436480, 536903808]
//! out count = u32[5]
// Looks for "sea" in packed bytes; a bit for each place where it starts.
@group(0) @binding(0) var<storage> text: array<u32>;
@group(0) @binding(1) var<storage, read_write> bits: array<atomic<u32>, 2>;
@group(0) @binding(2) var<storage, read_write> count: atomic<u32>;

const NEEDLE = array(0x73u, 0x65u, 0x61u);

fn byte(at: u32) -> u32 {
    return extractBits(text[at / 4], 8 * (at % 4), 8);
}

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let bytes = 4 * arrayLength(&text);
    for (var k = 0u; k < 3; k++) {
        if id.x + k >= bytes || byte(id.x + k) != NEEDLE[k] {
            return;
        }
    }
    atomicOr(&bits[id.x / 32], 1u << (id.x % 32));
    atomicAdd(&count, 1);
}
