//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[25, 70, 111, 156, 44, 46, 91, 132, 177, 34, 83, 128, 169, 57, 69, 102, 147, 188]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let mine = a[min(id.x, n - 1)];
    let two = vec2u(mine, mine ^ 5);
    var three = vec3i(vec3u(mine, mine * 2, 7));
    let four = vec4<bool>(mine % 2 == 0, true, false, mine > 3);
    three.z += i32(id.x);
    if id.x < n {
        b[id.x] = mine;
    }
    gridBarrier();
    let other = b[(id.x + 4) % n];
    gridBarrier();
    let parity = select(1u, 0u, four.x) + select(9u, 0u, four.y) + select(0u, 9u, four.z);
    let large = select(0u, 1u, four.w);
    let odd = mine % 2;
    let more = select(0u, 1u, mine > 3);
    if id.x < n {
        b[id.x] = other + two.x + two.y + u32(three.x + three.y + three.z) + parity + large - odd - more;
    }
}
