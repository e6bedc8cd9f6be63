"""What can be wrong about a service, one thing at a time: named mutations of its messages, made from the contracts' goldens.

A mutation is what `middleman.py` calls a bug: it alters asks, answers or facts that pass between the bus and the real service.
Left out are messages that a service may fill as it likes: stats, spans, backups, hand-overs and printed tables.
"""

import itertools
import json
import pathlib
import random
import re
import secrets

from middleman import Answered, Honest, answer_to, with_data, without

GOLDEN = pathlib.Path(__file__).parents[1] / "ContractTests" / "Golden"
FREE = (".stats.read.", ".spans.read.", ".backup.write.", ".table.read.", ".facts.head.", ".state.")
SEED = 23


# MARK: Values


def leaves(value, path=()):
    """(path, leaf) of a JSON value; `[]` stands for each element of a list, which is a leaf itself too."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        yield path, value
        if value:
            yield from leaves(value[0], (*path, "[]"))
    else:
        yield path, value


def changed(value, path, change):
    """A copy of the value with what is at the path changed; the value itself where nothing is."""
    if not path:
        return change(value)
    if path[0] == "[]":
        return [changed(one, path[1:], change) for one in value] if isinstance(value, list) else value
    if not isinstance(value, dict) or path[0] not in value:
        return value
    return {**value, path[0]: changed(value[path[0]], path[1:], change)}


def is_id(value):
    return isinstance(value, str) and len(value) == 32 and all(digit in "0123456789abcdef" for digit in value)


def another(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if is_id(value):
        return value[:-1] + ("0" if value[-1] != "0" else "1")
    if isinstance(value, str) and value[:2] == "20" and value.endswith("Z"):
        return f"{value[:17]}{(int(value[17:19]) + 7) % 60:02}{value[19:]}"
    if isinstance(value, str):
        return value + "x"
    return value


LISTS = {
    "lacks its last element": lambda value: value[:-1],
    "has its first element twice": lambda value: value[:1] + value,
    "is in the opposite order": lambda value: value[::-1],
    "is empty": lambda value: [],
}


def words(path):
    return ".".join(path).replace(".[]", "[]")


# MARK: Mutations


class Mutation(Honest):
    name = kind = ""


class WrongReply(Mutation):
    """A value of a reply is another one: always, or in each `every`th answer."""

    kind = "reply"

    def __init__(self, type, path, how, change, every=1):
        self.type, self.path, self.change, self.every, self.count = type, path, change, every, 0
        self.name = f"{type} {words(path)} {how}" + (f" once in {every}" if every > 1 else "")

    def answer(self, ask, answer):
        if answer["type"] != f"{self.type}.reply":
            return answer
        self.count += 1
        return answer if self.count % self.every else {**answer, "data": changed(answer["data"], self.path, self.change)}


class WrongFact(Mutation):
    """A value of a fact is another one, in the log and where it is published."""

    kind = "fact"

    def __init__(self, type, path, how, change):
        self.type, self.path, self.change = type, path, change
        self.name = f"{type} {words(path)} {how}"

    def altered(self, fact):
        return {**fact, "data": changed(fact["data"], self.path, self.change)} if fact["type"] == self.type else fact

    def answer(self, ask, answer):
        if answer["type"] != f"{self.type.split('.')[0]}.facts.read.v1.reply":
            return answer
        return with_data(answer, facts=[self.altered(fact) for fact in answer["data"]["facts"]])

    def publish(self, fact):
        return self.altered(fact)


class NeverTold(WrongFact):
    """A fact has a type that nobody knows."""

    def __init__(self, type):
        self.type, self.name = type, f"{type} is never told"

    def altered(self, fact):
        if fact["type"] != self.type:
            return fact
        service, noun, _ = fact["type"].split(".", 2)
        return {**fact, "type": f"{service}.{noun}.unheard.v1"}


class Published(Mutation):
    """What is published differs from the log."""

    kind = "published"
    held = None

    def __init__(self, service, how):
        self.service, self.how, self.name = service, how, f"{service}: facts are published {how}"

    def publish(self, fact):
        if "sequence" not in fact:
            return fact
        if self.how == "twice":
            return [fact, fact]
        if self.how == "never":
            return []
        if self.how == "with another time":
            return {**fact, "time": another(fact["time"])}
        if self.held is None:  # in pairs, the second first
            self.held = fact
            return []
        held, self.held = self.held, None
        return [fact, held]


class WrongHead(Mutation):
    kind = "published"

    def __init__(self, service, by):
        self.type, self.by, self.name = f"{service}.facts.head.v1", by, f"{service}: its head is off by {by}"

    def publish(self, fact):
        return with_data(fact, head=fact["data"]["head"] + self.by) if fact["type"] == self.type else fact


class DoesWhatItRefuses(Mutation):
    """An ask is refused as it should be, and done all the same."""

    kind = "refused"

    def __init__(self, type, why):
        self.type, self.why, self.name = type, why, f"{type} is refused as {why} and done"

    def ask(self, ask):
        if ask["type"] != self.type or not isinstance(ask.get("data"), dict):
            return [ask]
        if self.why == "too late" and self.is_late(ask):
            return [ask, without(ask, "expirytime")]
        if self.why == "forbidden" and "actor" in ask:
            return [ask, without(ask, "actor")]
        if self.why == "malformed" and "unheard" in ask["data"]:
            return [ask, {**ask, "data": without(ask["data"], "unheard")}]
        return [ask]

    @staticmethod
    def is_late(ask):
        return "expirytime" in ask and "time" in ask and ask["expirytime"] <= ask["time"]


class Accepts(Mutation):
    """An ask that should be refused is done and answered."""

    kind = "accepts"

    def __init__(self, type, why):
        self.type, self.why, self.name = type, why, f"{type} is done although {why}"

    def ask(self, ask):
        if ask["type"] != self.type:
            return [ask]
        if self.why == "malformed":
            data = ask.get("data")
            return [{**ask, "data": without(data, "unheard")}] if isinstance(data, dict) and "unheard" in data else [ask]
        name = {"too late": "expirytime", "forbidden": "actor"}[self.why]
        return [without(ask, name)] if name in ask else [ask]


class AnswersUndone(Mutation):
    """An ask is answered as if it were done, and it is not; each `every`th of them."""

    kind = "undone"

    def __init__(self, type, reply, every=1):
        self.type, self.reply, self.every, self.count = type, reply, every, 0
        self.name = f"{type} is answered and not done" + (f" once in {every}" if every > 1 else "")

    def ask(self, ask):
        if ask["type"] != self.type or not isinstance(ask.get("data"), dict) or DoesWhatItRefuses.is_late(ask):
            return [ask]
        self.count += 1
        if self.count % self.every:
            return [ask]
        said = ask["data"]
        data = {name: said.get(name, value) for name, value in self.reply.items()}
        if "replayed" in data:
            data["replayed"] = False
        raise Answered(answer_to(ask, f"{self.type}.reply", data))


class DoesItAgain(Mutation):
    """A repeat is done once more, under another id, and answered as the first one was."""

    kind = "again"

    def __init__(self, type, keys):
        self.type, self.keys, self.known = type, keys, set()
        self.name = f"{type} is done again when it is repeated"

    def ask(self, ask):
        if ask["type"] != self.type or not isinstance(ask.get("data"), dict):
            return [ask]
        key = tuple(str(ask["data"].get(name)) for name in self.keys)
        if key not in self.known:
            self.known.add(key)
            return [ask]
        return [ask, with_data(ask, **{name: secrets.token_hex(16) for name in self.keys})]


class SaysFirst(Mutation):
    """A replay is not told as one."""

    kind = "again"

    def __init__(self, type, said):
        self.type, self.said, self.name = type, said, f"{type} always says replayed: {said}"

    def answer(self, ask, answer):
        is_reply = answer["type"] == f"{self.type}.reply" and "replayed" in answer["data"]
        return with_data(answer, replayed=self.said) if is_reply else answer


class IgnoresField(Mutation):
    """A field of an ask is passed over, or is taken for another value."""

    kind = "ask"

    def __init__(self, type, path, how, change):
        self.type, self.path, self.change = type, path, change
        self.name = f"{type} takes {words(path)} {how}"

    def ask(self, ask):
        if ask["type"] != self.type or not isinstance(ask.get("data"), dict):
            return [ask]
        made = changed(ask["data"], self.path, self.change)
        return [ask] if made == ask["data"] else [{**ask, "data": made}]


class Forgets(Mutation):
    kind = "process"
    name = "nothing is left after a restart"
    forgets = True


class Drops(Mutation):
    kind = "process"
    name = "what it has when it is told to stop is never answered"
    drops = True


class WrongFault(Mutation):
    """Refusals differ in one member."""

    kind = "fault"

    def __init__(self, member, value):
        self.member, self.value, self.name = member, value, f"refusals have {member} {value!r}"

    def answer(self, ask, answer):
        return with_data(answer, **{self.member: self.value}) if answer["type"].endswith(".fault") else answer


# MARK: All of a service


def goldens(service):
    """{type: (ask, reply)} and {type: fact} of a service."""
    asks, facts = {}, {}
    for path in sorted(GOLDEN.glob(f"{service}.*.json")):
        type = path.name.removesuffix(".json")
        if not re.search(r"\.v\d+$", type) or any(free in f"{type}." for free in FREE):
            continue  # a reply, or another example of the same message
        reply = path.with_name(f"{type}.reply.json")
        value = json.loads(path.read_text())["data"]
        if reply.exists():
            asks[type] = value, json.loads(reply.read_text())["data"]
        else:
            facts[type] = value
    return asks, facts


def all_of(service, effects):
    """Every mutation of a service. `effects`: by type ("reads", "idempotent", "keyed", "once") and the fields of the key."""
    asks, facts = goldens(service)
    made = [Forgets(), Drops(), WrongHead(service, 1), WrongHead(service, -1), WrongHead(service, 1_000_000)]
    made += [Published(service, how) for how in ("twice", "never", "with another time", "in the wrong order")]
    made += [WrongFault("status", 418), WrongFault("retry", "later"), WrongFault("code", "bus.internal")]
    for type, (ask, reply) in asks.items():
        effect, key = effects.get(type, ("reads", ()))
        paths = list(leaves(reply)) if not type.endswith(".facts.read.v1") else [(("head",), 0)]
        for path, leaf in paths:
            if isinstance(leaf, list):
                made += [WrongReply(type, path, how, change) for how, change in LISTS.items()]
            elif path[-1:] != ("replayed",):
                made.append(WrongReply(type, path, "is another one", another))
                if isinstance(leaf, int) and effect == "reads":
                    made.append(WrongReply(type, path, "is another one", another, every=50))
        for path, leaf in leaves(ask):
            if effect != "reads" and path and path[-1] not in key and not isinstance(leaf, list):
                made.append(IgnoresField(type, path, "for another one", another))
        if effect == "reads":
            continue
        made += [DoesWhatItRefuses(type, why) for why in ("too late", "forbidden", "malformed")]
        made += [Accepts(type, why) for why in ("too late", "forbidden", "malformed")]
        made += [AnswersUndone(type, reply), AnswersUndone(type, reply, every=5)]
        if effect == "keyed" and key and all(is_id(ask.get(name)) for name in key):
            made.append(DoesItAgain(type, key))
        if "replayed" in reply:
            made += [SaysFirst(type, False), SaysFirst(type, True)]
    for type, fact in facts.items():
        made.append(NeverTold(type))
        for path, leaf in leaves(fact):
            if isinstance(leaf, list):
                made += [WrongFact(type, path, how, change) for how, change in LISTS.items()]
            else:
                made.append(WrongFact(type, path, "is another one", another))
    return made


def chosen(service, effects, count, seed=SEED):
    """So many of them: as many of each kind as there are, in turns, so that no kind crowds out another."""
    by_kind = {}
    for mutation in all_of(service, effects):
        by_kind.setdefault(mutation.kind, []).append(mutation)
    shuffled = random.Random(f"{service} {seed}")
    for mutations in by_kind.values():
        shuffled.shuffle(mutations)
    turns = itertools.chain.from_iterable(itertools.zip_longest(*by_kind.values()))
    return [mutation for mutation in turns if mutation is not None][:count]
