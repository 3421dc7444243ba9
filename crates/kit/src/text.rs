//! WGSL with parameters.
//!
//! The files of the kit are WGSL as they stand, and what varies is lines of their own: `alias T = u32;`,
//! `const LANES = 64u;`, `fn combine(a: T, b: T) -> T { return a + b; }`. Another line is put in the place of the
//! one that begins in the same way. A file stays something that tools can read and check, and there is one rule for
//! types, sizes and functions alike, where overrides know only numbers.

/// The text with these lines for those that begin as they do, up to the `=` or `(`.
pub(crate) fn with(text: &str, lines: &[String]) -> String {
    let mut all = String::with_capacity(text.len());
    let mut used = vec![false; lines.len()];
    for line in text.lines() {
        let at = lines.iter().position(|other| same_beginning(line, other));
        if let Some(at) = at {
            used[at] = true;
        }
        all.push_str(at.map_or(line, |at| &lines[at]));
        all.push('\n');
    }
    let unused = used.iter().position(|used| !used).map(|at| &lines[at]);
    assert!(unused.is_none(), "invariant text: there is a line for each that varies: {unused:?}");
    all
}

fn same_beginning(line: &str, other: &str) -> bool {
    let head = |line: &str| line.find(['=', '(']).map(|end| line[..end].trim_end().to_owned());
    head(other).is_some_and(|other| head(line).is_some_and(|line| line == other))
}

#[cfg(test)]
mod tests {
    use super::with;

    #[test]
    fn lines_are_replaced_by_their_beginning() {
        let text = "alias T = u32;\nalias Two = u32;\nfn f(a: T) -> T { return a; }\nfn g() { f(1u); }";
        let lines = ["alias T = f32;".to_owned(), "fn f(a: T) -> T { return -a; }".to_owned()];
        let expected = "alias T = f32;\nalias Two = u32;\nfn f(a: T) -> T { return -a; }\nfn g() { f(1u); }\n";
        assert_eq!(with(text, &lines), expected);
    }

    #[test]
    #[should_panic(expected = "invariant text: there is a line for each that varies: Some(\"const N = 2u;\")")]
    fn a_line_for_nothing_is_noticed() {
        with("alias T = u32;", &["const N = 2u;".to_owned()]);
    }
}
