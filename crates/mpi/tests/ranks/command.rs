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
            Trial::test(format!("job_types/{ranks}"), move || types(ranks)),
            Trial::test(format!("seawall_run/{ranks}"), move || seawall(ranks)),
        ]
    };
    // A launch for each error: once is enough.
    let errors = Trial::test("job_errors/2", || errors(2));
    (1..=4).flat_map(ranks).chain([errors]).collect()
}

/// Says to this program that it is to be the command `seawall`.
pub(crate) const AS_SEAWALL: &str = "SEAWALL_MPI_AS_SEAWALL";

fn mpirun(dir: &Path, ranks: usize) -> Command {
    let mut mpirun = Command::new("mpirun");
    mpirun.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", &ranks.to_string()]);
    mpirun.current_dir(dir).stdin(Stdio::null());
    mpirun.env("SEAWALL_THREADS", "1").env("OMPI_MCA_mpi_yield_when_idle", "1");
    mpirun
}

fn launch(dir: &Path, ranks: usize, arguments: &[&str]) -> Result<Output, Failed> {
    Ok(mpirun(dir, ranks).arg(env!("CARGO_BIN_EXE_seawall-mpi")).args(arguments).output()?)
}

/// By `seawall`, which has to find the other command on its path.
fn launch_seawall(dir: &Path, ranks: usize, arguments: &[&str]) -> Result<Output, Failed> {
    let there = Path::new(env!("CARGO_BIN_EXE_seawall-mpi")).parent().unwrap_or(Path::new("/")).to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([there].into_iter().chain(std::env::split_paths(&path)))?;
    let mut mpirun = mpirun(dir, ranks);
    mpirun.arg(std::env::current_exe()?).args(arguments).env(AS_SEAWALL, "1").env("PATH", path);
    Ok(mpirun.output()?)
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
    let reference = ["run", "job.toml", "--seconds", "100", "--device", "reference"];
    for arguments in [&reference[..], &saves, &again] {
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

/// All types of numbers and some others, files of other kinds, values, parts and grids from the device.
fn types(ranks: usize) -> Result<(), Failed> {
    const PROGRAM: &str = "
        enable f16;
        struct Pair { key: u32, weight: vec2<f32> }
        @group(0) @binding(0) var<storage, read_write> pairs: array<Pair>;
        @group(0) @binding(1) var<storage, read_write> halves: array<f16>;
        @group(0) @binding(2) var<storage, read_write> long: array<i64>;
        @group(0) @binding(3) var<storage, read_write> wide: array<f64>;
        @group(0) @binding(4) var<uniform> by: vec2<f32>;
        @group(0) @binding(5) var<uniform> first: u32;
        @group(0) @binding(6) var<storage, read_write> tail: array<u32>;
        @compute @workgroup_size(1)
        fn change(@builtin(global_invocation_id) id: vec3<u32>) {
            let i = id.x;
            if i < arrayLength(&pairs) { pairs[i].weight *= by; pairs[i].key += first + i; }
        }
        @compute @workgroup_size(1)
        fn rest(@builtin(global_invocation_id) id: vec3<u32>) {
            let i = id.x;
            if i < arrayLength(&halves) { halves[i] += f16(0.5); }
            if i < arrayLength(&long) { long[i] -= 5000000000li; }
            if i < arrayLength(&wide) { wide[i] *= 0.5lf; }
            if i < arrayLength(&tail) { tail[i] = 9u; }
        }";
    const JOB: &str = r#"
        [values]
        by = [2.0, -1.0]

        [buffers]
        pairs = { rows = 5, source = "pairs.json", output = "pairs.json" }
        halves = { rows = 3, width = 2, source = [1, 2, 3, 4, 5, 6], output = "halves.npy" }
        long = { replicated = 3, source = "iota", output = "long.csv" }
        wide = { replicated = 2, source = "wide.npy", output = "wide.npy" }
        whole = { replicated = 6, output = "whole.json" }
        words = { local = 128, output = "words.bin" }
        grid = { local = 5, source = [0, 0, 7, 1, 1] }

        [[wave]]
        name = "change"
        program = "types.wgsl"
        entry = "change"
        over = "pairs"
        bind.first = { first = "pairs" }

        [[wave]]
        name = "rest"
        program = "types.wgsl"
        entry = "rest"
        bind = { tail = { buffer = "words", offset = 256 } }
        indirect = { buffer = "grid", offset = 8 }

        [[wave]]
        name = "least"
        exchange = "min"
        of = "long"

        [[wave]]
        name = "all"
        exchange = "sum"
        of = "wide"
        ordered = true

        [[wave]]
        name = "join"
        exchange = "all-gather"
        of = "halves"
        into = "whole"
    "#;
    let dir = tempfile::tempdir()?;
    let file = |name: &str| dir.path().join(name);
    let pairs = |f: &dyn Fn(u32) -> (u32, [f32; 2])| {
        let one = |i| {
            let (key, [x, y]) = f(i);
            format!("{{\"key\":{key},\"weight\":[{x:?},{y:?}]}}")
        };
        format!("[{}]", (0..5).map(one).collect::<Vec<_>>().join(","))
    };
    std::fs::write(file("types.wgsl"), PROGRAM)?;
    std::fs::write(file("job.toml"), JOB)?;
    std::fs::write(file("pairs.json"), pairs(&|i| (10 * i, [i as f32, 1.0])))?;
    // As numpy.save writes two f64.
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
    let npy = |numbers: [f64; 2]| {
        let mut bytes = b"\x93NUMPY\x01\x00v\x00".to_vec();
        bytes.extend(format!("{header:<117}\n").bytes());
        bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        bytes
    };
    std::fs::write(file("wide.npy"), npy([1.5, -3.0]))?;
    let output = launch(dir.path(), ranks, &["run", "job.toml", "--value", "by=[3.0, 0.5]", "--out", "words=w.bin"])?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let compact = |text: String| text.split_whitespace().collect::<String>();
    let got = compact(std::fs::read_to_string(file("pairs.json"))?);
    assert_eq!(got, compact(pairs(&|i| (11 * i, [3.0 * i as f32, 0.5]))));
    let halves = std::fs::read(file("halves.npy"))?;
    // 1.5 to 6.5 where a rank has the first seven of a row, which all do.
    let wanted = [0x3e00u16, 0x4100, 0x4300, 0x4480, 0x4580, 0x4680].map(u16::to_le_bytes).concat();
    assert_eq!(halves[halves.len() - 12..], wanted);
    assert_eq!(compact(std::fs::read_to_string(file("whole.json"))?), "[1.5,2.5,3.5,4.5,5.5,6.5]");
    let long: Vec<String> = std::fs::read_to_string(file("long.csv"))?.lines().map(str::to_owned).collect();
    assert_eq!(long, ["-5000000000", "-4999999999", "-4999999998"]);
    let sum = |x: f64| x * 0.5 * ranks as f64;
    let wide = std::fs::read(file("wide.npy"))?;
    assert_eq!(wide[wide.len() - 16..], [sum(1.5), sum(-3.0)].map(f64::to_le_bytes).concat());
    let words = std::fs::read(file("w.bin"))?;
    assert_eq!(
        (words.len(), &words[..256], &words[256..260], &words[284..288]),
        (512, &[0; 256][..], &[9, 0, 0, 0][..], &[0; 4][..])
    );
    assert!(!file("words.bin").exists(), "the command line says where it goes");
    Ok(())
}

/// `seawall run` becomes the other command; what is not shared out is not run by several ranks.
fn seawall(ranks: usize) -> Result<(), Failed> {
    let dir = files(JOB)?;
    let output = launch_seawall(dir.path(), ranks, &["run", "job.toml", "--checkpoint", "saved", "--every", "3"])?;
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains(": 5 stages of exchanges in ") && said.ends_with("loop steps: 5 turns\n"), "{said}");
    assert_eq!(std::fs::read(dir.path().join("now.bin"))?, wanted());
    assert!(dir.path().join("saved/latest").exists());
    let output = launch_seawall(dir.path(), ranks, &["plan", "job.toml"])?;
    assert!(String::from_utf8_lossy(&output.stdout).contains("exchange `edges` (halo of `now`)"));
    let output = launch_seawall(dir.path(), ranks, &["run", "job.toml", "--profile"])?;
    assert_eq!(output.status.code(), Some(2));
    // A job of one machine.
    let one = "[buffers]\nleft = { source = 7, output = \"left.bin\" }\n[[wave]]\nname = \"count\"\n\
               program = \"step.wgsl\"\nentry = \"count\"\nworkgroups = 1\n";
    std::fs::write(dir.path().join("one.toml"), one)?;
    std::fs::remove_file(dir.path().join("left.bin"))?;
    let output = launch_seawall(dir.path(), ranks, &["run", "one.toml"])?;
    let said = String::from_utf8_lossy(&output.stderr);
    if ranks == 1 {
        assert!(output.status.success(), "{said}");
        assert_eq!(std::fs::read(dir.path().join("left.bin"))?, [6, 0, 0, 0]);
    } else {
        assert_eq!(output.status.code(), Some(2));
        let message = format!("{ranks} ranks were started (OMPI_COMM_WORLD_SIZE), and each would do all of it");
        assert!(said.contains(&message), "{said}");
        assert!(!dir.path().join("left.bin").exists());
    }
    Ok(())
}

/// What is changed in the job, the exit status, and what the first rank says.
const WRONG: &[(&str, &str, i32, &str)] = &[
    ("rows = 37, halo = 1, source", "rows = 37, hallo = 1, source", 1, "`hallo`"),
    ("replicated = 1, source", "replicated = 1, rows = 3, source", 1, "buffer `left` is not shared out in one way"),
    ("replicated = 1, source", "replicated = 1, elements = 3, source", 1, "how `left` is shared out decides its size"),
    ("replicated = 1, source", "replicated = 2, source", 1, "buffer `left: u32` has 1 elements, not 2"),
    ("type = \"u32\", rows = 37, halo = 1 }", "type = \"f32\", rows = 37, halo = 1 }", 1, "buffer `next` is bound as"),
    ("type = \"u32\", replicated", "type = \"u8\", replicated", 1, "`u8` is no type of numbers"),
    ("fill:5", "fill:x", 1, "buffer `left`: "),
    ("fill:5", "fill:-1", 1, "buffer `left`: "),
    ("\"iota\"", "\"gone.bin\"", 3, "gone.bin"),
    ("\"iota\"", "\"iota:36\"", 1, "buffer `now`: it has 37 elements, not 36"),
    ("\"iota\"", "\"step.txt\"", 1, "buffer `now`: the extension of `step.txt` is unknown"),
    ("\"left.bin\"", "true", 1, "buffer `left` is shared out, and cannot be printed"),
    ("of = \"now\"", "of = \"then\"", 1, "there is no buffer `then`"),
    ("of = \"now\"\n", "\n", 1, "exchange `edges` does not say `of`"),
    ("of = \"now\"\n", "of = \"left\"\n", 1, "exchange `edges`: `left` has no halo"),
    ("exchange = \"max\"", "exchange = \"mean\"", 1, "`mean`"),
    (
        "exchange = \"max\"",
        "program = \"step.wgsl\"\nexchange = \"max\"",
        1,
        "wave `most` has a program and an exchange",
    ),
    ("exchange = \"max\"\n", "\n", 1, "`program` is missing"),
    ("workgroups = 1", "", 1, "wave `count` has no grid"),
    ("entry = \"count\"", "", 1, "has several entry points: step, count"),
    ("first = { first = \"now\" }", "first = { first = \"left\" }", 1, "`left` has no rows that are shared out"),
    ("first = { first = \"now\" }", "first = { value = 0.5 }", 1, "`first` = 0.5 is a fraction"),
    ("[loops.steps]", "[loops.other]", 1, "there is no loop or branch `steps`"),
    ("limit = 100", "limit = 4", 1, "loop `steps` did not end within its limit of 4 turns"),
    ("step.wgsl", "none.wgsl", 3, "none.wgsl"),
    ("[buffers]", "budget = 100\n[buffers]", 1, "for exchanges, over the budget of 100"),
    (
        "[buffers]",
        "[branches.b]\nif = \"left\"\n[buffers]",
        1,
        "branches, queues, images and counts are not shared out",
    ),
    ("[buffers]", "[queues.q]\ncapacity = 1\nentry = \"u32\"\n[buffers]", 1, "branches, queues, images and counts"),
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
