//! grid 2
//! in a = i64[-5000000000, 1]
//! in c = u64[18446744073709551615, 0]
//! out a = i64[19000000000, 70000000000]
//! out c = u64[7, 70000000000]
@group(0) @binding(0) var<storage, read_write> a: array<atomic<i64>, 2>;
@group(0) @binding(1) var<storage, read_write> c: array<atomic<u64>, 2>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    atomicAdd(&a[0], 3000000000li);
    atomicMax(&a[1], i64(id.x) * 10000000000li);
    atomicAdd(&c[0], 1lu);
    atomicMax(&c[1], u64(id.x) * 10000000000lu);
}
