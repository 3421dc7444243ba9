//! out b = u32[6, 4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var sum = 0u;
    var i = 0u;
    loop {
        if i == 4u { break; }
        var a = i;
        let other = a;
        continuing {
            sum += a;
            let a = a + 1u;
            var other = other + a;
            other -= a;
            i = a;
        }
    }
    b[0] = sum;
    b[1] = i;
}
