//! All-reduces, of numbers of each type.

use bytemuck::Pod;
use mpi::collective::SystemOperation;
use mpi::request::LocalScope;
use mpi::traits::{CommunicatorCollectives, Equivalence};

use crate::cluster::Cluster;
use crate::exchange::{Op, Order, Scalar};

/// Numbers that become one on all ranks. In the order of ranks, `to` has room for those of each.
pub(crate) struct Reduction<'a> {
    pub(crate) sent: &'a [u8],
    pub(crate) to: &'a mut [u8],
    pub(crate) op: Op,
    pub(crate) order: Order,
}

/// Something under way: waits for it.
pub(crate) type Pending<'a> = Box<dyn FnOnce() + 'a>;

trait Number: Equivalence + Pod {
    fn fold(op: Op, a: Self, b: Self) -> Self;
    /// What a rank says that is well, and one that is not: of several, the latter wins.
    fn voice(op: Op, well: bool) -> Self;
}

macro_rules! numbers {
    ($($ty:ty, $add:expr, $or:expr;)*) => {$(
        impl Number for $ty {
            fn fold(op: Op, a: Self, b: Self) -> Self {
                match op {
                    Op::Sum => $add(a, b),
                    Op::Min => a.min(b),
                    Op::Max => a.max(b),
                    Op::Or => $or(a, b),
                }
            }

            fn voice(op: Op, well: bool) -> Self {
                u8::from(well == (op == Op::Min)).into()
            }
        }
    )*};
}
numbers! {
    u32, u32::wrapping_add, |a, b| a | b;
    i32, i32::wrapping_add, |a, b| a | b;
    u64, u64::wrapping_add, |a, b| a | b;
    i64, i64::wrapping_add, |a, b| a | b;
    f32, |a, b| a + b, |_, _| unreachable!("invariant fits: floats have no bits to be joined");
    f64, |a, b| a + b, |_, _| unreachable!("invariant fits: floats have no bits to be joined");
}

/// Calls a function for the type that a scalar is.
macro_rules! typed {
    ($scalar:expr, $function:ident ( $($argument:expr),* )) => {
        match $scalar {
            Scalar::U32 => $function::<u32>($($argument),*),
            Scalar::I32 => $function::<i32>($($argument),*),
            Scalar::F32 => $function::<f32>($($argument),*),
            Scalar::U64 => $function::<u64>($($argument),*),
            Scalar::I64 => $function::<i64>($($argument),*),
            Scalar::F64 => $function::<f64>($($argument),*),
        }
    };
}

/// Says in the last number whether this rank is well.
pub(crate) fn flag(scalar: Scalar, op: Op, sent: &mut [u8], well: bool) {
    fn set<T: Number>(op: Op, sent: &mut [u8], well: bool) {
        if let Some(last) = bytemuck::cast_slice_mut::<u8, T>(sent).last_mut() {
            *last = T::voice(op, well);
        }
    }
    typed!(scalar, set(op, sent, well));
}

/// Whether the last number says that a rank was not well.
pub(crate) fn flagged(scalar: Scalar, op: Op, got: &[u8]) -> bool {
    fn is_set<T: Number>(op: Op, got: &[u8]) -> bool {
        // Ranks that are well leave nothing behind, or for a minimum nothing less.
        let well = T::voice(op, true);
        bytemuck::cast_slice::<u8, T>(got)
            .last()
            .is_some_and(|said| bytemuck::bytes_of(said) != bytemuck::bytes_of(&well))
    }
    typed!(scalar, is_set(op, got))
}

/// Folds what came from all ranks, part by part. The shares of a part lie behind each other, and what they come to
/// goes before all that is not folded yet.
pub(crate) fn fold(scalar: Scalar, op: Op, got: &mut [u8], ranks: usize, bytes: usize, part_bytes: usize) {
    fn all<T: Number>(op: Op, got: &mut [u8], ranks: usize, bytes: usize, part_bytes: usize) {
        let (got, len) = (bytemuck::cast_slice_mut::<u8, T>(got), bytes / size_of::<T>());
        let part = part_len::<T>(part_bytes);
        for first in (0..len).step_by(part) {
            let len = part.min(len - first);
            for at in 0..len {
                let of = |rank: usize| got[ranks * first + rank * len + at];
                got[first + at] = (1..ranks).fold(of(0), |sum, rank| T::fold(op, sum, of(rank)));
            }
        }
    }
    typed!(scalar, all(op, got, ranks, bytes, part_bytes));
}

fn part_len<T>(part_bytes: usize) -> usize {
    (part_bytes / size_of::<T>()).max(1)
}

fn system(op: Op) -> SystemOperation {
    match op {
        Op::Sum => SystemOperation::sum(),
        Op::Min => SystemOperation::min(),
        Op::Max => SystemOperation::max(),
        Op::Or => SystemOperation::bitwise_or(),
    }
}

/// Reduces, and waits for it.
pub(crate) fn run(scalar: Scalar, cluster: &Cluster, reduction: &mut Reduction<'_>) {
    fn typed<T: Number>(cluster: &Cluster, reduction: &mut Reduction<'_>) {
        let Reduction { op, order, .. } = *reduction;
        for (sent, to) in parts::<T>(cluster, reduction) {
            match order {
                Order::Any => cluster.comm.all_reduce_into(sent, to, system(op)),
                Order::Ranks => cluster.comm.all_gather_into(sent, to),
            }
        }
    }
    typed!(scalar, typed(cluster, reduction));
}

/// Starts to reduce.
pub(crate) fn start<'b, 's: 'b>(
    scalar: Scalar,
    cluster: &Cluster,
    reduction: &'s mut Reduction<'_>,
    scope: &'b LocalScope<'s>,
    pending: &mut Vec<Pending<'b>>,
) {
    fn typed<'b, 's: 'b, T: Number>(
        cluster: &Cluster,
        reduction: &'s mut Reduction<'_>,
        scope: &'b LocalScope<'s>,
        pending: &mut Vec<Pending<'b>>,
    ) {
        let Reduction { op, order, .. } = *reduction;
        for (sent, to) in parts::<T>(cluster, reduction) {
            let request = match order {
                Order::Any => cluster.comm.immediate_all_reduce_into(scope, sent, to, system(op)),
                Order::Ranks => cluster.comm.immediate_all_gather_into(scope, sent, to),
            };
            pending.push(Box::new(|| request.wait_without_status()));
        }
    }
    match scalar {
        Scalar::U32 => typed::<u32>(cluster, reduction, scope, pending),
        Scalar::I32 => typed::<i32>(cluster, reduction, scope, pending),
        Scalar::F32 => typed::<f32>(cluster, reduction, scope, pending),
        Scalar::U64 => typed::<u64>(cluster, reduction, scope, pending),
        Scalar::I64 => typed::<i64>(cluster, reduction, scope, pending),
        Scalar::F64 => typed::<f64>(cluster, reduction, scope, pending),
    }
}

/// As much as MPI can count: what is sent, and where what comes of it goes.
fn parts<'s, T: Number>(
    cluster: &Cluster,
    reduction: &'s mut Reduction<'_>,
) -> impl Iterator<Item = (&'s [T], &'s mut [T])> {
    let shares = if reduction.order == Order::Ranks { cluster.ranks() } else { 1 };
    let part = part_len::<T>(cluster.part_bytes());
    let (sent, to) = (bytemuck::cast_slice(reduction.sent), bytemuck::cast_slice_mut(reduction.to));
    sent.chunks(part).zip(to.chunks_mut(part * shares))
}
