//! Pictures, as rows of pixels with red, green, blue and alpha.

use std::io::Cursor;

use png::{BitDepth, ColorType, Transformations};
use seawall::texture::SIZE_MAX;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// A picture that was read.
pub(super) struct Picture {
    pub(super) width: u32,
    pub(super) height: u32,
    /// The number that stands for white: 255, or 65535.
    pub(super) most: u16,
    /// Four for each.
    pub(super) pixels: Vec<u16>,
}

/// The first bytes of a JPEG.
const JPEG: [u8; 3] = [0xff, 0xd8, 0xff];

/// What a file shows, by its first bytes; or what is wrong with it.
pub(super) fn picture(bytes: &[u8]) -> Result<Picture, String> {
    if bytes.starts_with(&JPEG) {
        return jpeg(bytes).map_err(|reason| format!("the JPEG cannot be read: {reason}"));
    }
    if bytes.starts_with(b"\x89PNG") {
        return png(bytes).map_err(|reason| format!("the PNG cannot be read: {reason}"));
    }
    Err("this is neither a PNG nor a JPEG".to_owned())
}

fn png(bytes: &[u8]) -> Result<Picture, String> {
    let told = |error: png::DecodingError| error.to_string();
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    // Palettes as colours, and few bits as eight.
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(told)?;
    let size = reader.output_buffer_size().ok_or("it is too large")?;
    let (width, height) = (reader.info().width, reader.info().height);
    if width > SIZE_MAX || height > SIZE_MAX {
        return Err(format!("it has {width} by {height} pixels; the limit is {SIZE_MAX} in each direction"));
    }
    let mut data = vec![0; size];
    let info = reader.next_frame(&mut data).map_err(told)?;
    let data = &data[..info.buffer_size()];
    let deep = info.bit_depth == BitDepth::Sixteen;
    let most = if deep { u16::MAX } else { 255 };
    let samples: Vec<u16> = if deep {
        data.chunks_exact(2).map(|two| u16::from_be_bytes([two[0], two[1]])).collect()
    } else {
        data.iter().map(|&byte| u16::from(byte)).collect()
    };
    let pixel: fn(&[u16], u16) -> [u16; 4] = match info.color_type {
        ColorType::Grayscale => |of, most| [of[0], of[0], of[0], most],
        ColorType::GrayscaleAlpha => |of, _| [of[0], of[0], of[0], of[1]],
        ColorType::Rgb => |of, most| [of[0], of[1], of[2], most],
        ColorType::Rgba => |of, _| [of[0], of[1], of[2], of[3]],
        ColorType::Indexed => return Err("its palette is missing".to_owned()),
    };
    let pixels = samples.chunks_exact(info.color_type.samples()).flat_map(|of| pixel(of, most)).collect();
    Ok(Picture { width, height, most, pixels })
}

fn jpeg(bytes: &[u8]) -> Result<Picture, String> {
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGBA)
        .set_max_width(SIZE_MAX as usize)
        .set_max_height(SIZE_MAX as usize);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    let data = decoder.decode().map_err(|error| error.to_string().trim().to_owned())?;
    let info = decoder.info().ok_or("it has no header")?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    let pixels: Vec<u16> = data.into_iter().map(u16::from).collect();
    if pixels.len() as u64 != u64::from(width) * u64::from(height) * 4 {
        return Err("its colours cannot be told".to_owned());
    }
    Ok(Picture { width, height, most: 255, pixels })
}
