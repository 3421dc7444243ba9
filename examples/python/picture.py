"""Arrays of colours as PNG files, with nothing but Python's own library."""

import struct
import zlib
from pathlib import Path

import numpy as np


def save(path, image):
    """Writes rows of red, green and blue, or of grey, from 0 to 1."""
    image = np.asarray(image)
    if image.ndim == 2:
        image = np.repeat(image[:, :, None], 3, axis=2)
    pixels = (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 6)
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b""))


def colours(values, stops):
    """Values from 0 to 1 as colours between the stops, each red, green and blue."""
    places = np.linspace(0, 1, len(stops))
    return np.stack([np.interp(values, places, [stop[c] for stop in stops]) for c in range(3)], axis=-1)
