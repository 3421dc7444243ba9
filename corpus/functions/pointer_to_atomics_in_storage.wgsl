//! grid 4
//! out b = u32[8, 28, 1]
struct Counts { all: atomic<u32>, sum: atomic<u32> }
struct Out { counts: Counts, flag: u32 }
@group(0) @binding(0) var<storage, read_write> b: Out;

fn note(counts: ptr<storage, Counts, read_write>, n: u32) {
    bump(&counts.all, 1u);
    bump(&(*counts).sum, n);
}

fn bump(n: ptr<storage, atomic<u32>, read_write>, by: u32) {
    loop {
        let old = atomicLoad(n);
        if atomicCompareExchangeWeak(n, old, old + by).exchanged { break; }
    }
}

fn raise(flag: ptr<storage, u32, read_write>) { *flag = 1u; }

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    note(&b.counts, id.x);
    if id.x == 0 { raise(&b.flag); }
}
