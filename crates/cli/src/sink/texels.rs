//! Texels as files.

use std::io::{self, Write};

use png::{BitDepth, ColorType};
use seawall::layout::Scalar;
use seawall::texture::{Code, Dim, Shape};

use super::{Error, Sink};
use crate::image::format_of;
use crate::publish::Files;
use crate::{file, format, npy};

impl Sink {
    /// Whether an image can go there, as far as that is known before the run.
    pub(crate) fn fits_image(&self, shape: Shape) -> Result<(), Error> {
        match self.format {
            format::Format::Png if !matches!(shape.dim(), Dim::D1 | Dim::D2) || shape.level_count() > 1 => {
                return Err(Error::NoPicture { ty: format!("an image of {shape}") });
            }
            format::Format::Npy if shape.level_count() > 1 => {
                return Err(Error::Mixed { ty: format!("an image of {shape}") });
            }
            format::Format::Png | format::Format::Npy | format::Format::Bin => {}
            format::Format::Jpeg | format::Format::Csv | format::Format::Json => return Err(Error::NoImageFormat),
        }
        Ok(file::writable(&self.path)?)
    }

    /// What was written, for people.
    pub(crate) fn tell_image(&self, name: &str, shape: Shape) -> String {
        let [width, height, _] = shape.size();
        let what = if self.is_picture() {
            format!("a picture of {width} by {height} pixels")
        } else {
            format!("an image of {shape}")
        };
        format!("{name} to {}: {what}", file::written(&self.path))
    }

    /// Writes the file, to be published with others.
    pub(crate) fn write_image(&self, files: &mut Files, shape: Shape, texels: &[u8]) -> Result<(), Error> {
        match self.format {
            format::Format::Png => files.write(&self.path, |out| draw(out, shape, texels)),
            format::Format::Npy => files.write(&self.path, |out| array(out, shape, texels)),
            format::Format::Bin => files.write(&self.path, |out| out.write_all(&shape.format().pack(texels))),
            format::Format::Jpeg | format::Format::Csv | format::Format::Json => return Err(Error::NoImageFormat),
        }?;
        Ok(())
    }
}

fn colours(shape: Shape, texels: &[u8]) -> impl Iterator<Item = [f64; 4]> {
    let format = shape.format();
    texels.chunks_exact(format.words() as usize * 4).map(move |texel| {
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(texel.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        format.decode(&words)
    })
}

/// Eight bits for each channel, or sixteen where the texels have more; one channel is grey. Integers are the numbers
/// of the file, and others are from 0 to 1.
fn draw(out: &mut dyn Write, shape: Shape, texels: &[u8]) -> io::Result<()> {
    let ([width, height, _], format) = (shape.size(), shape.format());
    let channels = format.channels();
    let deep = matches!(format.code(), Code::Unorm | Code::Uint) && channels.iter().any(|channel| channel.bits > 10);
    let most = if deep { 65535.0 } else { 255.0 };
    let scale = match format.code() {
        Code::Uint | Code::Sint => 1.0,
        Code::Unorm | Code::Snorm | Code::Float | Code::SharedExponent => most,
    };
    let grey = channels.len() == 1;
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_depth(if deep { BitDepth::Sixteen } else { BitDepth::Eight });
    encoder.set_color(if grey { ColorType::Grayscale } else { ColorType::Rgba });
    let mut data = Vec::with_capacity(texels.len());
    for colour in colours(shape, texels) {
        for number in &colour[..if grey { 1 } else { 4 }] {
            // Alpha that integers do not have is whole. A NaN is black: `as` gives 0 for it.
            let whole = scale == 1.0 && channels.len() < 4 && !grey && std::ptr::eq(number, &raw const colour[3]);
            let sample = if whole { most } else { (number * scale + 0.5).floor().clamp(0.0, most) };
            if deep {
                data.extend((sample as u16).to_be_bytes());
            } else {
                data.push(sample as u8);
            }
        }
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(())
}

/// Numbers as they are, or as floats: sizes from the outermost on, and channels if there are several.
fn array(out: &mut dyn Write, shape: Shape, texels: &[u8]) -> io::Result<()> {
    let (format, channels) = (shape.format(), shape.format().channels().len());
    let known = [Scalar::F32, Scalar::F16, Scalar::U32, Scalar::I32];
    let same = known.into_iter().find(|&scalar| format_of(scalar, channels as u64) == Some(format));
    let axes = match shape.dim() {
        Dim::D1 => 1,
        Dim::D2 => 2,
        Dim::D2Array | Dim::D3 => 3,
    };
    let mut sizes: Vec<u64> = shape.size()[..axes].iter().rev().map(|&size| u64::from(size)).collect();
    if channels > 1 {
        sizes.push(channels as u64);
    }
    out.write_all(&npy::Header { scalar: same.unwrap_or(Scalar::F32), shape: sizes }.write())?;
    if same.is_some() {
        return out.write_all(&format.pack(texels));
    }
    for colour in colours(shape, texels) {
        for &number in &colour[..channels] {
            out.write_all(&(number as f32).to_le_bytes())?;
        }
    }
    Ok(())
}
