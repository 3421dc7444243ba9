//! The same searches in plain Rust on two threads, which stay for a whole search and meet at a barrier
//! that spins: what a careful programmer writes without Seawall.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::{Mutex, PoisonError, RwLock};

use seawall_kit::csr::Csr;

const THREADS: usize = 2;
const FAR: u32 = u32::MAX;

/// Where threads meet.
#[derive(Default)]
struct Meeting {
    arrived: AtomicUsize,
    turn: AtomicUsize,
}

impl Meeting {
    fn wait(&self) {
        let turn = self.turn.load(Acquire);
        if self.arrived.fetch_add(1, AcqRel) + 1 == THREADS {
            self.arrived.store(0, Relaxed);
            self.turn.store(turn + 1, Release);
            return;
        }
        let mut spins = 0_u32;
        while self.turn.load(Acquire) == turn {
            spins += 1;
            if spins < 10_000 { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }
}

/// Parts of some work, handed out to whoever asks.
#[derive(Default)]
struct Shares(AtomicUsize);

impl Shares {
    fn each(&self, len: usize, part: usize, mut work: impl FnMut(std::ops::Range<usize>)) {
        loop {
            let start = self.0.fetch_add(part, Relaxed);
            if start >= len {
                return;
            }
            work(start..len.min(start + part));
        }
    }
}

/// Runs the same on all threads.
fn team(work: impl Fn(usize, &Meeting) + Sync) {
    let meeting = Meeting::default();
    std::thread::scope(|scope| {
        for me in 1..THREADS {
            let (work, meeting) = (&work, &meeting);
            scope.spawn(move || work(me, meeting));
        }
        work(0, &meeting);
    });
}

fn atomics(len: usize, value: impl Fn(usize) -> u32) -> Vec<AtomicU32> {
    (0..len).map(|at| AtomicU32::new(value(at))).collect()
}

fn plain(atomics: Vec<AtomicU32>) -> Vec<u32> {
    atomics.into_iter().map(AtomicU32::into_inner).collect()
}

/// What is known between two levels.
struct Level {
    frontier: Vec<u32>,
    count: usize,
    left: usize,
    up: bool,
}

/// Breadth first, from the frontier or to it (Beamer, Asanović and Patterson, 2012).
pub(super) fn bfs(csr: &Csr, source: u32) -> Vec<u32> {
    const GROWS: usize = 15;
    const SHRINKS: usize = 18;
    let vertices = csr.vertices();
    let depth = atomics(vertices, |v| if v == source as usize { 0 } else { FAR });
    let degree = |v: u32| csr.neighbours(v).len();
    let level = RwLock::new(Level { frontier: vec![source], count: 1, left: csr.edges().len(), up: false });
    let next = Mutex::new((Vec::new(), 0_usize, 0_usize));
    let shares = [Shares::default(), Shares::default()];
    team(|me, meeting| {
        let mut deep = 0_u32;
        loop {
            let (mut found, mut count, mut ahead) = (Vec::new(), 0, 0);
            let shares_now = &shares[deep as usize % 2];
            let level_now = level.read().unwrap_or_else(PoisonError::into_inner);
            if level_now.count == 0 {
                return;
            }
            if level_now.up {
                shares_now.each(vertices, 1024, |part| {
                    for v in part.filter(|&v| depth[v].load(Relaxed) == FAR) {
                        let reached = |&u: &u32| depth[u as usize].load(Relaxed) == deep;
                        if csr.neighbours(v as u32).iter().any(reached) {
                            depth[v].store(deep + 1, Relaxed);
                            count += 1;
                            ahead += degree(v as u32);
                        }
                    }
                });
            } else {
                shares_now.each(level_now.frontier.len(), 64, |part| {
                    for &v in &level_now.frontier[part] {
                        for &u in csr.neighbours(v) {
                            let place = &depth[u as usize];
                            if place.load(Relaxed) == FAR
                                && place.compare_exchange(FAR, deep + 1, Relaxed, Relaxed).is_ok()
                            {
                                found.push(u);
                                ahead += degree(u);
                            }
                        }
                    }
                });
                count = found.len();
            }
            drop(level_now);
            let mut sum = next.lock().unwrap_or_else(PoisonError::into_inner);
            sum.0.append(&mut found);
            sum.1 += count;
            sum.2 += ahead;
            drop(sum);
            meeting.wait();
            if me == 0 {
                let mut level = level.write().unwrap_or_else(PoisonError::into_inner);
                let (found, count, ahead) = std::mem::take(&mut *next.lock().unwrap_or_else(PoisonError::into_inner));
                level.left -= ahead.min(level.left);
                let up = if level.up {
                    count > level.count || count > vertices / SHRINKS
                } else {
                    ahead > level.left / GROWS
                };
                level.frontier = found;
                if level.up && !up {
                    let here = |v: &u32| depth[*v as usize].load(Relaxed) == deep + 1;
                    level.frontier = (0..vertices as u32).filter(here).collect();
                }
                (level.up, level.count) = (up, count);
                shares[(deep as usize + 1) % 2].0.store(0, Relaxed);
            }
            meeting.wait();
            deep += 1;
        }
    });
    plain(depth)
}

/// Shortest paths by buckets as wide as `delta`; each thread has its own, and works on what it puts into
/// the one whose turn it is (Meyer and Sanders, 2003; Zhang and others, 2020).
pub(super) fn sssp(csr: &Csr, source: u32, delta: u32) -> Vec<u32> {
    const ALONE_MAX: usize = 1000;
    let distance = atomics(csr.vertices(), |v| if v == source as usize { 0 } else { FAR });
    let frontier = RwLock::new(vec![source]);
    let next = Mutex::new((usize::MAX, Vec::new()));
    let shares = [Shares::default(), Shares::default()];
    team(|me, meeting| {
        let mut bins: Vec<Vec<u32>> = Vec::new();
        let relax = |v: u32, bins: &mut Vec<Vec<u32>>| {
            let so_far = distance[v as usize].load(Relaxed);
            for (u, weight) in csr.weighted_neighbours(v) {
                let through = so_far + weight;
                if distance[u as usize].load(Relaxed) > through
                    && distance[u as usize].fetch_min(through, Relaxed) > through
                {
                    let bin = (through / delta) as usize;
                    if bin >= bins.len() {
                        bins.resize_with(bin + 1, Vec::new);
                    }
                    bins[bin].push(u);
                }
            }
        };
        let (mut bin, mut turn) = (0_usize, 0_usize);
        while bin != usize::MAX {
            let now = frontier.read().unwrap_or_else(PoisonError::into_inner);
            shares[turn % 2].each(now.len(), 64, |part| {
                for &v in &now[part] {
                    if distance[v as usize].load(Relaxed) as usize >= delta as usize * bin {
                        relax(v, &mut bins);
                    }
                }
            });
            drop(now);
            while bins.get(bin).is_some_and(|here| (1..ALONE_MAX).contains(&here.len())) {
                for v in std::mem::take(&mut bins[bin]) {
                    relax(v, &mut bins);
                }
            }
            let least = (bin..bins.len()).find(|&at| !bins[at].is_empty()).unwrap_or(usize::MAX);
            let mut all = next.lock().unwrap_or_else(PoisonError::into_inner);
            all.0 = all.0.min(least);
            drop(all);
            meeting.wait();
            let mut all = next.lock().unwrap_or_else(PoisonError::into_inner);
            bin = all.0;
            if let Some(here) = bins.get_mut(bin) {
                all.1.append(here);
            }
            drop(all);
            meeting.wait();
            turn += 1;
            if me == 0 {
                let (_, found) = std::mem::replace(
                    &mut *next.lock().unwrap_or_else(PoisonError::into_inner),
                    (usize::MAX, Vec::new()),
                );
                *frontier.write().unwrap_or_else(PoisonError::into_inner) = found;
                shares[turn % 2].0.store(0, Relaxed);
            }
            meeting.wait();
        }
    });
    plain(distance)
}

/// Components, a few neighbours of each vertex first (Sutton, Ben-Nun and Barak, 2018).
pub(super) fn components(csr: &Csr) -> Vec<u32> {
    const ROUNDS: usize = 2;
    const SAMPLES: usize = 1024;
    let vertices = csr.vertices();
    let above = atomics(vertices, |v| v as u32);
    let at = |v: u32| above[v as usize].load(Relaxed);
    let join = |a: u32, b: u32| {
        let (mut p, mut q) = (at(a), at(b));
        while p != q {
            let (high, low) = (p.max(q), p.min(q));
            let was = at(high);
            let hung = || above[high as usize].compare_exchange(high, low, Relaxed, Relaxed).is_ok();
            if was == low || was == high && hung() {
                break;
            }
            (p, q) = (at(at(high)), at(low));
        }
    };
    let flatten = |v: usize| {
        while at(at(v as u32)) != at(v as u32) {
            above[v].store(at(at(v as u32)), Relaxed);
        }
    };
    let shares: Vec<Shares> = (0..2 * ROUNDS + 2).map(|_| Shares::default()).collect();
    team(|_, meeting| {
        for round in 0..ROUNDS {
            shares[2 * round].each(vertices, 4096, |part| {
                for v in part {
                    if let Some(&u) = csr.neighbours(v as u32).get(round) {
                        join(v as u32, u);
                    }
                }
            });
            meeting.wait();
            shares[2 * round + 1].each(vertices, 4096, |part| part.for_each(flatten));
            meeting.wait();
        }
        let mut roots: Vec<u32> = (0..SAMPLES).map(|i| at((i * 2_654_435_761 % vertices) as u32)).collect();
        roots.sort_unstable();
        let largest = roots.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map_or(0, |same| same[0]);
        // Nobody may join again before all have looked.
        meeting.wait();
        shares[2 * ROUNDS].each(vertices, 1024, |part| {
            for v in part.filter(|&v| at(v as u32) != largest) {
                csr.neighbours(v as u32).iter().skip(ROUNDS).for_each(|&u| join(v as u32, u));
            }
        });
        meeting.wait();
        shares[2 * ROUNDS + 1].each(vertices, 4096, |part| part.for_each(flatten));
    });
    plain(above)
}

/// `PageRank` until ranks move by less than `tolerance` in all.
pub(super) fn pagerank(csr: &Csr, damping: f32, tolerance: f32) -> Vec<f32> {
    let vertices = csr.vertices();
    let first = 1.0 / vertices as f32;
    let degree = |v: usize| (csr.neighbours(v as u32).len() as f32).max(1.0);
    let bits = |rank: f32| AtomicU32::new(rank.to_bits());
    let get = |of: &AtomicU32| f32::from_bits(of.load(Relaxed));
    let rank: Vec<AtomicU32> = (0..vertices).map(|_| bits(first)).collect();
    let share = [(); 2].map(|()| (0..vertices).map(|v| bits(first / degree(v))).collect::<Vec<_>>());
    let moved = Mutex::new(0_f64);
    let shares = [Shares::default(), Shares::default()];
    let base = (1.0 - damping) / vertices as f32;
    team(|me, meeting| {
        for turn in 0.. {
            let (from, to) = (&share[turn % 2], &share[(turn + 1) % 2]);
            let mut mine = 0_f64;
            shares[turn % 2].each(vertices, 1024, |part| {
                for v in part {
                    let total: f32 = csr.neighbours(v as u32).iter().map(|&u| get(&from[u as usize])).sum();
                    let now = base + damping * total;
                    mine += f64::from((now - get(&rank[v])).abs());
                    rank[v].store(now.to_bits(), Relaxed);
                    to[v].store((now / degree(v)).to_bits(), Relaxed);
                }
            });
            *moved.lock().unwrap_or_else(PoisonError::into_inner) += mine;
            meeting.wait();
            let done = *moved.lock().unwrap_or_else(PoisonError::into_inner) <= f64::from(tolerance);
            meeting.wait();
            if done {
                return;
            }
            if me == 0 {
                *moved.lock().unwrap_or_else(PoisonError::into_inner) = 0.0;
                shares[(turn + 1) % 2].0.store(0, Relaxed);
            }
            meeting.wait();
        }
    });
    rank.iter().map(get).collect()
}
