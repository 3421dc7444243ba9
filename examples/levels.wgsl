// seawall run examples/levels.wgsl --in offsets=[0,2,4,5,6,6,7] --in targets=[1,2,3,2,4,4,0] --in level=zeros:6 --threads 6
//
// Breadth-first search, level by level, in one kernel: how many edges each vertex is away from the
// root. A turn looks at all vertices of a level; the search ends when a level has none.

override root = 0u;
const NONE = 0xffffffffu;

// The edges of vertex v go to targets[offsets[v]] up to targets[offsets[v + 1]], without that one.
@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> targets: array<u32>;
@group(0) @binding(2) var<storage, read_write> level: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> deepest: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    let inside = v < arrayLength(&level);
    if inside {
        atomicStore(&level[v], select(NONE, 0u, v == root));
    }
    for (var depth = 0u; ; depth++) {
        gridBarrier();
        if inside && atomicLoad(&level[v]) == depth {
            for (var edge = offsets[v]; edge < offsets[v + 1u]; edge++) {
                if atomicMin(&level[targets[edge]], depth + 1u) == NONE {
                    atomicStore(&deepest, depth + 1u);
                }
            }
        }
        gridBarrier();
        if atomicLoad(&deepest) == depth {
            break;
        }
    }
}
