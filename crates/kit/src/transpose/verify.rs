//! What a transpose promises.

use crate::number::Number;

/// Whether `y` has in row `c` and column `r` what `x` has in row `r` and column `c`.
pub fn verify<V: Number>((rows, columns): (usize, usize), x: &[V], y: &[V]) -> Result<(), String> {
    if x.len() != rows * columns || y.len() != x.len() {
        return Err(format!("{} and {} elements for {rows} rows of {columns}", x.len(), y.len()));
    }
    for (at, value) in x.iter().enumerate() {
        let (row, column) = (at / columns, at % columns);
        let found = &y[column * rows + row];
        if bytemuck::bytes_of(found) != bytemuck::bytes_of(value) {
            return Err(format!("{value:?} of row {row} and column {column} is {found:?}"));
        }
    }
    Ok(())
}
