@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn f(n: u32) -> u32 { //~ error[invalid]
    loop {
        if n > 3u { break; }
    }
}

@compute @workgroup_size(1)
fn main() {
    b[0] = f(b[1]);
}
