// seawall run examples/blur.toml --in photo=examples/spheres.png --out result=soft.png
//
// A soft picture: each texel is a weighted mean of those around it, in one direction and then in the other.
// `sideways` and `upright` are the two halves; `blur.toml` runs both.

@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;

// The ninth row of Pascal's triangle, over its sum.
const WEIGHTS = array(70.0, 56.0, 28.0, 8.0, 1.0);

fn blurred(at: vec2i, step: vec2i) -> vec4f {
    let last = vec2i(textureDimensions(photo)) - 1;
    var sum = WEIGHTS[0] * textureLoad(photo, clamp(at, vec2i(0), last), 0);
    for (var i = 1; i < 5; i++) {
        let before = textureLoad(photo, clamp(at - i * step, vec2i(0), last), 0);
        let after = textureLoad(photo, clamp(at + i * step, vec2i(0), last), 0);
        sum += WEIGHTS[i] * (before + after);
    }
    return sum / 256.0;
}

@compute @workgroup_size(64)
fn sideways(@builtin(global_invocation_id) id: vec3u) {
    textureStore(result, id.xy, blurred(vec2i(id.xy), vec2i(1, 0)));
}

@compute @workgroup_size(64)
fn upright(@builtin(global_invocation_id) id: vec3u) {
    textureStore(result, id.xy, blurred(vec2i(id.xy), vec2i(0, 1)));
}
