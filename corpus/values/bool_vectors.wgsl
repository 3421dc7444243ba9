//! out b = u32[1, 0, 1, 0, 1, 3, 2, 5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let v = vec3u(1, 5, 3);
    let w = vec3u(4, 2, 6);
    let less = v < w;
    b[0] = u32(less.x);
    b[1] = u32(less.y);
    b[2] = u32(any(less));
    b[3] = u32(all(less));
    b[4] = u32(all(less == vec3(true, false, true)));
    let picked = select(w, v, !less);
    b[5] = select(9u, 3u, (less | !less).y);
    b[6] = select(2u, 9u, (less & !less).z);
    b[7] = picked.y;
}
