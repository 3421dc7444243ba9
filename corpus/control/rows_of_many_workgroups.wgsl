//! grid 21,2
//! in n = u32[9001]
//! in a = u32[1..27001 by 3]
//! out sums = u32[3831921312, 23391082, 2829334304, 27219159, 1826747296, 31047236, 824160288, 34875313,
//!     4116540576, 38703390, 3113953568, 42531467, 2111366560, 46359544, 1108779552, 50187621, 106192544,
//!     54015698, 3398572832, 57843775, 2395985824, 61671852, 1393398816, 65499929, 390811808, 69328006,
//!     3683192096, 73156083, 31917900, 15391418, 640427328, 16156995, 3394287552, 16922572, 1853180480,
//!     17688149, 312073408, 18453726, 3065933632, 19219303, 1524826560, 19984880, 984640928, 56059738,
//!     3739667872, 67089178, 2199727520, 78118618, 659787168, 89148058, 3414814112, 100177498, 1874873760,
//!     111206938, 334933408, 122236378, 3089960352, 133265818, 1550020000, 144295258, 10079648, 155324698,
//!     2765106592, 166354138, 1225166240, 177383578, 3980193184, 188413018, 2440252832, 199442458, 4024824045,
//!     35074138, 3726554528, 36912346, 2352739744, 38750554, 978924960, 40588762, 3900077472, 42426970,
//!     2526262688, 44265178, 1152447904, 46103386]
//! finds out-of-bounds
// More workgroups side by side than go together, in two lines; some have a turn more than others, and the last
// turn of one of them is for its first invocation only. Each has memory of its own.
@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<vec2u>;

var<workgroup> parts: array<u32, 64>;

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    var sum = group.x + group.y;
    for (var i = id.x; i < n; i += groups.x * 64u) {
        sum = sum * (5u + group.y) + a[i];
    }
    parts[local] = sum;
    workgroupBarrier();
    if local == 0u {
        var all = 0u;
        for (var i = 0u; i < 64u; i++) {
            all = all * 3u + parts[i];
        }
        sums[group.y * groups.x + group.x] = vec2u(all, parts[63]);
    }
}
