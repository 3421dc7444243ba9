//! racy
//! grid 3
//! in product = u32[1]
//! out product = u32[531441]
// `atomics/compare_exchange_loop_multiplies`, giving up at the first failure.
@group(0) @binding(0) var<storage, read_write> product: atomic<u32>;

@compute @workgroup_size(4)
fn main() {
    let old = atomicLoad(&product);
    _ = atomicCompareExchangeWeak(&product, old, old * 3);
}
