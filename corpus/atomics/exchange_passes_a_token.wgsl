//! grid 3
//! in token = u32[100]
//! out token = u32[_]
//! out sum = u32[178]
// Exactly one invocation draws the token that was there at the start.
@group(0) @binding(0) var<storage, read_write> token: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> sum: atomic<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let mine = id.x + 1;
    let old = atomicExchange(&token, mine);
    atomicAdd(&sum, mine);
    if old == 100 {
        atomicAdd(&sum, 100);
    }
}
