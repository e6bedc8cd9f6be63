"""Tables of what was measured."""

from statistics import median

from measuring import metrics, values


def table(heads, rows):
    """A Markdown table with even columns."""
    rows = [heads, *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def spread(metric, measured):
    """Median and range: `7,203/s (6,900–7,410)`."""
    if not measured:
        return "not measured"
    if len(measured) == 1:
        return metric.text(measured[0])
    low, high = min(measured), max(measured)
    return f"{metric.text(median(measured))} ({low:,.{metric.digits}f}–{high:,.{metric.digits}f})"


def own(results):
    """All figures with all their metrics."""
    rows = [
        [result["title"], metric.name, spread(metric, values(result, metric))]
        for result in results.values() for metric in metrics(result)]
    return table(["figure", "", "median (range)"], rows)


def comparison(rows, results):
    """Our figures beside the yardsticks'."""
    lines = []
    for row in rows:
        if row.ours not in results:
            continue
        ours = values(results[row.ours], row.metric)
        cells = [results[row.ours]["title"], spread(row.metric, ours), "", "", "", "", ""]
        sign = "at least" if row.metric.more_is_better else "at most"
        verdict = None
        if row.beside:
            theirs = values(results[row.beside], row.metric)
            cells[2:4] = [results[row.beside]["title"], spread(row.metric, theirs)]
            if ours and theirs:
                ratio = median(ours) / median(theirs)
                cells[4] = with_range(ratio, [a / b for a, b in zip(ours, theirs)])
                verdict = row.is_met(ratio)
            if row.target is not None:
                cells[5] = f"{sign} {row.target:g} ×"
        elif row.target is not None:
            cells[5] = f"{sign} {row.metric.text(row.target)}"
            verdict = row.is_met(median(ours)) if ours else None
        cells[6] = {True: "met", False: "not met", None: ""}[verdict]
        lines.append(cells)
    return table(["Billfold", "ours", "beside", "theirs", "ratio", "target", ""], lines)


def with_range(ratio, ratios):
    return f"{ratio:.2f}" if len(ratios) == 1 else f"{ratio:.2f} ({min(ratios):.2f}–{max(ratios):.2f})"


def against(stored, results):
    """The same figures of an earlier run, as it was stored, and of this one."""
    lines = []
    for name, result in results.items():
        for metric in metrics(result):
            before, now = values(stored[name], metric), values(result, metric)
            if not before:
                continue
            ratios = [min(now) / max(before), max(now) / min(before)]
            lines.append([
                result["title"], metric.name, spread(metric, before), spread(metric, now),
                f"{median(now) / median(before):.2f} ({ratios[0]:.2f}–{ratios[1]:.2f})",
                change(metric, before, now)])
    return table(["figure", "", "stored", "now", "ratio", ""], lines)


def change(metric, before, now):
    """A change is one only when no run of the one lies within the range of the other, and there are some runs."""
    if min(len(before), len(now)) < 3:
        return "too few runs"
    if min(now) <= max(before) and min(before) <= max(now):
        return "ranges overlap"
    return "better" if (min(now) > max(before)) == metric.more_is_better else "WORSE"


def details(results):
    """Processor time, memory by process, and the disk: medians, below the tables."""
    lines = []
    for name, result in results.items():
        for key, unit in [("processorMicros", "processor µs each"), ("mebibytes", "MiB")]:
            runs = [run[key] for run in result["runs"] if key in run]
            if runs:
                parts = [f"{process} {median(run[process] for run in runs):.1f}" for process in runs[0]]
                lines.append(f"{result['title']}: {unit}: {', '.join(parts)}")
    runs = [run for result in results.values() for run in result["runs"]]
    probes = [probe for run in runs for probe in run.get("fdatasyncMicros", [])]
    if probes:
        lines.append(
            f"fdatasync of 4 KiB beside the durable figures: median {median(probes):.0f} µs "
            f"({min(probes):.0f}–{max(probes):.0f})")
    lines += [
        f"not measured: {result['title']}: {result['failure']}" for result in results.values() if result["failure"]]
    return "\n".join(lines)
