//! out m = f32[0, 0, 50, 0, 1, 2, 3, 4, 0, 60, 0, 0, 5, 6, 7, 80]
//! out n = f32[0, 0, 9] pad[4] f32[1, 2, 3] pad[4] f32[0, 4, 0] pad[4]
@group(0) @binding(0) var<storage, read_write> m: mat4x4f;
@group(0) @binding(1) var<storage, read_write> n: mat3x3f;

@compute @workgroup_size(1)
fn main() {
    var column = 1;
    m[column] = vec4f(1, 2, 3, 4);
    m[3] = vec4f(5, 6, 7, 8);
    m[3].w *= 10;
    m[0].z = 50;
    column++;
    var row = 1;
    m[column][row] = 60;

    // A matrix in function memory, then stored whole.
    var local: mat3x3f;
    local[row] = vec3f(1, 2, 3);
    local[2][row] = 4;
    local[0].z = 9;
    n = local;
}
