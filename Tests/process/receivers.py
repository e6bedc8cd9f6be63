"""Servers that notifications sends to, each on a thread of its own: they keep what they get and check nothing."""

import base64
import datetime
import http.server
import ipaddress
import json
import queue
import socket
import ssl
import threading

import h2.config
import h2.connection
import h2.events
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from billfold import PATIENCE


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Received:
    """One request."""

    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, {k.lower(): v for k, v in headers.items()}, body

    @property
    def json(self):
        return json.loads(self.body)


class Receiver:
    """An HTTP/1.1 server whose answers `answer(received)` gives: (status, headers, body) or a status alone."""

    def __init__(self, answer=lambda received: 200, tls=None):
        self.answer, self.requests, self.all = answer, queue.Queue(), []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                received = Received(self.path, dict(self.headers.items()), body)
                receiver.all.append(received)
                # As it is now: a test that takes the request may change what comes next.
                say = receiver.answer
                receiver.requests.put(received)
                answer = say(received)
                status, headers, body = answer if isinstance(answer, tuple) else (answer, {}, b"")
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, *_):
                pass  # A client that was killed, or did not like us.

        self.server = Server(("127.0.0.1", 0), Handler)
        if tls:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.scheme = "https" if tls else "http"
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"{self.scheme}://localhost:{self.port}"

    def next(self):
        return self.requests.get(timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class APNs:
    """An HTTP/2 server over TLS; `answer(received)` gives status and JSON."""

    def __init__(self, tls, answer=lambda received: (200, None)):
        self.answer, self.requests, self.protocols = answer, queue.Queue(), []
        tls.set_alpn_protocols(["h2"])
        self.tls = tls
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def url(self):
        return f"https://localhost:{self.port}"

    def next(self):
        return self.requests.get(timeout=PATIENCE)

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, plain):
        try:
            with self.tls.wrap_socket(plain, server_side=True) as secure:
                self.protocols.append(secure.selected_alpn_protocol())
                self.converse(secure)
        except OSError:
            pass  # The client is gone.

    def converse(self, secure):
        connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        connection.initiate_connection()
        secure.sendall(connection.data_to_send())
        streams = {}
        while data := secure.recv(65_536):
            for event in connection.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    headers = {k.decode() if isinstance(k, bytes) else k: v.decode() if isinstance(v, bytes) else v
                               for k, v in event.headers}
                    streams[event.stream_id] = (headers, bytearray())
                elif isinstance(event, h2.events.DataReceived):
                    streams[event.stream_id][1].extend(event.data)
                    connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    headers, body = streams.pop(event.stream_id)
                    received = Received(headers[":path"], headers, bytes(body))
                    say = self.answer
                    self.requests.put(received)
                    status, answer = say(received)
                    connection.send_headers(event.stream_id, [(":status", str(status))], end_stream=answer is None)
                    if answer is not None:
                        connection.send_data(event.stream_id, json.dumps(answer).encode(), end_stream=True)
            secure.sendall(connection.data_to_send())

    def close(self):
        self.listener.close()


def certificate(directory):
    """A certificate for localhost that is its own authority; (its file, a server's TLS context maker)."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName(
            [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256()))
    certificate_file, key_file = directory / "certificate.pem", directory / "key.pem"
    certificate_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))

    def context():
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(certificate_file, key_file)
        return made

    return certificate_file, context
