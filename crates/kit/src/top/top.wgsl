// Radix select: which bits the k-th of the greatest keys has, digit by digit from the most significant on. In each pass
// keys that agree with what is known so far are counted by their next digit.

alias T = u32;
// A number of the same order as keys.
alias Bits = u32;
const LANES = 256u;

struct State {
    // What the digits so far are.
    known: Bits,
    // How many keys of those that agree are still wanted.
    wanted: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<T>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 256>;
@group(0) @binding(2) var<storage, read_write> state: State;
@group(0) @binding(3) var<uniform> shift: u32;
@group(0) @binding(4) var<uniform> wanted: u32;
@group(0) @binding(5) var<storage, read_write> edge: array<Bits>;
@group(0) @binding(6) var<storage, read> over: array<u32>;
@group(0) @binding(7) var<storage, read> over_places: array<u32>;
@group(0) @binding(8) var<storage, read> edge_places: array<u32>;
@group(0) @binding(9) var<storage, read_write> top_keys: array<T>;
@group(0) @binding(10) var<storage, read_write> top_places: array<u32>;

fn ordered(key: T) -> Bits { return key; }

var<workgroup> own: array<atomic<u32>, 256>;

@compute @workgroup_size(1)
fn begin() {
    state.known = Bits();
    state.wanted = wanted;
}

@compute @workgroup_size(LANES)
fn count(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    atomicStore(&own[lane], 0u);
    workgroupBarrier();
    let known = state.known >> shift >> 8u;
    for (var i = id.x; i < arrayLength(&keys); i += groups.x * LANES) {
        let bits = ordered(keys[i]) >> shift;
        if bits >> 8u == known { atomicAdd(&own[u32(bits & Bits(255))], 1u); }
    }
    workgroupBarrier();
    atomicAdd(&counts[lane], atomicLoad(&own[lane]));
}

@compute @workgroup_size(1)
fn choose() {
    var left = state.wanted;
    var digit = 255u;
    while digit > 0u {
        let here = atomicLoad(&counts[digit]);
        if here >= left { break; }
        left -= here;
        digit--;
    }
    state.wanted = left;
    state.known |= Bits(digit) << shift;
    for (var d = 0u; d < 256u; d++) { atomicStore(&counts[d], 0u); }
    edge[0] = state.known;
}

// Those beyond the edge, and behind them as many of those at the edge as are wanted.
@compute @workgroup_size(64)
fn join(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&top_places) { return; }
    var place = 0u;
    if id.x < over[0] { place = over_places[id.x]; } else { place = edge_places[id.x - over[0]]; }
    top_places[id.x] = place;
    top_keys[id.x] = keys[place];
}
