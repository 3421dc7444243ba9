//! Loops and branches in job files: what they compute, and what is said of them.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::{deciding, events};
use crate::support::Dir;

const WGSL: &str = "\
@group(0) @binding(0) var<storage, read> now: array<u32>;
@group(0) @binding(1) var<storage, read_write> next: array<u32>;
@group(0) @binding(2) var<storage, read_write> count: u32;
@group(0) @binding(3) var<storage, read_write> odd: u32;
@compute @workgroup_size(4)
fn step(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&next);
    if id.x < n { next[id.x] = now[id.x] + now[(id.x + 1u) % n]; }
}
@compute @workgroup_size(4)
fn bump(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&next) { next[id.x] += 100u; }
}
@compute @workgroup_size(1)
fn tick() { count -= 1u; odd = count % 2u; }
";

/// Neighbours are added as often as `count` says, with 100 more after each odd count.
const LEVELS: &str = r#"[buffers]
now = { source = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], output = true }
next.elements = 10
count = { source = 5, output = true }
odd = {}

[[wave]]
name = "step"
program = "w.wgsl"
entry = "step"
over = "next"
in = "levels"

[[wave]]
name = "bump"
program = "w.wgsl"
entry = "bump"
over = "next"
in = "odd turns"

[[wave]]
name = "tick"
program = "w.wgsl"
entry = "tick"
workgroups = 1
in = "levels"

[loops.levels]
while = "count"
limit = 9
swap = [["now", "next"]]

[branches."odd turns"]
if = "odd"
in = "levels"
"#;

/// For others: the program and the file.
pub(super) const JOB: (&str, &str) = (WGSL, LEVELS);

fn dir(job: &str) -> Dir {
    Dir::new().with("w.wgsl", WGSL).with("job.toml", job)
}

/// The job with `old` replaced.
fn changed(old: &str, new: &str) -> Dir {
    assert!(LEVELS.contains(old), "{old}");
    dir(&LEVELS.replacen(old, new, 1))
}

/// What so many turns of the loop leave, and the count.
fn levels(from: u32, turns: u32) -> String {
    let mut now: Vec<u32> = (1..=10).collect();
    let mut count = from;
    let mut odd = 0;
    for _ in 0..turns {
        let more = if odd == 0 { 0 } else { 100 };
        now = (0..10).map(|i| now[i] + now[(i + 1) % 10] + more).collect();
        count -= 1;
        odd = count % 2;
    }
    format!(r#"{{"now":{},"count":{count}}}"#, serde_json::json!(now))
}

#[test]
fn a_loop_with_a_branch_on_every_device() {
    for device in deciding() {
        let run = |dir: &Dir| dir.outputs(&["run", "job.toml", "--device", &device]);
        assert_eq!(run(&dir(LEVELS)), levels(5, 5), "{device}");
        for count in [0, 1, 2, 8] {
            let dir = changed("source = 5", &format!("source = {count}"));
            assert_eq!(run(&dir), levels(count, count), "{device}");
        }
        assert_eq!(run(&changed("limit = 9", "limit = 3")), levels(5, 3), "{device}");
        assert_eq!(run(&changed("limit = 9\n", "")), levels(5, 5), "{device}");
        assert_eq!(run(&changed("while = \"count\"\nlimit = 9", "times = 2")), levels(5, 2), "{device}");
        // The count is not zero at first, so there is no turn until it is.
        assert_eq!(run(&changed("while = \"count\"", "until = \"count\"")), levels(5, 0), "{device}");
    }
}

#[test]
fn what_became_of_loops_is_told() {
    let device = &deciding()[0];
    let said = |dir: &Dir| {
        let text = dir.stdout(&["run", "job.toml", "--device", device]);
        let lines = text.lines().filter(|line| line.starts_with("loop ") || line.starts_with("branch "));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        said(&dir(LEVELS)),
        "loop levels: 5 turns, ended by its condition\nbranch odd turns: taken 2 times, come to 5 times"
    );
    assert_eq!(
        said(&changed("limit = 9", "limit = 1")),
        "loop levels: 1 turn, ended by its limit\nbranch odd turns: not taken"
    );
    assert_eq!(
        said(&changed("while = \"count\"\nlimit = 9", "times = 3")),
        "loop levels: 3 turns\nbranch odd turns: taken once, come to 3 times"
    );
    assert_eq!(
        said(&changed("source = 5", "source = 0")),
        "loop levels: 0 turns, ended by its condition\nbranch odd turns: never come to"
    );
    let nested = LEVELS
        .replace("in = \"odd turns\"", "in = \"levels\"")
        .replace("[branches.\"odd turns\"]\nif = \"odd\"\nin = \"levels\"\n", "[loops.outer]\ntimes = 2\n")
        .replace("limit = 9", "limit = 2\nin = \"outer\"");
    assert_eq!(
        said(&dir(&nested)),
        "loop outer: 2 turns\nloop levels: 4 turns, come to 2 times, ended 2 times by its limit"
    );
    let text = dir(LEVELS).stdout(&["run", "job.toml", "--device", device, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        json["stats"]["loops"],
        serde_json::json!([
            { "name": "levels", "kind": "loop", "entries": 1, "turns": 5, "limited": 0 },
            { "name": "odd turns", "kind": "branch", "entries": 5, "turns": 2, "limited": 0 },
        ])
    );
    let limited = changed("limit = 9", "limit = 2\nmust_end = true");
    assert_eq!(
        limited.failure(1, &["run", "job.toml", "--device", device]),
        "error: `levels` ran 2 times, its limit, and was to go on\n\
         help: limit = N says how often it may; without must_end it is no error to reach it\n"
    );
    assert_eq!(said(&changed("limit = 9", "limit = 5\nmust_end = true")).lines().count(), 2);
}

#[test]
fn a_word_inside_a_buffer_and_a_value_decide() {
    let device = &deciding()[0];
    let run = |dir: &Dir, args: &[&str]| dir.outputs(&[&["run", "job.toml", "--device", device], args].concat());
    // What only decides, or only changes places, needs no wave.
    let job = LEVELS.replace("if = \"odd\"", "unless = \"which\"").replace("[loops", "[values]\nwhich = 1\n[loops");
    let plain = |turns: u32, more: u32| {
        let mut now: Vec<u32> = (1..=10).collect();
        for _ in 0..turns {
            now = (0..10).map(|i| now[i] + now[(i + 1) % 10] + more).collect();
        }
        format!(r#"{{"now":{},"count":0}}"#, serde_json::json!(now))
    };
    assert_eq!(run(&dir(&job), &[]), plain(5, 0));
    assert_eq!(run(&dir(&job), &["--value", "which=0"]), plain(5, 100));
    let word = LEVELS.replace("while = \"count\"", "while = { buffer = \"now\", offset = 36 }");
    let limited = run(&dir(&word.replace("source = 5", "source = 200")), &[]);
    assert_eq!(limited, levels(200, 9), "the last of `now` is never zero");
    let zero = word.replace("9, 10]", "9, 0]");
    assert!(run(&dir(&zero), &[]).contains(r#""now":[1,2,3,4,5,6,7,8,9,0],"count":5"#));
    // Three that go round: what the third holds, nobody binds.
    let three = LEVELS
        .replace("odd = {}", "odd = {}\nold = { elements = 10, output = true }")
        .replace("[[\"now\", \"next\"]]", "[[\"now\", \"next\"], [\"next\", \"old\"]]")
        .replace("source = 5", "source = 1");
    let all = run(&dir(&three), &[]);
    assert!(all.contains(r#""old":[1,2,3,4,5,6,7,8,9,10]"#), "{all}");
}

#[test]
fn plans_show_blocks() {
    let dir = dir(LEVELS);
    let text = dir.stdout(&["plan", "job.toml"]);
    expect![[r#"
        plan: 3 waves in 3 groups
        loop `levels`, while `count` is not zero, at most 9 turns:
          group 0: `step`
          branch `odd turns`, if `odd` is not zero:
            group 1: `bump`
          group 2: `tick`
          swap `now` and `next`
    "#]]
    .assert_eq(&text.split_inclusive('\n').take(7).collect::<String>());
    let json: serde_json::Value = serde_json::from_str(&dir.stdout(&["plan", "job.toml", "--json"])).expect("JSON");
    assert_eq!(
        json["blocks"],
        serde_json::json!([
            { "name": "levels", "kind": "loop", "decides": "while `count` is not zero, at most 9 turns",
              "limit": 9, "in": null, "groups": [0, 1, 2] },
            { "name": "odd turns", "kind": "branch", "decides": "if `odd` is not zero",
              "limit": null, "in": "levels", "groups": [1] },
        ])
    );
    dir.expect(
        &["explain", "job.toml", "--device", "reference"],
        &expect![[r#"
            -- stdout
            device reference: it was asked for
            3 waves in 3 groups
            loop `levels`, while `count` is not zero, at most 9 turns:
              group 0: `step`
              branch `odd turns`, if `odd` is not zero:
                group 1: `bump`
                  group 1 waits: `odd turns` writes `next` after `step` does
              group 2: `tick`
                group 2 waits: `tick` writes `odd` after `odd turns` reads it
              swap `now` and `next`
            memory: at most 88 bytes on the device, no budget
        "#]],
    );
}

#[test]
fn a_loop_needs_room_for_all_that_is_in_it() {
    dir(LEVELS).expect(
        &["plan", "job.toml", "--budget", "60"],
        &expect![[r#"
        status 1
        -- stderr
        error: `levels` needs 88 bytes for all of its turns, over the budget of 60
    "#]],
    );
}

#[test]
fn a_trace_has_turns() {
    for device in deciding() {
        let dir = dir(LEVELS);
        dir.stdout(&["run", "job.toml", "--device", &device, "--trace", "t.json"]);
        let spans = events(&dir, "t.json", "X");
        let of = |kind: &str| spans.iter().filter(|event| event["cat"] == kind).collect::<Vec<_>>();
        let [levels] = of("loop")[..] else { panic!("{device}: one loop of {spans:?}") };
        assert_eq!((&levels["name"], &levels["args"]["turns"]), (&"levels".into(), &5.into()), "{device}");
        let [odd] = of("when")[..] else { panic!("{device}: one branch of {spans:?}") };
        assert_eq!((&odd["name"], &odd["args"]["turns"]), (&"odd turns".into(), &2.into()), "{device}");
        assert_eq!(odd["args"]["entries"], 5, "{device}");
        let time = |event: &serde_json::Value, key: &str| event[key].as_f64().expect("a number");
        let end = |event: &serde_json::Value| time(event, "ts") + time(event, "dur") + 1e-3;
        let turns = of("turn");
        let names: Vec<&str> = turns.iter().filter_map(|turn| turn["name"].as_str()).collect();
        assert_eq!(names, [0, 1, 2, 3, 4].map(|turn| format!("levels, turn {turn}")), "{device}");
        for pair in turns.windows(2) {
            assert!(end(pair[0]) <= time(pair[1], "ts") + 2e-3, "{device}: {pair:?}");
        }
        for inside in turns.iter().chain([&odd]) {
            let within = time(levels, "ts") <= time(inside, "ts") && end(inside) <= end(levels) + 2e-3;
            assert!(within, "{device}: {inside} in {levels}");
        }
    }
}

/// Each mistake, and what is said.
fn refused(changes: &[(&str, &str)], expected: &Expect) {
    let mut job = LEVELS.to_owned();
    for (old, new) in changes {
        assert!(job.contains(old), "{old}");
        job = job.replacen(old, new, 1);
    }
    dir(&job).expect(&["run", "job.toml"], expected);
}

#[test]
fn names_that_lead_nowhere() {
    refused(
        &[("in = \"odd turns\"", "in = \"odd turn\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no loop or branch `odd turn`
           ┌─ job.toml:19:6
           │
        19 │ in = "odd turn"
           │      ^^^^^^^^^^ no such loop or branch
           │
           = help: did you mean `odd turns`?

    "#]],
    );
    refused(
        &[("if = \"odd\"\nin = \"levels\"", "if = \"odd\"\nin = \"level\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no loop or branch `level`
           ┌─ job.toml:35:6
           │
        35 │ in = "level"
           │      ^^^^^^^ no such loop or branch
           │
           = help: did you mean `levels`?

    "#]],
    );
    refused(
        &[("while = \"count\"", "while = \"counts\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no buffer `counts`
           ┌─ job.toml:29:9
           │
        29 │ while = "counts"
           │         ^^^^^^^^ no such buffer
           │
           = help: did you mean `count`?

    "#]],
    );
    refused(
        &[("if = \"odd\"", "if = { buffer = \"add\", offset = 4 }")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no buffer `add`
           ┌─ job.toml:34:6
           │
        34 │ if = { buffer = "add", offset = 4 }
           │      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no such buffer
           │
           = help: did you mean `odd`?

    "#]],
    );
    refused(
        &[("[\"now\", \"next\"]", "[\"now\", \"nest\"]")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no buffer `nest`
           ┌─ job.toml:31:9
           │
        31 │ swap = [["now", "nest"]]
           │         ^^^^^^^^^^^^^^^ no such buffer
           │
           = help: did you mean `next`?

    "#]],
    );
}

#[test]
fn blocks_that_are_not_in_one_piece() {
    refused(
        &[(
            "workgroups = 1\nin = \"levels\"",
            "workgroups = 1\nin = \"levels\"\n\n[[wave]]\nname = \"again\"\nprogram = \"w.wgsl\"\nentry = \"bump\"\nover = \"next\"\nin = \"odd turns\"",
        )],
        &expect![[r#"
            status 1
            -- stderr
            error[job-block]: the waves of `odd turns` do not stand next to each other
               ┌─ job.toml:33:6
               │
            15 │ name = "bump"
               │        ------ it ended after this
               ·
            33 │ in = "odd turns"
               │      ^^^^^^^^^^^ in it again

        "#]],
    );
    refused(
        &[("over = \"next\"\nin = \"odd turns\"", "over = \"next\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: the waves of `levels` do not stand next to each other
           ┌─ job.toml:25:6
           │
         8 │ name = "step"
           │        ------ it ended after this
           ·
        25 │ in = "levels"
           │      ^^^^^^^^ in it again

    "#]],
    );
    refused(
        &[("in = \"odd turns\"", "in = \"levels\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: no wave is in `odd turns`
           ┌─ job.toml:33:11
           │
        33 │ [branches."odd turns"]
           │           ^^^^^^^^^^^ nothing to run
           │
           = help: say in = "odd turns" at its waves, or leave it out

    "#]],
    );
    refused(
        &[("limit = 9", "limit = 9\nin = \"odd turns\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: `levels` is inside of itself
           ┌─ job.toml:36:6
           │
        36 │ in = "levels"
           │      ^^^^^^^^ this goes round

    "#]],
    );
    refused(
        &[("[loops.levels]", "[loops.\"odd turns\"]\ntimes = 2\n[loops.levels]")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: `odd turns` is both a loop and a branch
           ┌─ job.toml:35:11
           │
        28 │ [loops."odd turns"]
           │        ----------- the loop
           ·
        35 │ [branches."odd turns"]
           │           ^^^^^^^^^^^ the branch

    "#]],
    );
    refused(
        &[("[loops.levels]", "[loops.spare]\ntimes = 2\nin = \"nowhere\"\n[loops.levels]")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no loop or branch `nowhere`
           ┌─ job.toml:30:6
           │
        30 │ in = "nowhere"
           │      ^^^^^^^^^ no such loop or branch
           │
           = help: there is levels, odd turns, spare

    "#]],
    );
}

#[test]
fn blocks_that_nothing_decides_or_too_much() {
    refused(
        &[("while = \"count\"\nlimit = 9\n", "")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: nothing decides about `levels`
           ┌─ job.toml:28:8
           │
        28 │ [loops.levels]
           │        ^^^^^^ how often?
           │
           = help: say times = N, while = "BUFFER" or until = "BUFFER"

    "#]],
    );
    refused(
        &[("while = \"count\"\n", "")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: loop `levels` has a limit, and nothing that it is a limit of
           ┌─ job.toml:29:9
           │
        29 │ limit = 9
           │         ^ of what?
           │
           = help: say times = N, or while = "BUFFER" or until = "BUFFER" beside it

    "#]],
    );
    refused(
        &[("if = \"odd\"\n", "")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: nothing decides about `odd turns`
           ┌─ job.toml:33:11
           │
        33 │ [branches."odd turns"]
           │           ^^^^^^^^^^^ how often?
           │
           = help: name the word that does with if = "BUFFER" or unless = "BUFFER"

    "#]],
    );
    refused(
        &[("while = \"count\"", "while = \"count\"\nuntil = \"odd\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: two words decide about `levels`
           ┌─ job.toml:30:9
           │
        30 │ until = "odd"
           │         ^^^^^ one of them
           │
           = help: while and until exclude each other

    "#]],
    );
    refused(
        &[("if = \"odd\"", "if = \"odd\"\nunless = \"count\"")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: two words decide about `odd turns`
           ┌─ job.toml:35:10
           │
        35 │ unless = "count"
           │          ^^^^^^^ one of them
           │
           = help: if and unless exclude each other

    "#]],
    );
    refused(
        &[("limit = 9", "times = 9")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: loop `levels` has both a word that decides and times
           ┌─ job.toml:30:9
           │
        30 │ times = 9
           │         ^ one of them
           │
           = help: beside while or until it is limit = N

    "#]],
    );
    refused(
        &[("while = \"count\"", "times = 9")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: loop `levels` has a limit besides its times
           ┌─ job.toml:30:9
           │
        30 │ limit = 9
           │         ^ nothing is left to it
           │
           = help: leave it out

    "#]],
    );
    refused(
        &[("limit = 9", "must_end = true")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: loop `levels` must end, but has no limit
           ┌─ job.toml:30:12
           │
        30 │ must_end = true
           │            ^^^^ before what?
           │
           = help: it makes an error of reaching limit = N

    "#]],
    );
    refused(
        &[("limit = 9", "limit = -1")],
        &expect![[r#"
            status 1
            -- stderr
            error[job-syntax]: expected a whole number from 0 to 4294967295, found -1
               ┌─ job.toml:30:9
               │
            30 │ limit = -1
               │         ^^ here

        "#]],
    );
    refused(
        &[("limit = 9", "turns = 9")],
        &expect![[r#"
            status 1
            -- stderr
            error[job-syntax]: `turns` is no key here
               ┌─ job.toml:30:1
               │
            30 │ turns = 9
               │ ^^^^^ here
               │
               = help: the keys here are while, until, times, limit, must_end, swap, in

        "#]],
    );
    refused(
        &[("while = \"count\"", "while = 1")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-syntax]: expected a buffer's name, or { buffer = NAME, offset }
           ┌─ job.toml:29:9
           │
        29 │ while = 1
           │         ^ here

    "#]],
    );
}

#[test]
fn words_and_swaps_that_do_not_fit() {
    refused(
        &[("while = \"count\"", "while = { buffer = \"now\", offset = 40 }")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: `levels` is decided by the word at byte 40 of `now`: it lies outside
           ┌─ job.toml:29:9
           │
        29 │ while = { buffer = "now", offset = 40 }
           │         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ here

    "#]],
    );
    refused(
        &[("while = \"count\"", "while = { buffer = \"now\", offset = 2 }")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: `levels` is decided by the word at byte 2 of `now`: words start at multiples of 4
           ┌─ job.toml:29:9
           │
        29 │ while = { buffer = "now", offset = 2 }
           │         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ here

    "#]],
    );
    refused(
        &[("[\"now\", \"next\"]", "[\"now\", \"now\"]")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: `levels` swaps `now` and `now`: they are the same
           ┌─ job.toml:31:9
           │
        31 │ swap = [["now", "now"]]
           │         ^^^^^^^^^^^^^^ here

    "#]],
    );
    refused(
        &[("[\"now\", \"next\"]", "[\"now\", \"count\"]")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: `levels` swaps `now` and `count`: they are not of one size
           ┌─ job.toml:31:9
           │
        31 │ swap = [["now", "count"]]
           │         ^^^^^^^^^^^^^^^^ here

    "#]],
    );
    refused(
        &[("[[\"now\", \"next\"]]", "[\"now\", \"next\"]")],
        &expect![[r#"
            status 1
            -- stderr
            error[job-syntax]: expected a list of pairs, such as [["NOW", "NEXT"]], found the text "now"
               ┌─ job.toml:31:9
               │
            31 │ swap = ["now", "next"]
               │         ^^^^^ here

        "#]],
    );
    refused(
        &[("10], output = true", "10]")],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: `levels` swaps `now` and `next`: an input cannot be changed; make it in-out
           ┌─ job.toml:31:9
           │
        31 │ swap = [["now", "next"]]
           │         ^^^^^^^^^^^^^^^ here
           │
           = help: `now` has a source and no output, so it is only read: give it output = true, or a file, to let waves change it

    "#]],
    );
}

#[test]
fn too_deep() {
    let mut job = LEVELS.replace("in = \"odd turns\"", "in = \"b0\"");
    job = job.replace("[branches.\"odd turns\"]\nif = \"odd\"\nin = \"levels\"\n", "");
    for at in 0..64 {
        let next = if at < 63 { format!("b{}", at + 1) } else { "levels".to_owned() };
        writeln!(job, "[loops.b{at}]\ntimes = 1\nin = \"{next}\"").expect("memory takes text");
    }
    dir(&job).expect(
        &["run", "job.toml"],
        &expect![[r#"
        status 1
        -- stderr
        error[job-block]: `b0` is inside 64 loops and branches already
           ┌─ job.toml:33:8
           │
        33 │ [loops.b0]
           │        ^^ here

    "#]],
    );
}

#[test]
fn the_manuals_loop_works() {
    let manual = include_str!("../../../../../docs/job.md");
    let job = manual.split("```toml\n").nth(2).and_then(|rest| rest.split("```").next()).expect("an example");
    let wgsl = WGSL
        .replace("fn step", "fn add")
        .replace("fn tick() { count -= 1u; odd = count % 2u; }", "fn count() { rounds -= 1u; }");
    let wgsl = wgsl.replace("var<storage, read_write> count", "var<storage, read_write> rounds");
    let dir = Dir::new().with("rounds.wgsl", wgsl).with("job.toml", job);
    let mut now = vec![1u32, 2, 3, 4];
    for _ in 0..10 {
        now = (0..4).map(|i| now[i] + now[(i + 1) % 4]).collect();
    }
    let expected = serde_json::json!({ "now": now, "rounds": 0 }).to_string();
    assert_eq!(dir.outputs(&["run", "job.toml", "--device", &deciding()[0]]), expected);
}
