@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

var<workgroup> sums: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) id: vec3u) {
    var sum = x[id.x];
    sums[i] = sum;
    workgroupBarrier();
    for (var by = 1u; by < 256u; by *= 2u) {
        var before = 0u;
        if i >= by {
            before = sums[i - by];
        }
        workgroupBarrier();
        sum += before;
        sums[i] = sum;
        workgroupBarrier();
    }
    y[id.x] = sum;
}
