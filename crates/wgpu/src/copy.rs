//! Copies between buffers and textures, as pieces that lie together in both.

use wgpu::hal;

use crate::buffer::Buffer;
use crate::texture::{Layout, Texture};

/// Some bytes of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) bytes: u64,
}

/// What one command copies.
#[derive(Debug)]
pub(crate) enum Copy {
    Plain(Plain),
    Packed(Packed),
}

/// Bytes as they are.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(crate) from: Buffer,
    pub(crate) to: Buffer,
    pub(crate) pieces: Vec<Piece>,
}

/// Texels that have fewer bytes in the buffer than in the texture.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) texture: Texture,
    pub(crate) buffer: Buffer,
    pub(crate) to_texture: bool,
    /// From the buffer to the texture, with the bytes that they have in the buffer.
    pub(crate) pieces: Vec<Piece>,
}

/// Rows of a box of texels.
fn rows(size: hal::CopyExtent) -> impl Iterator<Item = (u32, u32)> {
    (0..size.depth).flat_map(move |z| (0..size.height).map(move |y| (y, z)))
}

/// Bytes before a row of a box of texels.
fn texel(layout: &Layout, base: &hal::TextureCopyBase, (y, z): (u32, u32)) -> u64 {
    let wgpu::Origin3d { x, y: down, z: deep } = base.origin;
    layout.texel(base.mip_level, [x, down + y, base.array_layer + deep + z]) * layout.texel_bytes()
}

/// Adds a piece, to the last one if it goes on there. A texel has so many bytes on the one side and on the other.
fn add(pieces: &mut Vec<Piece>, next: Piece, (from_bytes, to_bytes): (u64, u64)) {
    if let Some(last) = pieces.last_mut() {
        let to_end = last.to + last.bytes / from_bytes * to_bytes;
        if (next.from, next.to) == (last.from + last.bytes, to_end) {
            last.bytes += next.bytes;
            return;
        }
    }
    pieces.push(next);
}

/// Between the texels of two textures, whose formats have the same size.
pub(crate) fn textures(from: &Texture, to: &Texture, regions: impl Iterator<Item = hal::TextureCopy>) -> Plain {
    let mut pieces = Vec::new();
    for hal::TextureCopy { src_base, dst_base, size } in regions {
        let bytes = u64::from(size.width) * from.layout.texel_bytes();
        for row in rows(size) {
            let (from, to) = (texel(&from.layout, &src_base, row), texel(&to.layout, &dst_base, row));
            add(&mut pieces, Piece { from, to, bytes }, (1, 1));
        }
    }
    Plain { from: from.texels.clone(), to: to.texels.clone(), pieces }
}

/// Between a texture and a buffer, to the texture or from it.
pub(crate) fn with_buffer(
    texture: &Texture,
    buffer: &Buffer,
    to_texture: bool,
    regions: impl Iterator<Item = hal::BufferTextureCopy>,
) -> Copy {
    let layout = &texture.layout;
    let packed = u64::from(layout.format().packed_bytes());
    let mut pieces = Vec::new();
    for hal::BufferTextureCopy { buffer_layout, texture_base, size } in regions {
        let bytes = u64::from(size.width) * packed;
        // What is not said does not matter: there is one row, or one image.
        let pitch = buffer_layout.bytes_per_row.map_or(bytes, u64::from);
        let image = buffer_layout.rows_per_image.map_or(u64::from(size.height), u64::from) * pitch;
        for (y, z) in rows(size) {
            let from = buffer_layout.offset + u64::from(z) * image + u64::from(y) * pitch;
            let to = texel(layout, &texture_base, (y, z));
            add(&mut pieces, Piece { from, to, bytes }, (packed, layout.texel_bytes()));
        }
    }
    let (buffer, texels) = (buffer.clone(), texture.texels.clone());
    if packed != layout.texel_bytes() {
        return Copy::Packed(Packed { texture: texture.clone(), buffer, to_texture, pieces });
    }
    Copy::Plain(if to_texture {
        Plain { from: buffer, to: texels, pieces }
    } else {
        let turned = |Piece { from, to, bytes }| Piece { from: to, to: from, bytes };
        Plain { from: texels, to: buffer, pieces: pieces.into_iter().map(turned).collect() }
    })
}
