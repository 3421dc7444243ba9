//! `mpirun -n N seawall-mpi run JOB.toml`: the same bytes for every N, errors with their exit status, and restarts.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use libtest_mimic::{Failed, Trial};

const PROGRAM: &str = "
    @group(0) @binding(0) var<storage, read> now: array<u32>;
    @group(0) @binding(1) var<storage, read_write> next: array<u32>;
    @group(0) @binding(2) var<uniform> first: u32;
    override by: u32 = 1;
    @compute @workgroup_size(64)
    fn step(@builtin(global_invocation_id) id: vec3<u32>) {
        let i = id.x + 1u;
        if i + 1u < arrayLength(&now) { next[i] = by * now[i] + now[i - 1u] - now[i + 1u] + first + id.x; }
    }

    @group(0) @binding(3) var<storage, read_write> left: u32;
    @compute @workgroup_size(1) fn count() { left -= 1u; }";

const JOB: &str = r#"
    [buffers]
    now = { type = "u32", rows = 37, halo = 1, source = "iota", output = "now.bin" }
    next = { type = "u32", rows = 37, halo = 1 }
    left = { type = "u32", replicated = 1, source = "fill:5", output = "left.bin" }

    [[wave]]
    name = "edges"
    exchange = "halo"
    of = "now"
    in = "steps"

    [[wave]]
    name = "step"
    program = "step.wgsl"
    entry = "step"
    set = { by = 3 }
    bind = { first = { first = "now" } }
    over = "next"
    in = "steps"

    [[wave]]
    name = "count"
    program = "step.wgsl"
    entry = "count"
    workgroups = 1
    in = "steps"

    [[wave]]
    name = "most"
    exchange = "max"
    of = "left"
    in = "steps"

    [loops.steps]
    while = "left"
    limit = 100
    must_end = true
    swap = [["now", "next"]]
"#;

pub(crate) fn trials() -> Vec<Trial> {
    let ranks = |ranks: usize| {
        [
            Trial::test(format!("job/{ranks}"), move || job(ranks)),
            Trial::test(format!("job_plan/{ranks}"), move || plan(ranks)),
        ]
    };
    // A launch for each error: once is enough.
    let errors = Trial::test("job_errors/2", || errors(2));
    (1..=4).flat_map(ranks).chain([errors]).collect()
}

fn launch(dir: &Path, ranks: usize, arguments: &[&str]) -> Result<Output, Failed> {
    let mut mpirun = Command::new("mpirun");
    mpirun.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", &ranks.to_string()]);
    mpirun.arg(env!("CARGO_BIN_EXE_seawall-mpi")).args(arguments).current_dir(dir).stdin(Stdio::null());
    Ok(mpirun.env("SEAWALL_THREADS", "1").env("OMPI_MCA_mpi_yield_when_idle", "1").output()?)
}

/// What the job computes, from its words.
fn wanted() -> Vec<u8> {
    let mut now: Vec<u32> = (0..37).collect();
    for _ in 0..5 {
        let at = |i: usize| now.get(i).copied().unwrap_or(0);
        let step = |i: usize| {
            let sides = at(i.wrapping_sub(1)).wrapping_sub(at(i + 1));
            at(i).wrapping_mul(3).wrapping_add(sides).wrapping_add(i as u32)
        };
        now = (0..37).map(step).collect();
    }
    now.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn files(job: &str) -> Result<tempfile::TempDir, Failed> {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("step.wgsl"), PROGRAM)?;
    std::fs::write(dir.path().join("job.toml"), job)?;
    Ok(dir)
}

fn job(ranks: usize) -> Result<(), Failed> {
    let dir = files(JOB)?;
    let saves = ["run", "job.toml", "--checkpoint", "saved", "--every", "3"];
    let again = [&saves[..], &["--resume"]].concat();
    for arguments in [&["run", "job.toml", "--deadline", "100"][..], &saves, &again] {
        let output = launch(dir.path(), ranks, arguments)?;
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{arguments:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.contains(": 5 stages of exchanges in ") && said.ends_with("loop steps: 5 turns\n"), "{said}");
        assert_eq!(std::fs::read(dir.path().join("now.bin"))?, wanted(), "{arguments:?}");
        assert_eq!(std::fs::read(dir.path().join("left.bin"))?, [0; 4]);
        std::fs::remove_file(dir.path().join("now.bin"))?;
    }
    assert_eq!(std::fs::read_to_string(dir.path().join("saved/latest"))?, "3\n");
    Ok(())
}

fn plan(ranks: usize) -> Result<(), Failed> {
    let dir = files(JOB)?;
    let output = launch(dir.path(), ranks, &["plan", "job.toml", "--svg", "plan.svg"])?;
    let said = String::from_utf8_lossy(&output.stdout);
    let outline = "\
loop `steps`, while `left` is not zero on some rank, at most 100 turns:
  stage 1: `count`
  stage 2: exchange `edges` (halo of `now`), `most` (all-reduce of `left`, max of u32)
    `most` sends `left` after `count` writes it
  stage 3: `step`
    `step` reads `now` after `edges` receives it
swap `now` and `next`, end
";
    assert!(said.contains(outline), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read_to_string(dir.path().join("plan.svg"))?.contains(">edges<"));
    Ok(())
}

/// What is changed in the job, the exit status, and what the first rank says.
const WRONG: &[(&str, &str, i32, &str)] = &[
    ("rows = 37, halo = 1, source", "rows = 37, hallo = 1, source", 1, "unknown field `hallo`"),
    ("replicated = 1, source", "replicated = 1, rows = 3, source", 1, "buffer `left` must have one of rows, offsets"),
    ("fill:5", "fill:x", 1, "buffer `left` is to be filled with `fill:x`, which is no number"),
    ("fill:5", "fill:-1", 1, "buffer `left` cannot hold -1"),
    ("\"iota\"", "\"gone.bin\"", 3, "cannot read gone.bin: No such file"),
    ("\"iota\"", "\"step.wgsl\"", 1, "buffer `now` has 148 bytes, and step.wgsl has "),
    ("of = \"now\"", "of = \"then\"", 3, "there is no data `then`; there is `left`, `next`, `now`"),
    ("of = \"now\"\n", "\n", 1, "exchange `edges` does not say `of`"),
    ("exchange = \"max\"", "exchange = \"mean\"", 1, "unknown variant `mean`"),
    ("workgroups = 1", "", 1, "wave `count` must have one of over, threads and workgroups"),
    ("entry = \"count\"", "", 1, "wave `count` must choose an entry: step, count"),
    (
        "first = { first = \"now\" }",
        "first = { first = \"left\" }",
        1,
        "asks for the first row of `left`, which has none",
    ),
    ("first = { first = \"now\" }", "first = { value = 0.5 }", 1, "wave `step` cannot bind 0.5 to `first: u32`"),
    ("[loops.steps]", "[loops.other]", 1, "loop `steps` is nowhere described"),
    ("limit = 100", "limit = 4", 3, "loop `steps` did not end within its limit of 4 turns"),
    ("step.wgsl", "none.wgsl", 3, "cannot read none.wgsl: No such file"),
    ("[buffers]", "budget = 100\n[buffers]", 3, "for exchanges, over the budget of 100"),
];

fn errors(ranks: usize) -> Result<(), Failed> {
    for (place, change, status, message) in WRONG {
        let dir = files(&JOB.replacen(place, change, 1))?;
        let output = launch(dir.path(), ranks, &["run", "job.toml"])?;
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(message), "{change}: {said}");
        assert_eq!(output.status.code(), Some(*status), "{change}: {said}");
        assert!(!dir.path().join("now.bin").exists());
        // One rank speaks for all.
        assert_eq!(said.matches(message).count(), 1, "{said}");
    }
    let dir = files(JOB)?;
    let output = launch(dir.path(), ranks, &["run", "job.toml", "--checkpoint", "none", "--every", "1", "--resume"])?;
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no checkpoint in none"));
    let output = launch(dir.path(), ranks, &["run", "job.toml", "--resume"])?;
    assert_eq!(output.status.code(), Some(2));
    Ok(())
}
