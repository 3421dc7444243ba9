//! The other commands, and usage.

use expect_test::expect;

use crate::support::{Dir, double, keep, transcript};

#[test]
fn check_lists_entry_points_and_buffers() {
    let text = "struct Q { w: vec3<f32>, k: u32 }
struct P { a: f32, q: array<Q, 2> }
@id(7) override size: u32 = 8;
override scale: f32;
@group(0) @binding(0) var<uniform> p: P;
@group(0) @binding(2) var<storage, read> x: array<vec3<f32>>;
@group(1) @binding(0) var<storage, read_write> y: array<atomic<u32>>;
var<workgroup> sums: array<f32, 16>;
@compute @workgroup_size(size, 2)
fn first(@builtin(global_invocation_id) id: vec3<u32>) {
    sums[id.x % 16] = scale * p.a;
    atomicMax(&y[id.x], u32(x[id.x].x));
}
@compute @workgroup_size(1)
fn second() { }
";
    let dir = Dir::new().with("all.wgsl", text);
    dir.expect(
        &["check", "all.wgsl"],
        &expect![[r#"
        -- stdout
        overrides
          size   @id(7)  u32  has a default
          scale          f32  needs --set

        entry first: decide `scale` with --set to see its buffers

        entry second: decide `scale` with --set to see its buffers
    "#]],
    );
    dir.expect(
        &["check", "all.wgsl", "--set", "scale=1.5", "--set", "7=4"],
        &expect![[r#"
            -- stdout
            overrides
              size   @id(7)  u32  = 4
              scale          f32  = 1.5

            entry first: workgroups of 4,2,1 with 64 bytes of workgroup memory
              buffer  group  binding  access      type                stride  min bytes  kernel
              p       0      0        uniform     P                   48      48         reads
              x       0      2        read        array<vec3<f32>>    16      16         reads
              y       1      0        read_write  array<atomic<u32>>  4       4          reads, updates
              struct P
                a: f32          at byte 0
                q: array<Q, 2>  at byte 16
              struct Q
                w: vec3<f32>  at byte 0
                k: u32        at byte 12

            entry second: workgroups of 1,1,1
              no buffers
            -- stderr
            warning[no-effect]: `second` changes no buffer, so running it has no result
             = help: store what it computes in a `var<storage, read_write>` buffer

        "#]],
    );
}

#[test]
fn check_points_at_the_mistake() {
    let dir = Dir::new()
        .with("syntax.wgsl", "@compute @workgroup_size(1)\nfn main() { let a = 1 + ; }\n")
        .with("type.wgsl", "@compute @workgroup_size(1)\nfn main() { let a: u32 = 1.5; }\n");
    for (file, place) in [("syntax.wgsl", "syntax.wgsl:2:25"), ("type.wgsl", "type.wgsl:2:17")] {
        let said = dir.failure(1, &["check", file]);
        assert!(said.starts_with("error[") && said.contains(place) && said.contains('^'), "{said}");
    }
}

#[test]
fn warnings_are_shown_and_may_be_denied() {
    let text = "@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@group(0) @binding(1) var<uniform> forgotten: vec4<u32>;
@compute @workgroup_size(1) fn main() { y[0] = 1u; }
@compute @workgroup_size(1) fn idle() { }
";
    let dir = Dir::new().with("odd.wgsl", text);
    dir.expect(
        &["check", "odd.wgsl"],
        &expect![[r#"
        -- stdout
        entry main: workgroups of 1,1,1
          buffer  group  binding  access      type        stride  min bytes  kernel
          y       0      0        read_write  array<u32>  4       4          writes

        entry idle: workgroups of 1,1,1
          no buffers
        -- stderr
        warning[unused-binding]: no entry point uses `forgotten`
          ┌─ odd.wgsl:2:23
          │
        2 │ @group(0) @binding(1) var<uniform> forgotten: vec4<u32>;
          │                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ declared here
          │
          = help: nothing can be bound to it: remove it, or use it

        warning[no-effect]: `idle` changes no buffer, so running it has no result
         = help: store what it computes in a `var<storage, read_write>` buffer

    "#]],
    );
    assert_eq!(dir.output(&["check", "-q", "odd.wgsl"]).stderr, b"");
    let denied = dir.output(&["check", "--deny-warnings", "odd.wgsl"]);
    assert_eq!(denied.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&denied.stderr).ends_with("error: there are 2 warnings\n"));
    let ran = dir.output(&["run", "odd.wgsl", "--entry", "idle", "--grid", "1"]);
    assert_eq!(ran.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&ran.stderr).starts_with("warning[no-effect]: `idle` changes no buffer"));
}

#[test]
fn dump_prints_the_program() {
    let dir = Dir::new().with("saxpy.wgsl", include_str!("../../../../examples/saxpy.wgsl"));
    dir.expect(
        &["dump", "--stage", "program", "saxpy.wgsl"],
        &expect![[r#"
        -- stdout
        entry main
          workgroup size 64 1 1
          buffer 0.0 p: P, uniform, 8 bytes at least, reads
          buffer 0.1 x: array<f32>, read, 4 bytes at least, reads
          buffer 0.2 y: array<f32>, read_write, 4 bytes at least, reads writes
    "#]],
    );
    dir.expect(
        &["dump", "--stage", "plan", "saxpy.wgsl"],
        &expect![[r#"
            status 2
            -- stderr
            error: invalid value 'plan' for '--stage <STAGE>': it is program, split, remarks, vector, clif, asm or after=PASS

            For more information, try '--help'.
        "#]],
    );
    dir.expect(
        &["dump", "--stage", "program", "missing.wgsl"],
        &expect![[r#"
        status 3
        -- stderr
        error: cannot read `missing.wgsl`: No such file or directory (os error 2)
    "#]],
    );
}

#[test]
fn dump_prints_what_the_cpu_device_makes_of_a_kernel() {
    let text = "override n: u32 = 4;
@group(0) @binding(0) var<storage> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var sum = 0.0;
    for (var i = 0u; i < n; i++) { sum += quantizeToF16(x[id.x + i]); }
    y[id.x] = sum;
}
@compute @workgroup_size(2) fn small() { y[0] = 1.0; }
";
    let dir = Dir::new().with("sums.wgsl", text);
    dir.expect(
        &["dump", "--stage", "vector", "sums.wgsl", "--entry", "main", "--set", "n=3"],
        &expect![[r#"
            -- stdout
            ; width 32: 2 values live at once, and lanes go together
            kernel main workgroup 64,1,1
            nontemporal m1
            loop @2 at 241 to 308
            m0 = buffer 0 read-only
            m1 = buffer 1
            v2: u32 uniform = Mul WorkgroupId(0) u32:0x40
            groups {
              v4: u32 linear(1) = Add v2 LocalId(0)
              v32: f32 varying = Load m0[0 + v4*4 <length0]
              v33: f32 varying = Quantize v32
              v34: f32 varying = Add f32:0x0 v33
              v36: u32 linear(1) = Add v4 u32:0x1
              v37: f32 varying = Load m0[0 + v36*4 <length0]
              v38: f32 varying = Quantize v37
              v39: f32 varying = Add v34 v38
              v41: u32 linear(1) = Add v4 u32:0x2
              v42: f32 varying = Load m0[0 + v41*4 <length0]
              v43: f32 varying = Quantize v42
              v44: f32 varying = Add v39 v43
              Store m1[0 + v4*4 <length1] = v44
            }
        "#]],
    );
    dir.expect(
        &["dump", "--stage", "remarks", "sums.wgsl", "--entry", "main", "--set", "n=3"],
        &expect![[r#"
            -- stdout
            main: width: 32 lanes, because 2 values live at once, and lanes go together
            3:23: nontemporal: whole lines go past the caches if it is larger than these: it is written and not read
            7:5: interchange: not done, because it is short enough to be unrolled
            7:5: unroll: all 3 turns are written out
            7:57: hoist-checks: not done, because there are so few lane groups that each may check for itself
        "#]],
    );
    dir.expect(
        &["dump", "--stage", "after=dce", "sums.wgsl", "--entry", "small"],
        &expect![[r#"
        -- stdout
        ; after dce
        kernel small workgroup 2,1,1
        m0 = buffer 0
        Store m0[0 + u32:0x0*4 <length0] = f32:0x3f800000
        ; after dce
        kernel small workgroup 2,1,1
        m0 = buffer 0
        Store m0[0 + u32:0x0*4 <length0] = f32:0x3f800000
        ; after dce
        kernel small workgroup 2,1,1
        m0 = buffer 0
        Store m0[0 + u32:0x0*4 <length0] = f32:0x3f800000
    "#]],
    );
    let told = dir.output(&["dump", "--stage", "after=dce", "--time-passes", "sums.wgsl", "--entry", "small"]).stderr;
    let told = String::from_utf8(told).unwrap();
    let passes: Vec<&str> =
        told.lines().filter_map(|line| line.split_once(" took ")?.0.split(' ').next_back()).collect();
    assert!(
        ["canonicalize", "unroll", "fission", "linearize", "witness"].iter().all(|pass| passes.contains(pass)),
        "{told}"
    );
    dir.expect(
        &["dump", "--stage", "vector", "sums.wgsl", "--entry", "small"],
        &expect![[r#"
            -- stdout
            ; width 1: a workgroup has 2 invocations
            kernel small workgroup 2,1,1
            m0 = buffer 0
            groups {
              Store m0[0 + u32:0x0*4 <length0] = f32:0x3f800000
            }
        "#]],
    );
    let stage = |stage: &'static str| ["dump", "--stage", stage, "sums.wgsl", "--entry", "main"];
    let asm = dir.stdout(&stage("asm"));
    assert!(asm.starts_with("; width ") && asm.contains("mov") && asm.contains("ret"), "{asm}");
    assert_eq!(dir.stdout(&stage("asm")), asm, "another process says the same");
    let by = |backend: &str| dir.command(&stage("clif")).env("SEAWALL_BACKEND", backend).output().expect("it starts");
    let refused = String::from_utf8(by("llvm").stderr).expect("text");
    assert!(
        refused.contains(
            "SEAWALL_BACKEND is `llvm`: it can be `cranelift`, `x64`, or one of its levels, `avx2` and `avx512`"
        ),
        "{refused}"
    );
    // Builds without Cranelift say so.
    let output = by("cranelift");
    let clif = String::from_utf8(output.stdout).expect("text");
    let lacks = String::from_utf8(output.stderr).expect("text");
    if !lacks.contains("needs the cargo feature `cranelift` of this build") {
        for part in ["; width ", "function u0:0(i64, i64, i64)", "fadd", "brif", "return"] {
            assert!(clif.contains(part), "no `{part}` in\n{clif}{lacks}");
        }
    }
    if asm.contains("push rbp") {
        let other = dir.failure(3, &stage("clif"));
        assert!(other.contains("SEAWALL_BACKEND=cranelift"), "{other}");
    }
    dir.expect(
        &["dump", "--stage", "program", "sums.wgsl", "--entry", "main"],
        &expect![[r#"
            status 2
            -- stderr
            error: --entry is for a kernel, but --stage program shows all of the program
        "#]],
    );
    dir.expect(
        &["dump", "--stage", "asm", "sums.wgsl"],
        &expect![[r#"
        status 1
        -- stderr
        error: `sums.wgsl` has several entry points: main, small
        help: choose one with --entry NAME
    "#]],
    );
}

#[test]
fn devices_say_whether_they_run_here() {
    let dir = Dir::new().with("keep.wgsl", keep("", "u32")).with("double.wgsl", double("u32"));
    let text = dir.stdout(&["devices"]);
    assert!(text.starts_with("reference: runs here: ") || text.contains("\nreference: runs here: "), "{text}");
    let json: serde_json::Value = serde_json::from_str(&dir.stdout(&["devices", "--json"])).expect("JSON");
    // What the command refuses, whatever the device, is told beside the device's own limit.
    let most = json["buffer_bytes_max"].as_u64().expect("a limit");
    assert!(text.contains(&format!("bytes at most; this command takes {most}\n")), "{text}");
    let refused = dir.failure(3, &["run", "double.wgsl", "--in", &format!("v=zeros:{}", most / 4 + 1)]);
    assert!(refused.contains(&format!("this command takes {most} at most")), "{refused}");
    let devices = json["devices"].as_array().expect("a list");
    let reference = devices.iter().find(|device| device["id"] == "reference").expect("the reference device");
    assert_eq!(reference["runs"], true);
    assert_eq!(reference["kind"], "reference");
    assert!(reference["limits"]["buffer_bytes_max"].as_u64().is_some_and(|bytes| bytes > 0), "{reference}");
    assert_eq!(reference["features"]["f16"], true);
    let gpu = devices.iter().find(|device| device["id"].as_str().is_some_and(|id| id.starts_with("gpu")));
    let gpu = gpu.expect("the GPU device, or why there is none");
    if gpu["runs"] == true {
        assert!(gpu["facts"]["backend"].is_string() && gpu["facts"]["driver"].is_string(), "{gpu}");
        assert!(gpu["limits"]["workgroup_size_max"].as_array().is_some_and(|size| size.len() == 3), "{gpu}");
        assert!(gpu["features"]["atomic_f32"].is_boolean(), "{gpu}");
        // What is listed can be asked for by the environment, too.
        let id = gpu["id"].as_str().expect("an id");
        let mut command = dir.command(&["run", "keep.wgsl", "--in", "v=iota:1", "--grid", "1", "--json"]);
        let output = command.env("SEAWALL_DEVICE", id).output().expect("the command starts");
        let ran: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(ran["device"], id, "{ran}");
    } else {
        assert!(gpu["why"].as_str().is_some_and(|why| !why.is_empty()), "{gpu}");
    }
}

#[test]
fn more_is_told_the_more_is_asked() {
    let job = "[buffers]\nv = { source = [1, 2], output = true }\n[[wave]]\nname = \"w\"\nprogram = \"double.wgsl\"\nover = \"v\"\n";
    let dir = Dir::new().with("double.wgsl", double("u32")).with("job.toml", job);
    let said = |args: &[&str]| {
        let output = dir.output(args);
        assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
        String::from_utf8(output.stderr).expect("text")
    };
    let run = ["run", "double.wgsl", "--in", "v=[1,2]", "--grid", "1", "--device", "cpu"];
    let with = |more: &[&'static str]| said(&[&run[..], more].concat());
    assert_eq!(with(&[]), "");
    let some = with(&["-v"]);
    assert!(some.starts_with("info: seawall::runtime: device cpu ("), "{some}");
    assert!(some.ends_with("): it was asked for\n") && some.lines().count() == 1, "{some}");
    let more = with(&["-vv"]);
    assert!(more.starts_with(&some) && more.contains("debug: seawall::runtime: `main` on cpu: "), "{more}");
    // What the libraries beneath us log is told last.
    let own = |line: &str| line.split(' ').nth(1).is_some_and(|target| target.starts_with("seawall"));
    assert!(more.lines().all(own), "{more}");
    let most = with(&["-vvv"]);
    assert!(most.contains("debug: seawall::runtime: `main` on cpu: ") && !most.lines().all(own), "{most}");
    assert_eq!(with(&["-q"]), "");
    let job = said(&["run", "job.toml", "-vv", "--device", "cpu"]);
    assert!(job.contains("info: seawall::compiled: plan: 1 wave in 1 group, at most 8 bytes on cpu\n"), "{job}");
    assert!(job.contains("debug: seawall::compiled: `main` on cpu: "), "{job}");
    let both = dir.output(&["run", "-q", "-v", "job.toml"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn an_adapter_is_chosen_by_name_or_not_at_all() {
    let dir = Dir::new().with("keep.wgsl", keep("", "u32"));
    let output = dir
        .command(&["run", "keep.wgsl", "--in", "v=iota:1", "--grid", "1", "--device", "gpu:no such adapter"])
        .output();
    let output = output.expect("the command starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("device `gpu:no such adapter` cannot run here: no adapter"), "{text}");
}

#[test]
fn what_the_environment_asks_for_is_there_or_an_error() {
    let dir = Dir::new().with("keep.wgsl", keep("", "u32"));
    let run = |name: &str, value: &std::ffi::OsStr| {
        let output = dir.command(&["run", "keep.wgsl", "--in", "v=iota:1", "--grid", "1"]).env(name, value).output();
        let output = output.expect("the command starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for threads in ["0", "1025", "100000", "99999999999999999999999", "-1", "two", "1.5", " 2"] {
        let (status, told) = run("SEAWALL_THREADS", threads.as_ref());
        let wanted = format!(
            "error: `SEAWALL_THREADS` asks for `{threads}` worker threads, which is not a number from 1 to 1024\n"
        );
        assert_eq!((status, told), (Some(1), wanted));
    }
    for threads in ["1", "3", ""] {
        let (status, told) = run("SEAWALL_THREADS", threads.as_ref());
        assert_eq!(status, Some(0), "{told}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let rubbish = std::ffi::OsStr::from_bytes(b"cpu\xff");
        let (status, told) = run("SEAWALL_DEVICE", rubbish);
        assert!(status == Some(3) && told.contains("there is no device `cpu\u{fffd}`"), "{status:?} {told}");
        let (status, told) = run("SEAWALL_THREADS", rubbish);
        assert!(status == Some(1) && told.contains("not a number from 1 to 1024"), "{status:?} {told}");
    }
}

#[test]
fn grid_barriers_run_on_the_default_device_and_their_segments_are_shown() {
    let dir = Dir::new().with(
        "grid.wgsl",
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) w: vec3<u32>) {
    v[w.x] = w.x + 1;
    gridBarrier();
    let other = v[1 - w.x];
    gridBarrier();
    v[w.x] += 10 * other;
}
",
    );
    dir.expect(
        &["run", "grid.wgsl", "--in", "v=zeros:2"],
        &expect![[r#"
        -- stdout
        device cpu: it is the first choice of this build
        grid 2,1,1 workgroups of 1,1,1: 6 invocations in … ms
        v: array<u32> = [21, 12]
        -- stderr
        note: the grid covers `v` of 2 elements with 2 workgroups of 1
    "#]],
    );
    dir.expect(
        &["dump", "--stage", "split", "grid.wgsl"],
        &expect![[r#"
            -- stdout
            3 segments, 4 bytes kept for each invocation
            kept other: 4 bytes for each invocation
            segment 1 of 3
            segment 2 of 3, keeps other
            segment 3 of 3, brings back other

            // segment 1 of 3
            @group(0) @binding(0)
            var<storage, read_write> v: array<u32>;

            @compute @workgroup_size(1, 1, 1)
            fn main(@builtin(workgroup_id) w: vec3<u32>) {
                v[w.x] = (w.x + 1u);
            }

            // segment 2 of 3
            @group(0) @binding(0)
            var<storage, read_write> v: array<u32>;
            @group(0) @binding(1)
            var<storage, read_write> spill: array<u32>;

            @compute @workgroup_size(1, 1, 1)
            fn main(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) param: u32, @builtin(num_workgroups) param_1: vec3<u32>) {
                var other: u32;

                let _e22 = ((param_1.x * param_1.y) * param_1.z);
                let _e6 = v[(1u - w.x)];
                other = _e6;
                let _e33 = other;
                spill[((((0u + (_e22 * 0u)) + ((w.x + (param_1.x * (w.y + (param_1.y * w.z)))) * 1u)) + param) + (0u * (_e22 * 1u)))] = _e33;
            }

            // segment 3 of 3
            @group(0) @binding(0)
            var<storage, read_write> v: array<u32>;
            @group(0) @binding(1)
            var<storage, read_write> spill: array<u32>;

            @compute @workgroup_size(1, 1, 1)
            fn main(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) param: u32, @builtin(num_workgroups) param_1: vec3<u32>) {
                var other: u32;

                let _e24 = ((param_1.x * param_1.y) * param_1.z);
                let _e40 = spill[((((0u + (_e24 * 0u)) + ((w.x + (param_1.x * (w.y + (param_1.y * w.z)))) * 1u)) + param) + (0u * (_e24 * 1u)))];
                other = _e40;
                let _e4 = v[w.x];
                let _e7 = other;
                v[w.x] = (_e4 + (10u * _e7));
            }
        "#]],
    );
}

#[test]
fn much_that_is_kept_across_grid_barriers_is_warned_of() {
    let dir = Dir::new().with(
        "spill.wgsl",
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var seen: array<u32, 32>;
    for (var i = 0u; i < 32u; i++) { seen[i] = v[id.x + i]; }
    gridBarrier();
    for (var i = 0u; i < 32u; i++) { v[id.x] += seen[i]; }
}
",
    );
    dir.expect(
        &["check", "spill.wgsl"],
        &expect![[r#"
        -- stdout
        entry main: workgroups of 4,1,1
          buffer  group  binding  access      type        stride  min bytes  kernel
          v       0      0        read_write  array<u32>  4       4          reads, writes
          needs grid_barrier at 6:5
        -- stderr
        warning[spill]: `main` keeps 128 bytes for each invocation across its grid barriers, more than 64
          ┌─ spill.wgsl:4:5
          │
        4 │     var seen: array<u32, 32>;
          │     ^^^^^^^^^^^^^^^^^^^^^^^^ 128 bytes of it
          │
          = help: shrink `seen`, keep it in a buffer of your own, or end its life before the barrier

    "#]],
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_the_worlds_fault() {
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let output = Dir::new().command(&["devices"]).stdout(full).output().expect("the command starts");
    expect![[r#"
        status 3
        -- stderr
        error: cannot write to standard output: No space left on device (os error 28)
    "#]]
    .assert_eq(&crate::support::transcript(&output));
}

#[test]
fn usage() {
    let dir = Dir::new().with("keep.wgsl", keep("", "u32"));
    dir.expect(
        &["fly"],
        &expect![[r#"
            status 2
            -- stderr
            error: unrecognized subcommand 'fly'

            Usage: seawall [OPTIONS] <COMMAND>

            For more information, try '--help'.
        "#]],
    );
    dir.expect(
        &["run"],
        &expect![[r#"
        status 2
        -- stderr
        error: the following required arguments were not provided:
          <FILE>

        Usage: seawall run <FILE>

        For more information, try '--help'.
    "#]],
    );
    dir.expect(
        &["run", "keep.wgsl", "--seed", "x"],
        &expect![[r#"
        status 2
        -- stderr
        error: invalid value 'x' for '--seed <N>': invalid digit found in string

        For more information, try '--help'.
    "#]],
    );
    dir.expect(
        &["run", "keep.wgsl", "--show", "v:x"],
        &expect![[r#"
        status 2
        -- stderr
        error: invalid value 'v:x' for '--show <NAME[:N]>': `x` is not a number of elements

        For more information, try '--help'.
    "#]],
    );
    dir.expect(
        &["run", "keep.wgsl", "--show", ":3"],
        &expect![[r#"
        status 2
        -- stderr
        error: invalid value ':3' for '--show <NAME[:N]>': expected NAME[:N]

        For more information, try '--help'.
    "#]],
    );
    assert_eq!(dir.output(&[]).status.code(), Some(2));
    assert!(dir.stdout(&["--version"]).starts_with("seawall "));
}

#[test]
fn help_explains_every_option() {
    let dir = Dir::new();
    dir.expect(
        &["--help"],
        &expect![[r#"
            -- stdout
            Runs WGSL compute programs on the machine at hand

            Usage: seawall [OPTIONS] <COMMAND>

            Commands:
              run          Run a program, or a job file of several (see docs/job.md)
              bench        Measure how long a program or a job takes, on one device or on several side by side
              test         Run WGSL files as tests, with inputs and expected outputs in their comments (see
                           docs/test.md)
              check        Check a program, and list its entry points and buffers
              devices      List the devices and whether they can run here
              dump         Print a stage of a program's compilation
              plan         Plan a job file, or waves under a budget, result slots and a queue (see docs/plan.md)
              explain      Explain a job file's plan, and which device it would run on
              kit          Run a ready program on data: sort it, scan it, compact it and so on (see docs/kit.md)
              completions  Print a completion script for a shell
              man          Print the manual page, in roff
              help         Print this message or the help of the given subcommand(s)

            Options:
              -q, --quiet       Print nothing on standard error but errors
              -v, --verbose...  Print more: the choice of device and plan (-v), compiling and loading (-vv),
                                what libraries log (-vvv)
              -h, --help        Print help
              -V, --version     Print version

            Exit status: 0 success; 1 the program or its inputs are wrong; 2 the command line is wrong; 3 a
            device, a file or memory failed
        "#]],
    );
    dir.expect(
        &["run", "--help"],
        &expect![[r#"
            -- stdout
            Run a program, or a job file of several (see docs/job.md)

            Usage: seawall run [OPTIONS] <FILE>

            Arguments:
              <FILE>  The program (`-` for standard input), or a job file (.toml)

            Options:
                  --entry <NAME>           The entry point, where there are several
                  --in <NAME=SOURCE>       The initial contents of a buffer (see below)
                  --out <NAME=FILE>        Write a buffer to a file at the end (see below)
                  --show <NAME[:N]>        Print this buffer instead of all that are written, its first N
                                           elements
                  --set <OVERRIDE=VALUE>   Set an `override`, by name or by @id
                  --grid <X[,Y[,Z]]>       Workgroups in each dimension [default: cover the longest
                                           runtime-sized buffer that is written]
                  --threads <X[,Y[,Z]]>    Invocations in each dimension, rounded up to whole workgroups
                  --device <ID>            Run on this device and no other
                  --seed <N>               Interleave invocations in an order chosen by this seed, on the
                                           reference device
                  --sanitize               Find races, reads and writes out of bounds, and reads of what nobody
                                           wrote, on the reference device (see docs/sanitizer.md)
                  --strict                 Take all that --sanitize finds for errors
                  --workgroups <A..B>      Let --sanitize watch only these workgroups of each dispatch
                  --arithmetic[=<WHAT,…>]  Let --sanitize look at arithmetic too: division, shift, conversion,
                                           nan, overflow, or all
                  --steps <N>              Stop an invocation that executes more statements than this, on the
                                           reference device
                  --seconds <N>            Stop after N seconds, whatever is going on: reading, compiling,
                                           running, writing
                  --subgroup-size <N>      Invocations of a subgroup, from 4 to 128 (CPU and reference device)
                                           [default: 32]
                  --contract               Allow fused multiply-add where that is faster (CPU device): not the
                                           reference's bits
                  --budget <BYTES>         The most bytes on the device at once, as in 64MiB (job files)
                  --value <NAME=JSON>      Set one of the file's values for this run, as JSON (job files)
                  --checkpoint <DIR>       Write checkpoints into this directory, which all ranks see (jobs
                                           shared out among ranks; see docs/mpi.md)
                  --every <N>              A checkpoint before each N-th stage of exchanges
                  --resume                 Go on from the latest checkpoint in the directory of --checkpoint
                  --width <W>              Pixels in a row of a .png
                  --trace <FILE>           Record when each step ran, as a trace for Chrome or Perfetto (.svg:
                                           as a picture)
                  --profile                Print where the time went: by kernel, or by wave of a job
                  --json                   Print one JSON object: device, because, outputs, stats
              -q, --quiet                  Print nothing on standard error but errors
              -v, --verbose...             Print more: the choice of device and plan (-v), compiling and loading
                                           (-vv), what libraries log (-vvv)
              -h, --help                   Print help

            Sources (--in NAME=SOURCE):
              FILE.npy           little-endian numbers of the buffer's own type, shaped as its vectors are
              FILE.bin           bytes as they lie in the buffer
              FILE.csv           numbers row by row, no header line
              FILE.json, JSON    a value of the buffer's type: [1, 2, 3], {"a": 2.0, "n": 1000}; a matrix is
                                 an array of columns; "NaN", "Infinity" and "-Infinity" are floats
              zeros:N            N elements of zero bytes
              iota:N             0, 1, 2, …
              fill:VALUE:N       N times the same number or JSON value
              FILE.png, .jpg     a picture, for a texture; .npy holds images of floats and integers
              zeros:640x480      an image of zeros, for a texture
              'linear repeat'    for a sampler: nearest or linear, and clamp, repeat or mirror
              random:N[:SEED]    SplitMix64 from SEED (0 if not given): floats in [0, 1), integers of any value
            N counts the elements of the array and may be left out where the program fixes it.

            Files (--out NAME=FILE), by extension: .npy, .bin, .csv (a row for each element), .json, and .png
            (u32 elements are RGBA colours with red in the lowest byte, as pack4x8unorm gives them; f32 elements
            are grey from 0 to 1). Textures go to .png, .npy and .bin.

            A format may be named before a file of any extension, as in npy:weights.dat; `-` is then standard
            input or output, as in --in x=npy:- and --out y=csv:-.
        "#]],
    );
}

#[test]
fn completions_and_manual() {
    let dir = Dir::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(dir.stdout(&["completions", shell]).contains("threads"), "{shell}");
    }
    let page = dir.stdout(&["man"]);
    assert!(page.contains(".TH seawall") && page.contains("\\-\\-threads") && page.contains("iota:N"), "{page}");
}

#[test]
#[cfg(feature = "glsl")]
fn glsl_runs_too() {
    let text = "#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Values { uint v[]; } values;
void main() { values.v[gl_GlobalInvocationID.x] *= 2u; }
";
    let dir = Dir::new().with("double.comp", text).with("wrong.comp", "void main() {");
    let said = dir.stdout(&["run", "double.comp", "--in", "values={\"v\":[1,2,3]}", "--json"]);
    assert!(said.contains("[2,4,6]"), "{said}");
    assert!(dir.failure(1, &["check", "wrong.comp"]).starts_with("error["));
}

#[test]
#[cfg(feature = "spirv")]
fn spirv_that_is_none_is_refused() {
    let dir = Dir::new().with("empty.spv", "").with("rubbish.spv", [7; 64]);
    for file in ["empty.spv", "rubbish.spv"] {
        assert!(dir.failure(1, &["check", file]).starts_with("error["));
    }
}

#[test]
fn jobs_have_waves_with_grid_barriers() {
    let job = "[buffers]
x = { source = \"iota:1000\", output = \"x.json\" }
totals.elements = 40

[[wave]]
name = \"sums\"
program = \"scan.wgsl\"
bind = { x = \"x\", totals = \"totals\" }
threads = [1000]
";
    let dir = Dir::new().with("scan.wgsl", include_str!("../../../../examples/scan.wgsl")).with("scan.toml", job);
    for device in ["cpu", "reference"] {
        let ran = dir.output(&["run", "scan.toml", "--device", device]);
        assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
        let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(shown.contains("[0, 1, 3, 6, 10, 15, 21, 28, …, 499500]"), "{device}: {shown}");
    }
    let planned = dir.output(&["plan", "scan.toml"]);
    assert!(String::from_utf8_lossy(&planned.stdout).contains("sums (segment 2 of 4)"));
}
