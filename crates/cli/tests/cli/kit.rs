//! The kit from the command line: files through it, and mistakes in exact words.

use crate::support::{Dir, le};

#[test]
fn files_are_sorted() {
    let keys = le(&[3.5f32, -1.0, 2.0], f32::to_le_bytes);
    let dir = Dir::new().with("keys.bin", keys);
    let args = ["kit", "sort", "--type", "f32", "--in", "keys=keys.bin", "--in", "values=[7,8,9]"];
    let outs = ["--out", "keys=sorted.bin", "--out", "values=places.csv", "--descending", "--device", "reference"];
    dir.stdout(&[&args[..], &outs].concat());
    assert_eq!(dir.read("sorted.bin"), le(&[3.5f32, 2.0, -1.0], f32::to_le_bytes));
    assert_eq!(dir.read("places.csv"), b"7\n9\n8\n");
}

#[test]
fn every_piece_has_its_outputs() {
    let dir = Dir::new();
    let says = |args: &[&str], said: &str| assert_eq!(dir.stdout(&[&["kit"], args].concat()), said, "{args:?}");
    says(
        &["partition", "--in", "x=[3,1,2,4]", "--where", "value % 2u == 0u"],
        "y: array<u32> = [2, 4, 3, 1]\ncount: array<u32> = [2]\n",
    );
    says(&["partition", "--in", "x=[3,1]", "--in", "flags=[0,1]"], "y: array<u32> = [1, 3]\ncount: array<u32> = [1]\n");
    says(&["compact", "--in", "x=[3,1]", "--in", "flags=[0,1]"], "y: array<u32> = [1]\n");
    says(&["unique", "--in", "x=[3,3,1,3]"], "y: array<u32> = [3, 1, 3]\n");
    says(&["transpose", "--in", "x=iota:6", "--rows", "2"], "y: array<u32> = [0, 3, 1, 4, 2, 5]\n");
    says(&["gather", "--in", "x=[5,6]", "--in", "indices=[1,1,0]"], "y: array<u32> = [6, 6, 5]\n");
    says(&["scatter", "--in", "x=[5,6]", "--in", "indices=[2,0]", "--in", "y=zeros:3"], "y: array<u32> = [6, 0, 5]\n");
    says(
        &["segment-scan", "--type", "i64", "--op", "min", "--in", "x=[5,6,-1,7]", "--in", "heads=[1,0,0,1]"],
        "y: array<i64> = [5, 5, -1, 7]\n",
    );
    says(&["segment-reduce", "--in", "x=[5,6,1]", "--in", "offsets=[0,2,2,3]"], "y: array<u32> = [11, 0, 1]\n");
    says(
        &["top", "--least", "--count", "2", "--in", "x=[5,6,1]"],
        "keys: array<u32> = [1, 5]\nplaces: array<u32> = [2, 0]\n",
    );
    says(&["fft", "--inverse", "--len", "1", "--in", "x=[[1,2]]"], "y: array<vec2<f32>> = [[1.0, 2.0]]\n");
}

#[test]
fn halves_and_bytes_are_multiplied() {
    let dir = Dir::new();
    let says =
        |args: &[&str], said: &str| assert_eq!(dir.stdout(&[&["kit", "matmul"], args].concat()), said, "{args:?}");
    let shape = ["--rows", "1", "--columns", "2"];
    says(
        &[&["--type", "f16", "--in", "a=[0.5,2]", "--in", "b=[4,1,1,-1]"][..], &shape].concat(),
        "c: array<f32> = [4.0, -1.5]\n",
    );
    // Three to a row, so that words are filled up.
    let bytes = ["--type", "i8", "--in", "a=[1,-128,127]", "--in", "b=[1,0,-128,1,127,2]"];
    says(&[&bytes[..], &shape].concat(), "c: array<i32> = [32514, 126]\n");
}

#[test]
fn choices_are_explained() {
    let dir = Dir::new();
    let args = ["kit", "sort", "--in", "keys=[3,1]", "--device", "cpu"];
    let said = dir.stdout(&[&args[..], &["--explain", "--svg", "plan.svg"]].concat());
    let line = |begin: &str| said.lines().find(|line| line.starts_with(begin)).unwrap_or_else(|| panic!("{said}"));
    assert_eq!(said.lines().next(), Some("keys: array<u32> = [1, 3]"));
    assert!(line("chosen for `sort`: digits of ").contains(", because a thread moves keys one by one"), "{said}");
    assert!(line("chosen for `sort.pass 0.scan`, ").contains("tiles of 16384, 32 invocations"), "{said}");
    assert!(line("  group 1 waits: ").contains("after `sort.pass 0.count` writes it"), "{said}");
    let drawn = dir.read("plan.svg");
    assert!(drawn.starts_with(b"<svg") && String::from_utf8_lossy(&drawn).contains("<title>sort: "));
    // Another device, another choice.
    let said = dir.stdout(&["kit", "sort", "--in", "keys=[3,1]", "--device", "reference", "--explain"]);
    let chosen = "chosen for `sort`: digits of 8 bits, 1 invocations with 4096 keys each, because ";
    assert!(said.contains(chosen), "{said}");
    let said = dir.stdout(&["kit", "bfs", "--graph", "grid:3x2", "--from", "0", "--explain"]);
    assert!(said.contains("chosen for `bfs`: towards the frontier while more edges lead on from it"), "{said}");
}

#[test]
fn mistakes_are_told() {
    let dir = Dir::new();
    let says = |status, args: &[&str], said: &str| {
        let found = dir.failure(status, &[&["kit"], args].concat());
        assert_eq!(found.trim_end(), said, "{args:?}");
    };
    says(
        1,
        &["sort", "--in", "key=[1]"],
        "error: --in: `sort` uses no buffer `key`; it uses keys, values\nhelp: did you mean `keys`?",
    );
    says(1, &["scan", "--in", "x=[1]", "--out", "z=z.npy"], "error: --out: `scan` uses no buffer `z`; it uses y");
    says(
        1,
        &["sort"],
        "error: `sort` reads `keys: array<u32>`, which has no value\n\
         help: say what it holds, for example --in keys=random:1000",
    );
    says(2, &["sort", "--in", "keys=[1]", "--in", "keys=[2]"], "error: --in says `keys` twice");
    says(2, &["compact", "--in", "x=[1]"], "error: `compact` needs either --where EXPRESSION or --in flags=…");
    says(2, &["random", "--count", "1", "--type", "i32"], "error: `random` needs --type u32 or f32");
    says(2, &["sort", "--in", "keys=[1]", "--type", "i8"], "error: elements of `i8` are for `matmul` alone");
    let product = ["matmul", "--in", "a=[1]", "--in", "b=[128]", "--rows", "1", "--columns", "1", "--type"];
    says(2, &[&product[..], &["u64"]].concat(), "error: `matmul` needs --type f32, f16 or i8");
    says(1, &[&product[..], &["i8"]].concat(), "error: `b` has 128 at 0, which is no i8: they go from -128 to 127");
    says(1, &["compact", "--in", "x=[1,2]", "--in", "flags=[1]"], "error: `flags` has 1 elements, but 2 are needed");
    says(
        1,
        &["fft", "--in", "x=[[1,0],[0,0],[0,0]]"],
        "error: `x` has 3 elements, which are no transforms of 3: the length is a power of two",
    );
    // Nothing is written of what would have come out.
    says(
        1,
        &["sort", "--in", "keys=[2,1]", "--out", "values=v.npy"],
        "error: --out: `sort` uses no buffer `values`; it uses keys",
    );
    assert!(!dir.path("v.npy").exists());
}

#[test]
fn graphs_are_searched() {
    let mtx = "%%MatrixMarket matrix coordinate integer general\n4 4 4\n1 2 7\n2 3 1\n1 3 9\n3 3 5\n";
    let dir = Dir::new().with("g.mtx", mtx).with("g.el", b"0 1\n1 2\n2 0\n3 4\n");
    let says = |args: &[&str], said: &str| assert_eq!(dir.stdout(&[&["kit"], args].concat()), said, "{args:?}");
    says(&["bfs", "--graph", "g.mtx", "--from", "2"], "dist: array<u32> = [1, 1, 0, 4294967295]\n");
    says(
        &["bfs", "--graph", "g.mtx", "--directed", "--from", "1", "--out", "dist=d.csv", "--device", "reference"],
        "dist: array<u32> = [4294967295, 0, 1, 4294967295]\n",
    );
    assert_eq!(dir.read("d.csv"), b"4294967295\n0\n1\n4294967295\n");
    says(&["sssp", "--graph", "g.mtx", "--from", "0", "--delta", "3"], "dist: array<u32> = [0, 7, 8, 4294967295]\n");
    says(&["components", "--graph", "g.el"], "component: array<u32> = [0, 0, 0, 3, 3]\n");
    says(&["triangles", "--graph", "g.el"], "count: array<u64> = [1]\n");
    says(&["betweenness", "--graph", "grid:3x1"], "scores: array<f32> = [0.0, 2.0, 0.0]\n");
    says(&["betweenness", "--graph", "grid:3x1", "--from", "0,1"], "scores: array<f32> = [0.0, 1.0, 0.0]\n");
    says(
        &["pagerank", "--graph", "grid:2x1", "--damping", "0.5", "--tolerance", "0.01"],
        "ranks: array<f32> = [0.5, 0.5]\n",
    );
    says(
        &["graph", "--graph", "g.mtx", "--weights"],
        "offsets: array<u32> = [0, 2, 4, 6, 6]\nedges: array<u32> = [1, 2, 0, 2, 0, 1]\n\
         weights: array<u32> = [7, 9, 7, 1, 9, 1]\n",
    );
    says(
        &["graph", "--graph", "g.el", "--directed"],
        "offsets: array<u32> = [0, 1, 2, 3, 4, 4]\nedges: array<u32> = [1, 2, 0, 4]\n",
    );
}

#[test]
fn mistakes_in_graphs_are_told() {
    let dir = Dir::new().with("g.el", b"0 1 -4\n");
    let says = |status, args: &[&str], said: &str| {
        let found = dir.failure(status, &[&["kit"], args].concat());
        assert_eq!(found.trim_end(), said, "{args:?}");
    };
    says(1, &["sssp", "--graph", "g.el", "--from", "0"], "error: --graph g.el: line 1: the weight -4 is negative");
    says(1, &["bfs", "--graph", "g.el", "--from", "2"], "error: there is no vertex 2: the graph has 2");
    says(
        1,
        &["triangles", "--graph", "g.el", "--directed"],
        "error: the edges of the graph lead one way, and should lead both ways",
    );
    says(
        1,
        &["components", "--graph", "kron:40"],
        "error: --graph kron:40: `kron:40` is no graph: there is kron:SCALE[:DEGREE[:SEED]], \
         urand:SCALE[:DEGREE[:SEED]] and grid:COLUMNSxROWS, with a SCALE below 32",
    );
    says(
        2,
        &["bfs", "--graph", "grid:3x3", "--from", "0", "--directed"],
        "error: graphs that are made up lead both ways, so none of them is --directed",
    );
    says(
        1,
        &["bfs", "--graph", "g.el", "--from", "0", "--out", "d=d.npy"],
        "error: --out: `bfs` uses no buffer `d`; it uses dist",
    );
    let found = dir.failure(3, &["kit", "bfs", "--graph", "none.mtx", "--from", "0"]);
    assert!(found.contains("cannot read `none.mtx`"), "{found}");
}
