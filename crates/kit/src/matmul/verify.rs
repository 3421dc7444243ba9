//! What a product promises.

use super::Shape;

/// Whether `c` is the product of `a` and `b`, up to the rounding of its operations.
pub fn verify(Shape { rows, inner, columns }: Shape, a: &[f32], b: &[f32], c: &[f32]) -> Result<(), String> {
    if c.len() != rows * columns {
        return Err(format!("{} elements for {rows} rows of {columns}", c.len()));
    }
    for (at, &found) in c.iter().enumerate() {
        let (row, column) = (at / columns, at % columns);
        let products = (0..inner).map(|k| f64::from(a[row * inner + k]) * f64::from(b[k * columns + column]));
        let (sum, size) = products.fold((0.0, 0.0), |(sum, size), product| (sum + product, size + product.abs()));
        if (f64::from(found) - sum).abs() > (inner + 1) as f64 * f64::from(f32::EPSILON) * size {
            return Err(format!("row {row} and column {column} is {sum}, not {found}"));
        }
    }
    Ok(())
}

/// Whether `c` is the product of `a` in rows and `b` in columns.
pub fn verify_bytes(Shape { rows, inner, columns }: Shape, a: &[i8], b: &[i8], c: &[i32]) -> Result<(), String> {
    if c.len() != rows * columns {
        return Err(format!("{} elements for {rows} rows of {columns}", c.len()));
    }
    for (at, &found) in c.iter().enumerate() {
        let (row, column) = (at / columns, at % columns);
        let product = |k: usize| i64::from(a[row * inner + k]) * i64::from(b[column * inner + k]);
        let sum: i64 = (0..inner).map(product).sum();
        if i64::from(found) != sum {
            return Err(format!("row {row} and column {column} is {sum}, not {found}"));
        }
    }
    Ok(())
}
