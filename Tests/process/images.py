"""Images as people upload them."""

# A PNG of one pixel.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="

# A GIF, a drawing, no base64 at all, half a PNG, and more than is taken.
WRONG_IMAGES = ("R0lGODlhAQABAAAAACw=", "PHN2Zy8+", "not base64!", PIXEL[:40], "A" * 12_001)
