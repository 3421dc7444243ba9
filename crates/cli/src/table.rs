//! Small matters of text: aligned columns, numbers of things.

/// `1 element`, `2 elements`
pub(crate) fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
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
