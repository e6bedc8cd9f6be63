"""Server-sent events of one connection, read as they come (HTML Standard, section 9.2.6)."""

import json
import socket
import time

from billfold import PATIENCE


class EventStream:
    def __init__(self, person, path, fields=""):
        self.socket = socket.create_connection(("127.0.0.1", person.set.port), timeout=PATIENCE)
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {person.token}\r\n{fields}\r\n".encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        while (line := self.file.readline().strip()):
            name, value = line.decode().split(":", 1)
            self.headers[name.lower()] = value.strip()
        # One for all readers: what one has left is the next one's.
        self.parsed = self.parse()

    def __iter__(self):
        """(id, event, data) of each event; ("", "beat", None) for a comment."""
        return self.parsed

    def lines(self):
        """The body's lines, out of its chunks (RFC 9112 section 7.1)."""
        rest = b""
        while True:
            size = int(self.file.readline().strip() or b"0", 16)
            rest += self.file.read(size)
            self.file.readline()
            *whole, rest = rest.split(b"\n")
            yield from (line.decode() for line in whole)
            if size == 0:
                return

    def parse(self):
        fields = {}
        for line in self.lines():
            if line.startswith(":"):
                yield "", "beat", None
            elif line:
                name, value = line.split(": ", 1)
                fields[name] = value
            elif fields:
                yield fields.get("id", ""), fields["event"], json.loads(fields["data"])
                fields = {}

    def await_event(self, wanted):
        """The data of the next event that fulfils a condition on its name and data."""
        end = time.monotonic() + PATIENCE
        for _, event, data in self:
            if event != "beat" and wanted(event, data):
                return data
            # Beats come for as long as the stream is open.
            assert time.monotonic() < end, "nothing but other events came"
        raise AssertionError("the events have ended")

    def close(self):
        self.file.close()
        self.socket.close()
