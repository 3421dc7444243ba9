//! `seawall bench` and `run --profile`: what they tell, but for the times.

use crate::support::{Dir, double};

const JOB: &str = "[buffers]
v = { source = [1, 2, 3], output = true }
[[wave]]
name = \"twice\"
program = \"double.wgsl\"
over = \"v\"
[[wave]]
name = \"again\"
program = \"double.wgsl\"
over = \"v\"
";

fn dir() -> Dir {
    Dir::new().with("double.wgsl", double("u32")).with("job.toml", JOB)
}

#[test]
fn devices_are_measured_side_by_side() {
    let args = ["bench", "double.wgsl", "--in", "v=iota:1000", "--device", "cpu", "--against", "reference"];
    let more = ["--repeat", "3", "--warmup", "1", "--operations", "1e3"];
    let text = dir().stdout(&[&args[..], &more].concat());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "3 repetitions, 1 to warm up");
    assert_eq!(
        lines[1].split_whitespace().collect::<Vec<_>>(),
        ["device", "minimum", "median", "spread", "GB/s", "invocations/s", "operations/s"]
    );
    assert!(lines[2].starts_with("  cpu  ") && lines[3].starts_with("  reference  ") && lines.len() == 4, "{text}");
    let json = dir().stdout(&[&args[..], &more, &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    for device in json["devices"].as_array().expect("a list") {
        // Each element is read and written.
        assert_eq!(device["bytes"], 8000);
        assert!(device["minimum_ms"].as_f64() <= device["median_ms"].as_f64(), "{device}");
        let operations = device["operations_per_second"].as_f64().expect("a rate");
        let median = device["median_ms"].as_f64().expect("a time");
        assert!((operations * median - 1e6).abs() < 1.0, "{device}");
    }
}

#[test]
fn jobs_are_measured_and_start_anew_each_time() {
    let text = dir().stdout(&["bench", "job.toml", "--repeat", "2"]);
    assert!(text.starts_with("2 repetitions, 3 to warm up\n") && text.contains("\n  cpu "), "{text}");
}

#[test]
fn a_trace_can_be_a_picture() {
    let dir = dir();
    dir.stdout(&["run", "job.toml", "--trace", "trace.svg"]);
    let picture = String::from_utf8(dir.read("trace.svg")).expect("SVG is text");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"), "{picture}");
    for part in ["device cpu", "worker 0", "dispatch", "download", " ms</text>"] {
        assert!(picture.contains(part), "no `{part}` in\n{picture}");
    }
    assert!(picture.matches("<rect ").count() >= 5, "{picture}");
    assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
}

#[test]
fn what_only_a_run_has_is_refused() {
    let said = dir().failure(2, &["bench", "double.wgsl", "--in", "v=iota:3", "--out", "v=v.csv"]);
    assert_eq!(said, "error: --out is not for `seawall bench`, which only measures\n");
}

#[test]
fn a_profile_has_a_line_for_each_wave() {
    let text = dir().stdout(&["run", "job.toml", "--profile"]);
    for line in ["  what ", "  twice ", "  again ", "  upload v ", "  download v "] {
        assert_eq!(text.lines().filter(|found| found.starts_with(line)).count(), 1, "{line}\n{text}");
    }
    let shares = text.lines().filter_map(|line| line.split_whitespace().find_map(|word| word.strip_suffix('%')));
    let sum: f64 = shares.map(|share| share.parse::<f64>().expect("a number")).sum();
    assert!((sum - 100.0).abs() < 0.5, "{text}");
    let text = dir().stdout(&["run", "double.wgsl", "--in", "v=iota:3", "--profile"]);
    assert!(text.lines().any(|line| line.starts_with("  main ")), "{text}");
}
