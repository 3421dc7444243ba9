use expect_test::expect;
use seawall_core::program::Program;

#[test]
fn a_program_as_text() {
    let text = "\
enable f16;
struct Params { n: u32, a: f32 }
@id(3) override tile: u32;
override fast: bool = true;
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<vec4<f16>>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(1) @binding(0) var<storage, read_write> count: atomic<u32>;
var<workgroup> scratch: array<f32, tile>;
var<workgroup> sum: f32;
@compute @workgroup_size(tile, 2)
fn first(@builtin(local_invocation_index) i: u32) {
    scratch[i] = f32(x[i].x) * params.a;
    workgroupBarrier();
    y[i] = scratch[0];
}
@compute @workgroup_size(64)
fn second() {
    sum = 1.0;
    atomicAdd(&count, arrayLength(&y));
}
";
    expect![[r#"
        override tile @id(3): u32
        override fast: bool = default
        entry first
          workgroup size override 2 1
          workgroup bytes override
          buffer 0.0 params: Params, uniform, 8 bytes at least, reads
          buffer 0.1 x: array<vec4<f16>>, read, 8 bytes at least, reads
          buffer 0.2 y: array<f32>, read_write, 4 bytes at least, writes
          needs f16
        entry second
          workgroup size 64 1 1
          workgroup bytes 4
          buffer 0.2 y: array<f32>, read_write, 4 bytes at least, untouched
          buffer 1.0 count: atomic<u32>, read_write, 4 bytes at least, updates
    "#]]
    .assert_eq(&Program::wgsl(text).unwrap().to_string());
}
