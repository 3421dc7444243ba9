//! `seawall plan`.

use expect_test::expect;

use crate::support::Dir;

fn example(name: &str) -> Dir {
    let path = format!("{}/../../examples/plan/{name}.json", env!("CARGO_MANIFEST_DIR"));
    Dir::new().with("waves.json", std::fs::read(path).expect("an example"))
}

#[test]
fn a_diamond_as_text() {
    example("diamond").expect(
        &["plan", "waves.json"],
        &expect![[r#"
            -- stdout
            w0 = load
            w1 = left
            w2 = right
            w3 = join
            frontier: 4 waves in 3 groups of 3 layers, 2 global barriers, 0 memory splits
            peaks: 8192 frontier, 4096 scratch, 2048 output, 26624 fused bytes; 2 waves
            readback: 1048576 bytes
            group 0 of layer 0: w0 (1024 + 4*512 + 256 bytes)
            group 1 of layer 1: w1 w2 (6144 + 4*3072 + 1536 bytes)
            group 2 of layer 2: w3 (8192 + 4*4096 + 2048 bytes)
            live: at most 28160 bytes, first in group 2
            group 0: 3328 bytes
            group 1: 20224 bytes
            group 2: 28160 bytes
            readback: 36 of 512 bytes, 476 avoided (9296 bp), 2 records in 36 bytes, 0 ranges of 0 bytes
            record s1: b0[128+12] -> 0
            record s3: b0[256+24] -> 12
            queue: 16384 bytes, 16512 resident, 2500 bp full at first
            drain: 1024 items at once, host sync at the end only
        "#]],
    );
}

#[test]
fn a_diamond_as_data() {
    let text = example("diamond").stdout(&["plan", "waves.json", "--json"]);
    let data: serde_json::Value = serde_json::from_str(&text).expect("one JSON object");
    assert_eq!(data["barrier"]["groups"], serde_json::json!([[0], [1, 2], [3]]));
    assert_eq!(data["frontier"]["peak_group_bytes"], 26624);
    assert_eq!(data["live"]["group_bytes"], serde_json::json!([3328, 20224, 28160]));
    assert_eq!(data["readback"]["avoided_bp"], 9296);
    assert_eq!(data["queue"]["drain"], "single");
}

/// Text, data and picture must not differ from one run to the next.
#[test]
fn pictures_are_the_same_every_time_and_hold_every_wave() {
    for name in ["diamond", "split", "random"] {
        let dir = example(name);
        dir.stdout(&["plan", "waves.json", "--svg", "a.svg"]);
        dir.stdout(&["plan", "waves.json", "--json", "--svg", "b.svg"]);
        let svg = String::from_utf8(dir.read("a.svg")).expect("text");
        assert_eq!(svg.as_bytes(), dir.read("b.svg"));
        let file: serde_json::Value = serde_json::from_slice(&dir.read("waves.json")).expect("JSON");
        let waves = file["waves"].as_array().expect("waves").len();
        assert_eq!(svg.matches("<g><title>").count(), waves);
        let edges = file["edges"].as_array().expect("edges").len();
        assert_eq!(svg.lines().filter(|line| line.starts_with("<path") && line.contains('C')).count(), edges);
        let whole = dir.stdout(&["plan", "waves.json"]).contains(" 0 memory splits");
        assert_eq!(svg.contains("split into"), !whole);
    }
}

#[test]
fn names_cannot_break_the_picture() {
    let dir = Dir::new().with("waves.json", r#"{"waves": [{"name": "</svg><a> & \u0001", "output_bytes": 9}]}"#);
    dir.stdout(&["plan", "waves.json", "--svg", "a.svg"]);
    let svg = String::from_utf8(dir.read("a.svg")).expect("text");
    assert_eq!(svg.matches("</svg>").count(), 1);
    assert!(svg.contains("&lt;/svg&gt;&lt;a&gt; &amp; \u{fffd}"));
}

#[test]
fn faults_say_what_to_do() {
    let cases = [
        r#"{"waves": [{}], "edges": [[0, 0]]}"#,
        r#"{"waves": [{}, {}], "edges": [[0, 1], [1, 0]]}"#,
        r#"{"waves": [{}], "edges": [[0, 7]]}"#,
        r#"{"waves": [{"name": "a"}], "edges": [["a", "b"]]}"#,
        r#"{"waves": [{"name": "a"}, {"name": "a"}]}"#,
        r#"{"waves": [{"scratch_bytes": 100}], "budget": {"limit_bytes": 399}}"#,
        r#"{"waves": [], "budget": {"limit_bytes": 1000, "resident_bytes": 1600}}"#,
        r#"{"waves": [{"output_bytes": 5}, {}, {"output_bytes": 5}], "edges": [[0, 1], [1, 2]], "reads": [[0, 2]], "budget": {"limit_bytes": 9, "refuse_live": true}}"#,
        r#"{"waves": [{"frontier_bytes": 18446744073709551615, "output_bytes": 1}]}"#,
        r#"{"readback": {"record_limit_bytes": 1, "slots": [{"id": 4, "meaningful_bytes": 2, "capacity_bytes": 1}]}}"#,
        r#"{"queue": {"capacity_items": 0, "entry_bytes": 1, "budget_bytes": 1}}"#,
        r#"{"waves": [{"bytes": 1}]}"#,
        r#"{"waves": [{"output_bytes": -1}]}"#,
        r#"{"edges": [[1.5, 2]]}"#,
        "[",
    ];
    let mut said = String::new();
    for text in cases {
        said += &Dir::new().with("w.json", text).failure(1, &["plan", "w.json"]);
    }
    said += &Dir::new().failure(3, &["plan", "nothing.json"]);
    said += &example("diamond").failure(3, &["plan", "waves.json", "--svg", "no/such/place.svg"]);
    expect![[r#"
        error: `w.json`: edge 0 makes w0 wait for itself; drop the edge
        error: `w.json`: waves wait for each other: w0 -> w1 -> w0; drop one of these edges
        error: `w.json`: edge 0 names w7, but there are only 1 waves; add the wave or drop the edge
        error: `w.json`: edge 0 names wave `b`, which is not there
        error: `w.json`: two waves are called `a`, 0 and 1
        error: `w.json`: w0 alone needs 400 bytes of 399 for a group; raise the limit, or cut the wave
        error: `w.json`: resident buffers need 1600 bytes of 1000; raise the limit, or keep less resident
        error: `w.json`: group 2 with all live outputs needs 10 bytes of 9; raise the limit, or read outputs sooner
        error: `w.json`: w0: fused bytes overflow 64 bits; give smaller sizes
        error: `w.json`: readback: s4 has 2 meaningful bytes in a capacity of 1; raise the capacity
        error: `w.json`: the queue has a capacity of 0 items; give it at least 1
        error: `w.json`: line 1, column 19: `bytes` is no key here; the keys here are name, frontier_bytes, scratch_bytes, output_bytes
        error: `w.json`: line 1, column 30: expected a whole number from 0 on, found -1
        error: `w.json`: line 1, column 17: expected a wave, by number or by name
        error: `w.json`: line 1, column 1: EOF while parsing a list
        error: cannot read `nothing.json`: No such file or directory (os error 2)
        error: cannot write `no/such/place.svg`: No such file or directory (os error 2)
    "#]].assert_eq(&said);
}
