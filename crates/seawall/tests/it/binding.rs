//! Wrong names, types, sizes and access are errors that name the buffer and what it expects.

use seawall::{Error, Runtime};

use super::{P, runtime, saxpy};

const PARAMS: P = P { a: 2.0, n: 4 };

/// Binds all of saxpy's buffers but those that `wrong` binds itself.
fn refused<'a>(runtime: &'a Runtime, wrong: impl FnOnce(seawall::Call<'a>) -> seawall::Call<'a>) -> String {
    wrong(runtime.call(&saxpy(runtime)).threads(4)).run().unwrap_err().to_string()
}

#[test]
fn names() {
    let runtime = runtime();
    let (x, mut y) = ([0f32; 4], [0f32; 4]);
    let error = refused(&runtime, |call| call.bind("z", &x));
    assert_eq!(error, "`main` uses no buffer `z`; it uses x, y, p");
    let error = refused(&runtime, |call| call.bind("x", &x).bind("x", &x));
    assert_eq!(error, "`x` is bound twice");
    let error = refused(&runtime, |call| call.bind("x", &x).bind("y", &mut y));
    assert_eq!(error, "`main` uses `p: P`, which is not bound");
}

#[test]
fn types() {
    let runtime = runtime();
    let error = refused(&runtime, |call| call.bind("x", &[0u32; 4]));
    assert_eq!(error, "`x: array<f32>` cannot be bound to elements of `u32`: it holds `f32`");
    let error = refused(&runtime, |call| call.value("p", &[0.0f32; 2]));
    assert_eq!(error, "`p: P` cannot be bound to elements of `[f32; 2]`: it holds `u32`");
    let error = refused(&runtime, |call| call.bind("x", &[PARAMS; 2]));
    assert_eq!(
        error,
        "`x: array<f32>` cannot be bound to elements of `it::P`: its elements are 4 bytes apart, the host's are 8"
    );
}

#[test]
fn elements_with_padding_keep_their_stride() {
    let runtime = runtime();
    let kernel = runtime
        .kernel(
            "@group(0) @binding(0) var<storage, read_write> v: array<vec3<f32>>;
            @compute @workgroup_size(1) fn main(@builtin(workgroup_id) w: vec3<u32>) { v[w.x].y += 1.0; }",
        )
        .unwrap();
    let error = runtime.call(&kernel).bind("v", &mut [[0f32; 3]; 4]).workgroups(4).run().unwrap_err().to_string();
    let expected = "`v: array<vec3<f32>>` cannot be bound to elements of `[f32; 3]`: \
                    its elements are 16 bytes apart, the host's are 12; \
                    a `vec3<f32>` starts at a multiple of 16 bytes: pad it to `[f32; 4]`, \
                    or let a member of 4 bytes follow its 12";
    assert_eq!(error, expected);
    let mut padded = [[0f32; 4]; 4];
    runtime.call(&kernel).bind("v", &mut padded).workgroups(4).run().unwrap();
    assert_eq!(padded, [[0.0, 1.0, 0.0, 0.0]; 4]);
}

#[test]
fn sizes() {
    let runtime = runtime();
    let error = refused(&runtime, |call| call.bind("x", &[0f32; 0]));
    assert_eq!(error, "`x: array<f32>` needs a positive multiple of 4 bytes, but 0 bytes are bound");
    let error = refused(&runtime, |call| call.bind("x", &[0u8; 7]));
    assert_eq!(error, "`x: array<f32>` needs a positive multiple of 4 bytes, but 7 bytes are bound");
    let error = refused(&runtime, |call| call.bind("p", &[0u8; 12]));
    assert_eq!(error, "`p: P` needs exactly 8 bytes, but 12 bytes are bound");
}

#[test]
fn access() {
    let runtime = runtime();
    let y = [0f32; 4];
    let error = refused(&runtime, |call| call.bind("y", &y));
    assert_eq!(error, "`main` writes `y`: bind it by `&mut`, or bind a resident buffer");
}

#[test]
fn grids() {
    let runtime = runtime();
    let error = runtime.call(&saxpy(&runtime)).run().unwrap_err();
    assert_eq!(error, Error::NoGrid { kernel: "main".to_owned() });
    let (x, mut y) = ([1f32; 4], [0f32; 4]);
    let outcome =
        runtime.call(&saxpy(&runtime)).bind("x", &x).bind("y", &mut y).value("p", &PARAMS).threads(0).run().unwrap();
    assert_eq!((outcome.stats.workgroups, y), (0, [0.0; 4]));
}
