//! Windows: as many tiles as a cache holds, which are done with before the next are begun.
//!
//! Pieces that look at elements twice (what do tiles come to, and then what is each element with all before it?) read
//! memory twice if they look at everything the first time. A processor does both for one window after the other, in a
//! loop of two waves, so that the second look finds elements in the caches of its cores, which get the same tiles again
//! as a rule. A turn costs two barriers, some microseconds where a window takes a hundred. GPUs have caches that hold much
//! less than they work on at once, and take all tiles.

use seawall::Graph;
use seawall::device::Caps;

use crate::kit::Parts;
use crate::row::Rows;

/// For each thread: half of what a core's own cache holds, or less.
const BYTES: usize = 512 << 10;

/// How tiles are taken together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    /// Of one.
    pub(crate) tiles: usize,
    /// How many there are.
    pub(crate) count: usize,
}

impl Window {
    /// Of so many tiles of such elements, if windows are worth it.
    pub(crate) fn new<T>(caps: &Caps, rows: &Rows, tiles: usize) -> Option<Self> {
        let threads = caps.threads?.get();
        let most = (threads * BYTES / (rows.tile as usize * size_of::<T>())).max(threads);
        let own = tiles.clamp(1, most);
        Some(Self { tiles: own, count: tiles.div_ceil(own) })
    }

    /// Puts into a graph what was chosen for a stage of it.
    pub(crate) fn tell(&self, graph: &mut Graph, stage: &str) {
        let what = format!("{} tiles at a time, {} times", self.tiles, self.count);
        graph.chosen(stage, &what, "what is looked at twice comes from a cache the second time");
    }

    /// Adds two waves of an invocation for each tile, once for each window. Both read which one it is, and write it for
    /// the other.
    pub(crate) fn each(&self, graph: &mut Graph, parts: &Parts, [look, again]: [&str; 2]) {
        let [one, other] = ["window", "window again"].map(|name| parts.own(name));
        graph.transient::<u32>(&one, 1).transient::<u32>(&other, 1);
        let waves = |body: &mut Graph| {
            parts.wave(body, look).bind("window", &one).bind("next", &other).workgroups(self.tiles);
            parts.wave(body, again).bind("window", &other).bind("next", &one).workgroups(self.tiles);
        };
        if self.count == 1 {
            waves(graph);
        } else {
            graph.repeat(&parts.own("each window"), waves).times(self.count as u32);
        }
    }
}
