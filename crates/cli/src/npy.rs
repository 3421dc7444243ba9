//! The header of the `.npy` format, versions 1 to 3, read strictly and written as
//! version 1. After it the scalars follow, row by row, little endian.

use std::fmt;

use seawall_core::layout::Scalar;

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// The library that defined the format refuses longer headers unless told otherwise.
const HEADER_BYTES_MAX: usize = 10_000;
/// That library's own limit.
const DIMS_MAX: usize = 64;

/// What the data is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) scalar: Scalar,
    /// Outermost first; empty for a single number.
    pub(crate) shape: Vec<u64>,
}

/// Why it is not a file that we read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    #[error("not an npy file: it does not begin with \\x93NUMPY")]
    Magic,
    #[error("npy version {major}.{minor} is unknown")]
    Version { major: u8, minor: u8 },
    #[error("the file ends inside its header")]
    Truncated,
    #[error("its header of {bytes} bytes is over the limit of {HEADER_BYTES_MAX}")]
    HeaderTooLong { bytes: usize },
    #[error("its header is malformed at byte {at}: expected {expected}")]
    Malformed { at: usize, expected: &'static str },
    #[error("its header says `{key}` twice, or says something unknown")]
    Key { key: String },
    #[error("its header lacks `{key}`")]
    MissingKey { key: &'static str },
    #[error("its elements are `{descr}`; little-endian i4, u4, f4, f2, i8, u8 and f8 are known")]
    Dtype { descr: String },
    #[error("its elements are `{descr}`, which is big-endian")]
    BigEndian { descr: String },
    #[error("its elements are structs, which are not supported")]
    Structured,
    #[error("it is stored column by column (fortran_order)")]
    Fortran,
    #[error("its shape has {dims} dimensions, over the limit of {DIMS_MAX}")]
    Dims { dims: usize },
    #[error("its shape {shape} overflows")]
    Shape { shape: String },
    #[error("its shape {shape} needs {expected} bytes of data, and there are {got}")]
    Data { shape: String, expected: u64, got: u64 },
}

impl Header {
    /// Takes a whole file apart: the header, and exactly the data that it announces.
    pub(crate) fn split(file: &[u8]) -> Result<(Self, &[u8]), Error> {
        let rest = file.strip_prefix(MAGIC).ok_or(Error::Magic)?;
        let (&[major, minor], rest) = rest.split_first_chunk().ok_or(Error::Truncated)?;
        let (bytes, rest) = match (major, minor) {
            (1, 0) => {
                let (&word, rest) = rest.split_first_chunk().ok_or(Error::Truncated)?;
                (usize::from(u16::from_le_bytes(word)), rest)
            }
            (2 | 3, 0) => {
                let (&word, rest) = rest.split_first_chunk().ok_or(Error::Truncated)?;
                (u32::from_le_bytes(word) as usize, rest)
            }
            _ => return Err(Error::Version { major, minor }),
        };
        if bytes > HEADER_BYTES_MAX {
            return Err(Error::HeaderTooLong { bytes });
        }
        let (text, data) = rest.split_at_checked(bytes).ok_or(Error::Truncated)?;
        let header = Parser { text, at: 0 }.header()?;
        let shape = || Shape(&header.shape).to_string();
        let expected = header.bytes().ok_or_else(|| Error::Shape { shape: shape() })?;
        let got = data.len() as u64;
        if expected != got {
            return Err(Error::Data { shape: shape(), expected, got });
        }
        Ok((header, data))
    }

    /// Bytes of data; `None` on overflow.
    fn bytes(&self) -> Option<u64> {
        self.shape.iter().try_fold(u64::from(self.scalar.bytes()), |product, &n| product.checked_mul(n))
    }

    /// Magic, header and padding, so that the data begins at a multiple of 64 bytes.
    pub(crate) fn write(&self) -> Vec<u8> {
        let descr = DTYPES.iter().find(|(_, scalar)| *scalar == self.scalar).map(|(descr, _)| descr);
        let descr = descr.unwrap_or_else(|| unreachable!("invariant buffer-scalars: a bool never stands in a buffer"));
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {}, }}", Shape(&self.shape));
        let before = MAGIC.len() + 4;
        let padded = (before + text.len() + 1).next_multiple_of(64) - before;
        let mut out = MAGIC.to_vec();
        out.extend([1, 0]);
        out.extend((padded as u16).to_le_bytes());
        out.extend(text.as_bytes());
        out.resize(before + padded - 1, b' ');
        out.push(b'\n');
        out
    }
}

const DTYPES: [(&str, Scalar); 7] = [
    ("<i4", Scalar::I32),
    ("<u4", Scalar::U32),
    ("<f4", Scalar::F32),
    ("<f2", Scalar::F16),
    ("<i8", Scalar::I64),
    ("<u8", Scalar::U64),
    ("<f8", Scalar::F64),
];

/// The format's name of a scalar, without the byte order.
pub(crate) fn dtype(scalar: Scalar) -> &'static str {
    DTYPES.iter().find(|(_, s)| *s == scalar).map_or("bool", |(descr, _)| &descr[1..])
}

/// A shape as Python writes it.
pub(crate) struct Shape<'a>(pub(crate) &'a [u64]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [n] = self.0 {
            return write!(f, "({n},)");
        }
        let dims: Vec<String> = self.0.iter().map(u64::to_string).collect();
        write!(f, "({})", dims.join(", "))
    }
}

/// Just enough of Python's literals for this one dictionary.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn header(mut self) -> Result<Header, Error> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        self.expect(b'{', "`{`")?;
        while !self.eat(b'}') {
            let key = self.string()?;
            self.expect(b':', "`:`")?;
            match key.as_str() {
                "descr" if descr.is_none() && self.eat(b'[') => return Err(Error::Structured),
                "descr" if descr.is_none() => descr = Some(self.string()?),
                "fortran_order" if fortran.is_none() => fortran = Some(self.truth()?),
                "shape" if shape.is_none() => shape = Some(self.tuple()?),
                _ => return Err(Error::Key { key }),
            }
            if !self.eat(b',') {
                self.expect(b'}', "`,` or `}`")?;
                break;
            }
        }
        self.space();
        if self.at != self.text.len() {
            return Err(self.malformed("nothing but spaces after `}`"));
        }
        let descr = descr.ok_or(Error::MissingKey { key: "descr" })?;
        let shape = shape.ok_or(Error::MissingKey { key: "shape" })?;
        if fortran.ok_or(Error::MissingKey { key: "fortran_order" })? {
            return Err(Error::Fortran);
        }
        let Some(&(_, scalar)) = DTYPES.iter().find(|(known, _)| *known == descr) else {
            let swapped = descr.strip_prefix('>').map(|rest| format!("<{rest}"));
            let known = swapped.is_some_and(|swapped| DTYPES.iter().any(|(known, _)| *known == swapped));
            return Err(if known { Error::BigEndian { descr } } else { Error::Dtype { descr } });
        };
        Ok(Header { scalar, shape })
    }

    fn malformed(&self, expected: &'static str) -> Error {
        Error::Malformed { at: self.at, expected }
    }

    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Error> {
        if self.eat(byte) { Ok(()) } else { Err(self.malformed(expected)) }
    }

    /// The bytes while `keep` holds, as text; they are ASCII because `keep` only takes that.
    fn word(&mut self, keep: impl Fn(&u8) -> bool) -> String {
        let rest = &self.text[self.at..];
        let len = rest.iter().position(|byte| !keep(byte)).unwrap_or(rest.len());
        self.at += len;
        rest[..len].iter().map(|&byte| char::from(byte)).collect()
    }

    fn string(&mut self) -> Result<String, Error> {
        let quote = if self.eat(b'"') { b'"' } else { b'\'' };
        if quote == b'\'' {
            self.expect(quote, "a string")?;
        }
        let text = self.word(|byte| *byte != quote && (b' '..=b'~').contains(byte) && *byte != b'\\');
        if self.text.get(self.at) != Some(&quote) {
            return Err(self.malformed("the end of a plain string"));
        }
        self.at += 1;
        Ok(text)
    }

    fn truth(&mut self) -> Result<bool, Error> {
        self.space();
        let at = self.at;
        match self.word(u8::is_ascii_alphabetic).as_str() {
            "True" => Ok(true),
            "False" => Ok(false),
            _ => Err(Error::Malformed { at, expected: "True or False" }),
        }
    }

    fn tuple(&mut self) -> Result<Vec<u64>, Error> {
        self.expect(b'(', "a shape such as (3, 4)")?;
        let mut shape = Vec::new();
        while !self.eat(b')') {
            let at = self.at;
            let digits = self.word(u8::is_ascii_digit);
            shape.push(digits.parse().map_err(|_| Error::Malformed { at, expected: "a size" })?);
            if shape.len() > DIMS_MAX {
                return Err(Error::Dims { dims: shape.len() });
            }
            if !self.eat(b',') {
                self.expect(b')', "`,` or `)`")?;
                break;
            }
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_a_file_or_an_error() {
        arbtest::arbtest(|u| {
            let header: String =
                u.arbitrary_iter::<u8>()?.flatten().map(|byte| WORDS[byte as usize % WORDS.len()]).collect();
            let mut file = MAGIC.to_vec();
            file.extend([1, 0]);
            file.extend((header.len() as u16).to_le_bytes());
            file.extend(header.as_bytes());
            file.extend(u.bytes(u.len().min(8))?);
            if let Ok((header, data)) = Header::split(&file) {
                assert_eq!(header.bytes(), Some(data.len() as u64));
            }
            Ok(())
        });
    }

    /// Pieces that headers are made of, so that some of the rubbish comes far.
    const WORDS: [&str; 18] = [
        "{",
        "}",
        "'descr'",
        "'fortran_order'",
        "'shape'",
        ":",
        ",",
        "'<u4'",
        "'<f8'",
        "False",
        "True",
        "(",
        ")",
        "2",
        "0",
        " ",
        "\"",
        "99999999999999999999",
    ];

    #[test]
    fn what_is_written_is_read() {
        arbtest::arbtest(|u| {
            let (_, scalar) = *u.choose(&DTYPES)?;
            let shape: Vec<u64> =
                (0..u.int_in_range(0..=4)?).map(|_| u.int_in_range(0..=3)).collect::<Result<_, _>>()?;
            let header = Header { scalar, shape };
            let mut file = header.write();
            assert_eq!(file.len() % 64, 0);
            let data = vec![7; header.bytes().expect("a small shape") as usize];
            file.extend(&data);
            assert_eq!(Header::split(&file), Ok((header, data.as_slice())));
            Ok(())
        });
    }
}
