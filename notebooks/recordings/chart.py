"""A bar chart as PNG bytes with nothing but the standard library."""

import struct
import zlib
from collections.abc import Sequence

Colour = tuple[int, int, int]
PAPER: Colour = (255, 255, 255)
GRID: Colour = (225, 229, 234)
AXIS: Colour = (110, 118, 129)
BAR: Colour = (54, 114, 185)
BEST: Colour = (222, 122, 34)


def bar_chart(values: Sequence[float], *, width: int = 480, height: int = 200, margin: int = 14) -> bytes:
    """Draw one bar for each value, the largest in another colour.

    Raises:
        ValueError: If there is nothing to draw.
    """
    if not values or max(values) <= 0:
        raise ValueError("A bar chart needs at least one value above zero.")
    pixels = [[PAPER] * width for _ in range(height)]
    floor = height - margin
    room = floor - margin
    for quarter in range(4):
        _fill(pixels, GRID, margin, width - margin, margin + room * quarter // 4, margin + room * quarter // 4 + 1)
    slot = (width - 2 * margin) / len(values)
    for index, value in enumerate(values):
        left = round(margin + slot * (index + 0.18))
        right = round(margin + slot * (index + 0.82))
        top = floor - round(room * max(value, 0) / max(values))
        _fill(pixels, BEST if value == max(values) else BAR, left, right, top, floor)
    _fill(pixels, AXIS, margin, width - margin, floor, floor + 2)
    return png(pixels)


def png(pixels: Sequence[Sequence[Colour]]) -> bytes:
    """Encode rows of RGB pixels as a PNG file."""
    rows = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in pixels)
    size = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 2, 0, 0, 0)
    parts = [(b"IHDR", size), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _fill(pixels: list[list[Colour]], colour: Colour, left: int, right: int, top: int, bottom: int) -> None:
    for row in pixels[top:bottom]:
        row[left:right] = [colour] * (right - left)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
