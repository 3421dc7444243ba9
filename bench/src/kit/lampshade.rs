//! The kit on lavapipe beside the crate `lampshade` on the same adapter, between buffers that are there already.

use seawall::Runtime;
use seawall_kit::{Kit, Op, scan, sort};

use super::{load, tell, words};
use crate::error::Error;
use crate::kernels::child;
use crate::kernels::peer::{LAVAPIPE, Peer};
use crate::race::{Contender, race, timed};

const NAME: &str = "lampshade, lavapipe";

pub(super) fn run(rounds: u32, wanted: &dyn Fn(&str) -> bool) -> Result<(), Error> {
    if !wanted("lampshade") {
        return Ok(());
    }
    let runtime = match Runtime::builder().device("gpu:llvmpipe").open() {
        Ok(runtime) => runtime,
        Err(error) => {
            println!("no {NAME}: {error}");
            return Ok(());
        }
    };
    let mut peer = match child::primitives(LAVAPIPE) {
        Ok(peer) => peer,
        Err(error) => {
            println!("no {NAME}: {error}");
            return Ok(());
        }
    };
    let kit = Kit::new(&runtime);
    for (piece, len) in [("scan", 1 << 24), ("sort", 1 << 20)] {
        let x: Vec<u32> = words(len).into_iter().map(|word| if piece == "scan" { word & 15 } else { word }).collect();
        let (from, to) = (runtime.buffer_from(&x)?, runtime.buffer::<u32>(len)?);
        load(Some(&mut peer), piece, "words", &x)?;
        let ours = || -> Result<(), Error> {
            match piece {
                "scan" => Ok(scan::exclusive(&kit, Op::Sum, &from, &to)?),
                _ => Ok(sort::keys(&kit, sort::Order::Ascending, &from, &to)?),
            }
        };
        let theirs = Contender { name: NAME, run: Box::new(|| peer.run(1)) };
        let laps = race(rounds, vec![timed("seawall", 1, ours), theirs])?;
        let what = if piece == "scan" { "exclusive, 16 M u32, gpu" } else { "1 M u32, gpu" };
        tell(&format!("lampshade-{piece}"), what, (laps[0].ms(), laps[1].ms()), NAME);
        assert!(peer.read(1)? == bytemuck::cast_slice::<u32, u8>(&to.to_vec()?), "{piece}: both give the same");
    }
    Ok(())
}
