//! grid 3
//! in product = u32[1]
//! out product = u32[531441]
@group(0) @binding(0) var<storage, read_write> product: atomic<u32>;

@compute @workgroup_size(4)
fn main() {
    var old = atomicLoad(&product);
    loop {
        let result = atomicCompareExchangeWeak(&product, old, old * 3);
        if result.exchanged {
            break;
        }
        old = result.old_value;
    }
}
