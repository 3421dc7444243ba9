// A list that grows past the end of its buffer loses what lies outside, and nothing else is written.
//! finds out-of-bounds
//! grid 1
//! in a = u32[0..40]
//! in start = u32[4]
//! in b = u32[9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]
//! out b = u32[9, 9, 9, 9, 1, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 19, 23, 24, 25]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage> start: u32;
@group(0) @binding(2) var<storage> a: array<u32>;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(1)
fn main() {
    var n = start;
    for (var i = 0u; i < arrayLength(&a); i++) {
        if keeps(a[i]) {
            b[n] = a[i] + 1u;
            n++;
        }
    }
}
