//! `seawall check`: what a program holds, what it needs and who refuses it.

use expect_test::expect;
use serde_json::{Value, json};

use crate::support::Dir;

const STAGES: &str = "\
@group(0) @binding(0) var<storage, read_write> y: array<u32>;
var<immediate> n: u32;
@vertex fn corner() -> @builtin(position) vec4f { return vec4f(); }
@compute @workgroup_size(64) fn first() { y[0] = n; }
@fragment fn colour() -> @location(0) vec4f { return vec4f(dpdx(1.0)); }
@compute @workgroup_size(1) fn second() { y[1] = 2; }
";

#[test]
fn entry_points_of_all_stages() {
    Dir::new().with("stages.wgsl", STAGES).expect(
        &["check", "stages.wgsl"],
        &expect![[r#"
            -- stdout
            entry first: workgroups of 64,1,1
              buffer  group  binding  access      type        stride  min bytes  kernel
              y       0      0        read_write  array<u32>  4       4          writes
              n                       immediate   u32         4       4          reads

            entry second: workgroups of 1,1,1
              buffer  group  binding  access      type        stride  min bytes  kernel
              y       0      0        read_write  array<u32>  4       4          writes

            entry corner: vertex, not run by Seawall
            entry colour: fragment, not run by Seawall
        "#]],
    );
}

#[test]
fn no_compute_entry_point() {
    let dir = Dir::new()
        .with("vertex.wgsl", "@vertex fn v() -> @builtin(position) vec4f { return vec4f(); }\n")
        .with("library.wgsl", "fn f() -> u32 { return 1; }\n");
    dir.expect(
        &["check", "vertex.wgsl"],
        &expect![[r#"
            status 1
            -- stderr
            error[no-entry-point]: the program has no compute entry point
              ┌─ vertex.wgsl:1:12
              │
            1 │ @vertex fn v() -> @builtin(position) vec4f { return vec4f(); }
              │            ^ this is a vertex entry point
              │
              = help: add one: `@compute @workgroup_size(64) fn main() { … }`

        "#]],
    );
    dir.expect(
        &["check", "library.wgsl"],
        &expect![[r#"
            status 1
            -- stderr
            error[no-entry-point]: the program has no compute entry point
             = help: add one: `@compute @workgroup_size(64) fn main() { … }`

        "#]],
    );
}

/// What `check --json` prints, whatever its status.
fn told(dir: &Dir, file: &str) -> Value {
    let said = dir.output(&["check", "--json", "-q", file]);
    serde_json::from_slice(&said.stdout).expect("JSON")
}

#[test]
fn json_for_programs() {
    let dir = Dir::new().with("stages.wgsl", STAGES).with(
        "set.wgsl",
        "override n: u32;\n@compute @workgroup_size(n) fn main() {}\n@compute @workgroup_size(1) fn other() {}\n",
    );
    let told_of = told(&dir, "stages.wgsl");
    let stage = |name: &str, stage: &str| json!({ "name": name, "stage": stage });
    assert_eq!(told_of["others"], json!([stage("corner", "vertex"), stage("colour", "fragment")]));
    let first = &told_of["entries"][0];
    assert_eq!((&first["name"], &first["workgroup_size"]), (&json!("first"), &json!([64, 1, 1])));
    assert_eq!(first["buffers"][1]["access"], "immediate");
    assert_eq!(first["buffers"][1]["group"], Value::Null);
    assert_eq!(first["buffers"][0]["writes"], true);
    assert_eq!((&first["needs"], &first["refused"]), (&json!([]), &json!([])));
    assert_eq!(told_of["warnings"], json!([]));

    let undecided = told(&dir, "set.wgsl");
    assert_eq!(undecided["entries"][0], json!({ "name": "main", "stage": "compute", "decided": false }));
    assert_eq!(undecided["overrides"][0]["value"], Value::Null);
}

#[test]
fn json_of_mistakes_and_warnings() {
    let dir = Dir::new()
        .with("wrong.wgsl", "@compute @workgroup_size(1)\nfn main() {\n\tlet a = é;\n}\n")
        .with("idle.wgsl", "@compute @workgroup_size(1) fn main() {}\n");
    let wrong = &told(&dir, "wrong.wgsl")["errors"][0];
    assert_eq!((&wrong["code"], &wrong["severity"]), (&json!("invalid"), &json!("error")));
    assert_eq!((&wrong["places"][0]["line"], &wrong["places"][0]["column"]), (&json!(3), &json!(10)));
    assert_eq!(dir.output(&["check", "--json", "-q", "wrong.wgsl"]).status.code(), Some(1));
    assert_eq!(told(&dir, "idle.wgsl")["warnings"][0]["code"], "no-effect");
}

#[test]
fn what_is_needed_and_who_refuses_it() {
    let text = "enable f16;
@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(1) fn half() { y[0] = u32(f16(y[1]) * 2); }
var<workgroup> huge: array<u32, 100000000>;
@compute @workgroup_size(1) fn large() { huge[y[0]] = 1; y[0] = huge[1]; }
";
    let dir = Dir::new().with("needs.wgsl", text);
    let told = told(&dir, "needs.wgsl");
    let (half, large) = (&told["entries"][0], &told["entries"][1]);
    assert_eq!(half["needs"], json!([{ "feature": "f16", "line": 3, "column": 52 }]));
    let refused = |entry: &Value, device: &str| {
        let all = entry["refused"].as_array().expect("a list").clone();
        all.into_iter().find(|refusal| refusal["device"] == device).map(|refusal| refusal["why"][0].to_string())
    };
    assert_eq!(refused(half, "cpu"), None);
    assert_eq!(refused(half, "reference"), None);
    let why = refused(large, "cpu").expect("it is too large for any processor's cache");
    assert!(why.contains("400000000 bytes of workgroup memory"), "{why}");
    let said = dir.stdout(&["check", "needs.wgsl"]);
    assert!(said.contains("  needs f16 at 3:52\n"), "{said}");
    assert!(said.contains("  device cpu refuses it: 400000000 bytes of workgroup memory"), "{said}");
}

#[test]
fn json_is_about_programs() {
    let dir = Dir::new().with("job.toml", "[buffers]\n");
    let said = dir.failure(1, &["check", "--json", "job.toml"]);
    assert!(said.contains("tells about programs alone"), "{said}");
}
