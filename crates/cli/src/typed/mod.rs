//! Values laid out by WGSL type: JSON to bytes and back, and the walk over the scalars
//! of a type that every table format is made of.

pub(crate) mod scalar;
pub(crate) mod read;
pub(crate) mod write;

use std::fmt;

use seawall_core::layout::{Scalar, Type};

/// What repeats in a buffer, and what stands before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent<'a> {
    /// Bytes before the first element: the members before a struct's runtime-sized array.
    pub(crate) head: u64,
    /// The element; the whole type if nothing repeats.
    pub(crate) element: &'a Type,
    /// Bytes from one element to the next.
    pub(crate) stride: u64,
    /// How many there are; `None` when the buffer's size decides.
    pub(crate) fixed: Option<u64>,
}

impl<'a> Extent<'a> {
    pub(crate) fn of(ty: &'a Type) -> Self {
        if let Some((element, stride)) = ty.tail() {
            return Self { head: ty.bytes(), element, stride: u64::from(stride), fixed: None };
        }
        let (element, stride) = ty.element();
        let fixed = if let Type::Array { len, .. } = ty { len.map(u64::from) } else { Some(1) };
        Self { head: 0, element, stride, fixed }
    }

    /// Bytes of a buffer with `count` elements; `None` on overflow.
    pub(crate) fn bytes(&self, count: u64) -> Option<u64> {
        count.checked_mul(self.stride)?.checked_add(self.head)
    }

    /// Whole elements in a buffer of `bytes`.
    pub(crate) fn count(&self, bytes: u64) -> u64 {
        bytes.saturating_sub(self.head) / self.stride
    }
}

/// Calls `visit` with the offset and type of each scalar of `ty`, in order; of a
/// runtime-sized array it sees nothing.
pub(crate) fn each_scalar<E>(
    ty: &Type,
    at: u64,
    visit: &mut impl FnMut(u64, Scalar) -> Result<(), E>,
) -> Result<(), E> {
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) => visit(at, *scalar),
        Type::Vector { len, scalar } => (0..*len).try_for_each(|i| visit(at + u64::from(i * scalar.bytes()), *scalar)),
        Type::Matrix { columns, rows, scalar, column_stride } => (0..*columns).try_for_each(|column| {
            each_scalar(&Type::Vector { len: *rows, scalar: *scalar }, at + u64::from(column * column_stride), visit)
        }),
        Type::Array { element, len, stride } => {
            (0..len.unwrap_or(0)).try_for_each(|i| each_scalar(element, at + u64::from(i) * u64::from(*stride), visit))
        }
        Type::Struct { members, .. } => {
            members.iter().try_for_each(|member| each_scalar(&member.ty, at + u64::from(member.offset), visit))
        }
    }
}

/// The shape of a type that is one kind of scalar throughout, outermost first; `None` for structs.
pub(crate) fn dims(ty: &Type) -> Option<(Vec<u64>, Scalar)> {
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) => Some((Vec::new(), *scalar)),
        Type::Vector { len, scalar } => Some((vec![u64::from(*len)], *scalar)),
        Type::Matrix { columns, rows, scalar, .. } => Some((vec![u64::from(*columns), u64::from(*rows)], *scalar)),
        Type::Array { element, len, .. } => {
            let (mut inner, scalar) = dims(element)?;
            inner.insert(0, u64::from((*len)?));
            Some((inner, scalar))
        }
        Type::Struct { .. } => None,
    }
}

/// Where in a value something is: `p.n`, `x[3]`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Path<'a> {
    Root(&'a str),
    Member(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(name) => f.write_str(name),
            Self::Member(path, name) => write!(f, "{path}.{name}"),
            Self::Index(path, index) => write!(f, "{path}[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use arbtest::arbitrary::{self, Result, Unstructured};
    use seawall::layout::Member;

    use super::*;

    const SCALARS: [Scalar; 7] =
        [Scalar::I32, Scalar::U32, Scalar::F32, Scalar::F16, Scalar::I64, Scalar::U64, Scalar::F64];

    /// A type and its alignment, laid out by WGSL's rules.
    fn arbitrary_type(u: &mut Unstructured<'_>, depth: u32) -> Result<(Type, u32)> {
        let scalar = *u.choose(&SCALARS)?;
        let padded = |n: u32| if n == 3 { 4 } else { n } * scalar.bytes();
        let (rows, columns) = (u.int_in_range(2..=4)?, u.int_in_range(2..=4)?);
        Ok(match u.int_in_range(0..=if depth == 0 { 2 } else { 4 })? {
            0 => (Type::Scalar(scalar), scalar.bytes()),
            1 => (Type::Vector { len: rows, scalar }, padded(rows)),
            2 => (Type::Matrix { columns, rows, scalar, column_stride: padded(rows) }, padded(rows)),
            3 => {
                let (element, align) = arbitrary_type(u, depth - 1)?;
                let stride = (element.bytes() as u32).next_multiple_of(align);
                (Type::Array { element: Box::new(element), len: Some(u.int_in_range(1..=3)?), stride }, align)
            }
            _ => {
                let (mut members, mut bytes, mut widest) = (Vec::new(), 0_u32, 1);
                for i in 0..u.int_in_range(1..=4)? {
                    let (ty, align) = arbitrary_type(u, depth - 1)?;
                    let offset = bytes.next_multiple_of(align);
                    (bytes, widest) = (offset + ty.bytes() as u32, widest.max(align));
                    members.push(Member { name: format!("m{i}"), offset, ty });
                }
                (Type::Struct { name: "S".to_owned(), members, bytes: bytes.next_multiple_of(widest) }, widest)
            }
        })
    }

    #[test]
    fn what_is_written_is_read_back_bit_for_bit() {
        arbtest::arbtest(|u| {
            let (element, align) = arbitrary_type(u, 2)?;
            let stride = (element.bytes() as u32).next_multiple_of(align);
            let ty = Type::Array { element: Box::new(element), len: None, stride };
            let count = u.int_in_range(0..=4)?;
            let extent = Extent::of(&ty);
            let mut bytes = vec![0; extent.bytes(count).expect("a small size") as usize];
            for i in 0..count {
                each_scalar(extent.element, i * extent.stride, &mut |at, scalar| {
                    let bits = u.arbitrary::<u64>()? >> (64 - 8 * scalar.bytes());
                    // The payload of a NaN has no text.
                    let nan = scalar::print(scalar, bits) == "NaN";
                    scalar::put(&mut bytes, at, scalar, if nan { 0 } else { bits });
                    Ok::<(), arbitrary::Error>(())
                })?;
            }
            let mut text = Vec::new();
            write::json(&mut text, &ty, &bytes, None).expect("memory takes text");
            let text = String::from_utf8(text).expect("JSON is text");
            assert_eq!(read::json("v", &ty, &text).expect("our own JSON"), bytes, "{ty:?}\n{text}");
            Ok(())
        });
    }

    #[test]
    fn a_type_has_as_many_scalars_as_its_shape_says() {
        arbtest::arbtest(|u| {
            let (ty, _) = arbitrary_type(u, 3)?;
            let mut scalars = 0;
            let Ok(()) = each_scalar::<Infallible>(&ty, 0, &mut |at, scalar| {
                assert!(at + u64::from(scalar.bytes()) <= ty.bytes());
                scalars += 1;
                Ok(())
            });
            if let Some((dims, _)) = dims(&ty) {
                assert_eq!(dims.iter().product::<u64>(), scalars);
            }
            Ok(())
        });
    }
}
