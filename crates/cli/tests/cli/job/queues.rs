//! Work queues in job files.

use expect_test::{Expect, expect};

use super::deciding;
use crate::support::Dir;

/// Each number pushes all that are smaller by a power of two.
const WGSL: &str = "\
@group(0) @binding(0) var<storage, read_write> seen: atomic<u32>;
@compute @workgroup_size(64)
fn visit(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= work_len() { return; }
    atomicAdd(&seen, 1u);
    let number = work_item(id.x);
    for (var power = 1u; power <= number; power *= 2u) { work_push(number - power); }
}
@compute @workgroup_size(1)
fn reset() { atomicStore(&seen, 0u); }
";

const VISITS: &str = r#"[buffers]
seen.output = true

[queues.numbers]
capacity = 1000
entry = "u32"
source = [5]

[[wave]]
name = "reset"
program = "w.wgsl"
entry = "reset"
workgroups = 1

[[wave]]
name = "visit"
program = "w.wgsl"
entry = "visit"
queue = { work = "numbers" }
items = "numbers"
in = "visits"

[drains.visits]
queues = ["numbers"]
"#;

/// For others: the program and the file.
pub(super) const JOB: (&str, &str) = (WGSL, VISITS);

/// The items that a number leads to, itself among them.
fn items(number: u32) -> u64 {
    let powers = (0..32).map(|bit| 1 << bit).take_while(|power| *power <= number);
    1 + powers.map(|power: u32| items(number - power)).sum::<u64>()
}

fn changed(changes: &[(&str, &str)]) -> Dir {
    let mut job = VISITS.to_owned();
    for (old, new) in changes {
        assert!(job.contains(old), "{old}");
        job = job.replacen(old, new, 1);
    }
    Dir::new().with("w.wgsl", WGSL).with("job.toml", job)
}

#[test]
fn a_queue_is_drained_on_every_device() {
    for device in deciding() {
        for start in [&[5][..], &[0], &[1, 2, 3], &[9]] {
            for window in ["", "\nwindow = 1", "\nwindow = 7"] {
                let source = format!("source = {start:?}{window}");
                let dir = changed(&[("source = [5]", &source)]);
                let all: u64 = start.iter().map(|&number| items(number)).sum();
                let said = dir.stdout(&["run", "job.toml", "--device", &device, "--json"]);
                let json: serde_json::Value = serde_json::from_str(&said).expect("JSON");
                assert_eq!(json["outputs"]["seen"], all, "{device}, {source}");
                let queue = &json["stats"]["queues"][0];
                assert_eq!((&queue["name"], &queue["items"]), (&"numbers".into(), &all.into()), "{device}, {source}");
                let (windows, turns) = (&queue["windows"], &json["stats"]["loops"][0]["turns"]);
                assert_eq!(windows, turns, "{device}, {source}");
                assert!(window != "\nwindow = 1" || *windows == all, "{device}, {source}: {windows} windows");
            }
        }
        assert!(changed(&[("source = [5]", "")]).outputs(&["run", "job.toml", "--device", &device]).contains(":0"));
    }
}

#[test]
fn what_became_of_a_queue_is_told() {
    let device = &deciding()[0];
    let text = changed(&[]).stdout(&["run", "job.toml", "--device", device]);
    let line = text.lines().find(|line| line.starts_with("queue ")).expect("a line");
    // Those of one depth are a window, and there with those that they push.
    let by_depth = [1, 3, 6, 7, 5, 1];
    assert_eq!(by_depth.iter().sum::<u64>(), items(5));
    assert_eq!(line, "queue numbers: 23 items in 6 windows, at most 13 at once, 0 turns without any");
    let full = changed(&[("capacity = 1000", "capacity = 12")]);
    assert_eq!(
        full.failure(1, &["run", "job.toml", "--device", device]),
        "error: 1 items did not fit into queue `numbers`, which holds 12; a capacity of 13 would have held them\n"
    );
    let limited = changed(&[("queues = [\"numbers\"]", "queues = [\"numbers\"]\nlimit = 2\nmust_end = true")]);
    let said = limited.failure(1, &["run", "job.toml", "--device", device]);
    assert!(said.starts_with("error: `visits` ran 2 times, its limit, and was to go on\n"), "{said}");
}

#[test]
fn plans_and_pictures_show_queues() {
    let dir = changed(&[]);
    dir.expect(
        &["explain", "job.toml", "--device", "reference"],
        &expect![[r#"
        -- stdout
        device reference: it was asked for
        5 waves in 4 groups
        group 0: `numbers.fill`, `reset`
        group 1: `visits.open numbers`
          group 1 waits: `visits.open numbers` writes `numbers.control` after `numbers.fill` does
        loop `visits`, while `visits.drain` is not zero:
          group 2: `visit`
            group 2 waits: `visits` writes `numbers.control` after `visits.open numbers` does
          group 3: `visits.next numbers`
            group 3 waits: `visits.next numbers` writes `numbers.control` after `visit` does
        `numbers`, a queue: 4000 bytes, 4388 resident, 10 bp full at first
        drain: 1000 items at once, host sync at the end only
        memory: at most 5160 bytes on the device, no budget
    "#]],
    );
    dir.stdout(&["plan", "job.toml", "--svg", "p.svg"]);
    let svg = String::from_utf8(dir.read("p.svg")).expect("text");
    assert!(svg.contains("queue numbers of 1000 items in 3.9 KiB, 0% full at first"), "{svg}");
    assert!(svg.contains("<title>loop visits, while visits.drain is not zero</title>"), "{svg}");
    let json: serde_json::Value = serde_json::from_str(&dir.stdout(&["plan", "job.toml", "--json"])).expect("JSON");
    assert_eq!((&json["queues"][0]["capacity"], &json["queues"][0]["initial"]), (&1000.into(), &1.into()));
}

fn refused(changes: &[(&str, &str)], expected: &Expect) {
    changed(changes).expect(&["run", "job.toml"], expected);
}

#[test]
fn queues_that_are_wrong() {
    refused(
        &[("work = \"numbers\"", "work = \"number\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no queue `number`
           ┌─ job.toml:19:18
           │
        19 │ queue = { work = "number" }
           │                  ^^^^^^^^ no such queue
           │
           = help: did you mean `numbers`?

    "#]],
    );
    refused(
        &[("queues = [\"numbers\"]", "queues = [\"number\"]")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no queue `number`
           ┌─ job.toml:24:11
           │
        24 │ queues = ["number"]
           │           ^^^^^^^^ no such queue
           │
           = help: did you mean `numbers`?

    "#]],
    );
    refused(
        &[("queues = [\"numbers\"]", "queues = []")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: drain `visits` has no queue
           ┌─ job.toml:24:10
           │
        24 │ queues = []
           │          ^^ of what?
           │
           = help: name those that it is to empty

    "#]],
    );
    refused(
        &[("items = \"numbers\"", "items = \"nobody\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no queue `nobody`
           ┌─ job.toml:20:9
           │
        20 │ items = "nobody"
           │         ^^^^^^^^ no such queue
           │
           = help: there is numbers

    "#]],
    );
    refused(
        &[("in = \"visits\"", ""), ("[drains.visits]\nqueues = [\"numbers\"]\n", "")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: wave `visit` runs over items of `numbers`, but is in no drain of it
           ┌─ job.toml:20:9
           │
        20 │ items = "numbers"
           │         ^^^^^^^^^ which items?
           │
           = help: say in = "NAME", of a drain with queues = ["numbers"]

    "#]],
    );
    refused(
        &[("items = \"numbers\"", "items = \"numbers\"\nthreads = 64")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: wave `visit` has two grids
           ┌─ job.toml:20:9
           │
        20 │ items = "numbers"
           │         ^^^^^^^^^ one of them
           │
           = help: threads, workgroups, over, indirect and items exclude each other

    "#]],
    );
    refused(
        &[("seen.output = true", "seen.output = true\nnumbers.elements = 1")],
        &expect![[r#"
            status 1
            -- stderr
            error[job-buffer]: `numbers` is both a buffer and a queue
              ┌─ job.toml:5:9
              │
            5 │ [queues.numbers]
              │         ^^^^^^^ the queue
              │
              = help: call one of them otherwise

        "#]],
    );
    refused(
        &[("[drains", "[queues.spare]\ncapacity = 1\nentry = \"u32\"\n[drains")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: no wave takes items of queue `spare` or pushes any
           ┌─ job.toml:23:9
           │
        23 │ [queues.spare]
           │         ^^^^^ not used
           │
           = help: let one with queue = { NAME = "QUEUE" }, or leave it out

    "#]],
    );
    refused(
        &[("capacity = 1000", "capacity = 0")],
        &expect![[r#"
            status 1
            -- stderr
            error[job-buffer]: queue `numbers`: the queue has a capacity of 0 items; give it at least 1
              ┌─ job.toml:4:9
              │
            4 │ [queues.numbers]
              │         ^^^^^^^ here

        "#]],
    );
    refused(
        &[("source = [5]", "source = [1, 2, 3]"), ("capacity = 1000", "capacity = 2")],
        &expect![[r#"
            status 1
            -- stderr
            error[job-buffer]: queue `numbers`: 3 items at first in a queue of 2; raise the capacity
              ┌─ job.toml:4:9
              │
            4 │ [queues.numbers]
              │         ^^^^^^^ here

        "#]],
    );
    refused(
        &[("entry = \"reset\"\n", "entry = \"reset\"\nqueue = { work = \"numbers\" }\n")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: `reset` uses no queue `work`
           ┌─ job.toml:13:11
           │
        13 │ queue = { work = "numbers" }
           │           ^^^^ not used
           │
           = help: it takes items with work_item and pushes them with work_push; or leave this out

    "#]],
    );
    refused(
        &[("[drains.visits]", "[loops.visits]\ntimes = 2\n[drains.visits]")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: `visits` is both a loop and a drain
           ┌─ job.toml:25:9
           │
        23 │ [loops.visits]
           │        ------ the loop
        24 │ times = 2
        25 │ [drains.visits]
           │         ^^^^^^ the drain

    "#]],
    );
    refused(
        &[("queues = [\"numbers\"]", "queues = [\"numbers\"]\nmust_end = true")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: drain `visits` must end, but has no limit
           ┌─ job.toml:25:12
           │
        25 │ must_end = true
           │            ^^^^ before what?
           │
           = help: it makes an error of reaching limit = N

    "#]],
    );
    refused(
        &[("in = \"visits\"", "in = \"visit\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no loop, branch or drain `visit`
           ┌─ job.toml:21:6
           │
        21 │ in = "visit"
           │      ^^^^^^^ no such loop, branch or drain
           │
           = help: did you mean `visits`?

    "#]],
    );
    refused(
        &[("entry = \"u32\"\n", "")],
        &expect![[r#"
            status 1
            -- stderr
            error[job-syntax]: `entry` is missing
              ┌─ job.toml:4:1
              │
            4 │ [queues.numbers]
              │ ^^^^^^^^^^^^^^^^ here

        "#]],
    );
}

#[test]
fn the_manuals_queue_works() {
    let manual = include_str!("../../../../../docs/job.md");
    let job = manual.split("```toml\n").nth(3).and_then(|rest| rest.split("```").next()).expect("an example");
    let (visit, _) = WGSL.rsplit_once("@compute").expect("two entry points");
    let dir = Dir::new().with("visit.wgsl", visit).with("job.toml", job);
    assert_eq!(dir.outputs(&["run", "job.toml", "--device", &deciding()[0]]), format!(r#"{{"seen":{}}}"#, items(5)));
}

/// Two queues of structs, the near one first: items carry how far they have come.
#[test]
fn queues_of_structs_in_order() {
    let wgsl = "\
struct Stop { place: u32, cost: f32 }
@group(0) @binding(0) var<storage, read_write> log: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: u32;
@compute @workgroup_size(1)
fn near() {
    for (var i = 0u; i < soon_len(); i += 1u) {
        let stop = soon_item(i);
        log[count] = stop.place;
        count += 1u;
        if stop.cost < 3.0 { late_push(Stop(stop.place + 10u, stop.cost + 1.5)); }
    }
}
@compute @workgroup_size(1)
fn far() {
    for (var i = 0u; i < late_len(); i += 1u) {
        let stop = late_item(i);
        log[count] = stop.place;
        count += 1u;
        if stop.place % 2u == 1u { soon_push(Stop(stop.place + 100u, stop.cost)); }
    }
}
";
    let job = r#"
        [buffers]
        log = { elements = 16, output = true, count = "count" }
        count = {}
        [queues]
        near = { capacity = 8, entry = "Stop", source = [{ place = 1, cost = 1.0 }, { place = 2, cost = 2.5 }] }
        far = { capacity = 8, entry = "Stop", source = [{ place = 3, cost = 9.0 }], window = 1 }
        [drains.both]
        queues = ["near", "far"]
        [[wave]]
        name = "near"
        program = "w.wgsl"
        entry = "near"
        queue = { soon = "near", late = "far" }
        workgroups = 1
        in = "both"
        [[wave]]
        name = "far"
        program = "w.wgsl"
        entry = "far"
        queue = { soon = "near", late = "far" }
        workgroups = 1
        in = "both"
    "#;
    let dir = Dir::new().with("w.wgsl", wgsl).with("job.toml", job);
    for device in deciding() {
        // 1 and 2 push 11 and 12 after 3; 3 pushes 103, which comes before them; 11 pushes 111.
        let outputs = dir.outputs(&["run", "job.toml", "--device", &device]);
        assert_eq!(outputs, r#"{"log":[1,2,3,103,11,111,12,121,221]}"#, "{device}");
    }
}
