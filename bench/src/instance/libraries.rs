//! Libraries over wgpu, as they are published: a process of `peers/libraries` for each instance.

use bytemuck::cast_slice;

use crate::error::Error;
use crate::inputs::Random;
use crate::kernels::case::{Case, Same};
use crate::kernels::child;
use crate::kernels::peer::{LAVAPIPE, OURS, Peer};
use crate::kernels::warm;
use crate::report::{Figures, Report, Row};

/// How a row is called, and what of the libraries' it is.
type Entry = (&'static str, fn() -> Case);

pub(super) const ALL: [Entry; 3] = [("lampshade-scan", scan), ("lampshade-sort", sort), ("burn-matmul", matmul)];

pub(super) fn run(rounds: u32, wanted: impl Fn(&str) -> bool, report: &mut Report) -> Result<(), Error> {
    let mut peers: Vec<Box<dyn Peer>> = Vec::new();
    for instance in [OURS, LAVAPIPE] {
        peers.push(Box::new(child::libraries(instance)?));
    }
    for (name, make) in ALL.into_iter().filter(|(name, _)| wanted(name)) {
        let case = make();
        let figures = Figures { ratios: &[(LAVAPIPE, 3.0)], ms_max: None };
        report.add(Row { name, size: case.size, figures, laps: warm(rounds, &case, &mut peers)? });
    }
    Ok(())
}

fn scan() -> Case {
    let mut random = Random::new(4);
    let words: Vec<u32> = (0..1 << 24).map(|_| random.below(16)).collect();
    Case::of_program("scan", "16 M words", vec![cast_slice(&words).to_vec()], Same::Bits)
}

fn sort() -> Case {
    let mut random = Random::new(5);
    let words: Vec<u32> = (0..1 << 20).map(|_| random.word()).collect();
    Case::of_program("sort", "1 M words", vec![cast_slice(&words).to_vec()], Same::Bits)
}

fn matmul() -> Case {
    let mut random = Random::new(6);
    let mut matrix = || cast_slice(&(0..1024 * 1024).map(|_| random.unit()).collect::<Vec<f32>>()).to_vec();
    Case::of_program("matmul", "1024 x 1024", vec![matrix(), matrix()], Same::Floats(1e-5))
}
