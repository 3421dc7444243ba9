use std::sync::Arc;

use expect_test::expect;
use seawall_core::layout::Scalar;
use seawall_core::naga;
use seawall_core::program::{Kernel, Override, Overrides, Program};

const TEXT: &str = "\
@id(7) override width: u32;
override height: u32 = width * 2;
override scale: f32 = 1.0;
override flag: bool = false;
override half: f32;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> tile: array<u32, width * 4>;
@compute @workgroup_size(width, height)
fn main(@builtin(local_invocation_index) i: u32) {
    tile[i] = height;
    if flag { out[i] = tile[i] * u32(scale); }
}
@compute @workgroup_size(1)
fn other() { out[0] = u32(half); }
";

fn set(values: &[(&str, f64)]) -> Result<Arc<Kernel>, String> {
    let values: Overrides = values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    Program::wgsl(TEXT).unwrap().kernel("main", &values).map_err(|report| format!("{report}\n"))
}

#[test]
fn declared() {
    let item = |name: &str, id, scalar, has_default| Override { name: name.to_owned(), id, scalar, has_default };
    assert_eq!(
        Program::wgsl(TEXT).unwrap().overrides(),
        [
            item("width", Some(7), Scalar::U32, false),
            item("height", None, Scalar::U32, true),
            item("scale", None, Scalar::F32, true),
            item("flag", None, Scalar::Bool, true),
            item("half", None, Scalar::F32, false),
        ]
    );
}

#[test]
fn by_name_or_id_and_derived() {
    for key in ["width", "7"] {
        let kernel = set(&[(key, 3.0)]).unwrap();
        assert_eq!(kernel.workgroup_size, [3, 6, 1]);
        assert_eq!(kernel.workgroup_bytes, 48);
        assert_eq!(kernel.overrides(), &Overrides::from([(key.to_owned(), 3.0)]));
        assert!(kernel.module().overrides.is_empty());
        assert_eq!(kernel.module().entry_points.len(), 1);
    }
    assert_eq!(set(&[("width", 3.0), ("height", 5.0)]).unwrap().workgroup_size, [3, 5, 1]);
}

#[test]
fn arrays_get_their_length() {
    let kernel = set(&[("width", 3.0)]).unwrap();
    let module = kernel.module();
    let (_, tile) = module.global_variables.iter().find(|(_, var)| var.name.as_deref() == Some("tile")).unwrap();
    let naga::TypeInner::Array { size, .. } = module.types[tile.ty].inner else { panic!("an array") };
    assert_eq!(size, naga::ArraySize::Constant(12.try_into().unwrap()));
}

#[test]
fn an_array_may_equal_one_that_is_there() {
    let text = "override n: u32 = 4;\nvar<workgroup> a: array<u32, n>;\nvar<workgroup> b: array<u32, 4>;\n\
                @compute @workgroup_size(1) fn main() { a[0] = b[1]; }\n";
    let kernel = super::kernel(text);
    assert_eq!(kernel.workgroup_bytes, 32);
}

#[test]
fn unknown() {
    expect![[r#"
        error[unknown-override]: the program has no override `widht`
         = help: did you mean `width`?
    "#]]
    .assert_eq(&set(&[("widht", 3.0)]).unwrap_err());
    expect![[r#"
        error[unknown-override]: the program has no override `zebra`
         = help: it has `width`, `height`, `scale`, `flag`, `half`
    "#]]
    .assert_eq(&set(&[("width", 3.0), ("zebra", 3.0)]).unwrap_err());
}

#[test]
fn missing_only_if_the_entry_point_needs_it() {
    expect![[r#"
        error[missing-override]: override `width` has no default and is not set
          ┌─ <wgsl>:1:8
          │
        1 │ @id(7) override width: u32;
          │        ^^^^^^^^^^^^^^^^^^^^ needs a value
          │
          = help: set `width`, or give it a default here
    "#]]
    .assert_eq(&set(&[]).unwrap_err());
    // `half` is for the other entry point.
    set(&[("width", 1.0)]).unwrap();
    let values = Overrides::from([("half".to_owned(), 0.5)]);
    Program::wgsl(TEXT).unwrap().kernel("other", &values).unwrap();
}

#[test]
fn values_are_converted_as_webgpu_does() {
    // Fractions are dropped for integers.
    assert_eq!(set(&[("width", 3.9)]).unwrap().workgroup_size, [3, 6, 1]);
    // All but zero is true.
    let text = "override flag: bool; override n: i32; override low: u32;
@compute @workgroup_size(1 + u32(flag), u32(-n), 1 + low) fn main() {}";
    let program = Program::wgsl(text).unwrap();
    let size = |flag: f64, n: f64, low: f64| {
        let values = [("flag", flag), ("n", n), ("low", low)].map(|(name, value)| (name.to_owned(), value));
        program.kernel("main", &Overrides::from(values)).unwrap().workgroup_size
    };
    assert_eq!(size(0.0, -2.9, -0.9), [1, 2, 1]);
    assert_eq!(size(-0.0, -1.0, 0.0), [1, 1, 1]);
    assert_eq!(size(0.5, -3.0, 1.99), [2, 3, 2]);
    assert_eq!(size(-7.0, -3.0, 1.0), [2, 3, 2]);
}

#[test]
fn values_must_fit() {
    let wrong = [
        ("width", f64::NAN),
        ("width", f64::INFINITY),
        ("width", -1.0),
        ("width", 4_294_967_296.0),
        ("scale", 1e300),
        ("flag", f64::NAN),
    ];
    let told: Vec<String> = wrong
        .iter()
        .map(|(name, value)| set(&[(name, *value)]).unwrap_err().lines().next().unwrap().to_owned())
        .collect();
    expect![[r#"
        error[override-value]: override `width` cannot be NaN: it is not a finite number
        error[override-value]: override `width` cannot be inf: it is not a finite number
        error[override-value]: override `width` cannot be -1.0: it is out of range for u32
        error[override-value]: override `width` cannot be 4294967296.0: it is out of range for u32
        error[override-value]: override `scale` cannot be 1e300: it is out of range for f32
        error[override-value]: override `flag` cannot be NaN: it is not a finite number"#]]
    .assert_eq(&told.join("\n"));
    expect![[r#"
        error[override-value]: override `width` is set twice, by name and by id
          ┌─ <wgsl>:1:8
          │
        1 │ @id(7) override width: u32;
          │        ^^^^^^^^^^^^^^^^^^^^ declared here
    "#]]
    .assert_eq(&set(&[("width", 1.0), ("7", 2.0)]).unwrap_err());
}

#[test]
fn results_must_fit() {
    expect![[r#"
        error[workgroup-size]: the workgroup size of `main` is out of range
          ┌─ <wgsl>:9:4
          │
        1 │ @id(7) override width: u32;
          │        -------------------- set to 0.0
          ·
        9 │ fn main(@builtin(local_invocation_index) i: u32) {
          │    ^^^^ each dimension must be from 1 to 16384
    "#]]
    .assert_eq(&set(&[("width", 0.0)]).unwrap_err());
    expect![[r#"
        error[workgroup-size]: the workgroup size of `main` is out of range
          ┌─ <wgsl>:9:4
          │
        1 │ @id(7) override width: u32;
          │        -------------------- set to 20000.0
          ·
        9 │ fn main(@builtin(local_invocation_index) i: u32) {
          │    ^^^^ each dimension must be from 1 to 16384
    "#]]
    .assert_eq(&set(&[("width", 20000.0)]).unwrap_err());
    let text = "override n: i32 = 1;\nvar<workgroup> a: array<u32, n>;\n\
                @compute @workgroup_size(1) fn main() { a[0] = 1; }\n";
    let report = Program::wgsl(text).unwrap().kernel("main", &Overrides::from([("n".to_owned(), -3.0)])).unwrap_err();
    expect![[r#"
        error[override-value]: an array must have at least one element
          ┌─ <wgsl>:1:1
          │
        1 │ override n: i32 = 1;
          │ ^^^^^^^^^^^^^^^^^^^^ set to -3.0
    "#]]
    .assert_eq(&format!("{report}\n"));
}

#[test]
fn halves_round() {
    let text = "enable f16;\noverride h: f16 = 1.0;\n@group(0) @binding(0) var<storage, read_write> o: f16;\n\
                @compute @workgroup_size(1) fn main() { o = h; }\n";
    let program = Program::wgsl(text).unwrap();
    program.kernel("main", &Overrides::from([("h".to_owned(), 0.1)])).unwrap();
    let report = program.kernel("main", &Overrides::from([("h".to_owned(), 1e6)])).unwrap_err();
    assert_eq!(report.diagnostics[0].code, "override-value");
}

/// naga rewrites every function; places must still be those of the source.
#[test]
fn spans_survive() {
    let kernel = set(&[("width", 3.0)]).unwrap();
    assert_eq!(super::covered(TEXT, kernel.buffer("out").unwrap().span), "var<storage, read_write> out: array<u32>;");
    let function = &kernel.entry().function;
    let lost = function.body.span_iter().filter(|(_, span)| !span.is_defined()).count();
    assert_eq!(lost, 0);
}
