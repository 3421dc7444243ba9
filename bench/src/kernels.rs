//! Kernels on the CPU device and on its peers: the same inputs, the same answers, wall time.

pub(crate) mod case;
mod answer;
pub(crate) mod peer;
mod ours;
mod lavapipe;
pub(crate) mod child;

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use case::{Bound, Case, Entry, Role};
use peer::{LAVAPIPE, POCL, Peer, RAYON};

use crate::error::{Error, Missing};
use crate::race::{Contender, Lap, race};
use crate::report::{Figures, Note, Report, Row};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these kernels.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    only: Vec<String>,
    /// Beside themselves with products and sums in one, instead of others.
    #[arg(long)]
    contract: bool,
    /// Also writes the results to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(crate) fn run(rounds: u32, arguments: &Arguments) -> Result<(), Error> {
    let entries = chosen(&arguments.only)?;
    if arguments.contract {
        return contracted(rounds, entries);
    }
    let mut missing = Vec::new();
    let mut contenders = open(&mut missing)?;
    let notes = contenders.iter().map(|peer| (peer.name(), peer.describe())).collect();
    let mut report = Report::begin(rounds, notes, missing);
    for (_, make) in entries {
        let case = make();
        let laps = match case.bound {
            Bound::Memory
            | Bound::Compute
            | Bound::Function
            | Bound::Near
            | Bound::Library
            | Bound::Skew
            | Bound::Call => warm(rounds, &case, &mut contenders)?,
            Bound::Cold => cold(rounds, &case, &mut contenders)?,
        };
        report.add(Row { name: case.name, size: case.size, figures: figures(case.bound), laps });
    }
    arguments.json.as_deref().map_or(Ok(()), |path| report.write(path))
}

/// Who allows it should never wait longer.
const CONTRACTED_MAX: f64 = 1.05;

fn contracted(rounds: u32, entries: Vec<Entry>) -> Result<(), Error> {
    for (name, make) in entries {
        let (case, plain, fused) = (make(), ours::Ours::open()?, ours::Ours::contracted()?);
        if case.bound == Bound::Cold {
            continue;
        }
        // Both round otherwise: nothing is compared.
        let mut peers: Vec<Box<dyn Peer>> = vec![Box::new(plain), Box::new(fused)];
        peers.iter_mut().try_for_each(|peer| peer.load(&case))?;
        let laps = raced(rounds, &case, &mut peers)?;
        let ratio = laps[1].ms() / laps[0].ms();
        let missed = if ratio > CONTRACTED_MAX { "  MISSED" } else { "" };
        println!("{name:<16}{:>10.3} ms{:>10.3} ms contracted{ratio:>7.2}x{missed}", laps[0].ms(), laps[1].ms());
    }
    Ok(())
}

fn figures(bound: Bound) -> Figures {
    match bound {
        Bound::Memory | Bound::Compute => {
            Figures { ratios: &[(LAVAPIPE, 2.0), (POCL, 1.0), (RAYON, 1.0 / 1.2)], ms_max: None }
        }
        Bound::Function => Figures { ratios: &[(LAVAPIPE, 2.0), (POCL, 1.0), (RAYON, 1.0 / 1.3)], ms_max: None },
        Bound::Near => Figures { ratios: &[(LAVAPIPE, 2.0), (POCL, 1.0), (RAYON, 1.0 / 1.1)], ms_max: None },
        Bound::Library => Figures { ratios: &[(LAVAPIPE, 2.0), (POCL, 1.0), (RAYON, 1.0 / 1.5)], ms_max: None },
        Bound::Skew => Figures { ratios: &[(RAYON, 1.0 / 1.2)], ms_max: None },
        Bound::Call => Figures { ratios: &[(LAVAPIPE, 40.0)], ms_max: None },
        Bound::Cold => Figures { ratios: &[(LAVAPIPE, 5.0)], ms_max: Some(5.0) },
    }
}

/// The cases asked for: all of them if none is named.
fn chosen(only: &[String]) -> Result<Vec<Entry>, Error> {
    let known = || case::ALL.iter().map(|(name, _)| *name);
    if let Some(name) = only.iter().find(|name| !known().any(|known| known == **name)) {
        return Err(Error::Unknown { name: name.clone(), known: known().collect::<Vec<_>>().join(", ") });
    }
    let wanted = |(name, _): &Entry| only.is_empty() || only.iter().any(|only| only == name);
    Ok(case::ALL.into_iter().filter(wanted).collect())
}

/// Ours first, then the peers that this machine has; those that it has not are noted as
/// missing, with the reason.
fn open(missing: &mut Vec<Note>) -> Result<Vec<Box<dyn Peer>>, Error> {
    let mut contenders: Vec<Box<dyn Peer>> = vec![Box::new(ours::Ours::open()?)];
    let peers = [
        (LAVAPIPE, lavapipe::Lavapipe::open().map(|peer| Box::new(peer) as Box<dyn Peer>)),
        (POCL, child::pocl().map(|peer| Box::new(peer) as Box<dyn Peer>)),
        (RAYON, child::rayon().map(|peer| Box::new(peer) as Box<dyn Peer>)),
    ];
    for (name, peer) in peers {
        match peer {
            Ok(peer) => contenders.push(peer),
            Err(Missing { reason }) => missing.push((name, reason)),
        }
    }
    Ok(contenders)
}

/// Loaded and checked before the clock starts.
pub(crate) fn warm(rounds: u32, case: &Case, peers: &mut [Box<dyn Peer>]) -> Result<Vec<Lap>, Error> {
    for peer in &mut *peers {
        peer.load(case)?;
        peer.run(1)?;
    }
    for (at, buffer) in case.buffers.iter().enumerate().filter(|(_, buffer)| buffer.role == Role::Output) {
        let mut wanted = None;
        for peer in &mut *peers {
            let got = peer.read(at)?;
            agrees(case, peer.name(), buffer.name, wanted.get_or_insert_with(|| got.clone()), &got)?;
        }
    }
    raced(rounds, case, peers)
}

fn raced(rounds: u32, case: &Case, peers: &mut [Box<dyn Peer>]) -> Result<Vec<Lap>, Error> {
    let contenders = peers.iter_mut().map(|peer| Contender::<Error> {
        name: peer.name(),
        run: Box::new(|| Ok(peer.run(case.repeat)? / case.repeat)),
    });
    race(rounds, contenders.collect())
}

/// Another text in each round, the same for all.
fn cold(rounds: u32, case: &Case, peers: &mut [Box<dyn Peer>]) -> Result<Vec<Lap>, Error> {
    let first = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().subsec_nanos();
    let mut compiling = Vec::new();
    let mut wanted = None;
    for peer in peers {
        if let Some((_, got)) = peer.cold(case, first)? {
            agrees(case, peer.name(), case.buffers[0].name, wanted.get_or_insert_with(|| got.clone()), &got)?;
            compiling.push(peer);
        }
    }
    let contenders = compiling.into_iter().map(|peer| {
        let (name, mut salt) = (peer.name(), first);
        let run = move || {
            salt += 1;
            let (time, _) = peer.cold(case, salt)?.expect("invariant compiles: it did so before the race");
            Ok(time)
        };
        Contender::<Error> { name, run: Box::new(run) }
    });
    race(rounds, contenders.collect())
}

fn agrees(case: &Case, peer: &'static str, buffer: &'static str, wanted: &[u8], got: &[u8]) -> Result<(), Error> {
    match answer::difference(case.same, wanted, got) {
        None => Ok(()),
        Some(difference) => Err(Error::Differs { case: case.name, peer, buffer, difference }),
    }
}
