"""Measures a set of its own, alone or beside others' programs. Started by deploy/bench, which installs and builds."""

import argparse
import dataclasses
import json
import os
import platform
import signal
import sys
from types import SimpleNamespace

import report
from children import directory
from figures import FIGURES, ROWS
from measuring import groups, measure
from peers import CPrograms

PARAMETERS = [
    "store", "seconds", "connections", "pipelined", "in_flight", "body", "group", "clients", "scale", "grown_cards",
    "grown_entries", "streams"]


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="deploy/bench", description="Prints the speed of a set that is started for it.")
    parser.add_argument("--compare-peers", action="store_true", help="run others' programs side by side, print ratios")
    parser.add_argument(
        "--store", choices=["sqlite", "postgres"], default="sqlite",
        help="where the set keeps its state: in files, or in the server that pgbench measures (sqlite)")
    parser.add_argument("--against", metavar="FILE", help="run again what FILE has and print the change")
    parser.add_argument("--out", metavar="FILE", help="store every run as JSON, for --against")
    parser.add_argument(
        "--only", metavar="ROWS", help="rows, separated by commas: " + ", ".join(dict.fromkeys(r.ours for r in ROWS)))
    parser.add_argument("--runs", type=positive(int), help="runs of each figure (1; 5 for comparisons)")
    parser.add_argument("--seconds", type=positive(float), default=2, help="seconds of each run (2)")
    parser.add_argument("--connections", type=positive(int), default=64, help="HTTP connections (64)")
    parser.add_argument("--pipelined", type=positive(int), default=512, help="payments in flight over the bus (512)")
    parser.add_argument("--in-flight", type=positive(int), default=100, help="asks in flight through the broker (100)")
    parser.add_argument("--body", type=positive(int, 8, 60_000), default=256, help="bytes of an ask (256)")
    parser.add_argument("--group", type=positive(int), default=256, help="payments in one commit of the ledger (256)")
    parser.add_argument(
        "--grown-cards", type=positive(int), default=1_000_000, help="cards of the set that has grown (1,000,000)")
    parser.add_argument(
        "--grown-entries", type=positive(int), default=10_000_000, help="entries it has at least (10,000,000)")
    parser.add_argument("--streams", type=positive(int, 80), default=20_000, help="event streams held open (20,000)")
    parser.add_argument("--clients", type=positive(int), default=8, help="pgbench's clients (8)")
    parser.add_argument(
        "--scale", type=positive(int), help="pgbench's scale: 100,000 accounts each (10, or as many as clients)")
    for name in ["root", "services"]:
        parser.add_argument(f"--{name}", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.against:
        # What FILE does not say otherwise is measured as it was there; what is given here goes first.
        stored = load(options.against)
        parser.set_defaults(**stored["parameters"])
        options = parser.parse_args(arguments)
        options.stored = stored["figures"]
    options.rows = [row for row in ROWS if (row.ours in options.only.split(",") if options.only else not row.slow)]
    unknown = set((options.only or ROWS[0].ours).split(",")) - {row.ours for row in ROWS}
    if unknown:
        parser.error(f"there is no row '{sorted(unknown)[0]}'")
    if options.store == "postgres":
        options.rows = [dataclasses.replace(row, target=row.on_postgres) for row in options.rows]
    # With fewer branches than clients, pgbench's clients would wait for each other's rows.
    options.scale = options.scale or max(10, options.clients)
    options.runs = options.runs or (5 if options.compare_peers or options.against else 1)
    return options


def positive(kind, least=0, most=float("inf")):
    def value(text):
        number = kind(text)
        if not max(least, 1e-9) <= number <= most:
            raise argparse.ArgumentTypeError(f"{text} is out of range")
        return number

    value.__name__ = kind.__name__
    return value


def load(file):
    try:
        with open(file) as stored:
            content = json.load(stored)
        content["parameters"], content["figures"]
        return content
    except (OSError, ValueError, LookupError) as error:
        sys.exit(f"deploy/bench: {file} is no stored run: {error}")


def wanted(options):
    figures = groups(options.rows, options.compare_peers)
    if options.against:
        figures = [[name for name in group if name in options.stored and FIGURES[name].ours] for group in figures]
    return [group for group in figures if group]


def machine():
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    return {"cores": len(os.sched_getaffinity(0)), "system": system, "kernel": platform.release()}


def main():
    for number in STOPPED_BY:
        signal.signal(number, stop)
    options = parse(sys.argv[1:])
    figures = wanted(options)
    if not figures:
        sys.exit("deploy/bench: there is nothing to measure: figures by others' loads need --compare-peers")
    root = options.root
    with directory(f"{root}/.build", "bench-") as work:
        os.chmod(work, 0o711)  # the user postgres has to get through
        setting = SimpleNamespace(
            options=options, work=work, services=options.services.split(","), peers=CPrograms(f"{root}/.build/peers"),
            program=lambda name: f"{root}/.build/release/{name}")
        results = measure(setting, figures, options.runs)

    print()
    if options.compare_peers:
        print(report.comparison(options.rows, results))
    elif options.against:
        print(report.against(options.stored, results))
    else:
        print(report.own(results))
    print()
    print(report.details(results))
    if options.out:
        parameters = {name: getattr(options, name) for name in PARAMETERS}
        content = {"machine": machine(), "parameters": parameters, "runs": options.runs, "figures": results}
        with open(options.out, "w") as file:
            json.dump(content, file, indent=1)
    # A timing fails nothing, and neither does a yardstick that is not there; a figure of ours that is missing does.
    if any(result["failure"] and FIGURES[name].ours and not FIGURES[name].by_other for name, result in results.items()):
        sys.exit(1)


STOPPED_BY = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def stop(number, _):
    """Ends by an exception, so that every `with` does its work; a second Ctrl-C does not disturb that."""
    for each in STOPPED_BY:
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is flushed at the end
        sys.exit(1)
