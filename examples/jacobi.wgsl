// seawall run examples/jacobi.wgsl --in u=zeros:1024 --threads 1024 --set tolerance=0.001
//
// Heat in a square plate with one hot edge, by Jacobi's method: each place becomes the mean of its
// four neighbours, again and again, until none changes by more than the tolerance. The device sees
// that for itself: whether another turn is needed is a word that all read behind a `gridBarrier`.

override width = 32u;
override tolerance = 0.0001;
override turns_max = 10000u;

// Width times width places.
@group(0) @binding(0) var<storage, read_write> u: array<f32>;
// The last turn in which some place still changed.
@group(0) @binding(1) var<storage, read_write> changed: atomic<u32>;

// The edge at the top is hot, the others are cold.
fn heat(x: i32, y: i32) -> f32 {
    let n = i32(width);
    if y < 0 {
        return 1.0;
    }
    if x < 0 || x >= n || y >= n {
        return 0.0;
    }
    return u[y * n + x];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let inside = id.x < width * width;
    let x = i32(id.x % width);
    let y = i32(id.x / width);
    for (var turn = 1u; turn <= turns_max; turn++) {
        var next = 0.0;
        if inside {
            next = 0.25 * (heat(x - 1, y) + heat(x + 1, y) + heat(x, y - 1) + heat(x, y + 1));
        }
        // All have read what they need of this turn.
        gridBarrier();
        if inside {
            if abs(next - u[id.x]) > tolerance {
                atomicStore(&changed, turn);
            }
            u[id.x] = next;
        }
        // All have written what the next turn reads.
        gridBarrier();
        if atomicLoad(&changed) < turn {
            break;
        }
    }
}
