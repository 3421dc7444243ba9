//! Each exchange, for sizes that are uneven, smaller than the ranks, and none; whole and in parts.

use seawall_mpi::{Checkpoint, Cluster, Error, Op, Order, Rows};

use crate::kernels::{add, runtime, stencil};
use crate::{Case, well};

pub(crate) const CASES: &[Case] = &[
    well("halo", halo),
    well("halo_into", halo_into),
    well("all_gather", all_gather),
    well("all_reduce", all_reduce),
    well("all_to_all", all_to_all),
    well("counts_are_checked", counts),
    well("refusals", refusals),
    well("budget", budget),
    well("evicted", evicted),
];

/// Ways to share out some rows.
fn shares(cluster: &Cluster, rows: u64) -> Vec<Rows> {
    let ranks = cluster.ranks() as u64;
    let last: Vec<u64> = (0..=ranks).map(|rank| if rank == ranks { rows } else { 0 }).collect();
    let steep: Vec<u64> = (0..=ranks).map(|rank| rows * rank * rank / (ranks * ranks)).collect();
    vec![cluster.block(rows), Rows::at(&last).unwrap(), Rows::at(&steep).unwrap()]
}

/// Lengths of messages: MPI's own limit, and such that everything goes in parts.
const LIMITS: [usize; 3] = [usize::MAX, 8, 12];

fn halo(cluster: &Cluster) {
    let runtime = runtime();
    for (rows, width, halo) in [(37, 3, 1), (9, 1, 2), (2, 5, 3), (1, 1, 1), (0, 2, 1)] {
        for share in shares(cluster, rows).into_iter().map(|share| share.width(width).halo(halo)) {
            for limit in LIMITS {
                cluster.message_bytes_max(limit);
                let mut graph = cluster.graph();
                graph.rows::<u32>("x", &share);
                graph.halo("edges", "x");
                let compiled = cluster.compile(&runtime, &graph).unwrap();
                let whole: Vec<u32> = (1..=(rows * width) as u32).collect();
                let wanted = share.cut(cluster.rank(), &whole).unwrap();
                let own = share.own_range(cluster.rank());
                let mut mine = vec![7u32; wanted.len()];
                mine[own.clone()].copy_from_slice(&wanted[own.clone()]);
                compiled.write("x", &mine).unwrap();
                compiled.call().run().unwrap();
                let got = compiled.read::<u32>("x").unwrap();
                // Beyond the ends nothing comes.
                let same = |(got, wanted): (&u32, &u32)| got == wanted || (*wanted == 0 && *got == 7);
                let all = own.is_empty() || got.iter().zip(&wanted).all(same);
                assert!(all, "{share:?}: {got:?}, not {wanted:?}");
            }
        }
    }
}

/// The same rows in data of their own, beside a wave that reads and one that does not wait.
fn halo_into(cluster: &Cluster) {
    let (runtime, add) = (runtime(), add());
    for share in shares(cluster, 23).into_iter().map(|share| share.width(2).halo(2)) {
        let mut graph = cluster.graph();
        graph.rows::<u32>("x", &share).local::<u32>("ghost", 2 * share.halo_len()).local::<u32>("other", 5);
        graph.halo_into("edges", "x", "ghost");
        graph.wave("beside", &add).bind("v", "other").value("by", &3u32).over("v");
        graph.wave("after", &add).bind("v", "ghost").value("by", &100u32).over("v");
        let compiled = cluster.compile(&runtime, &graph).unwrap();
        assert!(compiled.plan().to_string().contains("beside `beside`\n"), "{}", compiled.plan());
        let whole: Vec<u32> = (1..=46).collect();
        let wanted = share.cut(cluster.rank(), &whole).unwrap();
        compiled.write("x", &wanted).unwrap();
        compiled.call().run().unwrap();
        assert_eq!(compiled.read::<u32>("other").unwrap(), [3; 5]);
        let own = share.own_range(cluster.rank());
        if !own.is_empty() {
            let around: Vec<u32> = wanted[..own.start].iter().chain(&wanted[own.end..]).map(|x| x + 100).collect();
            assert_eq!(compiled.read::<u32>("ghost").unwrap(), around);
        }
    }
}

fn all_gather(cluster: &Cluster) {
    let (runtime, add) = (runtime(), add());
    for (rows, overlaps) in [(41, false), (3, true), (0, false), (17, true)] {
        for share in shares(cluster, rows).into_iter().map(|share| share.halo(1)) {
            for limit in LIMITS {
                cluster.message_bytes_max(limit);
                let mut graph = cluster.graph();
                graph.rows::<u32>("part", &share).replicated::<u32>("whole", rows).local::<u32>("other", 3);
                graph.all_gather("gather", "part", "whole");
                if overlaps {
                    graph.wave("beside", &add).bind("v", "other").value("by", &1u32).over("v");
                }
                let compiled = cluster.compile(&runtime, &graph).unwrap();
                let whole: Vec<u32> = (0..rows as u32).map(|i| i * i + 1).collect();
                compiled.write("part", &share.cut(cluster.rank(), &whole).unwrap()).unwrap();
                compiled.call().run().unwrap();
                assert_eq!(compiled.read::<u32>("whole").unwrap(), whole);
            }
        }
    }
}

fn all_reduce(cluster: &Cluster) {
    let (runtime, rank, ranks) = (runtime(), cluster.rank() as u32, cluster.ranks() as u32);
    for limit in LIMITS {
        cluster.message_bytes_max(limit);
        for order in [Order::Any, Order::Ranks] {
            let mut graph = cluster.graph();
            graph.replicated::<u32>("sum", 7).replicated::<i32>("min", 5).replicated::<f32>("max", 3);
            graph.replicated::<u64>("or", 3).replicated::<f64>("floats", 9).replicated::<i64>("none", 0);
            graph.all_reduce_by::<u32>("a", "sum", Op::Sum, order).all_reduce_by::<i32>("b", "min", Op::Min, order);
            graph.all_reduce_by::<f32>("c", "max", Op::Max, order).all_reduce_by::<u64>("d", "or", Op::Or, order);
            graph.all_reduce_by::<f64>("e", "floats", Op::Sum, order).all_reduce_by::<i64>("f", "none", Op::Sum, order);
            let compiled = cluster.compile(&runtime, &graph).unwrap();
            let float = |rank: u32, i: u32| 0.1 + f64::from(rank * 9 + i) / 3.0;
            compiled.write("sum", &[u32::MAX - rank; 7]).unwrap();
            compiled.write("min", &[5 - rank as i32, 4, 3, 2, rank as i32]).unwrap();
            compiled.write("max", &[rank as f32, -1.0, -(rank as f32)]).unwrap();
            compiled.write("or", &[1u64 << rank, 0, u64::from(rank) << 40]).unwrap();
            compiled.write("floats", &(0..9).map(|i| float(rank, i)).collect::<Vec<_>>()).unwrap();
            compiled.call().run().unwrap();
            let sum = (0..ranks).fold(0u32, |sum, rank| sum.wrapping_add(u32::MAX - rank));
            assert_eq!(compiled.read::<u32>("sum").unwrap(), [sum; 7]);
            assert_eq!(compiled.read::<i32>("min").unwrap(), [6 - ranks as i32, 4, 3, 2, 0]);
            assert_eq!(compiled.read::<f32>("max").unwrap(), [(ranks - 1) as f32, -1.0, 0.0]);
            let or = (0..ranks).fold(0, |or, rank| or | u64::from(rank) << 40);
            assert_eq!(compiled.read::<u64>("or").unwrap(), [(1 << ranks) - 1, 0, or]);
            let floats = compiled.read::<f64>("floats").unwrap();
            for (i, got) in (0..).zip(floats) {
                let wanted = (1..ranks).fold(float(0, i), |sum, rank| sum + float(rank, i));
                let close =
                    if order == Order::Ranks { got.to_bits() == wanted.to_bits() } else { (got - wanted).abs() < 1e-9 };
                assert!(close, "{got} is not {wanted}");
            }
        }
    }
}

/// How many elements one rank has for another.
fn share(from: usize, to: usize) -> u32 {
    ((from * 7 + to * 3) % 5) as u32
}

fn all_to_all(cluster: &Cluster) {
    let (runtime, rank, ranks) = (runtime(), cluster.rank(), cluster.ranks());
    for limit in LIMITS {
        cluster.message_bytes_max(limit);
        let mut graph = cluster.graph();
        graph.local::<[u32; 2]>("from", 20).local::<u32>("counts", ranks as u64);
        graph.local::<[u32; 2]>("to", 20).local::<u32>("came", ranks as u64);
        graph.all_to_all("shuffle", "from", "counts", "to", "came");
        let compiled = cluster.compile(&runtime, &graph).unwrap();
        let sent = |from: usize, to: usize| (0..share(from, to)).map(move |i| [from as u32, 10 * to as u32 + i]);
        let mut from: Vec<[u32; 2]> = (0..ranks).flat_map(|to| sent(rank, to)).collect();
        from.resize(20, [9; 2]);
        compiled.write("from", &from).unwrap();
        compiled.write("counts", &(0..ranks).map(|to| share(rank, to)).collect::<Vec<_>>()).unwrap();
        compiled.call().run().unwrap();
        let wanted: Vec<[u32; 2]> = (0..ranks).flat_map(|from| sent(from, rank)).collect();
        assert_eq!(compiled.read::<[u32; 2]>("to").unwrap()[..wanted.len()], wanted);
        let came: Vec<u32> = (0..ranks).map(|from| share(from, rank)).collect();
        assert_eq!(compiled.read::<u32>("came").unwrap(), came);
    }
}

/// Counts are the device's, and may be anything.
fn counts(cluster: &Cluster) {
    let (runtime, rank, ranks) = (runtime(), cluster.rank(), cluster.ranks());
    let last = ranks - 1;
    let mut graph = cluster.graph();
    graph.local::<u32>("from", 10).local::<u32>("counts", ranks as u64);
    graph.local::<u32>("to", if rank == last { 2 } else { 40 }).local::<u32>("came", ranks as u64);
    graph.all_to_all("shuffle", "from", "counts", "to", "came");
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    let run = |counts: &[u32]| {
        compiled.write("counts", counts).unwrap();
        compiled.call().run().map(|_| ())
    };
    let mut wrong = vec![0u32; ranks];
    wrong[last] = if rank == 0 { u32::MAX } else { 0 };
    let too_many = Error::Counts { exchange: "shuffle".into(), data: "from".into(), count: u32::MAX.into(), len: 10 };
    let told = |rank: usize, error: Error| {
        if cluster.rank() == rank { error } else { Error::There { rank, message: error.to_string() } }
    };
    assert_eq!(run(&wrong), Err(told(0, too_many)));
    let mut wrong = vec![0u32; ranks];
    wrong[last] = if rank == 0 { 3 } else { 0 };
    let too_few = Error::Counts { exchange: "shuffle".into(), data: "to".into(), count: 3, len: 2 };
    assert_eq!(run(&wrong), Err(told(last, too_few)));
    // And the next run is as if nothing had been.
    assert_eq!(run(&vec![0; ranks]), Ok(()));
}

fn refusals(cluster: &Cluster) {
    let (runtime, ranks) = (runtime(), cluster.ranks());
    let rows = cluster.block(10).halo(1);
    let refused = |describe: &dyn Fn(&mut seawall_mpi::Graph)| {
        let mut graph = cluster.graph();
        graph
            .rows::<u32>("x", &rows)
            .replicated::<f32>("f", 10)
            .local::<u32>("l", 3)
            .rows::<u32>("flat", &cluster.block(10));
        describe(&mut graph);
        cluster.compile(&runtime, &graph).map(|_| ()).unwrap_err().to_string()
    };
    let wrong = |describe: &dyn Fn(&mut seawall_mpi::Graph), message: &str| {
        let got = refused(describe);
        // All ranks are wrong; the first is heard.
        assert_eq!(got.strip_prefix("rank 0: ").unwrap_or(&got), message);
    };
    wrong(&|graph| _ = graph.halo("e", "flat"), "exchange `e`: `flat` has no halo");
    wrong(&|graph| _ = graph.halo_into("e", "x", "l"), "exchange `e`: `l` must be local data, as long as both halos");
    wrong(&|graph| _ = graph.halo("e", "y"), "there is no data `y`; there is `f`, `flat`, `l`, `x`");
    wrong(&|graph| _ = graph.all_gather("e", "f", "x"), "exchange `e`: `f` is not shared out by rows");
    wrong(
        &|graph| _ = graph.all_gather("e", "x", "l"),
        "exchange `e`: `l` must be replicated data, as long as all rows",
    );
    wrong(&|graph| _ = graph.all_gather("e", "x", "f"), "exchange `e`: `f` has other elements than what is sent");
    wrong(&|graph| _ = graph.all_reduce::<u32>("e", "x", Op::Sum), "exchange `e`: `x` must be replicated data");
    wrong(
        &|graph| _ = graph.all_reduce::<f64>("e", "f", Op::Sum),
        "exchange `e`: `f` has elements of another size than the numbers to reduce",
    );
    wrong(
        &|graph| _ = graph.all_reduce::<f32>("e", "f", Op::Or),
        "exchange `e`: `f` has floats, which have no bits to be joined",
    );
    wrong(
        &|graph| _ = graph.local::<u32>("c", ranks as u64 + 1).all_to_all("e", "l", "c", "x", "c"),
        "exchange `e`: `c` must be other data than what is sent",
    );
    wrong(
        &|graph| {
            let ranks = ranks as u64;
            graph.local::<u32>("c", ranks + 1).local::<u32>("d", ranks).all_to_all("e", "l", "c", "x", "d");
        },
        "exchange `e`: `c` must have a `u32` for each rank",
    );
    wrong(&|graph| _ = graph.local::<u32>("x", 1), "there are two data `x`");
    let parts = format!("the rows of `y` are for {} ranks, and there are {ranks}", ranks + 1);
    wrong(&|graph| _ = graph.rows::<u32>("y", &Rows::block(1, ranks + 1)), &parts);
    wrong(&|graph| _ = graph.repeat("l", |_| {}), "loop `l` has neither a word that ends it nor a limit");
    wrong(
        &|graph| _ = graph.swap("x", "x"),
        "`x` and `x` cannot change places: they are not two data of the same type, shared out alike",
    );
    wrong(
        &|graph| _ = graph.rows::<u32>("z", &rows).swap("x", "z"),
        "`x` and `z` cannot change places: they are in no loop",
    );
    wrong(
        &|graph| graph.here(|here| _ = here.queue::<u32>("q", 5)),
        "work queue `q` cannot be in the graph of a cluster",
    );
    wrong(
        &|graph| graph.here(|here| _ = here.output::<u32>("o", 1)),
        "`o` is to come from the caller or to go there: add it as data of the cluster's graph",
    );
    wrong(
        &|graph| {
            let add = add();
            graph.here(|here| {
                here.transient::<u32>("t", 5);
                here.wave("one", &add).bind("v", "t").value("by", &1u32).over("v");
            });
            graph.halo("edges", "x");
            // After the exchange, by the data that it brings.
            let sum = crate::kernels::kernel(
                "@group(0) @binding(0) var<storage, read> a: array<u32>;
                 @group(0) @binding(1) var<storage, read_write> b: array<u32>;
                 @compute @workgroup_size(1) fn main() { b[0] += a[0]; }",
            );
            graph.wave("two", &sum).bind("a", "x").bind("b", "t").workgroups(1);
        },
        "`t` is needed on both sides of an exchange: add it as local data of the graph",
    );
    let stencil = stencil();
    wrong(
        &|graph| _ = graph.wave("w", &stencil).bind("now", "x").bind("next", "f").over("next"),
        "wave `w`: `next: array<u32>` cannot be bound to elements of `f32`: it holds `u32`",
    );
    // Sizes that no memory has.
    for rows in [Rows::block(u64::MAX, ranks), cluster.block(10).width(u64::MAX), cluster.block(10).halo(u64::MAX)] {
        let mut graph = cluster.graph();
        graph.rows::<u32>("x", &rows.halo(u64::MAX / 3));
        graph.halo("e", "x");
        cluster.compile(&runtime, &graph).map(|_| ()).unwrap_err();
    }
    // Of what is there.
    let mut graph = cluster.graph();
    graph.rows::<u32>("x", &rows);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    assert_eq!(compiled.write("x", &[1.0f32]).unwrap_err().to_string(), "`x` has elements of `u32`, not `f32`");
    let (rank, len) = (cluster.rank(), rows.local_len(cluster.rank()));
    let short = compiled.write("x", &[1u32]).unwrap_err().to_string();
    assert_eq!(short, format!("`x` has {len} elements on rank {rank}, not 1"));
    assert_eq!(compiled.read::<u32>("y").unwrap_err().to_string(), "there is no data `y`; there is `x`");
    let none = compiled.call().checkpoint(Checkpoint::new("nowhere", 1)).resume("/nonexistent").run().unwrap_err();
    let none = none.to_string();
    assert_eq!(none.strip_prefix("rank 0: ").unwrap_or(&none), "there is no checkpoint in /nonexistent");
}

/// What a budget has no room for stays with the host, and waves and exchanges give the same.
fn evicted(cluster: &Cluster) {
    let (runtime, add, stencil) = (runtime(), add(), stencil());
    let rows = cluster.block(4000).halo(1);
    let run = |budget: Option<u64>| {
        let mut graph = cluster.graph();
        graph.rows::<u32>("now", &rows).rows::<u32>("next", &rows).rows::<u32>("other", &rows);
        graph.replicated::<u32>("whole", 4000).replicated::<u32>("few", 3);
        graph
            .repeat("steps", |body| {
                body.halo("edges", "now");
                body.wave("step", &stencil).bind("now", "now").bind("next", "next").over("next");
                body.wave("beside", &add).bind("v", "few").value("by", &1u32).over("v");
                body.all_gather("gather", "other", "whole");
                body.wave("more", &add).bind("v", "whole").value("by", &7u32).over("v");
                body.all_reduce::<u32>("most", "whole", Op::Sum);
                body.swap("now", "next");
            })
            .times(3);
        graph.wave("last", &stencil).bind("now", "whole").bind("next", "other").threads(1u32);
        if let Some(bytes) = budget {
            graph.budget_bytes(bytes);
        }
        let compiled = cluster.compile(&runtime, &graph)?;
        let whole: Vec<u32> = (0..4000).map(|i| i * i).collect();
        compiled.write("now", &rows.cut(cluster.rank(), &whole)?)?;
        compiled.write("other", &rows.cut(cluster.rank(), &whole)?)?;
        compiled.call().run()?;
        let all = ["now", "next", "other", "whole", "few"].map(|data| compiled.read::<u32>(data).unwrap());
        let plan = compiled.plan();
        Ok::<_, Error>((all, plan.evicted.len(), plan.data_bytes, plan.staging_bytes, plan.to_string()))
    };
    let (wanted, none, data_bytes, staging_bytes, _) = run(None).unwrap();
    assert_eq!(none, 0);
    // A value of a wave takes as much as devices need to bind it.
    let (same, none, ..) = run(Some(data_bytes + staging_bytes + 256)).unwrap();
    assert!(same == wanted && none == 0);
    // The whole and what changes places are the largest; what is left has room for two of a wave.
    let (same, some, .., text) = run(Some(data_bytes + staging_bytes + 255)).unwrap();
    assert!(same == wanted && some > 0, "{text}");
    assert!(text.contains("on the host for the budget, but while waves need it: `"), "{text}");
    let most = rows.local_len(cluster.rank()).max(4000) * 4 + rows.local_len(cluster.rank()) * 4;
    let (same, all, .., text) = run(Some(most + staging_bytes + 268)).unwrap();
    assert!(same == wanted && all > 1, "{text}");
    let few = run(Some(staging_bytes + 4000)).map(|_| ()).unwrap_err().to_string();
    assert!(few.contains("for exchanges, over the budget of"), "{few}");
}

/// Staging counts.
fn budget(cluster: &Cluster) {
    let (runtime, ranks) = (runtime(), cluster.ranks() as u64);
    let mut graph = cluster.graph();
    graph.replicated::<u64>("x", 100).all_reduce::<u64>("sum", "x", Op::Sum);
    // One rank alone has nothing to reduce; several send a number more, which says whether they are well.
    if ranks > 1 {
        graph.budget_bytes(1615);
        let error = cluster.compile(&runtime, &graph).map(|_| ()).unwrap_err();
        let error = error.to_string();
        let wanted = "rank 0 needs 800 bytes for data and 1616 for exchanges, over the budget of 1615";
        assert_eq!(error.strip_prefix("rank 0: ").unwrap_or(&error), wanted);
    }
    // No wave needs it on the device.
    graph.budget_bytes(1616);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    compiled.write("x", &[3u64; 100]).unwrap();
    compiled.call().run().unwrap();
    assert_eq!(compiled.read::<u64>("x").unwrap(), [3 * ranks; 100]);
    // Waves have what is left, for a value: `y` goes to the host for it, and then nothing else can go.
    let add = add();
    let mut graph = cluster.graph();
    graph.replicated::<u32>("x", 64).replicated::<u32>("y", 64).all_reduce::<u32>("sum", "x", Op::Max);
    graph.wave("add", &add).bind("v", "x").value("by", &1u32).over("v");
    let staging = if ranks > 1 { 2 * 264 } else { 0 };
    graph.budget_bytes(512 + staging);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    assert_eq!(compiled.plan().evicted.len(), 1);
    compiled.call().run().unwrap();
    graph.budget_bytes(511 + staging);
    let error = cluster.compile(&runtime, &graph).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("512 bytes for data") && error.contains("over the budget of"), "{error}");
    graph.budget_bytes(768 + staging);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    assert!(compiled.plan().evicted.is_empty());
    compiled.call().run().unwrap();
}
