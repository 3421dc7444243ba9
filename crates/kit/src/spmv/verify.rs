//! What a product promises.

/// Whether `y` is the product of a matrix in compressed rows and `x`, up to the rounding of its operations.
pub fn verify(offsets: &[u32], columns: &[u32], entries: &[f32], x: &[f32], y: &[f32]) -> Result<(), String> {
    for (row, (ends, &found)) in offsets.windows(2).zip(y).enumerate() {
        let range = ends[0] as usize..ends[1] as usize;
        let len = range.len();
        let products = range.map(|k| f64::from(entries[k]) * f64::from(x[columns[k] as usize]));
        let (sum, size) = products.fold((0.0, 0.0), |(sum, size), product| (sum + product, size + product.abs()));
        let slack = (len + 1) as f64 * f64::from(f32::EPSILON) * size;
        if (f64::from(found) - sum).abs() > slack {
            return Err(format!("row {row} is {sum}, not {found}"));
        }
    }
    Ok(())
}
