//! ours
//! in at = u32[0, 1, 2, 4294967295]
//! in a = u32[10, 10]
//! out a = u32[11, 11]
//! out b = u32[11, 11, 0, 0]
//! out c = u32[1, 1, 0, 0]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> a: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;
@group(0) @binding(3) var<storage, read_write> c: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = at[id.x];
    let old = atomicAdd(&a[k], 1);
    if old != 0 {
        c[id.x] = 1;
    }
    b[id.x] = atomicLoad(&a[k]);
    if k > 1 {
        b[id.x] += atomicMax(&a[k], 99) + atomicExchange(&a[k], 98);
        atomicStore(&a[k], 97);
        // Zero is what an atomic out of bounds returns, but nothing is exchanged.
        let result = atomicCompareExchangeWeak(&a[k], 0, 96);
        b[id.x] += result.old_value + u32(result.exchanged);
    }
}
