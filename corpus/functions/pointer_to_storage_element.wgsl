//! in a = u32[1, 2, 3, 4, 5, 6]
//! out b = u32[22, 35, 48, 0, 5, 7]
struct Pair { x: u32, y: u32 }
struct Out { total: array<u32, 3>, pad: u32, pairs: array<Pair> }
@group(0) @binding(0) var<storage> a: array<array<u32, 2>, 3>;
@group(0) @binding(1) var<storage, read_write> b: Out;

fn sum(row: ptr<storage, array<u32, 2>>) -> u32 { return (*row)[0] + row[1]; }
fn add(to: ptr<storage, u32, read_write>, n: u32) { *to += n; }
fn fill(pair: ptr<storage, Pair, read_write>, n: u32) {
    add(&pair.x, n);
    add(&(*pair).y, n + 2);
}

@compute @workgroup_size(1)
fn main() {
    for (var i = 0; i < 3; i++) {
        // The index is what it was when the pointer was made.
        let row = &a[i];
        let to = &b.total[i];
        add(to, sum(row));
        add(to, u32(i) * 7 + 8 + (2 * u32(i) + 11));
    }
    fill(&b.pairs[0], 5);
}
