//! out b = u32[1, 0, 0, 7, 2, 2, 1, 7, 3, 4, 4, 7, 4, 6, 9, 7]
@group(0) @binding(0) var<storage, read_write> b: array<Quad>;

struct Inner {
    one: u32,
    two: u32,
}

struct Quad {
    inner: Inner,
    rest: array<u32, 2>,
}

fn inner(x: u32) -> Inner {
    return Inner(x, 2 * x);
}

fn quad(x: u32) -> Quad {
    var q = Quad(inner(x), array(x * x, 7u));
    return bump(q);
}

fn bump(q: Quad) -> Quad {
    var copy = q;
    copy.inner.one++;
    return copy;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = quad(id.x);
}
