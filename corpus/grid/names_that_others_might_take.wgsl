//! grid 3
//! in spill = u32[1, 2, 3, 4, 5, 6]
//! out spill = u32[61, 52, 43, 34, 25, 16]
struct Spill {
    segment: u32,
    word: u32,
}
@group(0) @binding(0) var<storage, read_write> spill: array<u32>;
var<private> segment: u32;
var<workgroup> word: array<u32, 2>;

fn main_1(grid: u32) -> Spill {
    let kept = Spill(spill[5 - grid], spill[grid]);
    gridBarrier();
    return kept;
}

fn control(when: u32) -> u32 {
    return when * 10;
}

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let main_0 = id.x;
    let spilled = main_1(main_0);
    segment = spilled.segment;
    word[local] = spilled.word;
    let values = control(segment) + word[local];
    spill[main_0] = values;
}
