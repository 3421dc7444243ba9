//! Statements, one after another, whatever blocks they stand in; only scopes are kept.

use super::parse::{Fold, Lost, Parsed, Parser, wrong};
use super::token::{Kind, Token};
use super::value::Const;

impl<'a> Parser<'a> {
    /// One statement, or the part of one up to its block.
    pub(super) fn statement(&mut self) -> Parsed<()> {
        self.attributes()?;
        let token = self.next()?;
        match (token.kind, token.text) {
            // `case default:` and `default:`
            (Kind::Symbol, ";" | ":") | (Kind::Word, "else" | "loop" | "default" | "discard" | "continue") => {}
            (Kind::Symbol, "{") => self.names.open(false),
            (Kind::Symbol, "}") => {
                self.names.close();
            }
            (Kind::Word, "continuing") => {
                self.attributes()?;
                self.expect("{")?;
                self.names.open_continuing();
            }
            (Kind::Word, "if" | "while" | "switch") => {
                self.whole()?;
            }
            (Kind::Word, "break") => {
                if self.sees_word("if") {
                    self.at += 1;
                    self.whole()?;
                }
            }
            (Kind::Word, "return") => {
                if !self.sees(";") {
                    self.whole()?;
                }
            }
            (Kind::Word, "case") => {
                while !self.sees(":") && !self.sees("{") {
                    self.whole()?;
                    if !self.take(",") {
                        break;
                    }
                }
            }
            (Kind::Word, "const_assert") => self.assertion(token)?,
            (Kind::Word, "let" | "var" | "const") => self.variable(token, false)?,
            (Kind::Word, "for") => self.header()?,
            _ => {
                self.at -= 1;
                self.update()?;
            }
        }
        Ok(())
    }

    /// The header of a `for`; its variable lives until the block after it ends.
    fn header(&mut self) -> Parsed<()> {
        self.expect("(")?;
        self.names.open(true);
        if !self.take(";") {
            match self.peek().ok_or(Lost)? {
                token if ["let", "var", "const"].iter().any(|word| token.is_word(word)) => {
                    self.at += 1;
                    self.variable(token, false)?;
                }
                _ => {
                    self.update()?;
                    self.expect(";")?;
                }
            }
        }
        if !self.sees(";") {
            self.whole()?;
        }
        self.expect(";")?;
        if !self.sees(")") {
            self.update()?;
        }
        self.expect(")")?;
        Ok(())
    }

    /// An assignment, a call, `x++` or `x--`, without the semicolon.
    fn update(&mut self) -> Parsed<()> {
        let start = self.at;
        if self.sees_word("_") {
            self.at += 1;
        } else {
            let left = self.left()?;
            self.settle(&left);
        }
        let token = self.peek().ok_or(Lost)?;
        let assigns =
            token.text.ends_with('=') && token.kind == Kind::Symbol && !["==", "!=", "<=", ">="].contains(&token.text);
        let steps = if self.take("++") {
            true
        } else if token.is("-") {
            self.at += 1;
            self.expect("-")?;
            true
        } else {
            false
        };
        if assigns || steps {
            let at = std::mem::replace(&mut self.at, start);
            self.place();
            self.at = at;
        }
        if assigns {
            self.at += 1;
            self.whole()?;
        }
        Ok(())
    }

    /// `const_assert`.
    pub(super) fn assertion(&mut self, keyword: Token<'a>) -> Parsed<()> {
        let condition = self.whole()?;
        if matches!(&condition.fold, Fold::Known(constant) if *constant == Const::bool(false)) {
            let mut found = wrong("`const_assert` failed".to_owned(), keyword.start, condition.end);
            "this is false".clone_into(&mut found.labels[0].text);
            self.found.push(found);
        }
        self.expect(";")?;
        Ok(())
    }
}
