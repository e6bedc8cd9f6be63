"""Runs figures in turn and keeps what they gave."""

from children import Failed
from disk import fdatasync_micros
from figures import FIGURES, METRICS, Sources


def groups(rows, with_peers):
    """The figures of each group, in order, each once."""
    wanted = {}
    for row in rows:
        figures = wanted.setdefault(row.group, [])
        if with_peers or not FIGURES[row.ours].by_other:
            figures.append(row.ours)
        if with_peers and row.beside:
            figures.append(row.beside)
    return [list(dict.fromkeys(figures)) for figures in wanted.values()]


def measure(setting, wanted, runs):
    """`{figure: {"title", "runs", "failure"}}`. A figure that fails once is not tried again; the others go on."""
    results = {}
    for figures in wanted:
        with Sources(setting) as sources:
            for run in range(runs):
                for name in figures:
                    figure = FIGURES[name]
                    title = figure.title.format(**vars(setting.options))
                    result = results.setdefault(name, {"title": title, "runs": [], "failure": None})
                    if result["failure"]:
                        continue
                    try:
                        value = measure_once(figure, sources, setting)
                        result["runs"].append(value)
                        text = line(figure, value)
                    except (Failed, OSError, ValueError, LookupError, StopIteration) as failure:
                        result["failure"] = str(failure) or type(failure).__name__
                        text = f"not measured: {result['failure']}"
                    print(f"[{run + 1}/{runs}] {title:<52} {text}", flush=True)
    return results


def measure_once(figure, sources, setting):
    if not figure.durable:
        return figure.measure(sources, setting.options)
    before = fdatasync_micros(setting.work)
    value = figure.measure(sources, setting.options)
    return value | {"fdatasyncMicros": [before, fdatasync_micros(setting.work)]}


def line(figure, value):
    parts = [f"{metric.text(value[metric.key]):>11}" for metric in figure.shown if metric.key in value]
    if "fdatasyncMicros" in value:
        before, after = value["fdatasyncMicros"]
        parts.append(f"  fdatasync {before:.0f} and {after:.0f} µs")
    return "".join(parts)


def values(result, metric):
    """One per run; empty where the figure has no such field."""
    return [run[metric.key] for run in result["runs"] if metric.key in run]


def metrics(result):
    return [metric for metric in METRICS if values(result, metric)]
