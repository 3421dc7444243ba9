// One pass of Stockham's fast Fourier transform: a butterfly for each invocation, which reads a half of the array
// apart and writes side by side, so that what comes out of the last pass is in order.

@group(0) @binding(0) var<storage, read> x: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec2<f32>>;
// The first half of the roots of unity.
@group(0) @binding(2) var<storage, read> roots: array<vec2<f32>>;
@group(0) @binding(3) var<uniform> pass_at: Pass;

struct Pass {
    // Elements of each transform that is done.
    done: u32,
    // 1, or -1 for the inverse.
    sign: f32,
    // What comes out is multiplied by.
    scale: f32,
    // Of each transform, of which there may be several.
    len: u32,
}

fn product(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

@compute @workgroup_size(64)
fn butterfly(@builtin(global_invocation_id) id: vec3<u32>) {
    let half = pass_at.len / 2u;
    if id.x >= arrayLength(&y) / 2u { return; }
    let transform = id.x / half * pass_at.len;
    let j = id.x % half;
    let k = j & (pass_at.done - 1u);
    let root = roots[k * (half / pass_at.done)] * vec2(1.0, pass_at.sign);
    let a = x[transform + j];
    let b = product(root, x[transform + j + half]);
    let to = transform + 2u * (j - k) + k;
    y[to] = (a + b) * pass_at.scale;
    y[to + pass_at.done] = (a - b) * pass_at.scale;
}

// Of a transform that a workgroup does by itself.
const LEN = 1024u;
const LANES = 64u;
// Two arrays, to and fro.
var<workgroup> own: array<vec2<f32>, 2u * LEN>;

// All passes of a transform that fits into workgroup memory.
@compute @workgroup_size(LANES)
fn whole(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = group.x * LEN;
    for (var i = lane; i < LEN; i += LANES) { own[i] = x[first + i]; }
    var here = 0u;
    for (var done = 1u; done < LEN; done *= 2u) {
        workgroupBarrier();
        let there = LEN - here;
        for (var j = lane; j < LEN / 2u; j += LANES) {
            let k = j & (done - 1u);
            let root = roots[k * (LEN / 2u / done)] * vec2(1.0, pass_at.sign);
            let a = own[here + j];
            let b = product(root, own[here + j + LEN / 2u]);
            let to = there + 2u * (j - k) + k;
            own[to] = a + b;
            own[to + done] = a - b;
        }
        here = there;
    }
    workgroupBarrier();
    for (var i = lane; i < LEN; i += LANES) { y[first + i] = own[here + i] * pass_at.scale; }
}

// The same on processors: four invocations, which are the lanes of a vector. Four parts are taken at once, and decimated
// in frequency, so that the roots of a pass are those of its blocks, the same for all lanes. Real and imaginary parts lie
// apart, so that lanes read and write neighbours, but in the first pass. That one reads from outside, and the last one
// writes there.
var<workgroup> real: array<f32, 2u * LEN>;
var<workgroup> imaginary: array<f32, 2u * LEN>;

fn root(k: u32) -> vec2<f32> { return roots[k] * vec2(1.0, pass_at.sign); }

fn taken(place: u32) -> vec2<f32> { return vec2(real[place], imaginary[place]); }

fn put(place: u32, value: vec2<f32>) {
    real[place] = value.x;
    imaginary[place] = value.y;
}

// A transform of four.
struct Four { a: vec2<f32>, b: vec2<f32>, c: vec2<f32>, d: vec2<f32> }

fn by_four(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>, d: vec2<f32>) -> Four {
    // Turned by a quarter.
    let turned = vec2(d.y - b.y, b.x - d.x) * pass_at.sign;
    let sum = a + c;
    let difference = a - c;
    return Four(sum + (b + d), difference - turned, sum - (b + d), difference + turned);
}

// Puts them so far apart, each but the first times its root.
fn put_four(to: u32, step: u32, four: Four, one: vec2<f32>, two: vec2<f32>) {
    put(to, four.a);
    put(to + step, product(one, four.b));
    put(to + 2u * step, product(two, four.c));
    put(to + 3u * step, product(product(one, two), four.d));
}

// Four lanes side by side all have something to do, but in the shortest transforms.
fn is_there(i: u32, count: u32) -> bool { return LEN >= 16u || i < count; }

const QUARTER = LEN / 4u;

@compute @workgroup_size(4)
fn whole_by_fours(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = group.x * LEN;
    for (var start = 0u; start < QUARTER; start += 4u) {
        let p = start + lane;
        if is_there(p, QUARTER) {
            let at = first + p;
            let one = root(p);
            put_four(4u * p, 1u, by_four(x[at], x[at + QUARTER], x[at + 2u * QUARTER], x[at + 3u * QUARTER]), one, product(one, one));
        }
    }
    var here = 0u;
    var done = 4u;
    for (; 4u * done < LEN; done *= 4u) {
        workgroupBarrier();
        let there = LEN - here;
        for (var p = 0u; p < QUARTER; p += done) {
            let one = root(p);
            let two = root(2u * p);
            for (var q = 0u; q < done; q += 4u) {
                let at = here + p + q + lane;
                let four = by_four(taken(at), taken(at + QUARTER), taken(at + 2u * QUARTER), taken(at + 3u * QUARTER));
                put_four(there + 4u * p + q + lane, done, four, one, two);
            }
        }
        here = there;
    }
    workgroupBarrier();
    // Four quarters are left, or two halves, which need no roots.
    if 4u * done == LEN {
        for (var start = 0u; start < QUARTER; start += 4u) {
            let i = start + lane;
            let at = here + i;
            let four = by_four(taken(at), taken(at + QUARTER), taken(at + 2u * QUARTER), taken(at + 3u * QUARTER));
            y[first + i] = four.a * pass_at.scale;
            y[first + i + QUARTER] = four.b * pass_at.scale;
            y[first + i + 2u * QUARTER] = four.c * pass_at.scale;
            y[first + i + 3u * QUARTER] = four.d * pass_at.scale;
        }
        return;
    }
    for (var start = 0u; start < LEN / 2u; start += 4u) {
        let i = start + lane;
        let a = taken(here + i);
        let b = taken(here + i + LEN / 2u);
        y[first + i] = (a + b) * pass_at.scale;
        y[first + i + LEN / 2u] = (a - b) * pass_at.scale;
    }
}

// There is nothing to do for transforms of one element.
@compute @workgroup_size(64)
fn copy(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = x[id.x]; }
}
