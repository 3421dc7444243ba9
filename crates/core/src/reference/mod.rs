//! The device that defines every result: a plain interpreter of naga IR.

mod value;
