//! Pieces of the kit on the CPU device, beside the best Rust that we know for each, on the same two or more threads.

mod graphs;
mod lampshade;
mod peers;

use seawall::{Buffer, Runtime};
use seawall_kit::splitmix::SplitMix64;
use seawall_kit::{Kit, Op, compact, fft, histogram, matmul, reduce, scan, sort, top, transpose};
use voracious_radix_sort::RadixSort;

use crate::error::{Error, Missing};
use crate::kernels::case::{Case as Loaded, Same};
use crate::kernels::child::{self, Process};
use crate::kernels::peer::Peer;
use crate::race::{Contender, race, timed};

/// Of the peer's time, at the most.
const RATIO_MAX: f64 = 1.2;
const RATIO_FFT_MAX: f64 = 1.5;
const RATIO_LAMPSHADE_MAX: f64 = 1.0;

const BY_HAND: &str = "AVX2 by hand";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only pieces whose names begin so.
    #[arg(long, default_value = "")]
    only: String,
    /// Graphs have two to the power of this vertices
    #[arg(long, default_value_t = 20)]
    scale: u32,
}

/// One piece: what it is called, on what, beside whom, and both ways to do it.
struct Case<'a> {
    name: &'static str,
    what: &'static str,
    peer: &'static str,
    ours: Box<dyn FnMut() -> Result<(), Error> + 'a>,
    theirs: Box<dyn FnMut() -> Result<(), Error> + 'a>,
    /// Another one, in AVX2 by hand.
    by_hand: Option<&'a mut Process>,
}

impl Case<'_> {
    /// Both in turn; the best counts.
    fn run(self, rounds: u32) -> Result<(), Error> {
        let mut all = vec![timed("seawall", 1, self.ours), timed(self.peer, 1, self.theirs)];
        if let Some(by_hand) = self.by_hand {
            all.push(Contender { name: BY_HAND, run: Box::new(move || by_hand.run(1)) });
        }
        let laps = race(rounds, all)?;
        for peer in &laps[1..] {
            tell(self.name, self.what, (laps[0].ms(), peer.ms()), peer.name);
        }
        Ok(())
    }
}

fn tell(name: &str, what: &str, (ours, theirs): (f64, f64), peer: &str) {
    let ratio = ours / theirs;
    let most = match name {
        "fft" => RATIO_FFT_MAX,
        name if name.starts_with("lampshade") => RATIO_LAMPSHADE_MAX,
        _ => RATIO_MAX,
    };
    let missed = if ratio > most { "  MISSED" } else { "" };
    println!("{name:<14} {what:<26} {ours:>9.2} ms {theirs:>9.2} ms {ratio:>6.2}x  {peer}{missed}");
}

pub(crate) fn run(rounds: u32, arguments: &Arguments) -> Result<(), Error> {
    println!("best of {rounds} rounds each on the CPU device, over resident buffers");
    println!("{:<14} {:<26} {:>12} {:>12} {:>7}  peer", "piece", "", "seawall", "peer", "ratio");
    let runtime = Runtime::builder().device("cpu").open()?;
    let kit = Kit::new(&runtime);
    let wanted = |name: &str| name.starts_with(&arguments.only);
    let mut by_hand = if ["scan", "compact", "histogram"].into_iter().any(wanted) { by_hand() } else { None };
    if wanted("reduce") || wanted("scan") {
        sums(rounds, &kit, &wanted, by_hand.as_mut())?;
    }
    if wanted("compact") || wanted("histogram") {
        choices(rounds, &kit, &wanted, by_hand.as_mut())?;
    }
    if wanted("sort") {
        sorts(rounds, &kit)?;
    }
    if wanted("top") {
        tops(rounds, &kit)?;
    }
    if wanted("transpose") {
        transposes(rounds, &kit)?;
    }
    if wanted("matmul") {
        products(rounds, &kit)?;
    }
    if wanted("fft") {
        transforms(rounds, &kit)?;
    }
    lampshade::run(rounds, &wanted)?;
    graphs::run(rounds, arguments.scale, &wanted)
}

/// The program of peers that are compiled for this processor.
fn by_hand() -> Option<Process> {
    match child::rayon() {
        Ok(process) => Some(process),
        Err(Missing { reason }) => {
            println!("no {BY_HAND}: {reason}");
            None
        }
    }
}

/// Gives a peer the words that a piece has.
fn load<'a>(
    peer: Option<&'a mut Process>,
    name: &'static str,
    size: &'static str,
    words: &[u32],
) -> Result<Option<&'a mut Process>, Error> {
    let Some(peer) = peer else { return Ok(None) };
    peer.load(&Loaded::of_program(name, size, vec![bytemuck::cast_slice(words).to_vec()], Same::Bits))?;
    Ok(Some(peer))
}

/// Whether a peer by hand has the same words as plain Rust.
fn same_by_hand(piece: &str, peer: Option<&mut Process>, words: &[u32]) -> Result<(), Error> {
    if let Some(peer) = peer {
        assert!(peer.read(1)? == bytemuck::cast_slice::<u32, u8>(words), "{piece}: {BY_HAND} gives the same");
    }
    Ok(())
}

/// The same words at each run.
fn words(len: usize) -> Vec<u32> {
    let mut random = SplitMix64::new(0);
    (0..len).map(|_| random.word() as u32).collect()
}

fn same<T: bytemuck::Pod + PartialEq>(piece: &str, ours: &Buffer<T>, theirs: &[T]) -> Result<(), Error> {
    assert!(ours.to_vec()? == theirs, "{piece}: both give the same");
    Ok(())
}

fn sums(rounds: u32, kit: &Kit<'_>, wanted: &dyn Fn(&str) -> bool, by_hand: Option<&mut Process>) -> Result<(), Error> {
    let len = 1 << 26;
    let x = words(len);
    let (ours_x, ours_y) = (kit.runtime().buffer_from(&x)?, kit.runtime().buffer::<u32>(len)?);
    if wanted("reduce") {
        let (mut ours, mut theirs) = (0, 0);
        Case {
            name: "reduce",
            what: "64 M u32",
            peer: "plain Rust, two threads",
            ours: Box::new(|| {
                ours = reduce::reduce(kit, Op::Sum, &ours_x)?;
                Ok(())
            }),
            theirs: Box::new(|| {
                theirs = peers::sum(&x);
                Ok(())
            }),
            by_hand: None,
        }
        .run(rounds)?;
        assert_eq!(ours, theirs, "both give the same");
    }
    if wanted("scan") {
        let mut theirs = vec![0; len];
        let mut peer = load(by_hand, "kit_scan", "64 M words", &x)?;
        Case {
            name: "scan",
            what: "inclusive, 64 M u32",
            peer: "two passes, two threads",
            ours: Box::new(|| Ok(scan::inclusive(kit, Op::Sum, &ours_x, &ours_y)?)),
            theirs: Box::new(|| {
                peers::scan(&x, &mut theirs);
                Ok(())
            }),
            by_hand: peer.as_deref_mut(),
        }
        .run(rounds)?;
        same_by_hand("scan", peer, &theirs)?;
        same("scan", &ours_y, &theirs)?;
    }
    Ok(())
}

fn choices(
    rounds: u32,
    kit: &Kit<'_>,
    wanted: &dyn Fn(&str) -> bool,
    mut by_hand: Option<&mut Process>,
) -> Result<(), Error> {
    let len = 1 << 26;
    let x = words(len);
    let ours_x = kit.runtime().buffer_from(&x)?;
    if wanted("compact") {
        let (ours_y, mut theirs) = (kit.runtime().buffer::<u32>(len)?, vec![0; len]);
        let (mut found, mut expected) = (0, 0);
        let mut peer = load(by_hand.as_deref_mut(), "kit_compact", "64 M words", &x)?;
        Case {
            name: "compact",
            what: "half of 64 M u32",
            peer: "no branches, two threads",
            ours: Box::new(|| {
                found = compact::filter(kit, "value < 0x80000000u", &ours_x, &ours_y)?;
                Ok(())
            }),
            theirs: Box::new(|| {
                expected = peers::compact(&x, |value| value < 0x8000_0000, &mut theirs);
                Ok(())
            }),
            by_hand: peer.as_deref_mut(),
        }
        .run(rounds)?;
        same_by_hand("compact", peer, &theirs[..expected])?;
        assert_eq!(found, expected, "both keep as many");
        assert!(ours_y.to_vec()?[..found] == theirs[..found], "both give the same");
    }
    if wanted("histogram") {
        let (ours, mut theirs) = (kit.runtime().buffer::<u32>(256)?, vec![0; 256]);
        let mut peer = load(by_hand, "kit_histogram", "64 M words", &x)?;
        Case {
            name: "histogram",
            what: "low bytes of 64 M u32",
            peer: "four tables, two threads",
            ours: Box::new(|| Ok(histogram::histogram(kit, "value & 255u", &ours_x, &ours)?)),
            theirs: Box::new(|| {
                theirs = peers::histogram(&x);
                Ok(())
            }),
            by_hand: peer.as_deref_mut(),
        }
        .run(rounds)?;
        same_by_hand("histogram", peer, &theirs)?;
        same("histogram", &ours, &theirs)?;
    }
    Ok(())
}

fn sorts(rounds: u32, kit: &Kit<'_>) -> Result<(), Error> {
    let (len, threads) = (1 << 24, peers::threads());
    let x = words(len);
    let (ours_x, ours_y) = (kit.runtime().buffer_from(&x)?, kit.runtime().buffer::<u32>(len)?);
    let mut theirs = Vec::new();
    Case {
        name: "sort",
        what: "16 M u32",
        peer: "voracious_radix_sort, copy included",
        ours: Box::new(|| Ok(sort::keys(kit, sort::Order::Ascending, &ours_x, &ours_y)?)),
        theirs: Box::new(|| {
            theirs.clone_from(&x);
            theirs.voracious_mt_sort(threads);
            Ok(())
        }),
        by_hand: None,
    }
    .run(rounds)?;
    same("sort", &ours_y, &theirs)?;

    let floats: Vec<f32> = x.iter().map(|&word| (word as f32 - 2e9) / 1e3).collect();
    let (ours_x, ours_y) = (kit.runtime().buffer_from(&floats)?, kit.runtime().buffer::<f32>(len)?);
    let mut theirs = Vec::new();
    Case {
        name: "sort",
        what: "16 M f32",
        peer: "voracious_radix_sort, copy included",
        ours: Box::new(|| Ok(sort::keys(kit, sort::Order::Ascending, &ours_x, &ours_y)?)),
        theirs: Box::new(|| {
            theirs.clone_from(&floats);
            theirs.voracious_mt_sort(threads);
            Ok(())
        }),
        by_hand: None,
    }
    .run(rounds)?;
    same("sort", &ours_y, &theirs)
}

fn transposes(rounds: u32, kit: &Kit<'_>) -> Result<(), Error> {
    let (rows, columns) = (4096, 4096);
    let x = words(rows * columns);
    let (ours_x, ours_y) = (kit.runtime().buffer_from(&x)?, kit.runtime().buffer::<u32>(x.len())?);
    let mut theirs = vec![0; x.len()];
    Case {
        name: "transpose",
        what: "4096 x 4096 u32",
        peer: "tiles of 16, two threads",
        ours: Box::new(|| Ok(transpose::transpose(kit, (rows, columns), &ours_x, &ours_y)?)),
        theirs: Box::new(|| {
            peers::transpose(rows, columns, &x, &mut theirs);
            Ok(())
        }),
        by_hand: None,
    }
    .run(rounds)?;
    same("transpose", &ours_y, &theirs)
}

fn tops(rounds: u32, kit: &Kit<'_>) -> Result<(), Error> {
    let (len, wanted) = (1 << 24, 1000);
    let x = words(len);
    let ours_x = kit.runtime().buffer_from(&x)?;
    let (keys, places) = (kit.runtime().buffer::<u32>(wanted)?, kit.runtime().buffer::<u32>(wanted)?);
    let mut theirs = Vec::new();
    Case {
        name: "top",
        what: "1000 of 16 M u32",
        peer: "select_nth_unstable, one thread, copy included",
        ours: Box::new(|| Ok(top::top(kit, sort::Order::Ascending, &ours_x, &keys, &places)?)),
        theirs: Box::new(|| {
            let mut all = x.clone();
            all.select_nth_unstable(wanted - 1);
            all.truncate(wanted);
            all.sort_unstable();
            theirs = all;
            Ok(())
        }),
        by_hand: None,
    }
    .run(rounds)?;
    same("top", &keys, &theirs)
}

fn products(rounds: u32, kit: &Kit<'_>) -> Result<(), Error> {
    let n = 1024;
    let small = |word: u32| (word >> 28) as f32;
    let a: Vec<f32> = words(n * n).into_iter().map(small).collect();
    let b: Vec<f32> = a.iter().rev().copied().collect();
    let (ours_a, ours_b) = (kit.runtime().buffer_from(&a)?, kit.runtime().buffer_from(&b)?);
    let (ours, mut theirs) = (kit.runtime().buffer::<f32>(n * n)?, vec![0.0; n * n]);
    let shape = matmul::Shape { rows: n, inner: n, columns: n };
    Case {
        name: "matmul",
        what: "1024 x 1024 f32",
        peer: "matrixmultiply, rows for each thread",
        ours: Box::new(|| Ok(matmul::multiply(kit, shape, &ours_a, &ours_b, &ours)?)),
        theirs: Box::new(|| {
            peers::product(n, &a, &b, &mut theirs);
            Ok(())
        }),
        by_hand: None,
    }
    .run(rounds)?;
    // Sums of small whole numbers, which are exact in any order.
    same("matmul", &ours, &theirs)
}

fn transforms(rounds: u32, kit: &Kit<'_>) -> Result<(), Error> {
    let (len, many) = (1024, 8192);
    let numbers = words(2 * len * many).into_iter().map(|word| (word >> 8) as f32 / 16_777_216.0 - 0.5);
    let numbers: Vec<f32> = numbers.collect();
    let x: Vec<fft::Complex> = numbers.chunks(2).map(|two| [two[0], two[1]]).collect();
    let (ours_x, ours_y) = (kit.runtime().buffer_from(&x)?, kit.runtime().buffer::<fft::Complex>(x.len())?);
    let mut theirs = vec![rustfft::num_complex::Complex::default(); x.len()];
    Case {
        name: "fft",
        what: "8192 of 1024 complex f32",
        peer: "rustfft, two threads, copy included",
        ours: Box::new(|| Ok(fft::transform(kit, fft::Way::Forward, len, &ours_x, &ours_y)?)),
        theirs: Box::new(|| {
            peers::transforms(len, &x, &mut theirs);
            Ok(())
        }),
        by_hand: None,
    }
    .run(rounds)?;
    let off = ours_y.to_vec()?.into_iter().zip(&theirs).map(|(a, b)| (a[0] - b.re).abs().max((a[1] - b.im).abs()));
    assert!(off.fold(0.0, f32::max) < 1e-3, "both give the same");
    Ok(())
}
