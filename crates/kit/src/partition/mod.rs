//! Partition: those elements that are wanted, and then all others, each in order.
//!
//! A [`compact`] that moves the others as well: of the elements up to a place, those that are not wanted are as many
//! as those that are there less those that are wanted.

mod verify;

use seawall::{Buffer, Graph};

use crate::compact::{self, Keep, Rest};
use crate::error::Error;
use crate::kit::{Kit, expect, len_of};
use crate::number::Number;

pub use verify::verify;

/// Moves the elements of `x` for which an expression is true to the beginning of `y`, and the others behind them,
/// each in order, and tells how many it is true for. It is WGSL and knows `value`, the element, and `i`, its place.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, partition};
/// let runtime = seawall::Runtime::new()?;
/// let (x, y) = (runtime.buffer_from(&[3i32, -1, 4, -1, 5])?, runtime.buffer(5)?);
/// assert_eq!(partition::partition(&Kit::new(&runtime), "value < 0", &x, &y)?, 2);
/// assert_eq!(y.to_vec()?, [-1, -1, 3, 4, 5]);
/// # Ok(())
/// # }
/// ```
pub fn partition<V: Number>(kit: &Kit<'_>, first: &str, x: &Buffer<V>, y: &Buffer<V>) -> Result<usize, Error> {
    expect("y", y.len(), x.len())?;
    compact::call(kit, Keep::Where(first), Rest::Behind, x, None, y)
}

/// The same by flags: those elements whose flag is not zero come first.
pub fn flagged<V: Number>(kit: &Kit<'_>, x: &Buffer<V>, flags: &Buffer<u32>, y: &Buffer<V>) -> Result<usize, Error> {
    expect("y", y.len(), x.len())?;
    expect("flags", flags.len(), x.len())?;
    compact::call(kit, Keep::Flags("flags"), Rest::Behind, x, Some(flags), y)
}

/// Adds the waves that move all of `x` to `y`, those first that `first` keeps, and the number of those to `total`.
pub fn stage<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    first: Keep<'_>,
    x: &str,
    y: &str,
    total: &str,
) -> Result<(), Error> {
    expect(y, len_of::<V>(graph, y)?, len_of::<V>(graph, x)?)?;
    compact::add::<V>(kit, graph, name, first, Rest::Behind, x, y, total)
}
