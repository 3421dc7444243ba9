// seawall run examples/edges.wgsl --in photo=examples/spheres.png --out result=edges.png
//
// Edges of a picture: how much brighter each texel is on one side than on the other (Sobel's operator).

@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;

fn brightness(at: vec2i) -> f32 {
    let inside = clamp(at, vec2i(0), vec2i(textureDimensions(photo)) - 1);
    return dot(textureLoad(photo, inside, 0).rgb, vec3f(0.2126, 0.7152, 0.0722));
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let at = vec2i(id.xy);
    var change = vec2f(0.0);
    for (var i = -1; i <= 1; i++) {
        let weight = f32(2 - abs(i));
        change.x += weight * (brightness(at + vec2i(1, i)) - brightness(at + vec2i(-1, i)));
        change.y += weight * (brightness(at + vec2i(i, 1)) - brightness(at + vec2i(i, -1)));
    }
    textureStore(result, id.xy, vec4f(vec3f(length(change)), 1.0));
}
