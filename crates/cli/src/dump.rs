//! `seawall dump`: the middle products of a program's journey, as text.

use std::io::Write;

use crate::args::{Dump, Stage};
use crate::error::Error;
use crate::{load, say};

pub(crate) fn dump(args: &Dump) -> Result<(), Error> {
    let program = load::program(&args.file)?;
    match args.stage {
        Stage::Program => say::out(|out| write!(out, "{program}")),
    }
}
