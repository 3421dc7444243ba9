//! What a piece of the kit is given and what it leaves: inputs onto the device, outputs into files.

use std::io::Write;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::Arc;

use bytemuck::Pod;
use half::f16;
use seawall::{Buffer, Overrides, Program, Runtime, program};
use seawall_kit::{Kept, Kit, fft};

use crate::args::{Assign, Data};
use crate::error::Error;
use crate::format::is_pipe;
use crate::publish::Files;
use crate::run::output::{Value, line, sinks};
use crate::sink::Sink;
use crate::source::Source;
use crate::{driver, job, run, say};

/// What arrays on the desk are made of.
pub(super) trait Element: Pod {
    /// Its name in WGSL.
    const NAME: &'static str;
}

macro_rules! element {
    ($($ty:ty: $name:literal),*) => {
        $(impl Element for $ty { const NAME: &'static str = $name; })*
    };
}

element!(u32: "u32", i32: "i32", f32: "f32", f16: "f16", u64: "u64", i64: "i64", fft::Complex: "vec2<f32>");

/// See the module.
pub(super) struct Desk<'a> {
    data: &'a Data,
    piece: &'static str,
    runtime: ManuallyDrop<Runtime>,
    kept: Arc<Kept>,
    sinks: Vec<(String, Sink)>,
    /// What there is to be told, with its bytes.
    outputs: Vec<(program::Buffer, Vec<u8>)>,
}

impl<'a> Desk<'a> {
    /// For a piece that takes and gives data of these names.
    pub(super) fn new(
        data: &'a Data,
        piece: &'static str,
        takes: &[&'static str],
        gives: &[&'static str],
    ) -> Result<Self, Error> {
        for (option, assigns, known) in [("--in", &data.ins, takes), ("--out", &data.outs, gives)] {
            for (at, Assign { name, .. }) in assigns.iter().enumerate() {
                if !known.contains(&name.as_str()) {
                    let known = known.iter().map(|&known| known.to_owned()).collect();
                    return Err(Error::UnknownBuffer { option, kernel: piece.to_owned(), name: name.clone(), known });
                }
                if assigns[..at].iter().any(|before| before.name == *name) {
                    return Err(Error::Twice { option, name: name.clone() });
                }
            }
        }
        run::one_reader(Path::new(""), &data.ins)?;
        let sinks = sinks(&data.outs, false)?;
        let builder = Runtime::builder();
        let builder = data.device.iter().fold(builder, |builder, id| builder.device(id));
        let runtime = ManuallyDrop::new(driver::heard(|| builder.open())?);
        Ok(Self { data, piece, runtime, kept: Arc::default(), sinks, outputs: Vec::new() })
    }

    pub(super) fn kit(&self) -> Kit<'_> {
        Kit::with(&self.runtime, self.kept.clone())
    }

    /// Whether an input is given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.data.ins.iter().any(|assign| assign.name == name)
    }

    /// An input, on the device.
    pub(super) fn take<T: Element>(&self, name: &str) -> Result<Buffer<T>, Error> {
        let buffer = array::<T>(name);
        let Some(assign) = self.data.ins.iter().find(|assign| assign.name == name) else {
            return Err(Error::Unbound {
                kernel: self.piece.to_owned(),
                name: name.to_owned(),
                ty: buffer.ty.to_string(),
                written: false,
                example: "random:1000".to_owned(),
            });
        };
        let wrong = |error| Error::In { name: name.to_owned(), error: Box::new(error) };
        let bytes = Source::parse(&assign.value).and_then(|source| source.load(&buffer)).map_err(wrong)?;
        Ok(self.runtime.buffer_from(&bytes)?.view()?)
    }

    /// An input of numbers that are bytes, on the host.
    pub(super) fn take_bytes(&self, name: &str) -> Result<Vec<i8>, Error> {
        let numbers = self.take::<i32>(name)?.to_vec()?;
        let byte = |(at, &number): (usize, &i32)| {
            i8::try_from(number).map_err(|_| Error::KitByte { name: name.to_owned(), at, number })
        };
        numbers.iter().enumerate().map(byte).collect()
    }

    /// Room for an output, on the device.
    pub(super) fn empty<T: Element>(&self, len: usize) -> Result<Buffer<T>, Error> {
        Ok(self.runtime.buffer(len)?)
    }

    /// An output: the first elements of it.
    pub(super) fn put<T: Element>(&mut self, name: &str, buffer: &Buffer<T>, len: usize) -> Result<(), Error> {
        let mut bytes = vec![0; len * size_of::<T>()];
        buffer.view::<u8>()?.read(0, &mut bytes)?;
        self.outputs.push((array::<T>(name), bytes));
        Ok(())
    }

    /// An output of one number.
    pub(super) fn put_one<T: Element>(&mut self, name: &str, number: T) -> Result<(), Error> {
        let buffer = self.runtime.buffer_from(&[number])?;
        self.put(name, &buffer, 1)
    }

    /// Writes the files, and tells all outputs.
    pub(super) fn end(self) -> Result<(), Error> {
        let mut files = Files::default();
        let mut written = Vec::new();
        for (name, sink) in &self.sinks {
            let Some((buffer, bytes)) = self.outputs.iter().find(|(buffer, _)| buffer.name == *name) else {
                let known = self.outputs.iter().map(|(buffer, _)| buffer.name.clone()).collect();
                let (option, kernel) = ("--out", self.piece.to_owned());
                return Err(Error::UnknownBuffer { option, kernel, name: name.clone(), known });
            };
            let wrong = |error| Error::Out { name: name.clone(), error };
            sink.fits(buffer, bytes.len() as u64, None).map_err(wrong)?;
            sink.write(&mut files, &buffer.ty, bytes, None).map_err(wrong)?;
            written.push(sink.tell(name, &buffer.ty, bytes.len() as u64, None));
        }
        let plans = self.kept.plans();
        if let (Some(path), Some(plan)) = (&self.data.told.svg, plans.last()) {
            let checked = plan.check();
            let checked =
                checked.unwrap_or_else(|error| unreachable!("invariant plan: it computes its graph: {error}"));
            let drawn = seawall_show::picture::draw(self.piece, plan, &checked)?;
            files.write(path, |out| out.write_all(drawn.as_bytes()))?;
        }
        files.publish()?;
        for written in &written {
            say::wrote(written);
        }
        let tell = |out: &mut dyn Write| {
            self.outputs.iter().try_for_each(|(buffer, bytes)| {
                line(out, &Value { name: &buffer.name, ty: &buffer.ty, bytes, most: None })
            })?;
            let plans = if self.data.told.explain { &plans[..] } else { &[] };
            plans.iter().try_for_each(|plan| job::tell(out, plan))
        };
        if self.sinks.iter().any(|(_, sink)| is_pipe(&sink.path)) {
            say::aside(|out| tell(out))
        } else {
            say::out(|out| tell(out))
        }
    }
}

/// An array of such elements, as a program has it.
fn array<T: Element>(name: &str) -> program::Buffer {
    let text = format!(
        "enable f16; @group(0) @binding(0) var<storage> {name}: array<{}>; \
         @compute @workgroup_size(1) fn main() {{ _ = {name}[0]; }}",
        T::NAME
    );
    let kernel = Program::wgsl(&text).and_then(|program| program.kernel("main", &Overrides::new()));
    let kernel = kernel.unwrap_or_else(|report| unreachable!("invariant array: its program is right: {report}"));
    kernel.buffers[0].clone()
}
