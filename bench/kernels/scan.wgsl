// Sums of all numbers before each, in blocks of 512: up a tree and down again (Blelloch).

@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> t: array<u32, 512>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
    let base = group.x * 512u;
    let i = local.x;
    if base + 2u * i < arrayLength(&o) { t[2u * i] = o[base + 2u * i]; }
    if base + 2u * i + 1u < arrayLength(&o) { t[2u * i + 1u] = o[base + 2u * i + 1u]; }
    var offset = 1u;
    for (var d = 256u; d > 0u; d >>= 1u) {
        workgroupBarrier();
        if i < d {
            let left = offset * (2u * i + 1u) - 1u;
            let right = offset * (2u * i + 2u) - 1u;
            t[right] += t[left];
        }
        offset *= 2u;
    }
    if i == 0u {
        sums[group.x] = t[511];
        t[511] = 0u;
    }
    for (var d = 1u; d < 512u; d *= 2u) {
        offset >>= 1u;
        workgroupBarrier();
        if i < d {
            let left = offset * (2u * i + 1u) - 1u;
            let right = offset * (2u * i + 2u) - 1u;
            let x = t[left];
            t[left] = t[right];
            t[right] += x;
        }
    }
    workgroupBarrier();
    if base + 2u * i < arrayLength(&o) { o[base + 2u * i] = t[2u * i]; }
    if base + 2u * i + 1u < arrayLength(&o) { o[base + 2u * i + 1u] = t[2u * i + 1u]; }
}
