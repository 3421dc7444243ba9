//! The device that defines every result: a plain interpreter of naga IR.

#[allow(dead_code)]
mod ops;
#[allow(dead_code)]
mod value;
