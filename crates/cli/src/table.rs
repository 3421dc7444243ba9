//! Small matters of text: aligned columns, numbers of things, times.

use std::time::Duration;

/// `1 element`, `2 elements`
pub(crate) fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// A time as one reads it: `0.009 ms`, `12.3 ms`, `4.56 s`.
pub(crate) fn time(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    match milliseconds {
        ..1.0 => format!("{milliseconds:.3} ms"),
        ..10.0 => format!("{milliseconds:.2} ms"),
        ..10_000.0 => format!("{milliseconds:.1} ms"),
        _ => format!("{:.2} s", time.as_secs_f64()),
    }
}

/// Rows as lines, each indented by two spaces, columns two spaces apart.
pub(crate) fn lines(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("  {cell:<width$}"));
        text.push_str(cells.collect::<String>().trim_end());
        text.push('\n');
    }
    text
}
