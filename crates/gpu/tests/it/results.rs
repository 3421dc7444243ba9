//! How results come back: small ones of many buffers together, and no more than means something.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use seawall_core::check::Checked;
use seawall_core::device::{Control, Device, Host, Io, Stats};
use seawall_core::reference;
use seawall_core::schedule::{self, Binding, Buffer, BufferId, HostId, Length, Life, Schedule, Step};
use seawall_gpu::Config;
use seawall_gpu::fault::{Fault, Faults, Point};

use crate::support::{self, checked};

/// Counts what the driver is asked for.
#[derive(Default)]
pub(crate) struct Calls {
    submissions: AtomicU64,
    maps: AtomicU64,
    waits: AtomicU64,
}

impl Faults for Calls {
    fn at(&self, point: Point) -> Option<Fault> {
        match point {
            Point::Submit => self.submissions.fetch_add(1, Ordering::Relaxed),
            Point::Map => self.maps.fetch_add(1, Ordering::Relaxed),
            Point::Wait => self.waits.fetch_add(1, Ordering::Relaxed),
            Point::Alloc | Point::Compile | Point::Bind => 0,
        };
        None
    }
}

impl Calls {
    /// Submissions, maps, and times that the host polled or waited, since the last time.
    pub(crate) fn take(&self) -> [u64; 3] {
        [&self.submissions, &self.maps, &self.waits].map(|count| count.swap(0, Ordering::Relaxed))
    }
}

/// Small numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Buffers that are filled, and what is downloaded of them.
struct Case {
    /// The first holds the counts.
    contents: Vec<Vec<u8>>,
    downloads: Vec<(Binding, Option<Length>)>,
}

fn word(at: u64) -> Binding {
    Binding { buffer: BufferId(0), offset: 4 * at, bytes: 4 }
}

impl Case {
    /// Results of all sizes, in many buffers and few, some of them counted: too high, too low, not at all.
    fn any(seed: u64) -> Self {
        let mut random = Random(seed);
        let counts: Vec<u32> = (0..16)
            .map(|_| match random.below(4) {
                0 => u32::MAX - random.below(9) as u32,
                1 => 0,
                _ => random.below(300) as u32,
            })
            .collect();
        let mut contents = vec![counts.iter().flat_map(|count| count.to_le_bytes()).collect::<Vec<u8>>()];
        for at in 0..random.below(60) {
            let bytes = match random.below(8) {
                0 => 1 + random.below(9000),
                1 if at < 4 => 1 + random.below(100_000),
                _ => 1 + random.below(200),
            };
            contents.push((0..bytes).map(|_| random.below(256) as u8).collect());
        }
        let mut downloads = Vec::new();
        for (buffer, contents) in contents.iter().enumerate() {
            for _ in 0..=random.below(3) {
                let all = contents.len() as u64;
                let offset = random.below(all.div_ceil(4)) * 4;
                let left = all - offset;
                // Whole words, unless it ends with the buffer.
                let bytes = if random.below(2) == 0 { left } else { random.below(left / 4 + 1) * 4 };
                let element_bytes = [0, 1, 3, 4, 12, 1 << 20, u64::MAX][random.below(7) as usize];
                let length = (random.below(3) == 0).then_some(Length { count: word(random.below(16)), element_bytes });
                downloads.push((Binding { buffer: BufferId(buffer as u32), offset, bytes }, length));
            }
        }
        Self { contents, downloads }
    }

    /// The first half of the hosts are the contents, the other is where the downloads go.
    fn schedule(&self) -> Arc<Checked> {
        let mut schedule = Schedule::default();
        let mut host = |name: String, bytes| {
            schedule.hosts.push(schedule::Host { name, bytes, writable: true });
            HostId(schedule.hosts.len() as u32 - 1)
        };
        for (at, contents) in self.contents.iter().enumerate() {
            let (bytes, to) = (contents.len() as u64, BufferId(at as u32));
            let host = host(format!("contents {at}"), bytes);
            schedule.buffers.push(Buffer { name: format!("buffer {at}"), bytes, life: Life::Transient });
            schedule.steps.push(Step::Upload { host, at: 0, to: Binding { buffer: to, offset: 0, bytes } });
        }
        schedule.steps.push(Step::Barrier);
        for (at, &(from, length)) in self.downloads.iter().enumerate() {
            let host = host(format!("result {at}"), from.bytes);
            schedule.steps.push(Step::Download { from, host, at: 0, length });
        }
        checked(schedule)
    }

    /// What comes back, into slices that hold nines before.
    fn run(&self, device: &dyn Device) -> (Vec<Vec<u8>>, Stats) {
        let loaded = device.load(self.schedule()).unwrap_or_else(|error| panic!("{error}"));
        let mut outcome = None;
        for _ in 0..2 {
            let mut results: Vec<Vec<u8>> =
                self.downloads.iter().map(|(from, _)| vec![9; from.bytes as usize]).collect();
            let inputs = self.contents.iter().map(|contents| Host::Read(contents));
            let hosts = inputs.chain(results.iter_mut().map(|result| Host::Write(result))).collect();
            let stats = loaded.run(Io { hosts, residents: Vec::new() }, &Control::default());
            outcome = Some((results, stats.unwrap_or_else(|error| panic!("{error}"))));
        }
        outcome.expect("two runs")
    }
}

/// Whatever is downloaded, packed or not, with much memory or little: what the reference device gives.
pub(crate) fn any() {
    let reference = reference::Device::new(reference::Config::default());
    let packs = support::open(Config::default());
    let copies = support::open(Config { without: wgpu::Features::MAPPABLE_PRIMARY_BUFFERS, ..Config::default() });
    for seed in 0..24 {
        let case = Case::any(seed);
        let live = case.schedule().peak_bytes();
        let tight = support::open(Config { budget_bytes: Some(live + 80_000), ..Config::default() });
        let (expected, counted) = case.run(&reference);
        for (name, device) in [("packs", &packs), ("copies", &copies), ("tight", &tight)] {
            let (results, stats) = case.run(device);
            for (at, (result, expected)) in results.iter().zip(&expected).enumerate() {
                assert!(result == expected, "seed {seed}, {name}: {:?}", case.downloads[at]);
            }
            assert_eq!(stats.downloaded_bytes, counted.downloaded_bytes, "seed {seed}, {name}");
        }
    }
}

/// Results in so many buffers, each with room for this many words, of which so many mean something.
fn many(buffers: u32, words: u32, meant: Option<u32>) -> Case {
    let mut contents = vec![meant.unwrap_or(0).to_le_bytes().to_vec()];
    contents.extend((0..buffers).map(|at| (0..words).flat_map(|i| (at * words + i).to_le_bytes()).collect()));
    let length = meant.map(|_| Length { count: word(0), element_bytes: 4 });
    let whole = |at| Binding { buffer: BufferId(at), offset: 0, bytes: u64::from(words) * 4 };
    Case { contents, downloads: (1..=buffers).map(|at| (whole(at), length)).collect() }
}

/// What the driver was asked for in a run that is not the first.
fn calls(case: &Case, without: wgpu::Features) -> (Stats, [u64; 3]) {
    let calls = Arc::new(Calls::default());
    let device = support::open(Config { without, faults: Some(calls.clone()), ..Config::default() });
    let (results, stats) = case.run(&device);
    let (expected, _) = case.run(&reference::Device::new(reference::Config::default()));
    assert!(results == expected);
    (stats, calls.take().map(|count| count / 2))
}

/// A thousand results in as many buffers cross in one map.
pub(crate) fn many_buffers() {
    let (stats, [submissions, maps, waits]) = calls(&many(1000, 4, None), wgpu::Features::empty());
    assert_eq!((stats.readback.copies, stats.readback.selected_bytes, stats.readback.avoided_bytes), (1000, 16_000, 0));
    // One mapping for the results, one for the uploads of the next run.
    assert_eq!((submissions, maps), (1, 2));
    assert!(waits <= 2, "{waits} polls and waits");
}

/// Of results that only the device knows the lengths of, no more crosses than means something, and
/// nobody waits for the lengths.
pub(crate) fn counted() {
    let case = many(30, 2048, Some(5));
    let (stats, [submissions, ..]) = calls(&case, wgpu::Features::empty());
    let (meant, room) = (30 * 20, 30 * 8192);
    assert_eq!(stats.downloaded_bytes, meant);
    assert_eq!((stats.readback.selected_bytes, stats.readback.avoided_bytes), (meant + 4, room - meant - 4));
    assert!(stats.readback.copies < 10, "{stats:?}");
    assert_eq!(submissions, 1);
    let (stats, [submissions, ..]) = calls(&case, wgpu::Features::MAPPABLE_PRIMARY_BUFFERS);
    assert_eq!((stats.readback.selected_bytes, stats.readback.avoided_bytes), (room + 4, 0), "copied whole");
    assert_eq!((stats.downloaded_bytes, submissions), (meant, 1));
}
