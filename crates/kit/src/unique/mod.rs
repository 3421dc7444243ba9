//! Unique: of equal elements in a row, the first.
//!
//! A [`compact`] of elements that differ from the one before. After a `sort`, it leaves each element
//! once. Floats are compared as WGSL compares them: zeros are equal whatever their sign, and a NaN differs from all.

mod verify;

use seawall::{Buffer, Graph};

use crate::compact::{self, Keep, Rest};
use crate::error::Error;
use crate::kit::Kit;
use crate::number::Number;

pub use verify::verify;

/// Moves the first of equal elements in a row of `x` to the beginning of `y`, in order, and tells how many.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, unique};
/// let runtime = seawall::Runtime::new()?;
/// let (x, y) = (runtime.buffer_from(&[3u32, 3, 1, 1, 1, 3])?, runtime.buffer(6)?);
/// assert_eq!(unique::unique(&Kit::new(&runtime), &x, &y)?, 3);
/// assert_eq!(y.to_vec()?[..3], [3, 1, 3]);
/// # Ok(())
/// # }
/// ```
pub fn unique<V: Number>(kit: &Kit<'_>, x: &Buffer<V>, y: &Buffer<V>) -> Result<usize, Error> {
    compact::call(kit, Keep::Heads, Rest::Dropped, x, None, y)
}

/// Adds the waves that do the same, and put the number of what is left into `total`.
pub fn stage<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    x: &str,
    y: &str,
    total: &str,
) -> Result<(), Error> {
    compact::stage::<V>(kit, graph, name, Keep::Heads, x, y, total)
}
