//! in p = u32[2, 7]
//! out b = u32[7, 9, 11, 13]
struct Line { step: u32, first: u32 }
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn line(at: u32) -> u32 {
    let whole = p;
    return whole.first + at * p.step;
}

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    b[i] = line(i);
}

var<immediate> p: Line;
