//! Sorting what is too long to be sorted at once.
//!
//! From the most significant digit on: keys are counted by their first bits, bins that follow each other are gathered
//! until a part is full, and what is in them is [compacted](crate::compact) out of all keys, in their order, and sorted.
//! A bin that is longer than a part is counted again by the bits that follow; with all bits known its keys are all the
//! same, and in order as they are. All keys are read once for each part that comes out.

use seawall::Buffer;

use super::{Order, bits};
use crate::compact::{self, Keep, Sign};
use crate::error::Error;
use crate::gather;
use crate::histogram;
use crate::kit::Kit;
use crate::number::Number;

/// Bits that are counted at once.
const DIGIT: u32 = 11;

/// Keys whose bits from `shift` on are known, and lie between two numbers, both included.
struct Bins {
    shift: u32,
    first: u64,
    last: u64,
    count: usize,
}

pub(super) fn keys<T: Number>(kit: &Kit<'_>, order: Order, x: &Buffer<T>, y: &Buffer<T>) -> Result<(), Error> {
    let mut to = 0;
    for bins in all(kit, order, x)? {
        let keep = bins.keep::<T>(order);
        let found = kit.runtime().buffer::<T>(bins.count)?;
        compact::parts::<T, T>(kit, Keep::Where(&keep), Sign::As, "x[at]", x, None, &found, 0)?;
        let sorted = kit.runtime().buffer::<T>(bins.count)?;
        if bins.count <= kit.part(size_of::<T>()) {
            super::keys(kit, order, &found, &sorted)?;
        } else {
            sorted.copy_from(&found)?;
        }
        to += copy(kit, &sorted, y, to)?;
    }
    Ok(())
}

pub(super) fn pairs<T: Number, V: Number>(
    kit: &Kit<'_>,
    order: Order,
    (x, values): (&Buffer<T>, &Buffer<V>),
    (y, sorted_values): (&Buffer<T>, &Buffer<V>),
) -> Result<(), Error> {
    let mut to = 0;
    for bins in all(kit, order, x)? {
        let (keep, runtime) = (bins.keep::<T>(order), kit.runtime());
        let (found, places) = (runtime.buffer::<T>(bins.count)?, runtime.buffer::<u32>(bins.count)?);
        compact::parts::<T, T>(kit, Keep::Where(&keep), Sign::As, "x[at]", x, None, &found, 0)?;
        compact::parts::<T, u32>(kit, Keep::Where(&keep), Sign::As, "i", x, None, &places, 0)?;
        let own = runtime.buffer::<V>(bins.count)?;
        gather::gather(kit, values, &places, &own)?;
        let (sorted, moved) = (runtime.buffer::<T>(bins.count)?, runtime.buffer::<V>(bins.count)?);
        if bins.count <= part::<T, V>(kit) {
            super::pairs(kit, order, (&found, &own), (&sorted, &moved))?;
        } else {
            sorted.copy_from(&found)?;
            moved.copy_from(&own)?;
        }
        copy(kit, &moved, sorted_values, to)?;
        to += copy(kit, &sorted, y, to)?;
    }
    Ok(())
}

/// Keys and values that are sorted at once.
fn part<T, V>(kit: &Kit<'_>) -> usize {
    kit.part(size_of::<T>().max(size_of::<V>()))
}

/// Copies to a place that devices cannot bind, and tells how many elements.
fn copy<T: Number>(kit: &Kit<'_>, from: &Buffer<T>, y: &Buffer<T>, to: usize) -> Result<usize, Error> {
    compact::parts::<T, T>(kit, Keep::Where("true"), Sign::As, "x[at]", from, None, y, to)
}

/// Bins in the order of keys, none of which is longer than a part unless all of its keys are the same.
fn all<T: Number>(kit: &Kit<'_>, order: Order, x: &Buffer<T>) -> Result<Vec<Bins>, Error> {
    let (wide, most) = (8 * size_of::<T>() as u32, kit.part(8));
    let (mut done, mut open) = (Vec::<Bins>::new(), vec![Bins { shift: wide, first: 0, last: 0, count: x.len() }]);
    while let Some(bins) = open.pop() {
        if bins.count == 0 {
            continue;
        }
        if bins.count <= most || bins.shift == 0 {
            match done.last_mut() {
                // Whatever is between them is empty.
                Some(before) if before.shift == bins.shift && before.count + bins.count <= most => {
                    (before.last, before.count) = (bins.last, before.count + bins.count);
                }
                _ => done.push(bins),
            }
            continue;
        }
        let digit = DIGIT.min(bins.shift);
        let (shift, digits) = (bins.shift - digit, 1usize << digit);
        let counts = kit.runtime().buffer::<u32>(digits)?;
        // The bits above are known, and there are none above all.
        let known =
            if bins.shift == wide { "true".to_owned() } else { within::<T>(order, bins.shift, bins.first, bins.first) };
        let bin = format!("select({digits}u, {} & {}u, {known})", number::<T>(order, shift), digits - 1);
        histogram::histogram(kit, &bin, x, &counts)?;
        let inner = |(at, count): (usize, u32)| {
            let first = bins.first << digit | at as u64;
            Bins { shift, first, last: first, count: count as usize }
        };
        // The last one is opened first.
        open.extend(counts.to_vec()?.into_iter().enumerate().map(inner).rev());
    }
    Ok(done)
}

impl Bins {
    /// Whether a key is in one of them, as WGSL.
    fn keep<T: Number>(&self, order: Order) -> String {
        within::<T>(order, self.shift, self.first, self.last)
    }
}

/// An unsigned number as long as a key, in the order that is wanted.
fn ordered<T: Number>(order: Order) -> String {
    let not = match order {
        Order::Ascending => "",
        Order::Descending => "~",
    };
    format!("{not}({})", bits::<T>().replace("key", "value"))
}

/// The low word of what is left of it after a shift.
fn number<T: Number>(order: Order, shift: u32) -> String {
    format!("u32(({}) >> {shift}u)", ordered::<T>(order))
}

/// Whether what is left of it after a shift is between two numbers.
fn within<T: Number>(order: Order, shift: u32, first: u64, last: u64) -> String {
    let (of, left) = (if size_of::<T>() == 8 { "lu" } else { "u" }, ordered::<T>(order));
    format!("(({left}) >> {shift}u) >= {first}{of} && (({left}) >> {shift}u) <= {last}{of}")
}
