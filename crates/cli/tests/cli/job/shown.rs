//! What would run, and what did: plans, explanations, pictures, traces.

use expect_test::expect;

use super::{DIAMOND, devices, diamond_out, dir, events};
use crate::support::{Dir, double};

#[test]
fn a_budget_that_no_plan_can_keep_is_refused() {
    dir(DIAMOND).expect(
        &["run", "job.toml", "--budget", "512"],
        &expect![[r#"
            status 1
            -- stderr
            error: wave `top` needs 768 bytes at once, over the budget of 512
        "#]],
    );
    let within = format!("budget = \"1 KB\"\n{DIAMOND}");
    assert_eq!(dir(&within).outputs(&["run", "job.toml", "--budget", "1MiB"]), diamond_out());
    let within = within.replace("1 KB", "500");
    dir(&within).expect(
        &["plan", "job.toml"],
        &expect![[r#"
            status 1
            -- stderr
            error: wave `top` needs 768 bytes at once, over the budget of 500
        "#]],
    );
}

#[test]
fn a_plan() {
    dir(DIAMOND).expect(
        &["plan", "job.toml"],
        &expect![[r#"
            -- stdout
            plan: 4 waves in 3 groups
            group 0: `top`
            group 1: `left`, `right`
            group 2: `bottom`
            group 1 waits: `left` reads `a` after `top` writes it
            group 2 waits: `bottom` reads `b` after `left` writes it
            kernel k0 = add
            kernel k1 = sum
            buffer b0 = in 256 bytes transient
            buffer b1 = values 256 bytes transient
            buffer b2 = a 256 bytes transient
            buffer b3 = values 256 bytes transient
            buffer b4 = b 256 bytes transient
            buffer b5 = c 256 bytes transient
            buffer b6 = out 256 bytes transient
            host h0 = in 256 bytes read
            host h1 = out 256 bytes read-write
            host h2 = values 512 bytes read
            upload h0[0] -> b0[0+256]
            upload h2[0] -> b1[0+256]
            barrier
            dispatch k0 grid 1,1,1 b0[0+256] b2[0+256] b1[0+4]
            free b1
            upload h2[256] -> b3[0+256]
            barrier
            dispatch k0 grid 1,1,1 b2[0+256] b4[0+256] b3[0+4]
            dispatch k1 grid 1,1,1 b2[0+256] b0[0+256] b5[0+256]
            free b0
            free b2
            free b3
            barrier
            dispatch k1 grid 1,1,1 b4[0+256] b5[0+256] b6[0+256]
            free b4
            free b5
            barrier
            download b6[0+256] -> h1[0]
            free b6
            at most 1280 bytes on the device
        "#]],
    );
    let text = dir(DIAMOND).stdout(&["plan", "job.toml", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["groups"], serde_json::json!([["top"], ["left", "right"], ["bottom"]]));
    assert_eq!(json["evicted_bytes"], 0);
}

#[test]
fn an_explanation() {
    dir(DIAMOND).expect(
        &["explain", "job.toml"],
        &expect![[r#"
        -- stdout
        device cpu: it is the first choice of this build
        4 waves in 3 groups
        group 0: `top`
        group 1: `left`, `right`
          group 1 waits: `left` reads `a` after `top` writes it
        group 2: `bottom`
          group 2 waits: `bottom` reads `b` after `left` writes it
        memory: at most 1280 bytes on the device, no budget
    "#]],
    );
}

#[test]
fn a_picture_of_a_plan() {
    let dir = dir(DIAMOND);
    let draw = |args: &[&str]| {
        dir.stdout(&[&["plan", "job.toml", "--svg", "p.svg"], args].concat());
        String::from_utf8(dir.read("p.svg")).expect("text")
    };
    let whole = draw(&[]);
    assert_eq!(whole, draw(&["--json"]));
    for wave in ["top", "left", "right", "bottom"] {
        assert!(whole.contains(&format!("<g><title>{wave}</title>")), "{wave}: {whole}");
    }
    // Stages: the upload, the three groups, the download.
    assert_eq!(whole.matches("<g><title>stage ").count(), 5);
    assert!(!whole.contains("apart for want of room") && !whole.contains("budget 1"));
    let split = draw(&["--budget", "1040"]);
    assert_eq!(split.matches("<g><title>stage ").count(), 6);
    assert!(split.contains("apart for want of room") && split.contains("budget 1 KiB"), "{split}");
    let said = dir.failure(3, &["plan", "job.toml", "--svg", "none/p.svg"]);
    assert!(said.starts_with("error: cannot write `none/p.svg`: "), "{said}");
}

#[test]
fn a_trace_of_a_job() {
    for device in devices() {
        let dir = dir(DIAMOND);
        dir.stdout(&["run", "job.toml", "--device", &device, "--trace", "t.json"]);
        let spans = events(&dir, "t.json", "X");
        let of =
            |kind: &str| -> Vec<&serde_json::Value> { spans.iter().filter(|event| event["cat"] == kind).collect() };
        let mut waves: Vec<&str> = of("dispatch").iter().filter_map(|event| event["name"].as_str()).collect();
        waves.dedup();
        waves.sort_unstable();
        waves.dedup();
        assert_eq!(waves, ["bottom", "left", "right", "top"], "{device}");
        let run = spans.iter().find(|event| event["name"] == "run").expect("a phase");
        let time = |event: &serde_json::Value, key: &str| event[key].as_f64().expect("a number");
        for event in of("dispatch") {
            assert!(time(event, "ts") >= time(run, "ts"), "{device}: {event} before {run}");
            assert!(event["args"]["bytes"].as_u64().is_some_and(|bytes| bytes >= 512), "{device}: {event}");
        }
        let bytes = |event: &serde_json::Value| event["args"]["bytes"].as_u64().expect("a number");
        let live = events(&dir, "t.json", "C");
        let peak = live.iter().map(bytes).max();
        let plan: serde_json::Value = serde_json::from_str(&dir.stdout(&["plan", "job.toml", "--json"])).expect("JSON");
        assert_eq!(peak, plan["peak_bytes"].as_u64(), "{device}");
    }
}

#[test]
fn a_trace_of_a_program() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    let run = ["run", "double.wgsl", "--in", "v=[1,2,3]", "--trace"];
    // What the CPU device does in the caller's memory is there too, with no bytes that moved.
    let phases = ["read the program", "compile and run", "upload v", "main", "download v"];
    for device in ["cpu", "reference"] {
        dir.stdout(&[&run[..], &["t.json", "--device", device]].concat());
        let spans = events(&dir, "t.json", "X");
        let names: Vec<&str> = spans.iter().filter_map(|event| event["name"].as_str()).collect();
        for name in phases {
            assert!(names.contains(&name), "{device}: {name} in {names:?}");
        }
    }
    let said = dir.failure(3, &[&run[..], &["none/t.json"]].concat());
    assert!(said.ends_with("error: cannot write `none/t.json`: there is no directory `none`\n"), "{said}");
}
