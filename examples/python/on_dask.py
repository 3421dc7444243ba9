"""Kernels on Dask: a large array in blocks, on all processes of a cluster.

A kernel can be pickled: it travels to the workers as its text, and each compiles it once. `map_blocks` runs it
on blocks by themselves, `map_overlap` on blocks with the cells around them.

    python examples/python/on_dask.py
"""

import dask.array as da
import numpy as np

import seawall

SQUARE = """
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = x[id.x] * x[id.x]; }
}
"""

BLUR = """
struct Size { width: u32, height: u32 }
@group(0) @binding(0) var<uniform> size: Size;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= size.width || id.y >= size.height { return; }
    var sum = 0.0;
    for (var dy = 0u; dy < 3u; dy++) {
        for (var dx = 0u; dx < 3u; dx++) {
            let cx = clamp(id.x + dx, 1u, size.width) - 1u;
            let cy = clamp(id.y + dy, 1u, size.height) - 1u;
            sum += x[cy * size.width + cx];
        }
    }
    y[id.y * size.width + id.x] = sum / 9.0;
}
"""


def square(block, kernel):
    block = np.ascontiguousarray(block)
    return kernel(x=block, y=seawall.out(block.shape), threads=block.size)


def blur(block, kernel):
    block = np.ascontiguousarray(block)
    height, width = block.shape
    return kernel(size={"width": width, "height": height}, x=block, threads=(width, height))


def on_blocks(size=2048, block=512):
    """Squares of a large array, and whether they are right."""
    x = da.random.default_rng(1).random((size, size), chunks=block).astype(np.float32)
    squares = x.map_blocks(square, kernel=seawall.kernel(SQUARE), dtype=np.float32)
    return bool(da.all(squares == x * x).compute())


def on_halos(size=1024, block=256):
    """A blur over the borders of blocks, and how far it is from one without blocks."""
    x = np.random.default_rng(2).random((size, size), dtype=np.float32)
    kernel = seawall.kernel(BLUR)
    blurred = da.from_array(x, chunks=block).map_overlap(blur, depth=1, boundary="none", kernel=kernel, dtype=np.float32)
    return float(np.abs(blurred.compute() - blur(x, kernel)).max())


def main():
    from dask.distributed import Client

    with Client(n_workers=2, threads_per_worker=2, dashboard_address=None):
        print("squares are right:", on_blocks())
        print("the blur without blocks is apart by", on_halos())


if __name__ == "__main__":
    main()
