//! `seawall test`: what it finds, runs, says and rewrites.

use std::fs;
use std::path::Path;

use expect_test::expect;

use crate::support::Dir;

fn double(expected: &str) -> String {
    format!(
        "//! in a = u32[1, 2, 3]
//! out a = u32[{expected}]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(3)
fn main(@builtin(local_invocation_index) i: u32) {{ a[i] *= 2u; }}
"
    )
}

const ENDLESS: &str = "//! out a = u32[0]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(1)
fn main() { loop { if a[0] == 1u { break; } } }
";

const RACE: &str = "//! racy
//! out a = u32[8]
@group(0) @binding(0) var<storage, read_write> a: u32;
@compute @workgroup_size(8)
fn main() { a += 1u; }
";

const REFUSED: &str = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(1)
fn main() { a[0] = c; } //~ error[invalid]
";

fn dir() -> Dir {
    Dir::new()
        .with("right.wgsl", double("2, 4, 6"))
        .with("race.wgsl", RACE)
        .with("refused.wgsl", REFUSED)
        .with("plain.wgsl", "@compute @workgroup_size(1) fn main() { }\n")
}

#[test]
fn a_folder_is_run_and_summed_up() {
    dir().expect(
        &["test", "."],
        &expect![[r#"
            -- stdout
            ok        -          ./refused.wgsl
            skipped   cpu        ./race.wgsl: `racy` is for the reference device
            ok        cpu        ./right.wgsl
            2 passed, 0 failed, 1 skipped, 1 without directives
        "#]],
    );
    dir().expect(
        &["test", ".", "--device", "reference", "--device", "cpu", "--filter", "race", "--filter", "right"],
        &expect![[r#"
            -- stdout
            ok        reference  ./race.wgsl
            ok        reference  ./right.wgsl
            skipped   cpu        ./race.wgsl: `racy` is for the reference device
            ok        cpu        ./right.wgsl
            3 passed, 0 failed, 1 skipped, 1 without directives
        "#]],
    );
    assert_eq!(dir().stdout(&["test", "-q", "."]), "2 passed, 0 failed, 1 skipped, 1 without directives\n");
}

#[test]
fn what_fails_says_why_and_ends_with_status_1() {
    let dir = dir()
        .with("wrong.wgsl", double("2, 5, 6"))
        .with("word.wgsl", "//! outt a = u32[1]\n")
        .with("endless.wgsl", ENDLESS)
        .with("accepted.wgsl", REFUSED.replace("= c;", "= 1u;"));
    dir.expect(
        &["test", "-q", ".", "--seconds", "0.5"],
        &expect![[r#"
            status 1
            -- stdout
            FAILED    -          ./accepted.wgsl
                the program was accepted; expected error[invalid] "" on line 3
            FAILED    -          ./word.wgsl
                line 1: there is no directive `outt`
            FAILED    cpu        ./endless.wgsl
                error[deadline]: the run was not done at its deadline, in `main`
                  ┌─ ./endless.wgsl:4:13
                  │
                4 │ fn main() { loop { if a[0] == 1u { break; } } }
                  │             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ still going round here
            FAILED    cpu        ./wrong.wgsl
                `a` differs
                  [1] byte 4: expected 5, got 4 (u32)
            2 passed, 4 failed, 1 skipped, 1 without directives
            -- stderr
            error: 4 of 7 tests failed
        "#]],
    );
    let output = dir.output(&["test", "wrong.wgsl", "right.wgsl", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((&said["passed"], &said["failed"]), (&1.into(), &1.into()));
    assert_eq!(said["tests"][0]["result"], "failed");
    assert_eq!(said["tests"][0]["why"], "`a` differs\n  [1] byte 4: expected 5, got 4 (u32)\n");
    assert_eq!(
        said["tests"][1],
        serde_json::json!({ "name": "right", "path": "right.wgsl", "device": "cpu",
        "result": "passed", "why": null })
    );
}

#[test]
fn where_there_is_nothing_to_run() {
    let dir = dir();
    dir.expect(
        &["test", ".", "--filter", "nothing"],
        &expect![[r#"
            status 1
            -- stderr
            error: there is no test in `.` with `nothing` in its path
            help: docs/test.md says what a test has in its comments
        "#]],
    );
    dir.expect(
        &["test", "nowhere"],
        &expect![[r#"
            status 3
            -- stderr
            error: cannot read `nowhere`: No such file or directory (os error 2)
        "#]],
    );
    dir.expect(
        &["test", "plain.wgsl"],
        &expect![[r#"
            status 1
            -- stdout
            FAILED    -          plain.wgsl
                nothing is expected: no `out` and no error
            0 passed, 1 failed
            -- stderr
            error: 1 of 1 test failed
        "#]],
    );
    assert!(dir.failure(3, &["test", ".", "--device", "warp"]).starts_with("error: there is no device `warp`"));
    assert!(dir.failure(2, &["test"]).contains("<PATH>"));
}

#[test]
fn expected_failures_are_listed_and_must_fail() {
    let dir = dir().with("wrong.wgsl", double("2, 5, 6"));
    fs::create_dir(dir.path("expected-failures")).expect("a folder");
    let list = |text: &str| fs::write(dir.path("expected-failures/cpu.txt"), text).expect("a list");
    list("wrong: it is wrong\n");
    let said = dir.stdout(&["test", ".", "--filter", "wrong"]);
    assert!(
        said.starts_with(
            "expected  cpu        ./wrong.wgsl: fails, since it is wrong\n0 passed, 0 failed, 1 failed as expected"
        ),
        "{said}"
    );
    // The list is that of the nearest folder, from wherever a test is named.
    assert!(dir.stdout(&["test", "wrong.wgsl"]).starts_with("expected  cpu"));
    list("wrong: it is wrong\nright: it is right\n");
    let output = dir.output(&["test", "right.wgsl"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("listed as an expected failure (it is right), but it passes: remove the entry"), "{said}");
    list("gone: it was here\n");
    assert!(dir.failure(1, &["test", "."]).ends_with("expected-failures: there is no test `gone`\n"));
}

#[test]
fn blessing_rewrites_what_differs() {
    let dir = dir().with("wrong.wgsl", double("2, ?, 6")).with("windows.wgsl", double("1, 1, 1").replace('\n', "\r\n"));
    let output = dir.output(&["test", "--bless", "wrong.wgsl", "right.wgsl"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"wrote: what the reference device gives into `wrong.wgsl`\n");
    assert_eq!(dir.read("wrong.wgsl"), dir.read("right.wgsl"));
    let mut command = dir.command(&["test", "-q", "windows.wgsl"]);
    assert!(command.env("SEAWALL_BLESS", "1").status().expect("it starts").success());
    assert_eq!(dir.read("windows.wgsl"), double("2, 4, 6").replace('\n', "\r\n").into_bytes());
}

#[test]
fn the_corpus_passes_by_the_command_too() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/workgroup");
    let corpus = corpus.to_str().expect("text");
    let said = dir().stdout(&["test", "-q", corpus, "--device", "cpu", "--device", "reference"]);
    assert!(said.contains(" passed, 0 failed"), "{said}");
}
