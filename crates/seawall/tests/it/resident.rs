//! Buffers that stay on the device between calls.

use seawall::Error;

use super::{P, runtime, saxpy};

#[test]
fn repeated_dispatches_keep_their_memory() {
    let runtime = runtime();
    let kernel = saxpy(&runtime);
    let x = runtime.buffer_from(&[1.0f32, 2.0, 3.0]).unwrap();
    let y = runtime.buffer::<f32>(3).unwrap();
    let p = P { a: 1.0, n: 3 };
    for _ in 0..5 {
        let outcome = runtime.call(&kernel).bind("x", &x).bind("y", &y).value("p", &p).threads(3).run().unwrap();
        assert_eq!((outcome.stats.uploaded_bytes, outcome.stats.downloaded_bytes), (8, 0));
    }
    assert_eq!(y.to_vec().unwrap(), [5.0, 10.0, 15.0]);
    assert_eq!(x.to_vec().unwrap(), [1.0, 2.0, 3.0]);
}

#[test]
fn parts_are_written_and_read() {
    let runtime = runtime();
    let buffer = runtime.buffer::<u32>(4).unwrap();
    buffer.write(1, &[7, 8]).unwrap();
    let mut part = [0; 3];
    buffer.read(0, &mut part).unwrap();
    assert_eq!(part, [0, 7, 8]);
    assert_eq!(buffer.write(3, &[1, 2]), Err(Error::Outside { start: 3, len: 2, buffer_len: 4 }));
    assert_eq!(
        buffer.read(usize::MAX, &mut part),
        Err(Error::Outside { start: usize::MAX, len: part.len(), buffer_len: 4 })
    );
}

#[test]
fn one_buffer_under_two_names_may_be_read_but_not_written() {
    let runtime = runtime();
    let buffer = runtime.buffer_from(&[1.0f32; 4]).unwrap();
    let p = P { a: 1.0, n: 4 };
    let error = runtime
        .call(&saxpy(&runtime))
        .bind("x", &buffer)
        .bind("y", &buffer)
        .value("p", &p)
        .threads(4)
        .run()
        .unwrap_err();
    assert!(matches!(error, Error::Check(seawall::check::Error::Aliased { .. })), "{error}");

    let sum = runtime
        .kernel(
            "@group(0) @binding(0) var<storage, read> a: array<f32>;
            @group(0) @binding(1) var<storage, read> b: array<f32>;
            @group(0) @binding(2) var<storage, read_write> c: array<f32>;
            @compute @workgroup_size(4)
            fn main(@builtin(local_invocation_index) i: u32) { c[i] = a[i] + b[i]; }",
        )
        .unwrap();
    let mut c = [0f32; 4];
    runtime.call(&sum).bind("a", &buffer).bind("b", &buffer).bind("c", &mut c).workgroups(1).run().unwrap();
    assert_eq!(c, [2.0; 4]);
}

#[test]
fn a_buffer_belongs_to_its_runtime() {
    let (here, there) = (runtime(), runtime());
    let y = there.buffer::<f32>(4).unwrap();
    let p = P { a: 1.0, n: 4 };
    let error =
        here.call(&saxpy(&here)).bind("x", &[0f32; 4]).bind("y", &y).value("p", &p).threads(4).run().unwrap_err();
    assert_eq!(error, Error::OtherDevice { buffer: "y".to_owned(), device: "reference".to_owned() });
}

#[test]
fn more_than_can_be_addressed() {
    let runtime = runtime();
    let error = runtime.buffer::<f32>(usize::MAX).unwrap_err();
    assert_eq!(error, Error::TooLong { len: usize::MAX, element_bytes: 4 });
    let error = runtime.buffer::<u8>(usize::MAX / 2).unwrap_err();
    assert!(matches!(error, Error::Device(_)), "{error}");
}

/// What is written past the caches is all there, from any place on, for those who read it next.
#[test]
fn more_than_caches_hold() {
    const LEN: u32 = (64 << 18) + 1000;
    let runtime = seawall::Runtime::builder().device("cpu").open().unwrap();
    let write = runtime
        .kernel(
            "@group(0) @binding(0) var<storage, read_write> y: array<u32>;
            @group(0) @binding(1) var<uniform> start: u32;
            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
                let at = id.x + id.y * groups.x * 64u;
                y[at + start] = at * 2654435761u;
            }",
        )
        .unwrap();
    let count = runtime
        .kernel(
            "@group(0) @binding(0) var<storage, read> y: array<u32>;
            @group(0) @binding(1) var<uniform> start: u32;
            @group(0) @binding(2) var<storage, read_write> right: atomic<u32>;
            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
                let at = arrayLength(&y) - 1u - (id.x + id.y * groups.x * 64u);
                if at >= start && at < arrayLength(&y) && y[at] == (at - start) * 2654435761u {
                    atomicAdd(&right, 1u);
                }
            }",
        )
        .unwrap();
    for start in [0u32, 1, 16] {
        let y = runtime.buffer::<u32>(LEN as usize).unwrap();
        let (grid, mut right) = ([1024, LEN.div_ceil(64 * 1024), 1], [0u32]);
        runtime.call(&write).bind("y", &y).value("start", &start).workgroups(grid).run().unwrap();
        let call = runtime.call(&count).bind("y", &y).value("start", &start);
        call.bind("right", &mut right).workgroups(grid).run().unwrap();
        assert_eq!(right, [LEN - start], "{start}");
    }
}
