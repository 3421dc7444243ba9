"""Stars that attract each other, in memory that stays on the device from step to step.

    python examples/python/nbody.py [--bodies 2048] [--steps 200] [--out nbody.png]
"""

import argparse
import time

import numpy as np

import seawall
from picture import colours, save

GRAVITY = """
struct Body { at: vec3<f32>, mass: f32, speed: vec3<f32> }
override dt: f32 = 0.004;

@group(0) @binding(0) var<storage, read> now: array<Body>;
@group(0) @binding(1) var<storage, read_write> next: array<Body>;

@compute @workgroup_size(64)
fn step(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&now) { return; }
    var body = now[id.x];
    var pull = vec3(0.0);
    for (var i = 0u; i < arrayLength(&now); i++) {
        let apart = now[i].at - body.at;
        let near = dot(apart, apart) + 0.0025;
        pull += now[i].mass * apart * inverseSqrt(near * near * near);
    }
    body.speed += dt * pull;
    body.at += dt * body.speed;
    next[id.x] = body;
}
"""


def galaxy(bodies, dtype):
    """Two discs that turn, on their way to each other."""
    random = np.random.default_rng(5)
    stars = np.zeros(bodies, dtype)
    stars["mass"] = 2.0 / bodies
    for half, (centre, drift) in enumerate([((-0.7, -0.2, 0), (0.45, 0.1, 0)), ((0.7, 0.2, 0), (-0.45, -0.1, 0))]):
        part = stars[half::2]
        r = 0.05 + 0.45 * np.sqrt(random.random(len(part)))
        angle = random.random(len(part)) * 2 * np.pi
        part["at"][:, :3] = np.stack([r * np.cos(angle), r * np.sin(angle), random.normal(0, 0.02, len(part))], 1) + centre
        speed = np.sqrt(r / 0.25) * 0.7
        part["speed"][:, :3] = np.stack([-speed * np.sin(angle), speed * np.cos(angle), 0 * r], 1) + drift
    return stars


def run(bodies=2048, steps=200, runtime=None):
    kernel = seawall.kernel(GRAVITY, runtime=runtime)
    stars = galaxy(bodies, kernel.dtype("now"))
    runtime = kernel.runtime
    now, after = seawall.Buffer(stars, runtime=runtime), seawall.Buffer(bodies, stars.dtype, runtime=runtime)
    seen = []
    for step in range(steps):
        kernel(now=now, next=after, threads=bodies)
        now, after = after, now
        if step % 4 == 3:
            seen.append(now.numpy())
    return stars, seen


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", type=int, default=2048)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--out", default="nbody.png")
    args = parser.parse_args()
    start = time.perf_counter()
    _, seen = run(args.bodies, args.steps)
    seconds = time.perf_counter() - start
    picture = np.zeros((480, 720))
    for age, stars in enumerate(seen):
        x, y = ((stars["at"][:, :2] * [240, 240]) + [360, 240]).astype(int).T
        inside = (x >= 0) & (x < 720) & (y >= 0) & (y < 480)
        np.add.at(picture, (y[inside], x[inside]), ((age + 1) / len(seen)) ** 2)
    glow = 1 - np.exp(-picture * 0.9)
    save(args.out, colours(glow, [(0.02, 0.02, 0.06), (0.3, 0.2, 0.5), (0.95, 0.55, 0.35), (1, 1, 0.9)]))
    print(f"{args.steps} steps of {args.bodies} bodies in {seconds:.2f} s: {args.out}")


if __name__ == "__main__":
    main()
