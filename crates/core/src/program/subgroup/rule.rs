//! WGSL's rule `subgroup_uniformity`, and where a text makes it milder.

use std::ops::Range;

use crate::diag::Span;
use crate::program::guard;

const RULE: &str = "subgroup_uniformity";

/// All of a text.
const ALL: Range<u32> = 0..u32::MAX;

/// Where WGSL's rule `subgroup_uniformity` lets subgroups be split.
#[derive(Debug, Clone, Default)]
pub(in crate::program) struct Rule {
    /// Parts of the text, the smallest first, and whether the rule is mild there.
    parts: Vec<(Range<u32>, bool)>,
}

impl Rule {
    /// Where that is no error: in all of a text, or in what an attribute stands before.
    pub(in crate::program) fn errors(text: &str) -> Self {
        Self::of(text, &["off", "info", "warning"])
    }

    /// Where nobody wants to hear of it.
    pub(in crate::program) fn warnings(text: &str) -> Self {
        Self::of(text, &["off", "info"])
    }

    fn of(text: &str, mild: &[&str]) -> Self {
        let tokens: Vec<_> = guard::tokens(text).collect();
        let mut parts: Vec<(Range<u32>, bool)> = Vec::new();
        for (at, window) in tokens.windows(5).enumerate() {
            let [word, open, severity, comma, rule] = window else { continue };
            if word.text != "diagnostic" || open.text != "(" || comma.text != "," || rule.text != RULE {
                continue;
            }
            let is_attribute = at > 0 && tokens[at - 1].text == "@";
            let range = if is_attribute { braces(&tokens[at..]) } else { Some(ALL) };
            parts.extend(range.map(|range| (range, mild.contains(&severity.text))));
        }
        parts.sort_by_key(|(range, _)| range.len());
        Self { parts }
    }

    /// Where nobody asks for it.
    pub(in crate::program) fn off() -> Self {
        Self { parts: vec![(ALL, true)] }
    }

    /// Whether it is mild at a place: the innermost part around it decides, or, if the place is not known, what holds
    /// for all of the text.
    pub(in crate::program) fn is_mild(&self, place: Option<Span>) -> bool {
        let around = |range: &Range<u32>| place.map_or(*range == ALL, |place| range.contains(&place.start));
        self.parts.iter().find(|(range, _)| around(range)).is_some_and(|(_, mild)| *mild)
    }
}

/// From the first brace of these tokens to the one that closes it.
fn braces(tokens: &[guard::Token<'_>]) -> Option<Range<u32>> {
    let mut depth = 0_u32;
    let mut start = None;
    for token in tokens {
        match token.text {
            "{" => {
                start.get_or_insert(token.start as u32);
                depth += 1;
            }
            "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(start?..token.end() as u32);
                }
            }
            _ => {}
        }
    }
    None
}
