//! A search along a path, one vertex in each level: what a level costs that the device decides, and what
//! it costs where the host does, who looks at the device after each.

use std::num::NonZeroUsize;

use seawall::Runtime;
use seawall_kit::csr::Csr;
use seawall_kit::{Kit, Resident, bfs};

use super::HOST;
use crate::error::Error;
use crate::kernels::peer::OURS;
use crate::race::{race, timed};
use crate::report::{Figures, Report, Row};

const VERTICES: u32 = 4096;

/// Both lists hold how many vertices they have, and the vertices.
const EXPAND: &str = "
@group(0) @binding(0) var<storage> offsets: array<u32>;
@group(0) @binding(1) var<storage> edges: array<u32>;
@group(0) @binding(2) var<storage> now: array<u32>;
@group(0) @binding(3) var<storage, read_write> next: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> depth: array<atomic<u32>>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= now[0] { return; }
    let v = now[1u + id.x];
    let deeper = atomicLoad(&depth[v]) + 1u;
    for (var e = offsets[v]; e < offsets[v + 1u]; e += 1u) {
        let u = edges[e];
        if atomicLoad(&depth[u]) == 0xffffffffu && atomicMin(&depth[u], deeper) > deeper {
            atomicStore(&next[1u + atomicAdd(&next[0], 1u)], u);
        }
    }
}";

pub(super) fn rows(rounds: u32, report: &mut Report) -> Result<(), Error> {
    let csr = Csr::grid(VERTICES, 1)?;
    for (threads, size) in [(1, "4096 levels, 1 thread"), (2, "4096 levels, 2 threads")] {
        let threads = NonZeroUsize::new(threads).expect("none of them is zero");
        let runtime = Runtime::builder().device("cpu").threads(threads).open()?;
        let (offsets, edges) = (runtime.buffer_from(csr.offsets())?, runtime.buffer_from(csr.edges())?);
        let (kit, graph, vertices) = (Kit::new(&runtime), Resident::new(&runtime, &csr)?, csr.vertices());
        let [ours, theirs] = [runtime.buffer::<u32>(vertices)?, runtime.buffer::<u32>(vertices)?];
        let decided = || Ok(bfs::search(&kit, &graph, 0, &ours).map(drop)?);
        let expand = runtime.kernel(EXPAND)?;
        let lists = [runtime.buffer::<u32>(vertices + 1)?, runtime.buffer::<u32>(vertices + 1)?];
        let hosted = || -> Result<(), Error> {
            theirs.fill(&u32::MAX)?;
            theirs.write(0, &[0])?;
            lists[0].write(0, &[1, 0])?;
            lists[1].write(0, &[0])?;
            let (mut count, mut turn) = ([1_u32], 0);
            while count[0] > 0 {
                let (now, next) = (&lists[turn], &lists[1 - turn]);
                let call = runtime.call(&expand).bind("offsets", &offsets).bind("edges", &edges);
                let call = call.bind("now", now).bind("next", next).bind("depth", &theirs);
                call.workgroups(count[0].div_ceil(64)).run()?;
                next.read(0, &mut count)?;
                now.write(0, &[0])?;
                turn = 1 - turn;
            }
            Ok(())
        };
        decided()?;
        hosted()?;
        if ours.to_vec()? != theirs.to_vec()? {
            let difference = "depths".to_owned();
            return Err(Error::Differs { case: "path", peer: HOST, buffer: "depth", difference });
        }
        let laps = race(rounds, vec![timed(OURS, 1, decided), timed(HOST, 1, hosted)])?;
        let figures = Figures { ratios: &[(HOST, 1.0)], ms_max: None };
        report.add(Row { name: "path", size, figures, laps });
    }
    Ok(())
}
