"""The model of the wallet's leader as a service of the cluster: it can leave out what the wallet has no switch for."""

import http.client
import json
import pathlib
import sys

from check import Entry
from clients import Answer

HERE = pathlib.Path(__file__).resolve().parent
PORT = 7000


class Door:
    """Asks the model over HTTP. Every other client goes through the front, the others to any host, as with a queue that
    outlives a leader."""

    ACCOUNTS = [f"account:{number}" for number in range(1, 11)]

    def __init__(self, places, draw, number, patience):
        """`number` is None for a client that asks anybody."""
        self.draw, self.patience = draw, patience
        self.addresses = places if number is None else places[:1] if number % 2 else places[1:]

    def key(self, client, count):
        return f"{client}:{count}"

    def draft(self):
        """(payer, payee, minor units) of a payment."""
        return *self.draw.sample(self.ACCOUNTS, 2), self.draw.choice((1, 5, 40, 2_000, 90_000))

    def pay(self, key, payer, payee, minor):
        status, answer = self.ask("POST", "/entries", {"key": key, "payer": payer, "payee": payee, "minor": minor})
        match status:
            case 200:
                return Answer("acknowledged", answer["number"])
            case 409:
                return Answer("refused", poor=True)
            # Nothing was done: by a standby, or by the front.
            case 503:
                return Answer("refused")
        return Answer()

    def read(self, account):
        status, answer = self.ask("GET", f"/balance/{account}")
        return answer["balance"] if status == 200 else None

    def ask(self, method, path, body=None):
        """(status, answer); (0, None) if none came."""
        connection = http.client.HTTPConnection(self.draw.choice(self.addresses), timeout=self.patience)
        try:
            connection.request(method, path, json.dumps(body) if body else None)
            response = connection.getresponse()
            data = response.read()
            return response.status, json.loads(data) if response.status in (200, 409) else None
        except (OSError, http.client.HTTPException, ValueError):
            return 0, None
        finally:
            connection.close()


class Model:
    """What runs on each host, in the order in which it starts; `leading` is the one of which one leads."""

    name, leading, parts, front_parts, placed = "model", "writer", ("writer",), ("haproxy",), {}

    def prepare(self, cluster):
        """Before its parts start, on a database without anything."""
        cluster.primary_sql((HERE / "model.sql").read_text())

    def open(self, cluster):
        """Once there is a leader."""

    def command(self, cluster, host, part):
        return self.haproxy(cluster, host) if part == "haproxy" else self.writer(cluster, host)

    def writer(self, cluster, host):
        """Each prefers the PostgreSQL of its own host: the hardest case when that one is no longer the primary."""
        without = cluster.settings.without
        return ([
            sys.executable, "-B", HERE / "writer.py", f"{host.address}:{PORT}",
            ",".join(each.address for each in cluster.hosts_from(host)),
            *(["--without", without] if without in ("fence", "warning", "reads") else [])],
            "postgres", cluster.clock_of(host))

    def haproxy(self, cluster, front):
        servers = "\n".join(
            f"  server {host.name} {host.address}:{PORT} check inter 500ms fall 2 rise 1"
            for host in cluster.hosts.values())
        config = front.home / "haproxy.cfg"
        # A request is given to another server only if the first one did not accept the connection.
        config.write_text(f"""defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  retry-on conn-failure
  option redispatch
frontend all
  bind {front.address}:{PORT}
  default_backend writers
backend writers
  option httpchk GET /health
{servers}
""")
        return ["haproxy", "-db", "-f", config], None, None

    def places(self, cluster):
        """The arguments of clients.py."""
        return [f"{host.address}:{PORT}" for host in (cluster.front, *cluster.hosts.values())]

    def leader(self, cluster):
        """The host whose writer says that it leads; None if there is none."""
        for host in cluster.living():
            if cluster.get(f"{host.address}:{PORT}", "/health")[0] == 200:
                return host
        return None

    recovered = leader

    def leader_of(self, cluster, part):
        """Only one kind of process leads here."""
        return self.leader(cluster)

    def close(self):
        """Lets go of what it holds."""

    def ledger(self, cluster):
        """The ledger's entries, and what its own check finds."""
        rows = cluster.primary_sql(
            "select json_build_array(sequence, key, payer, payee, minor) from entries order by sequence, key")
        entries = []
        for number, key, payer, payee, minor in map(json.loads, filter(None, rows.splitlines())):
            moves = {payee: minor}
            if payer:
                moves[payer] = -minor
            entries.append(Entry(number, key, moves, given=not payer))
        return entries, []
