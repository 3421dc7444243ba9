//! What is said of wrong jobs.

use expect_test::{Expect, expect};

use super::{DIAMOND, diamond_out, diamond_out_of, dir, refused};

#[test]
fn what_is_not_toml() {
    refused(
        "a.elements = 64",
        "a.elements = ",
        &expect![[r#"
        status 1
        -- stderr
        error[job-syntax]: string values must be quoted, expected literal string
          ┌─ job.toml:3:14
          │
        3 │ a.elements = 
          │              ^ here

    "#]],
    );
}

#[test]
fn an_unknown_key() {
    refused(
        "workgroups = 1",
        "workgroup = 1",
        &expect![[r#"
            status 1
            -- stderr
            error[job-syntax]: `workgroup` is no key here
               ┌─ job.toml:34:1
               │
            34 │ workgroup = 1
               │ ^^^^^^^^^ here
               │
               = help: did you mean `workgroups`?

        "#]],
    );
}

#[test]
fn what_is_no_buffer_and_no_wave() {
    for (text, message) in [
        ("wave = 3\n", "expected tables that begin with [[wave]], found 3"),
        ("wave = [3]\n", "expected a wave: [[wave]] and its name, program, bind and grid, found 3"),
        ("buffers = 3\n", "expected a table, [buffers], found 3"),
        ("[buffers]\nx = 3\n", "expected a buffer, such as { elements = 64, output = true }, found 3"),
        ("[buffers]\nx = [1, 2]\n", "expected a buffer, such as { elements = 64, output = true }, found a list of 2"),
        ("[buffers]\nx.elements = -1\n", "expected a whole number from 0 on, found -1"),
        ("[loops]\nx = true\n", "expected a loop, such as { while = \"BUFFER\", limit = 100 }, found true"),
        ("[[wave]]\nname = 3\n", "expected a text in quotes, found 3"),
        ("[[wave]]\nname = \"w\"\n", "`program` is missing"),
    ] {
        let said = dir(DIAMOND).with("wrong.toml", text).failure(1, &["run", "wrong.toml"]);
        assert!(said.starts_with(&format!("error[job-syntax]: {message}\n")), "{text}{said}");
        assert!(said.contains("wrong.toml:") && !said.contains("struct"), "{said}");
    }
}

#[test]
fn a_value_of_the_wrong_kind() {
    refused(
        "threads = 64",
        "threads = [1, 2, 3, 4]",
        &expect![[r#"
        status 1
        -- stderr
        error[job-syntax]: expected one to three whole numbers, as in 64 or [16, 16]
           ┌─ job.toml:20:11
           │
        20 │ threads = [1, 2, 3, 4]
           │           ^^^^^^^^^^^^ here

    "#]],
    );
}

#[test]
fn an_unknown_buffer() {
    refused(
        "z = \"c\", y = \"out\"",
        "z = \"c\", y = \"ou\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no buffer `ou`
           ┌─ job.toml:33:32
           │
        33 │ bind = { x = "b", z = "c", y = "ou" }
           │                                ^^^^ no such buffer
           │
           = help: did you mean `out`?

    "#]],
    );
}

#[test]
fn an_unknown_buffer_of_the_program() {
    refused(
        "{ x = \"b\"",
        "{ xx = \"b\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: `sum` uses no buffer `xx`
           ┌─ job.toml:33:10
           │
        33 │ bind = { xx = "b", z = "c", y = "out" }
           │          ^^ not a buffer of `sum`
           │
           = help: did you mean `x`?

    "#]],
    );
}

#[test]
fn an_unbound_buffer() {
    refused(
        "z = \"c\", ",
        "",
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: wave `bottom` says nothing of `z: array<u32>`
           ┌─ job.toml:30:8
           │
        30 │ name = "bottom"
           │        ^^^^^^^^ this wave
           │
           = help: bind it, as in bind.z = "BUFFER", or call a buffer or value so

    "#]],
    );
}

#[test]
fn a_buffer_without_a_size() {
    refused(
        "a.elements = 64",
        "a = {}",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: buffer `a: array<u32>` has no size
          ┌─ job.toml:3:1
          │
        3 │ a = {}
          │ ^ how large?
          │
          = help: say how many elements = N it has, or what source = … it starts from

    "#]],
    );
}

#[test]
fn a_buffer_that_nobody_binds() {
    refused(
        "a.elements = 64",
        "a.elements = 64\nspare.elements = 1",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: no wave binds buffer `spare`
          ┌─ job.toml:4:1
          │
        4 │ spare.elements = 1
          │ ^^^^^ not used
          │
          = help: bind it or leave it out

    "#]],
    );
}

#[test]
fn a_source_that_is_none() {
    refused(
        "\"iota:64\"",
        "\"iota:many\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: buffer `in`: `many` is not a number of elements
          ┌─ job.toml:2:13
          │
        2 │ in.source = "iota:many"
          │             ^^^^^^^^^^^ from here
          │
          = help: write a whole number, as in zeros:1000

    "#]],
    );
}

#[test]
fn a_file_that_is_not_there() {
    refused(
        "\"iota:64\"",
        "\"nowhere.npy\"",
        &expect![[r#"
        status 3
        -- stderr
        error: buffer `in`: cannot read `nowhere.npy`: No such file or directory (os error 2)
    "#]],
    );
}

#[test]
fn a_picture_without_a_width() {
    refused(
        "output = true",
        "output = \"o.png\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: buffer `out`: the picture's width is not known
          ┌─ job.toml:6:33
          │
        6 │ out = { elements = 64, output = "o.png" }
          │                                 ^^^^^^^ to here
          │
          = help: say it with width = W

    "#]],
    );
}

#[test]
fn two_buffers_for_one_file() {
    let both = "out = { elements = 64, output = \"o.bin\" }\nb.output = \"o.bin\"\n";
    refused(
        "out = { elements = 64, output = true }\n",
        both,
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: `b` and `out` both go to `o.bin`
          ┌─ job.toml:6:33
          │
        6 │ out = { elements = 64, output = "o.bin" }
          │                                 ^^^^^^^ the second

    "#]],
    );
}

#[test]
fn two_grids() {
    refused(
        "threads = 64",
        "threads = 64\nworkgroups = 1",
        &expect![[r#"
            status 1
            -- stderr
            error[job-wave]: wave `left` has two grids
               ┌─ job.toml:20:11
               │
            20 │ threads = 64
               │           ^^ one of them
               │
               = help: threads, workgroups, over, indirect and items exclude each other

        "#]],
    );
}

#[test]
fn no_grid() {
    refused(
        "threads = 64",
        "",
        &expect![[r#"
            status 1
            -- stderr
            error[job-wave]: wave `left` has no grid
               ┌─ job.toml:16:8
               │
            16 │ name = "left"
               │        ^^^^^^ this wave
               │
               = help: say how much to run with threads, workgroups, over, indirect or items

        "#]],
    );
}

#[test]
fn an_unknown_entry() {
    refused(
        "entry = \"add\"",
        "entry = \"ad\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no entry point `ad`
           ┌─ job.toml:11:9
           │
        11 │ entry = "ad"
           │         ^^^^ no such entry point
           │
           = help: did you mean `add`?

    "#]],
    );
}

#[test]
fn an_entry_to_choose() {
    refused(
        "entry = \"add\"\n",
        "",
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: `w.wgsl` has several entry points: add, sum
           ┌─ job.toml:10:11
           │
        10 │ program = "w.wgsl"
           │           ^^^^^^^^ which of them?
           │
           = help: choose one with entry = "NAME"

    "#]],
    );
}

#[test]
fn waves_that_wait_for_each_other() {
    refused(
        "workgroups = 1",
        "workgroups = 1\nafter = [\"bottom\"]",
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: waves wait for each other: `bottom` after `bottom`
           ┌─ job.toml:30:8
           │
        30 │ name = "bottom"
           │        ^^^^^^^^ here

    "#]],
    );
}

#[test]
fn two_waves_that_wait_for_each_other() {
    let job = DIAMOND.replacen("over = \"y\"", "over = \"y\"\nafter = [\"left\"]", 1);
    let job = job.replacen("threads = 64\n", "threads = 64\nafter = [\"top\"]\n", 1);
    dir(&job).expect(
        &["plan", "job.toml"],
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: waves wait for each other: `top` after `left` after `top`
          ┌─ job.toml:9:8
          │
        9 │ name = "top"
          │        ^^^^^ here

    "#]],
    );
}

#[test]
fn an_unknown_wave() {
    refused(
        "workgroups = 1",
        "workgroups = 1\nafter = [\"lef\"]",
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no wave `lef`
           ┌─ job.toml:35:10
           │
        35 │ after = ["lef"]
           │          ^^^^^ no such wave
           │
           = help: did you mean `left`?

    "#]],
    );
}

#[test]
fn a_wave_that_changes_an_input() {
    refused(
        "y = \"a\"",
        "y = \"in\"",
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: wave `top` changes `in` as `y`, but it is an input: an in-out may be changed
           ┌─ job.toml:12:24
           │
        12 │ bind = { x = "in", y = "in", n = { value = 1 } }
           │                        ^^^^ here
           │
           = help: `in` has a source and no output, so it is only read: give it output = true, or a file, to let waves change it

    "#]],
    );
}

/// The diamond with the value of its first wave under a name.
fn named(values: &str) -> String {
    DIAMOND.replacen("n = { value = 1 }", "n = \"one\"", 1) + values
}

#[test]
fn values_under_a_name() {
    let dir = dir(&named("\n[values]\none = 1\n"));
    assert_eq!(dir.outputs(&["run", "job.toml"]), diamond_out());
    let more = dir.outputs(&["run", "job.toml", "--value", "one=3"]);
    assert_eq!(more, diamond_out_of(3), "a + 10 + (a + in), where a is in + 3");
}

#[test]
fn values_that_are_wrong() {
    let mistaken = |values: &str, expected: &Expect| dir(&named(values)).expect(&["run", "job.toml"], expected);
    mistaken(
        "\n[values]\none = 1.5\n",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: value `one`: `one` = 1.5 is a fraction, where u32 takes whole numbers
           ┌─ job.toml:37:7
           │
        37 │ one = 1.5
           │       ^^^ from here

    "#]],
    );
    mistaken(
        "\n[values]\none = \"iota:1\"\n",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: value `one: u32` cannot be a string
           ┌─ job.toml:37:7
           │
        37 │ one = "iota:1"
           │       ^^^^^^^^ from here
           │
           = help: files and generators are for buffers

    "#]],
    );
    mistaken(
        "\n[values]\none = 1\ntwo = 2\n",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: no wave binds value `two`
           ┌─ job.toml:38:1
           │
        38 │ two = 2
           │ ^^^ not used
           │
           = help: bind it or leave it out

    "#]],
    );
    mistaken(
        "\n[values]\none = 1\nin = 2\n",
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: `in` is both a buffer and a value
           ┌─ job.toml:38:1
           │
        38 │ in = 2
           │ ^^ the value
           │
           = help: call one of them otherwise

    "#]],
    );
    mistaken(
        "",
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no buffer `one`
           ┌─ job.toml:12:33
           │
        12 │ bind = { x = "in", y = "a", n = "one" }
           │                                 ^^^^^ no such buffer
           │
           = help: there is a, b, c, in, out

    "#]],
    );
    let set = |args: &[&str], expected: &Expect| {
        let all: Vec<&str> = ["run", "job.toml"].iter().chain(args).copied().collect();
        dir(&named("\n[values]\none = 1\n")).expect(&all, expected);
    };
    set(
        &["--value", "on=2"],
        &expect![[r#"
        status 1
        -- stderr
        error: --value: the job has no value `on`; it has one
        help: did you mean `one`?
    "#]],
    );
    set(
        &["--value", "one=-2"],
        &expect![[r#"
        status 1
        -- stderr
        error: --value one: `one` = -2 does not fit in u32
    "#]],
    );
    set(
        &["--value", "one=1", "--value", "one=2"],
        &expect![[r#"
        status 2
        -- stderr
        error: --value says `one` twice
    "#]],
    );
    dir(DIAMOND).expect(
        &["run", "w.wgsl", "--value", "one=1"],
        &expect![[r#"
        status 2
        -- stderr
        error: `--value` is for job files (.toml) only
    "#]],
    );
    let array = DIAMOND.replacen("x = \"b\"", "x = \"one\"", 1) + "\n[values]\none = [1, 2]\n";
    dir(&array).expect(
        &["run", "job.toml"],
        &expect![[r#"
        status 1
        -- stderr
        error[job-buffer]: value `one` is bound as `array<u32>`, which has no size
           ┌─ job.toml:37:7
           │
        37 │ one = [1, 2]
           │       ^^^^^^ from here
           │
           = help: make it a buffer with a source

    "#]],
    );
    let unknown = DIAMOND.replacen("n = { value = 1 }", "n = \"on\"", 1) + "\n[values]\none = 1\n";
    dir(&unknown).expect(
        &["run", "job.toml"],
        &expect![[r#"
        status 1
        -- stderr
        error[job-name]: there is no buffer or value `on`
           ┌─ job.toml:12:33
           │
        12 │ bind = { x = "in", y = "a", n = "on" }
           │                                 ^^^^ no such buffer or value
           │
           = help: did you mean `in`?

    "#]],
    );
}

#[test]
fn a_wave_that_changes_a_value() {
    let wgsl = "@group(0) @binding(0) var<storage, read_write> n: u32;
        @compute @workgroup_size(1) fn main() { n += 1u; }";
    let job = "values.n = 1\n[[wave]]\nname = \"w\"\nprogram = \"n.wgsl\"\nworkgroups = 1\n";
    crate::support::Dir::new().with("n.wgsl", wgsl).with("job.toml", job).expect(
        &["run", "job.toml"],
        &expect![[r#"
        status 1
        -- stderr
        error[job-wave]: wave `w` changes `n` as `n`, but it is an input: an in-out may be changed
          ┌─ job.toml:3:8
          │
        3 │ name = "w"
          │        ^^^ here
          │
          = help: a value is only read: make `n` a buffer with this source, and with output = true

    "#]],
    );
}

#[test]
fn options_that_a_job_file_speaks_for() {
    dir(DIAMOND).expect(
        &["run", "job.toml", "--entry", "main"],
        &expect![[r#"
            status 2
            -- stderr
            error: `--entry` is not for job files: they say it themselves
        "#]],
    );
    dir(DIAMOND).expect(
        &["run", "w.wgsl", "--budget", "1KiB"],
        &expect![[r#"
        status 2
        -- stderr
        error: `--budget` is for job files (.toml) only
    "#]],
    );
    dir(DIAMOND).expect(&["run", "job.toml", "--budget", "much"], &expect![[r#"
        status 2
        -- stderr
        error: invalid value 'much' for '--budget <BYTES>': `much` is not a number of bytes, such as 65536, 64KiB or 1GiB

        For more information, try '--help'.
    "#]]);
}
