"""Flows as text: requests, each with the answer that it has to get. What a run writes is compared with the file, byte for byte."""

import os
import re

from billfold import new_id, new_key

ID = re.compile(r"\b[0-9a-f]{32}\b")
NUMBER = re.compile(r"#(\d{1,3})\b")
TIME = re.compile(r'"(?!2099-)\d{4}-\d\d-\d\dT[\d:.]+Z"')


def played(client, person, text):
    """The text with the answers that this run got.

    `> METHOD PATH BODY` is a request, `< STATUS BODY` its answer. `#1` is the first id that an answer names, `$name` a
    username of this run, `NOW` a time that is not of 2099. `LOGIN` makes a customer who is logged in, `NOBODY` forgets who is.
    `TEXT PATH` gets the text of a path, whose lines follow behind `| `.
    """
    name, ids, lines = f"c{new_id()[:12]}", [], []

    def known(match):
        if match[0] not in ids:
            ids.append(match[0])
        return f"#{ids.index(match[0]) + 1}"

    def named(match):
        return ids[int(match[1]) - 1]

    for line in text.splitlines():
        if not line.startswith("> "):
            if not line.startswith(("< ", "|")):
                lines.append(line)
            continue
        lines.append(line)
        if line == "> LOGIN":
            client.token = person().token
            continue
        if line == "> NOBODY":
            client.token = None
            continue
        method, path, *body = line[2:].replace("$name", name).split(" ", 2)
        path, *body = [NUMBER.sub(named, part) for part in (path, *body)]
        if method == "TEXT":
            answer = client.get(path, headers={"Accept": "text/plain"})
            text = ID.sub(known, answer.raw.decode().replace(name, "$name"))
            lines += [f"< {answer.status}", *(f"| {row}".rstrip() for row in text.splitlines())]
            continue
        answer = client.request(
            method, path, body[0].encode() if body else None, key=new_key() if method == "POST" else None)
        if path == "/v1/sessions" and answer.status == 201:
            client.token = answer.body["token"]
        shown = answer.raw.decode().replace(name, "$name")
        shown = re.sub(r'"token":"[^"]*"', '"token":"TOKEN"', shown)
        shown = TIME.sub('"NOW"', ID.sub(known, shown))
        lines.append(f"< {answer.status} {shown}".rstrip())
    return "\n".join(lines) + "\n"


def check(path, client, person):
    """Plays a file and compares. `BILLFOLD_WRITE_SCRIPTS=1` writes the answers instead: read the difference."""
    text = path.read_text()
    now = played(client, person, text)
    if os.environ.get("BILLFOLD_WRITE_SCRIPTS"):
        path.write_text(now)
    assert now == text
