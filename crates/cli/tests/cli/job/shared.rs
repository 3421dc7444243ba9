//! Jobs that are shared out among ranks: handed over to the command that runs them, or told how to get it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

use crate::support::{Dir, transcript};

const JOB: &str = "[buffers]\nx = { rows = 8, halo = 1, type = \"f32\" }\n\n[[wave]]\nname = \"edges\"\nexchange = \"halo\"\nof = \"x\"\n";
const ALONE: &str = "[buffers]\nx = { elements = 8, output = \"x.bin\" }\n\n[[wave]]\nname = \"w\"\nprogram = \"w.wgsl\"\nover = \"x\"\n";
const PROGRAM: &str = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) { x[id.x] = id.x; }
";

/// A command of this name that says what it was told, on both of its streams, and ends with 7.
fn other(dir: &Dir, name: &str) {
    let text = "#!/bin/sh\necho \"$@\"\necho aside >&2\nread line\necho \"read $line\"\nexit 7\n";
    fs::write(dir.path(name), text).unwrap();
    fs::set_permissions(dir.path(name), fs::Permissions::from_mode(0o755)).unwrap();
}

fn dir() -> Dir {
    let dir = Dir::new().with("job.toml", JOB).with("alone.toml", ALONE).with("w.wgsl", PROGRAM);
    for name in ["bin", "path"] {
        fs::create_dir(dir.path(name)).unwrap();
    }
    // Where it stands in the build's directory, the other command may stand beside it.
    fs::copy(env!("CARGO_BIN_EXE_seawall"), dir.path("bin/seawall")).unwrap();
    dir
}

fn run(dir: &Dir, ranks: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = Command::new(dir.path("bin/seawall"));
    command.args(args).current_dir(dir.path("")).env("PATH", dir.path("path")).envs(ranks.iter().copied());
    command.stdin(Stdio::from(fs::File::open(dir.path("w.wgsl")).unwrap()));
    command.output().unwrap()
}

#[test]
fn the_other_command_is_found_beside_or_on_the_path() {
    for place in ["bin/seawall-mpi", "path/seawall-mpi"] {
        let dir = dir();
        other(&dir, place);
        let args = ["run", "job.toml", "--checkpoint", "saved", "--every", "3", "--resume"];
        for args in [&args[..], &["plan", "job.toml"]] {
            let output = run(&dir, &[("OMPI_COMM_WORLD_SIZE", "4")], args);
            assert_eq!(output.status.code(), Some(7), "{}", transcript(&output));
            let first = PROGRAM.lines().next().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{}\nread {first}\n", args.join(" ")));
            assert_eq!(String::from_utf8(output.stderr).unwrap(), "aside\n");
        }
    }
}

#[test]
fn where_it_is_missing_the_command_says_how_to_get_it() {
    let dir = dir();
    // A directory of its name is none.
    fs::create_dir(dir.path("path/seawall-mpi")).unwrap();
    let output = run(&dir, &[], &["run", "job.toml"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: the data of this job is shared out among ranks, and `seawall-mpi`, which runs it, is neither beside \
         `seawall` nor on the path\nhelp: `cargo install --path crates/mpi` installs it; it needs a system MPI (see \
         docs/mpi.md)\n"
    );
    fs::write(dir.path("bin/seawall-mpi"), "no program").unwrap();
    let output = run(&dir, &[], &["run", "job.toml"]);
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: cannot start `") && said.contains("ermission denied"), "{said}");
}

#[test]
fn what_is_not_shared_out_is_not_done_by_each_of_several_ranks() {
    let dir = dir();
    for variable in ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"] {
        for file in ["alone.toml", "w.wgsl"] {
            let output = run(&dir, &[(variable, "3")], &["run", file]);
            assert_eq!(output.status.code(), Some(2));
            assert_eq!(
                String::from_utf8(output.stderr).unwrap(),
                format!(
                    "error: 3 ranks were started ({variable}), and each would do all of it: nothing is shared out \
                     among them\nhelp: docs/mpi.md says how to share it out; where each rank has a run of its own, \
                     start it by `env -u {variable} seawall …`\n"
                )
            );
            assert!(!dir.path("x.bin").exists());
        }
        let output = run(&dir, &[(variable, "1")], &["run", "alone.toml"]);
        assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
        fs::remove_file(dir.path("x.bin")).unwrap();
    }
}

#[test]
fn options_and_commands_that_are_for_the_other_kind_of_job() {
    let dir = dir();
    let alone = dir.failure(2, &["run", "alone.toml", "--checkpoint", "saved", "--every", "3"]);
    assert_eq!(alone, "error: `--checkpoint` is for jobs that are shared out among ranks\n");
    for command in ["explain", "check", "bench"] {
        let said = dir.failure(1, &[command, "job.toml"]);
        let wanted = "`job.toml` is shared out among ranks, which only `seawall run` and `seawall plan` take";
        assert!(said.contains(wanted), "{said}");
    }
    let stdin = dir.output_with_stdin(&["run", "-"], JOB.as_bytes());
    assert_eq!(stdin.status.code(), Some(2), "{}", transcript(&stdin));
    assert!(String::from_utf8(stdin.stderr).unwrap().contains("cannot come from standard input"));
    let none = Dir::new().with("job.toml", "[[wave]]\nname = \"w\"\n").failure(1, &["run", "job.toml"]);
    assert!(none.contains("`program` is missing"), "{none}");
}
