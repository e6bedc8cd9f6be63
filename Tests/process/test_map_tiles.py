"""Maps in a real browser that lie on the tiles of a server which the operator has named."""

import base64
import http.server
import threading
import types
from contextlib import contextmanager

import pytest

from billfold import answers, free_port, until
from images import PIXEL
from webpage import WebPage, chromium, expect  # noqa: F401: chromium is a fixture

TILE = base64.b64decode(PIXEL)


@pytest.fixture(scope="module")
def tiles():
    """A tile server: where it is, and the paths that it was asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", str(len(TILE)))
            self.end_headers()
            self.wfile.write(TILE)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield types.SimpleNamespace(origin=f"http://127.0.0.1:{server.server_port}", asked=asked)
    server.shutdown()
    server.server_close()


@contextmanager
def gateway(billset, **environment):
    """Another gateway of the set, with settings of its own."""
    port = free_port()
    process = billset.spawn("gateway", BILLFOLD_HTTP=f"127.0.0.1:{port}", **environment)
    try:
        until(lambda: answers(port), "the second gateway")
        yield types.SimpleNamespace(port=port, address=billset.address)
    finally:
        process.kill()
        process.wait()


def test_a_map_lies_on_tiles(chromium, billset, tiles):
    """They come from the server that is named and from nowhere else, and its owner is named below the map."""
    with gateway(billset, BILLFOLD_MAP_TILES=tiles.origin + "/{z}/{x}/{y}.png", BILLFOLD_MAP_CREDIT="\u00a9 <b>Town</b>") as own:
        page = WebPage(chromium, own, "/till#/register")
        page.tab.locator("place-map img.leaflet-tile-loaded").first.wait_for(state="attached")
        page.reads("place-map .detail", "\u00a9 <b>Town</b>")
        assert all(path.split("/")[1] == "15" for path in tiles.asked), tiles.asked
        page.others = (tiles.origin,)
        page.close()


def test_without_a_server_a_map_is_drawn_on_plain_paper(chromium, billset):
    page = WebPage(chromium, billset, "/till#/register")
    page.tab.locator("place-map .leaflet-control-scale").wait_for()
    expect(page.tab.locator("place-map img")).to_have_count(0)
    page.close()
