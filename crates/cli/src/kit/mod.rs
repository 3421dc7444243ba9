//! `seawall kit`: ready programs on data from files.

mod desk;
mod network;

use std::num::NonZeroU32;

use seawall_kit::scan::Kind;
use seawall_kit::sort::Order;
use seawall_kit::{
    Op, compact, fft, gather, histogram, matmul, pagerank, partition, random, reduce, runs, scan, segment, sort, spmv,
    top, transpose, unique,
};

use crate::args::{self, Data, Number, Piece};
use crate::error::Error;
use desk::{Desk, Element};

/// Does this for the type that was asked for, which it calls `T`.
macro_rules! typed {
    ($data:expr, $does:expr) => {
        match $data.number.unwrap_or(Number::U32) {
            Number::U32 => {
                type T = u32;
                $does
            }
            Number::I32 => {
                type T = i32;
                $does
            }
            Number::F32 => {
                type T = f32;
                $does
            }
            Number::U64 => {
                type T = u64;
                $does
            }
            Number::I64 => {
                type T = i64;
                $does
            }
            Number::F16 => Err(Error::KitType { number: "f16" }),
            Number::I8 => Err(Error::KitType { number: "i8" }),
        }
    };
}

pub(crate) fn kit(piece: &Piece) -> Result<(), Error> {
    match piece {
        Piece::Reduce { data, op } => typed!(data, reduced::<T>(data, combined(*op))),
        Piece::Scan { data, op, exclusive } => typed!(data, scanned::<T>(data, kind(*exclusive), combined(*op))),
        Piece::Compact { data, keep } => typed!(data, compacted::<T>(data, keep.as_deref())),
        Piece::Partition { data, first } => typed!(data, parted::<T>(data, first.as_deref())),
        Piece::Unique { data } => typed!(data, uniques::<T>(data)),
        Piece::Runs { data } => typed!(data, all_runs::<T>(data)),
        Piece::Sort { data, descending } => typed!(data, sorted::<T>(data, *descending)),
        Piece::Histogram { data, bins, bin } => typed!(data, counted::<T>(data, bins.get() as usize, bin)),
        Piece::Transpose { data, rows } => typed!(data, turned::<T>(data, rows.get() as usize)),
        Piece::Gather { data } => typed!(data, gathered::<T>(data)),
        Piece::Scatter { data } => typed!(data, scattered::<T>(data)),
        Piece::SegmentScan { data, op, exclusive } => {
            typed!(data, segments_scanned::<T>(data, kind(*exclusive), combined(*op)))
        }
        Piece::SegmentReduce { data, op } => typed!(data, segments_reduced::<T>(data, combined(*op))),
        Piece::Spmv { data } => multiplied(data),
        Piece::Top { data, count, least } => typed!(data, first::<T>(data, count.get() as usize, *least)),
        Piece::Matmul { data, rows, columns } => {
            let (rows, columns) = (rows.get() as usize, columns.get() as usize);
            match data.number {
                None | Some(Number::F32) => dense::<f32>(data, rows, columns),
                Some(Number::F16) => dense::<half::f16>(data, rows, columns),
                Some(Number::I8) => dense_bytes(data, rows, columns),
                Some(Number::U32 | Number::I32 | Number::U64 | Number::I64) => {
                    Err(Error::KitNeeds { piece: "matmul", what: "--type f32, f16 or i8" })
                }
            }
        }
        Piece::Fft { data, len, inverse } => transformed(data, len.map(|len| len.get() as usize), *inverse),
        Piece::Bfs { network, from } => network::reached(network, *from),
        Piece::Sssp { network, from, delta } => network::shortest(network, *from, delta.map(NonZeroU32::get)),
        Piece::Components { network } => network::parts(network),
        Piece::Pagerank { network, damping, tolerance } => {
            network::ranked(network, pagerank::How { damping: *damping, tolerance: *tolerance })
        }
        Piece::Triangles { network } => network::triangles(network),
        Piece::Betweenness { network, from } => network::between(network, from),
        Piece::Graph { network, weights } => network::rows(network, *weights),
        Piece::Random { data, count, seed, stream } => {
            let stream = random::Stream { seed: *seed, number: *stream };
            match data.number {
                None | Some(Number::U32) => filled::<u32>(data, count.get() as usize, stream),
                Some(Number::F32) => filled::<f32>(data, count.get() as usize, stream),
                Some(Number::I32 | Number::U64 | Number::I64 | Number::F16 | Number::I8) => {
                    Err(Error::KitNeeds { piece: "random", what: "--type u32 or f32" })
                }
            }
        }
    }
}

fn combined(op: args::Op) -> Op {
    match op {
        args::Op::Sum => Op::Sum,
        args::Op::Min => Op::Min,
        args::Op::Max => Op::Max,
    }
}

fn kind(exclusive: bool) -> Kind {
    if exclusive { Kind::Exclusive } else { Kind::Inclusive }
}

fn reduced<T: seawall_kit::Number + Element>(data: &Data, op: Op) -> Result<(), Error> {
    let mut desk = Desk::new(data, "reduce", &["x"], &["sum"])?;
    let sum = reduce::reduce(&desk.kit(), op, &desk.take::<T>("x")?)?;
    desk.put_one("sum", sum)?;
    desk.end()
}

fn scanned<T: seawall_kit::Number + Element>(data: &Data, kind: Kind, op: Op) -> Result<(), Error> {
    let mut desk = Desk::new(data, "scan", &["x"], &["y"])?;
    let x = desk.take::<T>("x")?;
    let y = desk.empty::<T>(x.len())?;
    match kind {
        Kind::Inclusive => scan::inclusive(&desk.kit(), op, &x, &y)?,
        Kind::Exclusive => scan::exclusive(&desk.kit(), op, &x, &y)?,
    }
    desk.put("y", &y, y.len())?;
    desk.end()
}

fn compacted<T: seawall_kit::Number + Element>(data: &Data, keep: Option<&str>) -> Result<(), Error> {
    let mut desk = Desk::new(data, "compact", &["x", "flags"], &["y"])?;
    let x = desk.take::<T>("x")?;
    let y = desk.empty::<T>(x.len())?;
    let count = match (keep, desk.has("flags")) {
        (Some(keep), false) => compact::filter(&desk.kit(), keep, &x, &y)?,
        (None, true) => compact::flagged(&desk.kit(), &x, &desk.take("flags")?, &y)?,
        (Some(_), true) | (None, false) => return Err(either("compact")),
    };
    desk.put("y", &y, count)?;
    desk.end()
}

fn parted<T: seawall_kit::Number + Element>(data: &Data, first: Option<&str>) -> Result<(), Error> {
    let mut desk = Desk::new(data, "partition", &["x", "flags"], &["y", "count"])?;
    let x = desk.take::<T>("x")?;
    let y = desk.empty::<T>(x.len())?;
    let count = match (first, desk.has("flags")) {
        (Some(first), false) => partition::partition(&desk.kit(), first, &x, &y)?,
        (None, true) => partition::flagged(&desk.kit(), &x, &desk.take("flags")?, &y)?,
        (Some(_), true) | (None, false) => return Err(either("partition")),
    };
    desk.put("y", &y, y.len())?;
    desk.put_one("count", count as u32)?;
    desk.end()
}

fn either(piece: &'static str) -> Error {
    Error::KitNeeds { piece, what: "either --where EXPRESSION or --in flags=…" }
}

fn uniques<T: seawall_kit::Number + Element>(data: &Data) -> Result<(), Error> {
    let mut desk = Desk::new(data, "unique", &["x"], &["y"])?;
    let x = desk.take::<T>("x")?;
    let y = desk.empty::<T>(x.len())?;
    let count = unique::unique(&desk.kit(), &x, &y)?;
    desk.put("y", &y, count)?;
    desk.end()
}

fn all_runs<T: seawall_kit::Number + Element>(data: &Data) -> Result<(), Error> {
    let mut desk = Desk::new(data, "runs", &["x"], &["y", "lengths"])?;
    let x = desk.take::<T>("x")?;
    let (y, lengths) = (desk.empty::<T>(x.len())?, desk.empty(x.len())?);
    let count = runs::runs(&desk.kit(), &x, &y, &lengths)?;
    desk.put("y", &y, count)?;
    desk.put("lengths", &lengths, count)?;
    desk.end()
}

fn sorted<T: seawall_kit::Number + Element>(data: &Data, descending: bool) -> Result<(), Error> {
    let mut desk = Desk::new(data, "sort", &["keys", "values"], &["keys", "values"])?;
    let order = if descending { Order::Descending } else { Order::Ascending };
    let x = desk.take::<T>("keys")?;
    let y = desk.empty::<T>(x.len())?;
    if desk.has("values") {
        let values = desk.take::<u32>("values")?;
        let sorted = desk.empty::<u32>(values.len())?;
        sort::pairs(&desk.kit(), order, (&x, &values), (&y, &sorted))?;
        desk.put("keys", &y, y.len())?;
        desk.put("values", &sorted, sorted.len())?;
    } else {
        sort::keys(&desk.kit(), order, &x, &y)?;
        desk.put("keys", &y, y.len())?;
    }
    desk.end()
}

fn counted<T: seawall_kit::Number + Element>(data: &Data, bins: usize, bin: &str) -> Result<(), Error> {
    let mut desk = Desk::new(data, "histogram", &["x"], &["counts"])?;
    let counts = desk.empty(bins)?;
    histogram::histogram(&desk.kit(), bin, &desk.take::<T>("x")?, &counts)?;
    desk.put("counts", &counts, counts.len())?;
    desk.end()
}

fn turned<T: seawall_kit::Number + Element>(data: &Data, rows: usize) -> Result<(), Error> {
    let mut desk = Desk::new(data, "transpose", &["x"], &["y"])?;
    let x = desk.take::<T>("x")?;
    let y = desk.empty::<T>(x.len())?;
    // Of rows that are not all as long, the last is what is missing.
    transpose::transpose(&desk.kit(), (rows, x.len().div_ceil(rows)), &x, &y)?;
    desk.put("y", &y, y.len())?;
    desk.end()
}

fn gathered<T: seawall_kit::Number + Element>(data: &Data) -> Result<(), Error> {
    let mut desk = Desk::new(data, "gather", &["x", "indices"], &["y"])?;
    let (x, indices) = (desk.take::<T>("x")?, desk.take("indices")?);
    let y = desk.empty::<T>(indices.len())?;
    gather::gather(&desk.kit(), &x, &indices, &y)?;
    desk.put("y", &y, y.len())?;
    desk.end()
}

fn scattered<T: seawall_kit::Number + Element>(data: &Data) -> Result<(), Error> {
    let mut desk = Desk::new(data, "scatter", &["x", "indices", "y"], &["y"])?;
    let (x, indices, y) = (desk.take::<T>("x")?, desk.take("indices")?, desk.take::<T>("y")?);
    gather::scatter(&desk.kit(), &x, &indices, &y)?;
    desk.put("y", &y, y.len())?;
    desk.end()
}

fn segments_scanned<T: seawall_kit::Number + Element>(data: &Data, kind: Kind, op: Op) -> Result<(), Error> {
    let mut desk = Desk::new(data, "segment-scan", &["x", "heads"], &["y"])?;
    let (x, heads) = (desk.take::<T>("x")?, desk.take("heads")?);
    let y = desk.empty::<T>(x.len())?;
    segment::scan(&desk.kit(), kind, op, &x, &heads, &y)?;
    desk.put("y", &y, y.len())?;
    desk.end()
}

fn segments_reduced<T: seawall_kit::Number + Element>(data: &Data, op: Op) -> Result<(), Error> {
    let mut desk = Desk::new(data, "segment-reduce", &["x", "offsets"], &["y"])?;
    let (x, offsets) = (desk.take::<T>("x")?, desk.take::<u32>("offsets")?);
    let y = desk.empty::<T>(offsets.len() - 1)?;
    segment::reduce(&desk.kit(), op, &x, &offsets, &y)?;
    desk.put("y", &y, y.len())?;
    desk.end()
}

fn multiplied(data: &Data) -> Result<(), Error> {
    let mut desk = Desk::new(data, "spmv", &["offsets", "columns", "entries", "x"], &["y"])?;
    let (offsets, columns) = (desk.take::<u32>("offsets")?, desk.take("columns")?);
    let (entries, x) = (desk.take("entries")?, desk.take("x")?);
    let y = desk.empty(offsets.len() - 1)?;
    let matrix = spmv::Matrix { offsets: &offsets, columns: &columns, entries: &entries };
    spmv::multiply(&desk.kit(), &matrix, &x, &y)?;
    desk.put("y", &y, y.len())?;
    desk.end()
}

fn first<T: seawall_kit::Number + Element>(data: &Data, count: usize, least: bool) -> Result<(), Error> {
    let mut desk = Desk::new(data, "top", &["x"], &["keys", "places"])?;
    let order = if least { Order::Ascending } else { Order::Descending };
    let (keys, places) = (desk.empty::<T>(count)?, desk.empty(count)?);
    top::top(&desk.kit(), order, &desk.take("x")?, &keys, &places)?;
    desk.put("keys", &keys, count)?;
    desk.put("places", &places, count)?;
    desk.end()
}

fn dense<E: matmul::Factor + Element>(data: &Data, rows: usize, columns: usize) -> Result<(), Error> {
    let mut desk = Desk::new(data, "matmul", &["a", "b"], &["c"])?;
    let (a, b) = (desk.take::<E>("a")?, desk.take::<E>("b")?);
    let c = desk.empty(rows.saturating_mul(columns))?;
    // Of rows that are not all as long, the last is what is missing.
    let shape = matmul::Shape { rows, inner: a.len().div_ceil(rows), columns };
    matmul::multiply_of(&desk.kit(), shape, &a, &b, &c)?;
    desk.put("c", &c, c.len())?;
    desk.end()
}

fn dense_bytes(data: &Data, rows: usize, columns: usize) -> Result<(), Error> {
    let mut desk = Desk::new(data, "matmul", &["a", "b"], &["c"])?;
    let (a, b) = (desk.take_bytes("a")?, desk.take_bytes("b")?);
    let shape = matmul::Shape { rows, inner: a.len().div_ceil(rows), columns };
    let (a, b) = (shape.words_of_rows(&a)?, shape.words_of_columns(&b)?);
    let c = desk.empty(rows.saturating_mul(columns))?;
    let runtime = desk.kit().runtime();
    let (a, b) = (runtime.buffer_from(&a)?, runtime.buffer_from(&b)?);
    matmul::multiply_bytes(&desk.kit(), shape.padded(), &a, &b, &c)?;
    desk.put("c", &c, c.len())?;
    desk.end()
}

fn transformed(data: &Data, len: Option<usize>, inverse: bool) -> Result<(), Error> {
    let mut desk = Desk::new(data, "fft", &["x"], &["y"])?;
    let way = if inverse { fft::Way::Inverse } else { fft::Way::Forward };
    let x = desk.take::<fft::Complex>("x")?;
    let y = desk.empty(x.len())?;
    fft::transform(&desk.kit(), way, len.unwrap_or(x.len()), &x, &y)?;
    desk.put("y", &y, y.len())?;
    desk.end()
}

fn filled<T: random::Random + Element>(data: &Data, count: usize, stream: random::Stream) -> Result<(), Error> {
    let mut desk = Desk::new(data, "random", &[], &["y"])?;
    let y = desk.empty::<T>(count)?;
    random::fill(&desk.kit(), stream, &y)?;
    desk.put("y", &y, count)?;
    desk.end()
}
