// Decides on the device whether a turn of a loop, or a branch, is run: what is dispatched in it gets
// its grid, or none. Needs `State`.

struct Gate {
    // Where the word stands that is asked, whether it is, and whether it is to be zero.
    word: u32,
    tested: u32,
    zero: u32,
    // Whether it is a loop, which does not go on once it has ended.
    loops: u32,
    // Its own state, and that of what it stands in; 0 if that is nothing.
    own: u32,
    parent: u32,
    // Its dispatches.
    first: u32,
    count: u32,
}

@group(0) @binding(0) var<uniform> gate: Gate;
@group(0) @binding(1) var<storage> tested: array<u32>;
@group(0) @binding(2) var<storage> grids: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> states: array<State>;
@group(0) @binding(4) var<storage, read_write> dims: array<vec4u>;

fn open() -> bool {
    let holds = gate.tested == 0 || (tested[gate.word] == 0) == (gate.zero != 0);
    let inside = gate.parent == 0 || states[gate.parent].now != 0;
    let late = gate.loops != 0 && states[0].now != 0;
    let run = holds && inside && !late && states[gate.own].ended == 0 && states[0].ended == 0;
    states[gate.own].now = u32(run);
    states[gate.own].turns += u32(run);
    states[gate.own].ended = gate.loops & u32(!run);
    for (var i = 0u; i < gate.count; i++) {
        dims[gate.first + i] = select(vec4u(), grids[gate.first + i], run);
    }
    return run;
}
