//! What a parser says about a file, in words of the file: it speaks of the types that we read it into,
//! which are nobody's business.

use std::ops::Range;

use seawall::diag::closest;

/// A mistake in the text: what is wrong, and what else there is to say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) message: String,
    pub(crate) help: Vec<String>,
}

/// Puts a message of the parser about a place of the text into words.
pub(crate) fn words(message: &str, text: &str, span: Option<&Range<usize>>) -> Said {
    // The parser speaks in several lines; the first says what is wrong.
    let mut lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let mut help: Vec<String> = lines.map(str::to_owned).collect();
    let key = span.and_then(|span| key(text, span.start));
    let message = if let Some((found, expected)) = mismatch(first) {
        format!("expected {}, found {}", shape(expected, key), thing(found))
    } else if let Some(field) = first.strip_prefix("missing field ") {
        format!("{field} is missing")
    } else if let Some((field, known)) = first.strip_prefix("unknown field ").and_then(|rest| rest.split_once(", ")) {
        let field = field.trim_matches('`');
        let known = known.trim_start_matches("expected one of ").trim_start_matches("expected ").replace('`', "");
        help.push(match closest(field, known.split(", ")) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys here are {known}"),
        });
        format!("`{field}` is no key here")
    } else {
        first.to_owned()
    };
    Said { message, help }
}

/// The same of JSON, in one line with its place.
pub(crate) fn of_json(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let Some(message) = text.strip_suffix(&place) else { return text };
    let Said { message, help } = words(message, "", None);
    let all = [vec![message], help].concat().join("; ");
    format!("line {}, column {}: {all}", error.line(), error.column())
}

/// What was found and what was expected.
fn mismatch(message: &str) -> Option<(&str, &str)> {
    let (kind, rest) = message.split_once(' ')?;
    let rest = match (kind, rest.split_once(' ')?) {
        ("invalid", ("type:" | "value:", rest)) => rest,
        ("invalid", ("length", _)) => rest,
        _ => return None,
    };
    rest.split_once(", expected ")
}

/// A value of the file.
fn thing(found: &str) -> String {
    let quoted = |rest: &str| rest.trim_matches('`').to_owned();
    match found.split_once(' ') {
        _ if found == "sequence" => "a list".to_owned(),
        _ if found == "map" => "a table".to_owned(),
        Some(("integer", number)) => quoted(number),
        Some(("floating", rest)) => quoted(rest.trim_start_matches("point ")),
        Some(("boolean", value)) => quoted(value),
        Some(("string", text)) => format!("the text {text}"),
        Some(("length", n)) => format!("a list of {n}"),
        _ => found.to_owned(),
    }
}

/// What a key takes.
fn shape(expected: &str, key: Option<&str>) -> String {
    let key = key.unwrap_or("");
    match (expected, key) {
        ("a sequence", "wave") => "tables that begin with [[wave]]".to_owned(),
        ("a sequence", "after" | "queues") => "a list, such as [\"NAME\"]".to_owned(),
        ("a sequence", _) => "a list".to_owned(),
        ("a map", "buffers" | "values" | "loops" | "branches" | "drains" | "queues") => format!("a table, [{key}]"),
        ("a map", _) => "a table, such as { NAME = … }".to_owned(),
        ("an array of length 2", "swap") => "a list of pairs, such as [[\"NOW\", \"NEXT\"]]".to_owned(),
        ("an array of length 2", _) => "a pair".to_owned(),
        ("u32", _) => format!("a whole number from 0 to {}", u32::MAX),
        ("u64", _) => "a whole number from 0 on".to_owned(),
        ("a boolean", _) => "true or false".to_owned(),
        ("a string", _) => "a text in quotes".to_owned(),
        (other, _) => other.to_owned(),
    }
}

/// The key of the value that begins at a byte, or of the list that it begins, if that is how the text goes.
fn key(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?.trim_end_matches(['[', ' ', '\n']).strip_suffix('=')?.trim_end();
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').map_or(0, |at| at + 1);
    before.get(start..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_speak_of_files() {
        for (message, key, expected) in [
            (
                "invalid type: integer `3`, expected a sequence",
                "wave",
                "expected tables that begin with [[wave]], found 3",
            ),
            (
                "invalid type: string \"a\", expected u64",
                "elements",
                "expected a whole number from 0 on, found the text \"a\"",
            ),
            (
                "invalid value: integer `-1`, expected u32",
                "limit",
                "expected a whole number from 0 to 4294967295, found -1",
            ),
            ("invalid type: floating point `1.5`, expected a boolean", "x", "expected true or false, found 1.5"),
            ("invalid type: sequence, expected a map", "buffers", "expected a table, [buffers], found a list"),
            ("invalid type: map, expected a string", "x", "expected a text in quotes, found a table"),
            (
                "invalid length 3, expected an array of length 2",
                "swap",
                "expected a list of pairs, such as [[\"NOW\", \"NEXT\"]], found a list of 3",
            ),
            ("missing field `program`", "x", "`program` is missing"),
            ("unclosed table, expected `]`", "x", "unclosed table, expected `]`"),
        ] {
            let text = format!("{{ {key} = ");
            let said = words(message, &text, Some(&(text.len()..text.len())));
            assert_eq!(said, Said { message: expected.to_owned(), help: Vec::new() });
        }
        let said = words("unknown field `elments`, expected one of `source`, `elements`\n", "", None);
        let help = vec!["did you mean `elements`?".to_owned()];
        assert_eq!(said, Said { message: "`elments` is no key here".to_owned(), help });
        let said = words("unknown field `colour`, expected `if` or `unless`", "", None);
        assert_eq!(said.help, ["the keys here are if or unless"]);
    }
}
