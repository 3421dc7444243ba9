//! The front door, as a user opens it.

mod binding;
mod buffers;
mod deadline;
mod graph;
mod images;
mod immediates;
mod layout;
mod resident;
mod waits;

use std::sync::Arc;

use seawall::cache::Found;
use seawall::route::{Asker, Because};
use seawall::{Error, Kernel, Program, Runtime};

const SAXPY: &str = "
struct P { a: f32, n: u32 }
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> p: P;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= p.n) { return; }
    y[id.x] = p.a * x[id.x] + y[id.x];
}";

#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct P {
    a: f32,
    n: u32,
}

fn runtime() -> Runtime {
    Runtime::builder().device("reference").open().unwrap()
}

fn saxpy(runtime: &Runtime) -> Arc<Kernel> {
    runtime.kernel(SAXPY).unwrap()
}

#[test]
fn slices_in_and_out() {
    let runtime = runtime();
    let x: Vec<f32> = (0..1000u16).map(f32::from).collect();
    let mut y = vec![1.0f32; 1000];
    let p = P { a: 2.0, n: 1000 };
    let outcome =
        runtime.call(&saxpy(&runtime)).bind("x", &x).bind("y", &mut y).value("p", &p).threads(1000).run().unwrap();
    assert!(y.iter().zip(&x).all(|(y, x)| *y == 2.0 * x + 1.0));
    assert_eq!(outcome.device, "reference");
    assert_eq!(outcome.grid, [16, 1, 1]);
    assert_eq!(outcome.stats.invocations, 1024);
    assert_eq!(outcome.stats.uploaded_bytes, 8008);
    assert_eq!(outcome.stats.downloaded_bytes, 4000);
}

#[test]
fn grids_of_two_and_three_dimensions() {
    let runtime = runtime();
    let kernel = runtime
        .kernel(
            "@group(0) @binding(0) var<storage, read_write> seen: array<atomic<u32>>;
            @compute @workgroup_size(4, 2, 1)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) { atomicAdd(&seen[id.z * 64u + id.y * 8u + id.x], 1u); }",
        )
        .unwrap();
    let mut seen = [0u32; 192];
    assert_eq!(runtime.call(&kernel).bind("seen", &mut seen).threads([8, 7, 3]).run().unwrap().grid, [2, 4, 3]);
    assert_eq!(seen, [1; 192]);
    assert_eq!(runtime.call(&kernel).bind("seen", &mut seen).workgroups([2, 4]).run().unwrap().grid, [2, 4, 1]);
    assert_eq!(seen[..64], [2; 64]);
    assert_eq!(seen[64..], [1; 128]);
}

#[test]
fn overrides_through_the_program() {
    let runtime = runtime();
    let program = Program::wgsl(
        "override scale: u32 = 3;
        @group(0) @binding(0) var<storage, read_write> v: array<u32>;
        @compute @workgroup_size(1) fn main(@builtin(workgroup_id) w: vec3<u32>) { v[w.x] *= scale; }",
    )
    .unwrap();
    let run = |overrides: &[(&str, f64)]| {
        let overrides = overrides.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let kernel = program.kernel("main", &overrides).unwrap();
        let mut v = [1u32, 2];
        runtime.call(&kernel).bind("v", &mut v).workgroups(2).run().unwrap();
        v
    };
    assert_eq!(run(&[]), [3, 6]);
    assert_eq!(run(&[("scale", 10.0)]), [10, 20]);
}

#[test]
fn a_kernel_is_compiled_once() {
    for id in ["cpu", "reference"] {
        let runtime = Runtime::builder().device(id).open().unwrap();
        let program = Program::wgsl(
            "override scale: u32 = 3;
            @group(0) @binding(0) var<storage, read_write> v: array<u32>;
            @compute @workgroup_size(1) fn main(@builtin(workgroup_id) w: vec3<u32>) { v[w.x] *= scale; }",
        )
        .unwrap();
        let code = |scale: f64, workgroups: u32| {
            let overrides = [("scale".to_owned(), scale)].into();
            let kernel = program.kernel("main", &overrides).unwrap();
            runtime.call(&kernel).bind("v", &mut [1u32; 2]).workgroups(workgroups).run().unwrap().code
        };
        assert_eq!(code(2.0, 1), [Found::New]);
        assert_eq!(code(2.0, 1), [Found::Kept], "the same call");
        assert_eq!(code(2.0, 2), [Found::Kept], "the same kernel in another schedule");
        assert_eq!(code(5.0, 2), [Found::OtherOverrides]);
    }
}

#[test]
fn the_cpu_device_is_the_first_choice() {
    // Unless the environment of the tests names another.
    if std::env::var_os(seawall::DEVICE_VARIABLE).is_none() {
        let runtime = Runtime::new().unwrap();
        assert_eq!(runtime.caps().id, "cpu");
        assert_eq!(runtime.because().to_string(), "it is the first choice of this build");
        let runtime = Runtime::builder().seed(1).open().unwrap();
        assert_eq!((runtime.caps().id.as_str(), runtime.because()), ("reference", &Because::Asked(Asker::Seed)));
        let runtime = Runtime::builder().count_steps().open().unwrap();
        assert_eq!((runtime.caps().id.as_str(), runtime.because()), ("reference", &Because::Asked(Asker::Steps)));
    }
    let runtime = Runtime::builder().seed(1).device("reference").open().unwrap();
    assert_eq!(runtime.because(), &Because::Asked(Asker::Caller));
    let refused = Runtime::builder().seed(1).device("cpu").open().unwrap_err();
    assert_eq!(refused, Error::ReferenceOnly { what: "a seed", device: "cpu".to_owned() });
    let refused = Runtime::builder().count_steps().device("cpu").open().unwrap_err();
    assert_eq!(refused, Error::ReferenceOnly { what: "a limit of statements", device: "cpu".to_owned() });
}

#[test]
fn what_is_asked_for_is_never_replaced() {
    let error = Runtime::builder().device("warp").open().unwrap_err();
    assert!(matches!(error, Error::Route(seawall::route::Error::Unknown { ref id, .. }) if id == "warp"), "{error}");
    let threads = std::num::NonZeroUsize::new(100_000).unwrap();
    for builder in [Runtime::builder(), Runtime::builder().device("cpu"), Runtime::builder().device("reference")] {
        let error = builder.threads(threads).open().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`Builder::threads` asks for `100000` worker threads, which is not a number from 1 to 1024"
        );
    }
}

#[test]
fn a_program_that_is_wrong_says_where() {
    let error = runtime().kernel("fn main( {").unwrap_err();
    assert!(matches!(error, Error::Program(_)));
    assert!(error.to_string().contains("1:"), "{error}");
}

#[test]
fn several_entry_points_must_be_named() {
    let error = runtime().kernel("@compute @workgroup_size(1) fn a() {} @compute @workgroup_size(1) fn b() {}");
    assert_eq!(error.unwrap_err(), Error::SeveralEntries { entries: vec!["a".to_owned(), "b".to_owned()] });
}

#[test]
fn a_runtime_is_shared_between_threads() {
    let runtime = runtime();
    let kernel = saxpy(&runtime);
    std::thread::scope(|scope| {
        for n in 1..=4u32 {
            let (runtime, kernel) = (&runtime, &kernel);
            scope.spawn(move || {
                let x = vec![1.0f32; n as usize];
                let mut y = vec![n as f32; n as usize];
                let p = P { a: 1.0, n };
                runtime.call(kernel).bind("x", &x).bind("y", &mut y).value("p", &p).threads(n).run().unwrap();
                assert_eq!(y, vec![n as f32 + 1.0; n as usize]);
            });
        }
    });
}
