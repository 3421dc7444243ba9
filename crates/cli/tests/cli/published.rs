//! Files are there whole or as they were, whatever happens on the way.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

use crate::support::{Dir, double, transcript};

const OLD: &[u8] = b"as it was";

/// The signal that ends a process at its limit.
const SIGXFSZ: i32 = 25;

/// Runs the command where no file can be larger than a few KiB. Its writes fail as on a full disk, or
/// else it is killed in the middle of one.
fn on_a_full_disk(dir: &Dir, args: &[&str], killed: bool) -> Output {
    let trap = if killed { "" } else { "trap '' XFSZ;" };
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{trap} ulimit -f 4 && ulimit -c 0 && exec \"$0\" \"$@\"")]);
    shell.arg(env!("CARGO_BIN_EXE_seawall")).args(args).current_dir(dir.path("")).env_remove("SEAWALL_DEVICE");
    shell.stdin(Stdio::null()).output().expect("the shell starts")
}

fn names(dir: &Dir) -> Vec<String> {
    let entry = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name().into_string();
    let mut names: Vec<String> =
        fs::read_dir(dir.path("")).expect("a directory").map(|e| entry(e).expect("text")).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_full_disk_leaves_the_older_files() {
    for file in ["a.bin", "a.npy", "a.csv", "a.json", "a.png"] {
        let dir = Dir::new().with("double.wgsl", double("u32")).with(file, OLD);
        let out = format!("v={file}");
        let args = ["run", "double.wgsl", "--in", "v=random:40000", "--out", &out, "--width", "200"];
        let output = on_a_full_disk(&dir, &args, false);
        assert_eq!(output.status.code(), Some(3), "{file}: {}", transcript(&output));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(&format!("cannot write `{file}`")), "{said}");
        assert_eq!(dir.read(file), OLD, "{file}");
        assert_eq!(names(&dir), [file, "double.wgsl"], "nothing is left");
    }
}

#[test]
fn a_kill_leaves_the_older_file() {
    let dir = Dir::new().with("double.wgsl", double("u32")).with("a.bin", OLD);
    let args = ["run", "double.wgsl", "--in", "v=iota:40000", "--out", "v=a.bin"];
    let output = on_a_full_disk(&dir, &args, true);
    assert_eq!(output.status.signal(), Some(SIGXFSZ), "{}", transcript(&output));
    assert_eq!(dir.read("a.bin"), OLD);
}

#[test]
fn all_files_are_written_before_the_first_is_in_its_place() {
    let two = "@group(0) @binding(0) var<storage, read_write> small: array<u32>;
@group(0) @binding(1) var<storage, read_write> large: array<u32>;
@compute @workgroup_size(1) fn main() { small[0] = 1u; large[0] = 2u; }";
    let dir = Dir::new().with("two.wgsl", two).with("small.bin", OLD).with("large.bin", OLD);
    let args = ["run", "two.wgsl", "--grid", "1", "--in", "small=zeros:4", "--in", "large=zeros:40000"];
    let outs = ["--out", "small=small.bin", "--out", "large=large.bin"];
    let output = on_a_full_disk(&dir, &[args.as_slice(), &outs].concat(), false);
    assert_eq!(output.status.code(), Some(3), "{}", transcript(&output));
    assert_eq!((dir.read("small.bin"), dir.read("large.bin")), (OLD.to_vec(), OLD.to_vec()));
    assert_eq!(names(&dir), ["large.bin", "small.bin", "two.wgsl"]);
    dir.stdout(&[args.as_slice(), &outs].concat());
    assert_eq!((dir.read("small.bin").len(), dir.read("large.bin").len()), (16, 160_000));
    assert_eq!(names(&dir), ["large.bin", "small.bin", "two.wgsl"]);
}

#[test]
fn a_trace_and_a_picture_too() {
    let mut job = String::new();
    for at in 0..20 {
        write!(job, "[buffers.v{at}]\nsource = \"iota:4\"\noutput = true\n").expect("memory takes text");
    }
    for at in 0..20 {
        let wave = format!("name = \"{at}\"\nprogram = \"double.wgsl\"\nbind.v = \"v{at}\"\nover = \"v\"\n");
        write!(job, "[[wave]]\n{wave}").expect("memory takes text");
    }
    let dir = Dir::new().with("double.wgsl", double("u32")).with("job.toml", job);
    let dir = dir.with("old", OLD);
    for args in [["run", "job.toml", "--trace", "old"], ["plan", "job.toml", "--svg", "old"]] {
        let output = on_a_full_disk(&dir, &args, false);
        assert_eq!(output.status.code(), Some(3), "{}", transcript(&output));
        assert_eq!(dir.read("old"), OLD, "{args:?}");
        assert_eq!(names(&dir), ["double.wgsl", "job.toml", "old"]);
    }
    let picture = dir.stdout(&["plan", "job.toml", "--svg", "/dev/stdout"]);
    assert!(picture.contains("<svg"), "{picture}");
    dir.stdout(&["run", "job.toml", "--trace", "/dev/null"]);
    dir.stdout(&["run", "job.toml", "--trace", "old"]);
    assert!(dir.read("old").starts_with(b"{\"traceEvents\""));
}

#[test]
fn links_stay_and_permissions_too() {
    let dir = Dir::new().with("double.wgsl", double("u32"));
    fs::create_dir(dir.path("real")).expect("a directory");
    symlink("real/there.bin", dir.path("link.bin")).expect("a link");
    symlink("link.bin", dir.path("far.bin")).expect("a link");
    let run = |out: &str| dir.stdout(&["run", "double.wgsl", "--in", "v=[1,2]", "--out", out]);
    run("v=far.bin");
    assert_eq!(dir.read("real/there.bin"), [2, 0, 0, 0, 4, 0, 0, 0], "a link to nothing yet");
    fs::set_permissions(dir.path("real/there.bin"), fs::Permissions::from_mode(0o640)).expect("our own file");
    fs::write(dir.path("real/there.bin"), OLD).expect("our own file");
    run("v=link.bin");
    assert_eq!(dir.read("real/there.bin").len(), 8);
    for link in ["link.bin", "far.bin"] {
        assert!(fs::symlink_metadata(dir.path(link)).expect("a link").is_symlink());
    }
    assert_eq!(fs::metadata(dir.path("real/there.bin")).expect("a file").permissions().mode() & 0o777, 0o640);
    symlink("round.bin", dir.path("round.bin")).expect("a link");
    let failure = dir.failure(3, &["run", "double.wgsl", "--in", "v=[1,2]", "--out", "v=round.bin"]);
    assert!(failure.contains("cannot write `round.bin`"), "{failure}");
}
