//! in words = u32[107, 105, 116, 116, 101, 110, 0, 0, 115, 105, 116, 116, 105, 110, 103, 0, 102, 108, 97,
//!     119, 0 x 4, 108, 97, 119, 110, 0 x 12, 97, 98, 99, 0 x 5, 115, 101, 97, 119, 97, 108, 108, 0, 115,
//!     101, 97, 115, 104, 101, 108, 108]
//! out b = u32[3, 2, 3, 3]
// Of kitten and sitting, flaw and lawn, nothing and abc, seawall and seashell.
@group(0) @binding(0) var<storage> words: array<array<array<u32, 8>, 2>>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn length_of(word: array<u32, 8>) -> u32 {
    var n = 0u;
    while n < 8 && word[n] != 0 {
        n++;
    }
    return n;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = words[id.x][0];
    let q = words[id.x][1];
    var row: array<u32, 9>;
    for (var k = 0u; k < 9; k++) {
        row[k] = k;
    }
    for (var r = 0u; r < length_of(p); r++) {
        var corner = row[0];
        row[0] = r + 1;
        for (var c = 0u; c < length_of(q); c++) {
            let above = row[c + 1];
            row[c + 1] = min(min(above, row[c]) + 1, corner + u32(p[r] != q[c]));
            corner = above;
        }
    }
    b[id.x] = row[length_of(q)];
}
