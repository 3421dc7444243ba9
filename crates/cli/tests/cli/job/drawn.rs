//! The picture of a plan: whatever the graph, nothing in it is in the way of anything else.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::WGSL;
use crate::support::Dir;

/// Left, top, right, bottom.
type Rect = [f64; 4];

/// What is drawn, as the text of the picture has it.
#[derive(Default)]
struct Picture {
    waves: HashMap<String, Rect>,
    /// Several for a block that goes on in another band.
    blocks: HashMap<String, Vec<Rect>>,
    edges: Vec<(String, String, Vec<[f64; 2]>)>,
    texts: Vec<String>,
}

impl Picture {
    fn read(svg: &str) -> Self {
        let mut picture = Self::default();
        let lines: Vec<&str> = svg.lines().collect();
        for pair in lines.windows(2) {
            let title = || pair[0].split("<title>").nth(1).and_then(|rest| rest.strip_suffix("</title>"));
            if let (Some(title), true) = (title(), pair[0].starts_with("<g>")) {
                if !title.starts_with("stage ") {
                    let old = picture.waves.insert(title.to_owned(), rect(pair[1]));
                    assert!(old.is_none(), "`{title}` is drawn twice");
                }
            } else if let (Some(title), true) = (title(), pair[0].starts_with("<g class=\"block\">")) {
                let name = title.split([' ', ',']).nth(1).expect("`loop NAME, …`");
                picture.blocks.entry(name.to_owned()).or_default().push(rect(pair[1]));
            } else if let (Some(title), true) = (title(), pair[0].starts_with("<g class=\"edge\">")) {
                let (from, to) = title.split_once(" → ").expect("two ends");
                picture.edges.push((from.to_owned(), to.to_owned(), corners(pair[1])));
            } else if let Some(text) = pair[0].strip_suffix("</text>") {
                picture.texts.extend(text.rsplit_once('>').map(|(_, text)| text.to_owned()));
            }
        }
        picture
    }

    /// Where a node is: a wave's box, or all frames of a block.
    fn node(&self, name: &str) -> &[Rect] {
        let wave = self.waves.get(name).map(std::slice::from_ref);
        wave.or_else(|| self.blocks.get(name).map(Vec::as_slice)).unwrap_or_else(|| panic!("`{name}` is not drawn"))
    }
}

fn attribute(line: &str, name: &str) -> f64 {
    let start = line.find(&format!(" {name}=\"")).unwrap_or_else(|| panic!("{name} of {line}")) + name.len() + 3;
    line[start..].split('"').next().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name} of {line}"))
}

fn rect(line: &str) -> Rect {
    assert!(line.starts_with("<rect"), "{line}");
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| attribute(line, name));
    [x, y, x + width, y + height]
}

/// The corners of a path before they were rounded: a curve stays within them.
fn corners(line: &str) -> Vec<[f64; 2]> {
    let path = line.split('"').nth(1).unwrap_or_else(|| panic!("a path: {line}"));
    let numbers: Vec<f64> = path
        .split(|c: char| c.is_ascii_alphabetic() || c == ' ')
        .filter(|text| !text.is_empty())
        .map(|text| text.parse().unwrap_or_else(|_| panic!("`{text}` of {line}")))
        .collect();
    numbers.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Whether a piece of a line, upright or level as they all are, goes through a box.
fn crosses([a, b]: [[f64; 2]; 2], [left, top, right, bottom]: Rect) -> bool {
    const HAIR: f64 = 0.3;
    let (x, y) = ([a[0].min(b[0]), a[0].max(b[0])], [a[1].min(b[1]), a[1].max(b[1])]);
    x[1] > left + HAIR && x[0] < right - HAIR && y[1] > top + HAIR && y[0] < bottom - HAIR
}

fn inside(inner: Rect, outer: Rect) -> bool {
    inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

/// A job at random: its file, and for each wave and block what it is in.
struct Random {
    state: u64,
    job: String,
    blocks: String,
    parents: HashMap<String, Option<String>>,
    waves: usize,
    block_count: usize,
    data: u32,
}

impl Random {
    fn new(seed: u64, data: u32) -> Self {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
        let (job, blocks, parents) = (String::new(), String::new(), HashMap::new());
        Self { state, job, blocks, parents, waves: 0, block_count: 0, data }
    }

    fn below(&mut self, n: u32) -> u32 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) % u64::from(n)) as u32
    }

    fn wave(&mut self, within: Option<&str>, to: Option<&str>) {
        let name = format!("w{}", self.waves);
        let y = self.below(self.data);
        let mut other = || (y + 1 + self.below(self.data - 1)) % self.data;
        let (x, z) = (other(), other());
        let y = to.map_or_else(|| format!("d{y}"), str::to_owned);
        writeln!(self.job, "[[wave]]\nname = \"{name}\"\nprogram = \"w.wgsl\"\nentry = \"sum\"\nover = \"y\"").unwrap();
        writeln!(self.job, "bind = {{ x = \"d{x}\", z = \"d{z}\", y = \"{y}\" }}").unwrap();
        if let Some(block) = within {
            writeln!(self.job, "in = \"{block}\"").unwrap();
        }
        self.parents.insert(name, within.map(str::to_owned));
        self.waves += 1;
    }

    fn body(&mut self, within: Option<&str>, depth: u32, most: u32) {
        for _ in 0..=self.below(most) {
            if depth > 0 && self.below(4) == 0 {
                self.block(within, depth - 1);
            } else {
                self.wave(within, None);
            }
        }
    }

    fn block(&mut self, within: Option<&str>, depth: u32) {
        let name = format!("b{}", self.block_count);
        self.block_count += 1;
        let (data, kind) = (self.below(self.data), self.below(3));
        let says = [
            format!("[loops.{name}]\ntimes = 3\n"),
            format!("[loops.{name}]\nwhile = \"d{data}\"\nlimit = 7\nswap = [[\"d0\", \"d1\"]]\n"),
            format!("[branches.{name}]\nunless = \"d{data}\"\n"),
        ];
        self.blocks += &says[kind as usize];
        if let Some(block) = within {
            writeln!(self.blocks, "in = \"{block}\"").unwrap();
        }
        self.parents.insert(name.clone(), within.map(str::to_owned));
        self.body(Some(&name), depth, 4);
    }

    /// The whole file.
    fn file(&mut self) -> String {
        self.wave(None, Some("out"));
        let mut file = "[buffers]\nout = { elements = 64, output = true }\n".to_owned();
        for data in 0..self.data {
            writeln!(file, "d{data}.elements = 64").unwrap();
        }
        // All of them are bound by some wave.
        for data in 0..self.data {
            let (name, next) = (format!("s{data}"), (data + 1) % self.data);
            self.parents.insert(name.clone(), None);
            writeln!(file, "[[wave]]\nname = \"{name}\"\nprogram = \"w.wgsl\"\nentry = \"add\"\nover = \"y\"").unwrap();
            writeln!(file, "bind = {{ x = \"d{next}\", y = \"d{data}\", n = {{ value = 1 }} }}").unwrap();
        }
        file + &self.job + &self.blocks
    }

    fn around<'a>(&'a self, name: &str) -> Vec<&'a str> {
        let parent = |name: &str| self.parents[name].as_deref();
        std::iter::successors(parent(name), |name| parent(name)).collect()
    }
}

fn draw(job: &str, args: &[&str]) -> Picture {
    let dir = Dir::new().with("w.wgsl", WGSL).with("job.toml", job);
    dir.stdout(&[&["plan", "job.toml", "--svg", "p.svg"], args].concat());
    Picture::read(&String::from_utf8(dir.read("p.svg")).expect("text"))
}

/// Boxes are apart and in the frames that they belong to; edges touch their own ends and no others.
fn in_order(random: &Random, picture: &Picture) {
    let waves: Vec<(&String, &Rect)> = picture.waves.iter().collect();
    for (at, (name, rect)) in waves.iter().enumerate() {
        let [left, top, right, bottom] = **rect;
        for (other, over) in &waves[at + 1..] {
            let apart = right <= over[0] || over[2] <= left || bottom <= over[1] || over[3] <= top;
            assert!(apart, "`{name}` lies over `{other}`");
        }
        assert!(picture.texts.contains(name), "`{name}` cannot be read");
        for (block, frames) in &picture.blocks {
            let within = frames.iter().any(|frame| inside(**rect, *frame));
            assert_eq!(within, random.around(name).contains(&block.as_str()), "`{name}` in `{block}`");
        }
    }
    for (from, to, corners) in &picture.edges {
        let edge = format!("the edge from `{from}` to `{to}`: {corners:?}");
        let ([start_x, start_y], [end_x, end_y]) = (corners[0], corners[corners.len() - 1]);
        let near = |a: f64, b: f64| (a - b).abs() < 0.2;
        let last = picture.node(from).iter().rfind(|rect| near(rect[2], start_x));
        assert!(last.is_some_and(|rect| (rect[1]..rect[3]).contains(&start_y)), "{edge} begins at {last:?}");
        let first = picture.node(to).iter().find(|rect| near(rect[0], end_x));
        assert!(first.is_some_and(|rect| (rect[1]..rect[3]).contains(&end_y)), "{edge} ends at {first:?}");
        let around = random.around(from);
        assert_eq!(around, random.around(to), "{edge}");
        let others = picture.blocks.iter().filter(|(block, _)| !around.contains(&block.as_str()));
        let others = others.flat_map(|(block, frames)| frames.iter().map(move |frame| (block, frame)));
        for (other, rect) in picture.waves.iter().chain(others) {
            for piece in corners.windows(2) {
                let upright = near(piece[0][0], piece[1][0]) || near(piece[0][1], piece[1][1]);
                // Only corners that are rounded are cut short, and by no more than that.
                let short = (piece[0][0] - piece[1][0]).hypot(piece[0][1] - piece[1][1]) < 8.0;
                assert!(upright || short, "{edge}");
                assert!(!crosses([piece[0], piece[1]], *rect), "{edge} is behind `{other}`, {rect:?}");
            }
        }
    }
}

#[test]
fn no_edge_is_behind_a_box_that_it_does_not_touch() {
    let (mut edges, mut blocks, mut bands) = (0, 0, 0);
    for seed in 0..40 {
        println!("seed {seed}");
        let data = if seed % 2 == 0 { 6 } else { 24 };
        let mut random = Random::new(seed, data);
        random.body(None, 3, if seed % 4 == 0 { 60 } else { 20 });
        let job = random.file();
        for args in [&[][..], &["--budget", "64KiB"]] {
            let picture = draw(&job, args);
            in_order(&random, &picture);
            edges += picture.edges.len();
            blocks += picture.blocks.len();
            bands += picture.blocks.values().filter(|frames| frames.len() > 1).count();
        }
    }
    assert!(edges > 1500 && blocks > 100 && bands > 10, "{edges} edges, {blocks} blocks, {bands} over several bands");
}

#[test]
fn two_hundred_waves_can_be_read() {
    // One after the other, in any order, and all at once.
    for (data, most) in [(2, 1), (40, 1), (199, 199)] {
        let mut random = Random::new(most, data.min(20));
        (0..200).for_each(|_| random.wave(None, None));
        let file = random.file();
        let picture = draw(&file, &[]);
        assert_eq!(picture.waves.len(), random.waves + random.data as usize);
        in_order(&random, &picture);
    }
    let mut wide = "[buffers]\nx.source = \"iota:64\"\n".to_owned();
    for at in 0..200 {
        writeln!(wide, "y{at} = {{ elements = 64, output = true }}").unwrap();
    }
    let mut random = Random::new(0, 2);
    for at in 0..200 {
        random.parents.insert(format!("part {at}"), None);
        write!(wide, "[[wave]]\nname = \"part {at}\"\nprogram = \"w.wgsl\"\nentry = \"add\"\nover = \"y\"\n").unwrap();
        writeln!(wide, "bind = {{ x = \"x\", y = \"y{at}\", n = {{ value = 1 }} }}").unwrap();
    }
    let picture = draw(&wide, &[]);
    assert_eq!(picture.waves.len(), 200);
    in_order(&random, &picture);
}
