//! out b = f32[2, 12, 5, 7, 1, 9, 6]
// Names of builtin functions and types that mean something else, and constants that stand below
// what uses them.
@group(0) @binding(0) var<storage, read_write> b: array<f32>;

fn sin(x: f32) -> f32 { return x + 1.0; }
alias real = f32;
struct max { min: real }

fn shift(step: f32) -> f32 {
    let abs = step * 3.0; // abs(-1.0)
    return abs;
}

@compute @workgroup_size(1)
fn main() {
    b[0] = sin(1.0);
    b[1] = shift(LATER + 1.0);
    const LATER = 5.0;
    b[2] = LATER;
    {
        const LATER = 7.0;
        b[3] = LATER /* 1 + */ * 1.0;
    }
    let clamp = max(1.0);
    b[4] = clamp.min;
    for (var cos = 8.0; cos < 9.5; cos += 1.0) { b[5] = cos; }
    var floor = array<f32, N-1>();
    floor[1] = 6.0;
    b[6] = floor[N-2];
}

const N = TWO+1;
const TWO = 2;
const LATER = 3.0;
