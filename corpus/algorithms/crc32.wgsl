//! in lens = u32[0, 1, 9, 8]
//! in data = u32[0x0, 0x0, 0x0, 0x61, 0x0, 0x0, 0x34333231, 0x38373635, 0x39, 0x77616573, 0x216c6c61, 0x0]
//! out crc = u32[0x0, 0xe8b7be43, 0xcbf43926, 0x515f5caf]
// Of "", "a", "123456789" (0xcbf43926, the check value of the standard) and "seawall!".
@group(0) @binding(0) var<storage> lens: array<u32>;
@group(0) @binding(1) var<storage> data: array<array<u32, 3>>;
@group(0) @binding(2) var<storage, read_write> crc: array<u32>;

fn step(value: u32) -> u32 {
    return (value >> 1) ^ select(0u, 0xedb88320u, (value & 1) == 1);
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var value = ~0u;
    for (var k = 0u; k < lens[id.x]; k++) {
        value ^= (data[id.x][k / 4] >> (8 * (k % 4))) & 0xff;
        for (var bit = 0; bit < 8; bit++) {
            value = step(value);
        }
    }
    crc[id.x] = ~value;
}
