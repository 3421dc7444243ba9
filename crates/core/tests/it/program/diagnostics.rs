use expect_test::{Expect, expect};
use seawall_core::diag::Location;
use seawall_core::program::{Overrides, Program};

use super::{codes, refused};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&format!("{}\n", refused(text)));
}

#[test]
fn syntax() {
    check(
        "@compute @workgroup_size(1) fn main() { let a = ; }\n",
        expect![[r#"
        error[syntax]: expected expression, found ";"
          ┌─ <wgsl>:1:49
          │
        1 │ @compute @workgroup_size(1) fn main() { let a = ; }
          │                                                 ^ expected expression
    "#]],
    );
}

#[test]
fn an_unknown_name() {
    check(
        "@compute @workgroup_size(1)\nfn main() {\n    let a = b + 1;\n}\n",
        expect![[r#"
        error[invalid]: no definition in scope for identifier: `b`
          ┌─ <wgsl>:3:13
          │
        3 │     let a = b + 1;
          │             ^ unknown identifier
    "#]],
    );
}

#[test]
fn a_wrong_type() {
    check(
        "@compute @workgroup_size(1)\nfn main() {\n    var a: u32 = 1.5;\n}\n",
        expect![[r#"
        error[invalid]: the type of `a` is expected to be `u32`, but got `AbstractFloat`
          ┌─ <wgsl>:3:9
          │
        3 │     var a: u32 = 1.5;
          │         ^ definition of `a`
    "#]],
    );
}

#[test]
fn a_wrong_argument_lists_what_is_allowed() {
    check(
        "@compute @workgroup_size(1)\nfn main() {\n    let a = cross(vec2(1.0), vec2(1.0));\n}\n",
        expect![[r#"
            error[invalid]: wrong type passed as argument #1 to `cross`
              ┌─ <wgsl>:3:13
              │
            3 │     let a = cross(vec2(1.0), vec2(1.0));
              │             ^^^^^ --------- argument #1 has type `vec2<AbstractFloat>`
              │
              = help: `cross` accepts the following types for argument #1: vec3<AbstractFloat>, vec3<f32>, vec3<f16>, vec3<f64>
        "#]],
    );
}

#[test]
fn validation_says_where_and_why() {
    check(
        "@group(0) @binding(0) var<storage, read> b: array<u32>;\n@compute @workgroup_size(1)\nfn main() {\n    b[0] = 1u;\n}\n",
        expect![[r#"
            error[invalid]: in entry point `main`: nothing can be stored there
              ┌─ <wgsl>:4:5
              │
            4 │     b[0] = 1u;
              │     ^^^^ writing to this location is not permitted
        "#]],
    );
}

#[test]
fn validation_folds_the_chain_of_causes() {
    check(
        "fn f() -> u32 { return 1.0; }\n@compute @workgroup_size(1)\nfn main() {\n    let a = f();\n}\n",
        expect![[r#"
            error[invalid]: automatic conversions cannot convert `AbstractFloat` to `u32`
              ┌─ <wgsl>:1:24
              │
            1 │ fn f() -> u32 { return 1.0; }
              │                        ^^^ this expression has type AbstractFloat
        "#]],
    );
}

#[test]
fn no_compute_entry_point() {
    check(
        "@fragment fn main() {}\n@vertex fn v() -> @builtin(position) vec4f { return vec4f(); }\n",
        expect![[r#"
            error[no-entry-point]: the program has no compute entry point
              ┌─ <wgsl>:1:14
              │
            1 │ @fragment fn main() {}
              │              ^^^^ this is a fragment entry point
            2 │ @vertex fn v() -> @builtin(position) vec4f { return vec4f(); }
              │            ^ this is a vertex entry point
              │
              = help: add one: `@compute @workgroup_size(64) fn main() { … }`
        "#]],
    );
    check(
        "",
        expect![[r#"
        error[no-entry-point]: the program has no compute entry point
         = help: add one: `@compute @workgroup_size(64) fn main() { … }`
    "#]],
    );
    // What is wrong otherwise is told first.
    assert_eq!(codes("fn f() -> u32 { return 1.5; }"), ["invalid"]);
}

#[test]
fn other_stages_are_ignored() {
    let text = "@vertex fn v() -> @builtin(position) vec4f { return vec4f(); }\n\
                @fragment fn f() {}\n@compute @workgroup_size(1) fn main() {}\n";
    let program = Program::wgsl(text).unwrap();
    assert_eq!(program.entries().collect::<Vec<_>>(), ["main"]);
    let others: Vec<(&str, &str, &str)> = program
        .others()
        .iter()
        .map(|other| (other.name.as_str(), other.stage, super::covered(text, other.span)))
        .collect();
    assert_eq!(others, [("v", "vertex", "v"), ("f", "fragment", "f")]);
    assert!(program.to_string().ends_with("vertex v\nfragment f\n"), "{program}");
}

#[test]
fn places_in_lines_and_characters() {
    // A tab is one character, `\r\n` ends one line, and letters of several bytes count once.
    let text = "// äöü 🦀\r\n@compute @workgroup_size(1)\r\nfn main() {\r\n\t/* é🦀 */ let a = b;\r\n}\r\n";
    let report = refused(text);
    let span = report.diagnostics[0].labels[0].span;
    let place = report.source.location(span);
    assert_eq!((place.line, place.column), (4, 19));
    assert_eq!(place.to_string(), "4:19");
    assert!(report.to_string().contains("<wgsl>:4:19"), "{report}");
    assert_eq!(&text[span.start as usize..span.end as usize], "b");
    let at = |text: &str, byte| {
        let place = Location::of(text, byte);
        (place.line, place.column)
    };
    assert_eq!(at("", 0), (1, 1));
    assert_eq!(at("", 9), (1, 1));
    assert_eq!(at("ab\n", 2), (1, 3));
    assert_eq!(at("ab\n", 3), (2, 1));
    assert_eq!(at("ab\n", 99), (2, 1));
    assert_eq!(at("\n\n\n", 2), (3, 1));
    // In the middle of a letter is where it begins.
    assert_eq!((at("aé", 1), at("aé", 2), at("aé", 3)), ((1, 2), (1, 2), (1, 3)));
}

#[test]
fn an_unknown_entry_point() {
    let program = Program::wgsl("@compute @workgroup_size(1) fn main() {}\n").unwrap();
    let report = program.kernel("mian", &Overrides::new()).unwrap_err();
    expect![[r#"
        error[unknown-entry]: the program has no compute entry point `mian`
         = help: it has `main`
         = help: did you mean `main`?
    "#]]
    .assert_eq(&format!("{report}\n"));
}

#[test]
fn each_binding_that_is_no_buffer() {
    check(
        "@group(0) @binding(0) var t: texture_depth_2d;\n\
         @group(0) @binding(1) var s: sampler_comparison;\n\
         @group(0) @binding(2) var unused: sampler;\n\
         @compute @workgroup_size(1)\nfn main() {\n    let a = textureSampleCompareLevel(t, s, vec2f(), 0.0);\n}\n",
        expect![[r#"
            error[unsupported-binding]: `t` is a depth texture, which cannot be bound
              ┌─ <wgsl>:1:23
              │
            1 │ @group(0) @binding(0) var t: texture_depth_2d;
              │                       ^^^^^^^^^^^^^^^^^^^^^^^^ used by a compute entry point
              │
              = help: textures are 1d, 2d, 2d_array and 3d, of one sample and of colours: `texture_2d<f32>` and the like

            error[unsupported-binding]: `s` is a comparison sampler, which cannot be bound
              ┌─ <wgsl>:2:23
              │
            2 │ @group(0) @binding(1) var s: sampler_comparison;
              │                       ^^^^^^^^^^^^^^^^^^^^^^^^^^ used by a compute entry point
              │
              = help: textures are 1d, 2d, 2d_array and 3d, of one sample and of colours: `texture_2d<f32>` and the like
        "#]],
    );
}

#[test]
fn kinds_of_bindings() {
    let uses = |decl: &str, body: &str| codes(&format!("{decl}\n@compute @workgroup_size(1) fn main() {{ {body} }}"));
    assert_eq!(
        uses(
            "enable wgpu_binding_array; @group(0) @binding(0) var b: binding_array<texture_2d<f32>, 4>;",
            "let a = textureLoad(b[0], vec2(0), 0);"
        ),
        ["unsupported-binding"]
    );
    assert_eq!(
        uses(
            "enable wgpu_ray_query; @group(0) @binding(0) var a: acceleration_structure;",
            "var q: ray_query; rayQueryInitialize(&q, a, RayDesc());"
        ),
        ["unsupported-binding"]
    );
    assert_eq!(
        uses("@group(0) @binding(0) var t: texture_storage_2d<r32uint, atomic>;", "textureAtomicAdd(t, vec2(0), 1u);"),
        ["unsupported-binding"]
    );
}

#[test]
fn one_place_for_two_buffers() {
    check(
        "@group(0) @binding(3) var<storage, read> a: array<u32>;\n\
         @group(0) @binding(3) var<storage, read_write> b: array<u32>;\n\
         @compute @workgroup_size(1)\nfn main() {\n    b[0] = a[0];\n}\n",
        expect![[r#"
            error[duplicate-binding]: an entry point uses group 0 binding 3 twice
              ┌─ <wgsl>:2:23
              │
            1 │ @group(0) @binding(3) var<storage, read> a: array<u32>;
              │                       --------------------------------- and so has `a`
            2 │ @group(0) @binding(3) var<storage, read_write> b: array<u32>;
              │                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `b` has it
        "#]],
    );
    // Two entry points may each have their own.
    Program::wgsl(
        "@group(0) @binding(3) var<storage, read_write> a: array<u32>;\n\
         @group(0) @binding(3) var<storage, read_write> b: array<u32>;\n\
         @compute @workgroup_size(1) fn f() { a[0] = 1; }\n@compute @workgroup_size(1) fn g() { b[0] = 1; }\n",
    )
    .unwrap();
}

#[test]
fn workgroup_sizes() {
    check(
        "@compute @workgroup_size(0)\nfn main() {}\n",
        expect![[r#"
        error[workgroup-size]: the workgroup size of `main` is out of range
          ┌─ <wgsl>:2:4
          │
        2 │ fn main() {}
          │    ^^^^ each dimension must be from 1 to 16384
    "#]],
    );
    assert_eq!(codes("@compute @workgroup_size(65536) fn main() {}"), ["workgroup-size"]);
    assert_eq!(codes("@compute @workgroup_size(-1) fn main() {}"), ["invalid"]);
    assert_eq!(codes("@compute fn main() {}"), ["invalid"]);
}

#[test]
fn recursion() {
    assert_eq!(codes("fn f() { g(); }\nfn g() { f(); }\n@compute @workgroup_size(1) fn main() { f(); }"), ["invalid"]);
}

#[test]
fn spans_are_exact() {
    let text = "// Gru\u{df}: two bytes\n@compute @workgroup_size(1) fn main() { let a = missing; }\n";
    let report = refused(text);
    let label = &report.diagnostics[0].labels[0];
    assert_eq!(super::covered(text, Some(label.span)), "missing");
    assert!(label.primary);
}

/// `docs/errors.md` has a section for each code that the sources use, and for no other.
#[test]
fn every_code_is_documented() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let mut used = std::collections::BTreeSet::new();
    let mut folders = ["src", "../cli/src"].map(|folder| std::path::Path::new(root).join(folder)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                for made in ["Diagnostic::error(", "Diagnostic::warning("] {
                    for (at, _) in text.match_indices(made) {
                        let rest = text[at + made.len()..].trim_start();
                        if let Some(code) = rest.strip_prefix('"') {
                            used.insert(code[..code.find('"').unwrap()].to_owned());
                        }
                    }
                }
            }
        }
    }
    // Chosen by a variable in `program::explain`.
    used.extend(["syntax", "invalid"].map(str::to_owned));
    // The same in `sanitize::tell`.
    used.extend(["division-by-zero", "shift-width", "conversion", "made-nan", "overflow"].map(str::to_owned));
    let docs = std::fs::read_to_string(format!("{root}../../docs/errors.md")).unwrap();
    let documented: std::collections::BTreeSet<String> =
        docs.lines().filter_map(|line| Some(line.strip_prefix("## `")?.trim_end_matches('`').to_owned())).collect();
    assert_eq!(used, documented);
}
