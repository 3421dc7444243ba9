//! Devices that are none, and runs that are ended.

use expect_test::expect;

use crate::support::{Dir, double, transcript};

#[test]
fn devices_that_are_none() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    dir.expect(
        &["run", "double.wgsl", "--in", "v=iota:4", "--device", "abacus"],
        &expect![[r#"
            status 3
            -- stderr
            note: the grid covers `v` of 4 elements with 1 workgroup of 4
            error: there is no device `abacus`; this build has cpu, gpu, reference
            help: `seawall devices` lists what can run here
        "#]],
    );
    let mut command = dir.command(&["run", "double.wgsl", "--in", "v=iota:4"]);
    let output = command.env("SEAWALL_DEVICE", "abacus").output().expect("the command starts");
    expect![[r#"
        status 3
        -- stderr
        note: the grid covers `v` of 4 elements with 1 workgroup of 4
        error: there is no device `abacus`; this build has cpu, gpu, reference
        help: `seawall devices` lists what can run here
    "#]]
    .assert_eq(&crate::support::transcript(&output));
}

#[test]
fn what_only_the_reference_device_does() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    let base = ["run", "double.wgsl", "--in", "v=iota:4", "--grid", "1"];
    dir.expect(
        &[base.as_slice(), &["--device", "cpu", "--seed", "1"]].concat(),
        &expect![[r#"
            status 2
            -- stderr
            error: a seed is for the `reference` device, but device `cpu` is asked for
        "#]],
    );
    let mut command = dir.command(&[base.as_slice(), &["--steps", "1000"]].concat());
    let output = command.env("SEAWALL_DEVICE", "cpu").output().expect("the command starts");
    expect![[r#"
        status 2
        -- stderr
        error: a limit of statements is for the `reference` device, but device `cpu` is asked for
    "#]]
    .assert_eq(&crate::support::transcript(&output));
    dir.expect(
        &[base.as_slice(), &["--steps", "1000"]].concat(),
        &expect![[r#"
            -- stdout
            device reference: only it counts statements
            grid 1,1,1 workgroups of 4,1,1: 4 invocations in … ms
            v: array<u32> = [0, 2, 4, 6]
        "#]],
    );
}

#[test]
fn an_endless_loop_is_ended() {
    let text = "@group(0) @binding(0) var<storage, read_write> v: u32;
@compute @workgroup_size(1)
fn main() {
    loop {
        v += 1u;
        if v == 0u { break; }
    }
}
";
    let dir = Dir::new().with("endless.wgsl", text);
    let said = dir.failure(1, &["run", "endless.wgsl", "--grid", "1", "--steps", "1000"]);
    assert!(said.contains("endless.wgsl:4:5") && said.ends_with("help: --steps N sets the limit\n"), "{said}");
}

#[test]
fn a_deadline_ends_the_run() {
    let text = "@group(0) @binding(0) var<storage, read_write> v: u32;
@compute @workgroup_size(1)
fn main() {
    while v != 1u {
        v += 2u;
    }
}
";
    let dir = Dir::new().with("endless.wgsl", text);
    for device in ["cpu", "reference"] {
        dir.expect(
            &["run", "endless.wgsl", "--grid", "1", "--seconds", "0.5", "--device", device],
            &expect![[r#"
                status 1
                -- stderr
                note: `v: u32` starts as zeros
                error[deadline]: the run was not done at its deadline, in `main`
                  ┌─ endless.wgsl:4:5
                  │
                4 │     while v != 1u {
                  │     ^^^^^^^^^^^^^^^ still going round here

                help: --seconds N sets the deadline
            "#]],
        );
    }
    for wrong in ["0", "-1", "NaN", "soon", "1e30"] {
        let said = dir.failure(2, &["run", "endless.wgsl", "--grid", "1", &format!("--seconds={wrong}")]);
        assert!(said.contains(&format!("`{wrong}` is not a positive number of seconds")), "{said}");
    }
}

/// Texts that never come cannot be stopped, but they can be left.
#[test]
#[cfg(unix)]
fn a_deadline_counts_from_the_start() {
    use std::process::{Command, Stdio};

    let dir = Dir::new().with("double.wgsl", double("u32")).with(
        "job.toml",
        "[buffers]\nv = { source = \"pipe.bin\", output = true }\n[[wave]]\nname = \"double\"\nprogram = \"double.wgsl\"\nthreads = 4\n",
    );
    let pipe = dir.path("pipe.bin");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for (args, what) in [
        (&["run", "-", "--grid", "1"][..], "read the file"),
        (&["run", "double.wgsl", "--in", "v=pipe.bin"], "read the inputs"),
        (&["run", "job.toml"], "read the job"),
    ] {
        let mut command = dir.command(args);
        let command = command.args(["--seconds", "0.3"]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // Nothing is ever written to it.
        let stdin = child.stdin.take();
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        assert_eq!(
            transcript(&output),
            format!(
                "status 1\n-- stderr\nerror: the run was not done at its deadline: it still had to {what}\n\
                 help: --seconds N sets the deadline\n"
            )
        );
    }
}

/// Nobody set a deadline, but whoever started it can end it.
#[test]
#[cfg(unix)]
fn a_signal_ends_an_endless_run() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};

    let text = "@compute @workgroup_size(64) fn main() { loop {} }";
    let dir = Dir::new().with("endless.wgsl", text);
    let mut command = dir.command(&["run", "endless.wgsl", "--grid", "100000"]);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(run.try_wait().expect("it can be asked"), None, "it is endless");
    let kill = format!("kill -TERM {}", run.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    assert_eq!(run.wait().expect("it ends").signal(), Some(15));
}

#[test]
fn languages_that_are_not_built_in() {
    let dir = Dir::new().with("a.spv", "").with("a.comp", "");
    if !cfg!(feature = "spirv") {
        dir.expect(
            &["check", "a.spv"],
            &expect![[r#"
            status 3
            -- stderr
            error: this build reads no SPIR-V (`a.spv`)
            help: build it with --features spirv
        "#]],
        );
    }
    if !cfg!(feature = "glsl") {
        dir.expect(
            &["check", "a.comp"],
            &expect![[r#"
            status 3
            -- stderr
            error: this build reads no GLSL (`a.comp`)
            help: build it with --features glsl
        "#]],
        );
    }
}
