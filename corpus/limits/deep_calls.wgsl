//! out b = u32[55]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn f1(x: u32) -> u32 {
    return x + 1;
}

fn f2(x: u32) -> u32 {
    return f1(x) + 2;
}

fn f3(x: u32) -> u32 {
    return f2(x) + 3;
}

fn f4(x: u32) -> u32 {
    return f3(x) + 4;
}

fn f5(x: u32) -> u32 {
    return f4(x) + 5;
}

fn f6(x: u32) -> u32 {
    return f5(x) + 6;
}

fn f7(x: u32) -> u32 {
    return f6(x) + 7;
}

fn f8(x: u32) -> u32 {
    return f7(x) + 8;
}

fn f9(x: u32) -> u32 {
    return f8(x) + 9;
}

fn f10(x: u32) -> u32 {
    return f9(x) + 10;
}

@compute @workgroup_size(1)
fn main() {
    b[0] = f10(0);
}
