// Beyond the edge, and on levels that are not there, loads give zero and stores are dropped.
//! grid 3
//! image small = rgba8unorm 2x2
//! image result = r32uint 2x1
//! in small = u32[0xffffffff x 4]
//! out seen = f32[1, 1, 1, 1,  0 x 44]
//! out result = u32[7, 8]
@group(0) @binding(0) var small: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<r32uint, write>;
@group(0) @binding(2) var<storage, read_write> seen: array<vec4f>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var at = vec2i(1, 1);
    var level = 0;
    switch id.x {
        case 1: { at = vec2i(-1, 0); }
        case 2: { at = vec2i(0, -1); }
        case 3: { at = vec2i(2, 0); }
        case 4: { at = vec2i(0, 2); }
        case 5: { at = vec2i(2147483647, 1); }
        case 6: { at = vec2i(0, -2147483648); }
        case 7: { level = 1; }
        case 8: { level = -1; }
        case 9: { level = 2147483647; }
        case 10: { at = vec2i(3, 3); }
        case 11: { at = vec2i(-2, 1); }
        default: {}
    }
    seen[id.x] = textureLoad(small, at, level);
    if id.x < 2 {
        textureStore(result, vec2u(id.x, 0), vec4u(7 + id.x));
    } else {
        textureStore(result, vec2i(i32(id.x), 0), vec4u(99));
        textureStore(result, vec2i(0, i32(id.x)), vec4u(98));
        textureStore(result, vec2i(-1, 1), vec4u(97));
    }
}
