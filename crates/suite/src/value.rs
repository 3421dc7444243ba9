//! The bytes of a buffer, as text: `u32[1, 2] pad[8] (f32[0.5] ~ 2ulp) x 3`.

use crate::number::{Kind, Want};

/// The most numbers that one value may have, so that a slip of the pen cannot eat the memory.
const CELLS_MAX: usize = 1 << 22;

/// How far a float may be from what is expected; either bound will do.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Within {
    /// Units in the last place.
    pub ulp: u64,
    /// Absolute difference.
    pub abs: f64,
}

/// One piece of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// A byte that means nothing.
    Pad,
    /// A number.
    Number {
        /// Its type.
        kind: Kind,
        /// What it should be.
        want: Want,
        /// How exactly.
        within: Within,
    },
}

/// Reads a value.
pub fn parse(text: &str) -> Result<Vec<Cell>, String> {
    let mut parser = Parser { tokens: tokens(text), at: 0 };
    let mut cells = Vec::new();
    while parser.peek().is_some() {
        parser.unit(&mut cells)?;
    }
    if cells.is_empty() { Err("an empty value".to_owned()) } else { Ok(cells) }
}

/// How many bytes the cells stand for.
pub fn size(cells: &[Cell]) -> usize {
    let bytes = |cell: &Cell| match cell {
        Cell::Pad => 1,
        Cell::Number { kind, .. } => kind.bytes(),
    };
    cells.iter().map(bytes).sum()
}

/// The bytes of a value that leaves nothing open: an input.
pub fn bytes(cells: &[Cell]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(size(cells));
    for cell in cells {
        let Cell::Number { kind, want, within } = *cell else {
            bytes.push(0);
            continue;
        };
        if within != Within::default() {
            return Err("a tolerance makes no sense in an input".to_owned());
        }
        let bits = match want {
            Want::Bits(bits) => bits,
            Want::Nan => kind.float_bits(f64::NAN),
            Want::Any | Want::Unknown => return Err("`_` and `?` make no sense in an input".to_owned()),
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..kind.bytes()]);
    }
    Ok(bytes)
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for word in text.split_whitespace() {
        let mut rest = word;
        while !rest.is_empty() {
            let cut = rest.find(['[', ']', '(', ')', ',', '~']).map_or(rest.len(), |at| at.max(1));
            tokens.push(&rest[..cut]);
            rest = &rest[cut..];
        }
    }
    tokens
}

struct Parser<'a> {
    tokens: Vec<&'a str>,
    at: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Result<&'a str, String> {
        let token = self.peek().ok_or("the value ends too early")?;
        self.at += 1;
        Ok(token)
    }

    fn take(&mut self, token: &str) -> bool {
        let there = self.peek() == Some(token);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        let got = self.next()?;
        if got == token { Ok(()) } else { Err(format!("expected `{token}`, found `{got}`")) }
    }

    /// Runs, or a list of them, perhaps repeated.
    fn unit(&mut self, cells: &mut Vec<Cell>) -> Result<(), String> {
        let start = cells.len();
        if self.take("(") {
            while !self.take(")") {
                self.unit(cells)?;
            }
        } else {
            self.run(cells)?;
        }
        self.repeat(cells, start)
    }

    fn run(&mut self, cells: &mut Vec<Cell>) -> Result<(), String> {
        let name = self.next()?;
        self.expect("[")?;
        if name == "pad" {
            let count = self.count()?;
            self.expect("]")?;
            cells.push(Cell::Pad);
            return multiply(cells, cells.len() - 1, count);
        }
        let kind = Kind::named(name).ok_or_else(|| format!("there is no type `{name}`"))?;
        let start = cells.len();
        self.list(kind, "]", cells)?;
        let within = if self.take("~") { self.tolerance()? } else { return Ok(()) };
        if !kind.is_float() {
            return Err(format!("a tolerance makes no sense for {name}"));
        }
        for cell in &mut cells[start..] {
            if let Cell::Number { within: exact, .. } = cell {
                *exact = within;
            }
        }
        Ok(())
    }

    fn tolerance(&mut self) -> Result<Within, String> {
        let mut within = Within::default();
        while let Some(word) = self.peek() {
            if let Some(ulp) = word.strip_suffix("ulp") {
                within.ulp = ulp.parse().map_err(|_| format!("`{word}` is not a tolerance"))?;
            } else if word == "abs" {
                self.at += 1;
                let bound = self.next()?;
                within.abs = bound.parse().map_err(|_| format!("`{bound}` is not a tolerance"))?;
            } else {
                break;
            }
            self.at += usize::from(word != "abs");
        }
        let some = within.ulp > 0 || within.abs > 0.0 && within.abs.is_finite();
        if some { Ok(within) } else { Err("expected a tolerance such as `4ulp` or `abs 1e-5`".to_owned()) }
    }

    fn list(&mut self, kind: Kind, end: &str, cells: &mut Vec<Cell>) -> Result<(), String> {
        while !self.take(end) {
            let start = cells.len();
            if self.take("(") {
                self.list(kind, ")", cells)?;
            } else {
                self.number(kind, cells)?;
            }
            self.repeat(cells, start)?;
            if self.peek() != Some(end) {
                self.expect(",")?;
            }
        }
        Ok(())
    }

    fn number(&mut self, kind: Kind, cells: &mut Vec<Cell>) -> Result<(), String> {
        let word = self.next()?;
        let cell = |want| Cell::Number { kind, want, within: Within::default() };
        let Some((from, to)) = word.split_once("..") else {
            cells.push(cell(kind.want(word)?));
            return Ok(());
        };
        let step = if self.take("by") { self.next()? } else { "1" };
        let float = |word: &str| word.parse::<f64>().map_err(|_| format!("`{word}` is not a number"));
        let (from, to, step) = (float(from)?, float(to)?, float(step)?);
        let count = ((to - from) / step).ceil();
        if !(1.0..=CELLS_MAX as f64).contains(&count) {
            return Err(format!("`{word}` is empty or has no end"));
        }
        for i in 0..count as u64 {
            let value = from + step * i as f64;
            let bits =
                if kind.is_float() { kind.float_bits(value) } else { kind.mask(kind.integer(&value.to_string())?) };
            cells.push(cell(Want::Bits(bits)));
        }
        Ok(())
    }

    fn count(&mut self) -> Result<usize, String> {
        let word = self.next()?;
        word.parse().map_err(|_| format!("`{word}` is not a count"))
    }

    fn repeat(&mut self, cells: &mut Vec<Cell>, start: usize) -> Result<(), String> {
        let count = if self.take("x") { self.count()? } else { 1 };
        multiply(cells, start, count)
    }
}

/// Repeats what stands from `start` on.
fn multiply(cells: &mut Vec<Cell>, start: usize, count: usize) -> Result<(), String> {
    let len = cells.len() - start;
    if len.checked_mul(count).is_none_or(|total| start + total > CELLS_MAX) {
        return Err(format!("more than {CELLS_MAX} numbers"));
    }
    if count == 0 {
        return Err("a count of zero".to_owned());
    }
    for _ in 1..count {
        cells.extend_from_within(start..start + len);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(text: &str) -> Vec<u8> {
        bytes(&parse(text).unwrap()).unwrap()
    }

    fn words(text: &str) -> Vec<u32> {
        flat(text).chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    #[test]
    fn reads_numbers() {
        assert_eq!(words("u32[1, 0xff, 4294967295]"), [1, 255, u32::MAX]);
        assert_eq!(words("i32[-1, -2147483648, 7]"), [u32::MAX, 1 << 31, 7]);
        assert_eq!(
            words("f32[1, -0.0, 0x3f800000, inf, 1e-3]"),
            [0x3f80_0000, 1 << 31, 0x3f80_0000, 0x7f80_0000, 0x3a83_126f]
        );
        assert_eq!(flat("u8[1, 255]"), [1, 255]);
        assert_eq!(flat("f16[1.0, -2.0]"), [0, 0x3c, 0, 0xc0]);
        assert_eq!(flat("i64[-1]"), [0xff; 8]);
        assert_eq!(flat("u64[0xffffffffffffffff]"), [0xff; 8]);
        assert_eq!(flat("f64[1.0]"), 1.0f64.to_le_bytes());
        assert!(f32::from_bits(words("f32[nan]")[0]).is_nan());
    }

    #[test]
    fn reads_repeats_and_ranges() {
        assert_eq!(words("u32[7 x 3]"), [7, 7, 7]);
        assert_eq!(words("u32[0..4]"), [0, 1, 2, 3]);
        assert_eq!(words("u32[6..0 by -2, 9]"), [6, 4, 2, 9]);
        assert_eq!(words("u32[(1, 2) x 2, 3]"), [1, 2, 1, 2, 3]);
        assert_eq!(words("u32[((1) x 2, 0..2) x 2]"), [1, 1, 0, 1, 1, 1, 0, 1]);
        assert_eq!(words("f32[0..1 by 0.5]"), [0, 0x3f00_0000]);
        assert_eq!(words("(u32[1] pad[4] u32[2]) x 2"), [1, 0, 2, 1, 0, 2]);
        assert_eq!(words("u32[1, 2,]"), [1, 2]);
    }

    #[test]
    fn keeps_what_is_open() {
        let cells = parse("f32[nan, _] ~ 4ulp abs 1e-5 u32[?]").unwrap();
        let within = Within { ulp: 4, abs: 1e-5 };
        let number = |kind, want, within| Cell::Number { kind, want, within };
        let expected = [
            number(Kind::F32, Want::Nan, within),
            number(Kind::F32, Want::Any, within),
            number(Kind::U32, Want::Unknown, Within::default()),
        ];
        assert_eq!(cells, expected);
        assert_eq!(size(&cells), 12);
    }

    #[test]
    fn refuses_nonsense() {
        for text in [
            "",
            "u32",
            "u32[",
            "u32[1",
            "u32[1 2]",
            "u32[-1]",
            "u32[4294967296]",
            "u32[1.5]",
            "u32[nan]",
            "i32[--1]",
            "u33[1]",
            "f32[1e99]",
            "f32[f]",
            "f32[infinity]",
            "u32[0..0]",
            "u32[0..4 by 0]",
            "u32[0..4 by -1]",
            "u32[0..4 by 0.3]",
            "u32[1 x]",
            "u32[1 x -1]",
            "u32[1 x 0]",
            "u32[0 x 4000000000]",
            "u32[1] ~ 4ulp",
            "f32[1] ~",
            "f32[1] ~ 4",
            "f32[1] ~ abs",
            "f32[1] ~ abs nan",
            "pad[]",
            "pad[0]",
            "(u32[1]",
            "u32[1])",
            "u32[1] x",
            "u8[256]",
            "f16[1e6]",
            "f32[0x1ffffffff]",
        ] {
            assert!(parse(text).is_err(), "{text:?} was read as {:?}", parse(text));
        }
    }

    #[test]
    fn inputs_leave_nothing_open() {
        for text in ["u32[_]", "u32[?]", "f32[1] ~ 1ulp"] {
            assert!(bytes(&parse(text).unwrap()).is_err(), "{text:?}");
        }
    }
}
