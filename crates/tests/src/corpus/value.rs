//! The bytes of a buffer, as text: `u32[1, 2] pad[8] (f32[0.5] ~ 2ulp) x 3`.

use half::f16;

/// The most numbers that one value may have, so that a slip of the pen cannot eat the memory.
const CELLS_MAX: usize = 1 << 22;

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A byte.
    U8,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// `f16`
    F16,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

/// What is expected of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Want {
    /// These bits.
    Bits(u64),
    /// Any NaN.
    Nan,
    /// Anything.
    Any,
    /// Not known yet: to be blessed.
    Unknown,
}

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

impl Kind {
    /// Its name in the corpus.
    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Its size.
    pub fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    /// The value of a float's bits.
    pub fn float(self, bits: u64) -> f64 {
        match self {
            Self::F16 => f16::from_bits(bits as u16).to_f64(),
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        }
    }

    /// The bits as a number that reads back as the same bits.
    pub fn show(self, bits: u64) -> String {
        match self {
            Self::U8 | Self::U32 | Self::U64 => bits.to_string(),
            Self::I32 => (bits as u32 as i32).to_string(),
            Self::I64 => (bits as i64).to_string(),
            Self::F16 | Self::F32 | Self::F64 if self.float(bits).is_nan() => "nan".to_owned(),
            Self::F16 => format!("{:?}", f16::from_bits(bits as u16).to_f32()),
            Self::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            Self::F64 => format!("{:?}", f64::from_bits(bits)),
        }
    }

    /// The range of an integer type.
    fn range(self) -> (i128, i128) {
        match self {
            Self::U8 => (0, u8::MAX.into()),
            Self::I32 => (i32::MIN.into(), i32::MAX.into()),
            Self::U32 => (0, u32::MAX.into()),
            Self::I64 => (i64::MIN.into(), i64::MAX.into()),
            Self::U64 => (0, u64::MAX.into()),
            Self::F16 | Self::F32 | Self::F64 => (0, (1 << (8 * self.bytes())) - 1),
        }
    }

    fn named(name: &str) -> Option<Self> {
        let all = [Self::U8, Self::I32, Self::U32, Self::I64, Self::U64, Self::F16, Self::F32, Self::F64];
        all.into_iter().find(|kind| kind.name() == name)
    }

    fn mask(self, value: i128) -> u64 {
        (value & ((1 << (8 * self.bytes())) - 1)) as u64
    }

    fn float_bits(self, value: f64) -> u64 {
        match self {
            Self::F16 => f16::from_f64(value).to_bits().into(),
            Self::F32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        }
    }

    fn integer(self, word: &str) -> Result<i128, String> {
        let (minus, digits) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
        let parsed = match digits.strip_prefix("0x") {
            Some(hex) => i128::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        let value = parsed.map_err(|_| format!("`{word}` is not a number of type {}", self.name()))?;
        let value = if minus { -value } else { value };
        let (least, most) = self.range();
        if digits.starts_with(['-', '+']) || value < least || value > most {
            return Err(format!("`{word}` does not fit in {}", self.name()));
        }
        Ok(value)
    }

    fn want(self, word: &str) -> Result<Want, String> {
        match word {
            "_" => return Ok(Want::Any),
            "?" => return Ok(Want::Unknown),
            "nan" if self.is_float() => return Ok(Want::Nan),
            "inf" if self.is_float() => return Ok(Want::Bits(self.float_bits(f64::INFINITY))),
            "-inf" if self.is_float() => return Ok(Want::Bits(self.float_bits(f64::NEG_INFINITY))),
            _ => {}
        }
        if !self.is_float() || word.starts_with("0x") {
            return Ok(Want::Bits(self.mask(self.integer(word)?)));
        }
        let bad = || format!("`{word}` is not a number of type {}", self.name());
        let digits = word.strip_prefix('-').unwrap_or(word);
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(bad());
        }
        // Straight to f32, since rounding twice may end elsewhere.
        let bits = match self {
            Self::F32 => u64::from(word.parse::<f32>().map_err(|_| bad())?.to_bits()),
            _ => self.float_bits(word.parse().map_err(|_| bad())?),
        };
        if self.float(bits).is_infinite() {
            return Err(format!("`{word}` does not fit in {}", self.name()));
        }
        Ok(Want::Bits(bits))
    }
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

    #[test]
    fn shown_numbers_read_back() {
        for (kind, word) in
            [(Kind::F32, "1e-7"), (Kind::F32, "-0.0"), (Kind::F32, "-inf"), (Kind::F16, "0.1"), (Kind::I32, "-5")]
        {
            let Want::Bits(bits) = kind.want(word).unwrap() else { panic!("{word}") };
            assert_eq!(kind.want(&kind.show(bits)), Ok(Want::Bits(bits)));
        }
    }
}
