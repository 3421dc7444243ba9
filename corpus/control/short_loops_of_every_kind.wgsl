//! threads 11
//! out b = u32[0, 4, 119197, 2908278298, 2620047141, 3254323354, 2527972062, 3908465922, 1, 35, 1042718,
//!     1111326939, 2109512964, 1216267065, 2558991869, 1724788995, 2, 66, 1966239, 3609342876,
//!     1598978787, 3473178072, 2590011676, 3836079364, 3, 97, 2889760, 1812391517, 1088444610,
//!     1435121783, 2621031483, 1652402437, 4, 128, 3813281, 15440158, 577910433, 3692032790,
//!     2652051290, 3763692806, 5, 159, 4736802, 2513456095, 67376256, 1653976501, 2683071097,
//!     1580015879, 6, 190, 5660323, 716504736, 3851809375, 3910887508, 2714090904, 3691306248, 7,
//!     221, 6583844, 3214520673, 3341275198, 1872831219, 2745110711, 1507629321, 8, 252, 7507365,
//!     1417569314, 2830741021, 4129742226, 2776130518, 3618919690, 9, 283, 8430886, 3915585251,
//!     2320206844, 2091685937, 2807150325, 1435242763, 10, 314, 9354407, 2118633892, 1809672667,
//!     53629648, 2838170132, 3546533132]
// Loops of so few turns that they may be written out: none, one, an odd number, counting down,
// around the end of the numbers, by factors.
@group(0) @binding(0) var<storage, read_write> b: array<u32, 88>;

fn step(acc: u32, i: u32) -> u32 {
    return acc * 31u + i;
}

@compute @workgroup_size(5)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= 11u {
        return;
    }
    var acc = id.x;
    for (var i = 3u; i < 3u; i++) {
        acc = step(acc, i);
    }
    b[8u * id.x] = acc;
    for (var i = 4u; i <= 4u; i++) {
        acc = step(acc, i);
    }
    b[8u * id.x + 1u] = acc;
    for (var i = 0u; i < 3u; i++) {
        acc = step(acc, i);
    }
    b[8u * id.x + 2u] = acc;
    for (var i = 6u; i > 0u; i--) {
        acc = step(acc, i);
    }
    b[8u * id.x + 3u] = acc;
    for (var i = 4294967293u; i != 2u; i++) {
        acc = step(acc, i);
    }
    b[8u * id.x + 4u] = acc;
    var i = 1u;
    loop {
        acc = step(acc, i);
        continuing {
            i *= 2u;
            break if i > 32u;
        }
    }
    b[8u * id.x + 5u] = acc;
    for (var k = -3; k < 5; k += 2) {
        acc = step(acc, u32(k));
    }
    b[8u * id.x + 6u] = acc;
    var s = 96u;
    while s > 0u {
        acc = step(acc, s);
        s >>= 1u;
    }
    b[8u * id.x + 7u] = acc;
}
