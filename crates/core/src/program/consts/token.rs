//! WGSL's tokens, with template lists found as the language says (§3.9 of its specification).

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Symbol,
    /// The `<` of a template list.
    Open,
    /// The `>` of a template list.
    Close,
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) start: usize,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is(&self, symbol: &str) -> bool {
        self.kind == Kind::Symbol && self.text == symbol
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }
}

pub(super) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Symbols of several characters, longest first. `--` is not among them: the longest token that
/// the grammar takes at its place is meant, which is `--` only at the end of a statement.
const LONG: [&str; 20] = [
    "<<=", ">>=", "->", "++", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
    "^=",
];

/// All tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let raw = raw(text);
    let marks = templates(&raw);
    let mut tokens: Vec<Token<'_>> = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        let mut token = raw[at];
        at += 1;
        match marks[at - 1] {
            Some(kind) => token.kind = kind,
            None if token.kind == Kind::Symbol => {
                let rest = &text[token.start..];
                // A template list ends before a symbol that its `>` could begin.
                let whole = |long: &str| {
                    rest.starts_with(long)
                        && (1..long.len()).all(|i| marks.get(at - 1 + i).is_some_and(Option::is_none))
                };
                if let Some(long) = LONG.iter().find(|long| whole(long)) {
                    token.text = &text[token.start..token.start + long.len()];
                    at += long.len() - 1;
                }
            }
            None => {}
        }
        tokens.push(token);
    }
    tokens
}

/// Words and numbers whole, everything else character by character, comments skipped.
fn raw(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let (start, rest) = (at, &text[at..]);
        let (kind, len) = if rest.starts_with("//") {
            at += rest.find(['\n', '\u{b}', '\u{c}', '\r', '\u{85}', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            at += super::super::guard::block_comment(rest);
            continue;
        } else if c.is_ascii_digit() || c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            (Kind::Number, number(rest))
        } else if is_word_char(c) {
            (Kind::Word, rest.find(|c| !is_word_char(c)).unwrap_or(rest.len()))
        } else if c.is_whitespace() || c == '\u{200e}' || c == '\u{200f}' {
            at += c.len_utf8();
            continue;
        } else {
            (Kind::Symbol, c.len_utf8())
        };
        at += len;
        tokens.push(Token { kind, text: &text[start..at], start });
    }
    tokens
}

/// Bytes of the number at the start of a text, with its suffix.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut at = if hex { 2 } else { 0 };
    while let Some(&byte) = bytes.get(at) {
        let exponent = if hex { b"pP" } else { b"eE" }.contains(&byte);
        let signed = exponent && matches!(bytes.get(at + 1), Some(b'+' | b'-'));
        if signed {
            at += 2;
        } else if byte == b'.' || byte.is_ascii_alphanumeric() || byte == b'_' {
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// Which raw tokens are the brackets of template lists.
fn templates(raw: &[Token<'_>]) -> Vec<Option<Kind>> {
    let mut marks = vec![None; raw.len()];
    // Where a list may have begun, and how deep in round and square brackets that was.
    let mut pending: Vec<(usize, usize)> = Vec::new();
    let mut depth = 0_usize;
    let mut at = 0;
    let touching = |at: usize, text: &str| {
        raw.get(at).is_some_and(|token| token.is(text) && at > 0 && raw[at - 1].end() == token.start)
    };
    while at < raw.len() {
        let token = raw[at];
        at += 1;
        match (token.kind, token.text) {
            (Kind::Word, _) if raw.get(at).is_some_and(|next| next.is("<")) => {
                pending.push((at, depth));
                at += 1;
                if touching(at, "<") || touching(at, "=") {
                    pending.pop();
                    at += 1;
                }
            }
            (Kind::Symbol, ">") => {
                if let Some(&(open, _)) = pending.last().filter(|(_, at)| *at == depth) {
                    pending.pop();
                    (marks[open], marks[at - 1]) = (Some(Kind::Open), Some(Kind::Close));
                } else if touching(at, "=") {
                    at += 1;
                }
            }
            (Kind::Symbol, "(" | "[") => depth += 1,
            (Kind::Symbol, ")" | "]") => {
                while pending.pop_if(|(_, at)| *at >= depth).is_some() {}
                depth = depth.saturating_sub(1);
            }
            (Kind::Symbol, "!" | "=") if touching(at, "=") => at += 1,
            (Kind::Symbol, "=" | ";" | "{" | ":") => {
                depth = 0;
                pending.clear();
            }
            (Kind::Symbol, "&" | "|") if touching(at, token.text) => {
                at += 1;
                while pending.pop_if(|(_, at)| *at >= depth).is_some() {}
            }
            _ => {}
        }
    }
    marks
}
