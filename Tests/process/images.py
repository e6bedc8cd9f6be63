"""Images as people upload them."""

import struct
import zlib

# A PNG of one pixel.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="

# A GIF, a drawing, no base64 at all, half a PNG, and more than is taken.
WRONG_IMAGES = ("R0lGODlhAQABAAAAACw=", "PHN2Zy8+", "not base64!", PIXEL[:40], "A" * 12_001)


def picture(side=400):
    """A PNG that is larger than what is kept, with colours that do not shrink well."""
    rows = b"".join(b"\0" + bytes((x * y * 7 + x * 31 + c * 85) % 256 for x in range(side) for c in range(3)) for y in range(side))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"tEXt", b"Comment\0where I live") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
