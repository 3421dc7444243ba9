//! naga's texts as ours are written.

/// The types of numbers that have no type yet, as the specification calls them.
pub(super) fn typeless(text: &str) -> String {
    text.replace("{AbstractInt}", "AbstractInt").replace("{AbstractFloat}", "AbstractFloat")
}

/// Lower case at the start, no full stop, no handles of naga's arenas.
pub(super) fn tidy(text: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in text.split(' ') {
        let core = word.trim_end_matches([',', ':', ';', '.']);
        let core = core.strip_prefix("Some(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(core);
        let handle = core.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some(digits) = handle.filter(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())) {
            // An index is one of the program's own.
            if words.last() == Some(&"index") {
                words.push(digits);
            }
            continue;
        }
        words.push(word);
    }
    let text = typeless(&words.join(" "));
    let text = text.trim_end_matches('.');
    let mut chars = text.chars();
    match (chars.next(), chars.as_str()) {
        // A word in capitals stays: WGSL, NaN.
        (Some(first), rest) if !rest.starts_with(|c: char| c.is_uppercase()) => {
            first.to_lowercase().chain(rest.chars()).collect()
        }
        _ => text.to_owned(),
    }
}
