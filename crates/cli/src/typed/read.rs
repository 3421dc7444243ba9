//! JSON to bytes. The type leads: each level of it reads one level of the text, so the
//! depth of the text is bounded by the depth of the type, and numbers keep their digits
//! until their type is known.

use std::fmt;

use seawall_core::layout::{Member, Scalar, Type};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Extent, Path, scalar};
use crate::memory;
use crate::table::count;

/// What is wrong, and where in the value.
#[derive(Debug, thiserror::Error)]
#[error("`{path}` {wrong}")]
pub(crate) struct Error {
    pub(crate) path: String,
    pub(crate) wrong: Wrong,
    /// The byte of the text that it is about, where it is about one.
    pub(crate) at: Option<usize>,
}

/// See [`Error`].
#[derive(Debug, thiserror::Error)]
pub(crate) enum Wrong {
    #[error("is not JSON: {0}")]
    Syntax(serde_json::Error),
    #[error("should be {expected}, not {got}")]
    Kind { expected: String, got: &'static str },
    #[error("should have {}, not {got}", count(*expected, "element"))]
    Length { expected: u64, got: u64 },
    #[error("is missing")]
    Missing,
    #[error("is given twice")]
    Twice,
    #[error("is no member of `{owner}`, which has {}", known.join(", "))]
    Unknown { owner: String, known: Vec<String> },
    #[error("{got} {error}")]
    Number { got: String, error: scalar::Error },
    #[error("is too large: {0}")]
    Memory(memory::Error),
}

/// The bytes of the JSON value `text` as a `ty`; messages call it `name`.
pub(crate) fn json(name: &str, ty: &Type, text: &str) -> Result<Vec<u8>, Error> {
    let path = Path::Root(name);
    // The parser says where by itself.
    let wrong = |wrong| Error { path: path.to_string(), wrong, at: None };
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| wrong(Wrong::Syntax(error)))?;
    let mut bytes = memory::zeroed(Some(ty.bytes())).map_err(|error| wrong(Wrong::Memory(error)))?;
    let placed = |error: Error| Error { at: error.at.map(|at| at - text.as_ptr().addr()), ..error };
    value(&path, ty, raw, 0, &mut bytes).map_err(placed)?;
    Ok(bytes)
}

/// What is wrong with this part of the text, which is borrowed from it: its address says where.
fn fail(path: &Path<'_>, raw: &RawValue, wrong: Wrong) -> Error {
    Error { path: path.to_string(), wrong, at: Some(raw.get().as_ptr().addr()) }
}

fn value(path: &Path<'_>, ty: &Type, raw: &RawValue, at: u64, bytes: &mut Vec<u8>) -> Result<(), Error> {
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) => number(path, *scalar, raw, at, bytes),
        Type::Vector { len, scalar } => {
            let element = Type::Scalar(*scalar);
            items(path, ty, Some(u64::from(*len)), &element, u64::from(scalar.bytes()), raw, at, bytes)
        }
        Type::Matrix { columns, rows, scalar, column_stride } => {
            let column = Type::Vector { len: *rows, scalar: *scalar };
            items(path, ty, Some(u64::from(*columns)), &column, u64::from(*column_stride), raw, at, bytes)
        }
        Type::Array { element, len, stride } => {
            items(path, ty, len.map(u64::from), element, u64::from(*stride), raw, at, bytes)
        }
        Type::Struct { members, .. } => fields(path, ty, members, raw, at, bytes),
    }
}

#[expect(clippy::too_many_arguments, reason = "one call for everything that repeats")]
fn items(
    path: &Path<'_>,
    ty: &Type,
    len: Option<u64>,
    element: &Type,
    stride: u64,
    raw: &RawValue,
    at: u64,
    bytes: &mut Vec<u8>,
) -> Result<(), Error> {
    expect(path, raw, Kind::Array, || format!("an array for {ty}"))?;
    let list: Vec<&RawValue> =
        serde_json::from_str(raw.get()).map_err(|error| fail(path, raw, Wrong::Syntax(error)))?;
    let got = list.len() as u64;
    match len {
        Some(expected) if expected != got => return Err(fail(path, raw, Wrong::Length { expected, got })),
        Some(_) => {}
        // Only the last thing in a buffer is runtime-sized, so it grows the buffer.
        None => memory::grow(bytes, Extent { head: at, element, stride, fixed: None }.bytes(got))
            .map_err(|error| fail(path, raw, Wrong::Memory(error)))?,
    }
    list.iter()
        .enumerate()
        .try_for_each(|(i, raw)| value(&Path::Index(path, i), element, raw, at + i as u64 * stride, bytes))
}

fn fields(
    path: &Path<'_>,
    ty: &Type,
    members: &[Member],
    raw: &RawValue,
    at: u64,
    bytes: &mut Vec<u8>,
) -> Result<(), Error> {
    expect(path, raw, Kind::Object, || format!("an object for {ty}"))?;
    let object: Object<'_> = serde_json::from_str(raw.get()).map_err(|error| fail(path, raw, Wrong::Syntax(error)))?;
    for (i, (key, _)) in object.0.iter().enumerate() {
        if !members.iter().any(|member| member.name == *key) {
            let known = members.iter().map(|member| format!("`{}`", member.name)).collect();
            return Err(fail(&Path::Member(path, key), raw, Wrong::Unknown { owner: ty.to_string(), known }));
        }
        if object.0[..i].iter().any(|(before, _)| before == key) {
            return Err(fail(&Path::Member(path, key), raw, Wrong::Twice));
        }
    }
    let around = raw;
    for member in members {
        let path = Path::Member(path, &member.name);
        let Some((_, raw)) = object.0.iter().find(|(key, _)| *key == member.name) else {
            return Err(fail(&path, around, Wrong::Missing));
        };
        value(&path, &member.ty, raw, at + u64::from(member.offset), bytes)?;
    }
    Ok(())
}

fn number(path: &Path<'_>, scalar: Scalar, raw: &RawValue, at: u64, bytes: &mut [u8]) -> Result<(), Error> {
    let float = matches!(scalar, Scalar::F16 | Scalar::F32 | Scalar::F64);
    let text = match (raw.get(), float) {
        ("\"NaN\"", true) => "NaN",
        ("\"Infinity\"", true) => "Infinity",
        ("\"-Infinity\"", true) => "-Infinity",
        ("true" | "false", false) => raw.get(),
        (text, _) => {
            expect(path, raw, Kind::Number, || format!("a number for {scalar}"))?;
            text
        }
    };
    let bits = scalar::parse(scalar, text)
        .map_err(|error| fail(path, raw, Wrong::Number { got: format!("= {}", brief(text)), error }))?;
    scalar::put(bytes, at, scalar, bits);
    Ok(())
}

/// Long digits say no more than their beginning.
fn brief(text: &str) -> String {
    if text.len() <= 40 { text.to_owned() } else { format!("{}…", text.chars().take(32).collect::<String>()) }
}

#[derive(PartialEq)]
enum Kind {
    Array,
    Object,
    Number,
}

fn expect(path: &Path<'_>, raw: &RawValue, kind: Kind, expected: impl Fn() -> String) -> Result<(), Error> {
    let (got, is) = match raw.get().as_bytes().first() {
        Some(b'[') => ("an array", Some(Kind::Array)),
        Some(b'{') => ("an object", Some(Kind::Object)),
        Some(b'"') => ("a string", None),
        Some(b't' | b'f') => ("a truth value", None),
        Some(b'n') => ("null", None),
        _ => ("a number", Some(Kind::Number)),
    };
    if is == Some(kind) { Ok(()) } else { Err(fail(path, raw, Wrong::Kind { expected: expected(), got })) }
}

/// An object that keeps duplicates, so that they can be refused.
struct Object<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Object(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}
