//! out b = u32[1] pad[60] u32[2] pad[60] u32[3] pad[60]
//!   u32[4] pad[60] u32[5] pad[60] u32[6] pad[60]
//! out c = u32[7] pad[28] u32[8] pad[4] u32[9, 10] pad[16] u32[11] pad[4] u32[12, 13] pad[16]
// A member's `@align` counts for the struct, and for whatever holds the struct.
const LINE = 16;
struct Outer { x: u32, y: Cell, z: Same }
struct Inner { @align(LINE * 4) a: u32 }
alias Cell = Inner;
struct Same { a: Inner }

@group(0) @binding(0) var<storage, read_write> b: array<Outer, 2>;
@group(0) @binding(1) var<storage, read_write> c: Wide;

struct Wide { head: u32, parts: array<Pair, 2> }
struct Pair { @align(32) first: u32, @align(8) second: u32, @size(16) third: u32 }

@compute @workgroup_size(1)
fn main() {
    for (var i = 0u; i < 2; i++) {
        b[i].x = 3 * i + 1;
        b[i].y.a = 3 * i + 2;
        b[i].z.a.a = 3 * i + 3;
    }
    c.head = 7;
    c.parts[0] = Pair(8, 9, 10);
    c.parts[1] = Pair(11, 12, 13);
}
