// Rates and latencies out of counts that only ever grow.

/** Looks remembered: two minutes. */
const pointsMax = 120;

export class History {
  #processes = new Map();
  #counters = new Map();
  #lines = new Map();
  #time = null;

  /** Takes one look; gives each service with its rates since the look before. */
  add({ time, services }) {
    const now = Date.parse(time);
    const seconds = this.#time ? (now - this.#time) / 1000 : 0;
    this.#time = now;
    const shown = services.map((one) => {
      const known = one.process ?? null;
      const work = known ? this.#work(one.service, known, now) : null;
      const before = this.#counters.get(one.service);
      this.#counters.set(one.service, { counter: one.counter, asks: one.asks });
      // Another counter, and one that began again, give no rate until they have been read twice.
      const goesOn = before && before.counter === one.counter && one.asks >= before.asks && seconds > 0;
      const asks = goesOn && !one.silent ? (one.asks - before.asks) / seconds : null;
      const state = one.paused ? "paused" : known ? "ok" : !one.workers ? "missing" : one.silent ? "silent" : "untold";
      return {
        ...one, state, rate: asks, refused: work?.refused ?? null, p50: work?.p50 ?? null, p99: work?.p99 ?? null,
        version: known?.version, uptimeMilliseconds: known?.uptimeMilliseconds ?? null, residentKiB: known?.residentKiB ?? null,
      };
    });
    // The broker's own work is what passes through it.
    const passing = shown.filter((one) => !["gateway", "broker"].includes(one.service) && one.rate !== null);
    for (const one of shown) {
      if (one.service === "broker") one.rate = passing.length ? passing.reduce((sum, { rate }) => sum + rate, 0) : null;
      one.line = [...(this.#lines.get(one.service) ?? []), { rate: one.rate, p99: one.p99 }].slice(-pointsMax);
      this.#lines.set(one.service, one.line);
    }
    return shown;
  }

  /** What a process has done since it last told; another one may have told in between. */
  #work(service, process, now) {
    const key = `${service} ${process.instance}`;
    const before = this.#processes.get(key);
    this.#processes.set(key, { process, now });
    if (!before || now <= before.now) return null;
    const count = process.answered - before.process.answered;
    const buckets = process.buckets.map(({ upTo, count }) => ({
      upTo, count: count - (before.process.buckets.find((old) => old.upTo === upTo)?.count ?? 0),
    }));
    return {
      refused: Math.max(0, process.refused - before.process.refused) / ((now - before.now) / 1000),
      p50: quantile(buckets, count, 0.5), p99: quantile(buckets, count, 0.99),
    };
  }
}

/** Microseconds within which this part of all was done, evenly spread within its bucket; null where there was nothing. */
export function quantile(buckets, count, part) {
  if (count <= 0) return null;
  const wanted = part * count;
  let [lower, before] = [0, 0];
  for (const bucket of buckets) {
    if (bucket.count >= wanted && bucket.count > before) {
      return lower + ((bucket.upTo - lower) * (wanted - before)) / (bucket.count - before);
    }
    [lower, before] = [bucket.upTo, Math.max(before, bucket.count)];
  }
  return lower;
}

// MARK: Figures as people read them

export function rate(perSecond) {
  if (perSecond === null) return "–";
  return `${perSecond && perSecond < 9.95 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString("en-US")}/s`;
}

export function millis(microseconds) {
  if (microseconds === null) return "–";
  if (microseconds < 1000) return `${Math.round(microseconds)} µs`;
  if (microseconds < 1_000_000) return `${Number((microseconds / 1000).toPrecision(3))} ms`;
  return `${Number((microseconds / 1_000_000).toPrecision(3))} s`;
}

export function span(milliseconds) {
  if (milliseconds === null) return "–";
  const seconds = Math.floor(milliseconds / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
