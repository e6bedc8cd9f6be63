// Rates and latencies out of counts that only ever grow.

/** Points of a line, however long it is. */
const pointsMax = 450;

/** A line that has just begun is drawn over so many milliseconds. */
const shortest = 120_000;

/** Looks that are further apart, as where the page was hidden, give no rate: it would be a mean over a time that nobody saw. */
const gapSeconds = 10;

/** What a figure was over so many milliseconds, as `{rate, p99}` for each part of them: the mean rate, the slowest p99. */
export class Line {
  #points = [];
  #part;

  constructor(milliseconds) { this.#part = milliseconds / pointsMax; }

  add(now, { rate, p99 }) {
    const part = Math.floor(now / this.#part);
    let last = this.#points.at(-1);
    if (last?.part !== part) {
      // A part in which nobody looked breaks the line.
      const gap = last && part > last.part + 1 ? [{ part: last.part + 1, sum: 0, count: 0, p99: null }] : [];
      last = { part, sum: 0, count: 0, p99: null };
      this.#points = [...this.#points, ...gap, last].filter((one) => one.part > part - pointsMax);
    }
    if (rate !== null) [last.sum, last.count] = [last.sum + rate, last.count + 1];
    if (p99 !== null) last.p99 = Math.max(last.p99 ?? 0, p99);
  }

  /** From its first point, as `{milliseconds, points}`: points are `{x, rate, p99}`, x from 0 to 1; null where nothing is known. */
  drawn(now) {
    const end = Math.floor(now / this.#part);
    const parts = Math.max(end - this.#points[0].part, Math.ceil(shortest / this.#part));
    const points = this.#points.map(({ part, sum, count, p99 }) => ({ x: 1 - (end - part) / parts, rate: count ? sum / count : null, p99 }));
    return { milliseconds: parts * this.#part, points };
  }
}

/** Payments a minute, out of a count: over the last minute, or as long as is known; null until that is five seconds. */
export class Minute {
  #looks = [];

  add(now, payments) {
    if (payments?.counter !== this.#looks.at(-1)?.counter) this.#looks = [];
    if (!payments) return null;
    this.#looks = [...this.#looks.filter((one) => one.now > now - 60_000), { now, ...payments }];
    const [first] = this.#looks;
    return now - first.now >= 5000 ? ((payments.captured - first.captured) * 60_000) / (now - first.now) : null;
  }
}

/** Refusals that are recognized when they are told again; 30 are told at once. */
const seenMax = 1000;

/** Groups remembered; the one that was refused longest ago goes. */
const groupsMax = 100;

/** Refusals seen since the page was opened, by service, what and why. */
export class Refusals {
  #seen = new Set();
  #groups = new Map();

  /** Takes what was refused lately, newest first; gives the groups, the one that was refused last first. */
  add(faults) {
    for (const one of faults.toReversed()) {
      const id = [one.time, one.service, one.name, one.correlation].join(" ");
      // Put at the end again: a rare refusal is told for as long as its service has no ten newer ones.
      const isKnown = this.#seen.delete(id);
      this.#seen.add(id);
      if (isKnown) continue;
      const why = [one.status, one.code].filter(Boolean).join(" ");
      const key = [one.service, one.name, why].join(" ");
      const count = (this.#groups.get(key)?.count ?? 0) + 1;
      this.#groups.delete(key);
      this.#groups.set(key, { ...one, key, why, count });
    }
    this.#seen = new Set([...this.#seen].slice(-seenMax));
    this.#groups = new Map([...this.#groups].slice(-groupsMax));
    return [...this.#groups.values()].toReversed();
  }
}

export class History {
  #processes = new Map();
  #counters = new Map();
  #lines = new Map();
  #lengths;
  #time = null;

  /** `lengths` are those of each service's lines, in milliseconds. */
  constructor(lengths = []) { this.#lengths = lengths; }

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
      const goesOn = before && before.counter === one.counter && one.asks >= before.asks && seconds > 0 && seconds < gapSeconds;
      const asks = goesOn && !one.silent ? (one.asks - before.asks) / seconds : null;
      const state = one.paused ? "paused" : known?.troubles?.length ? "troubled" : known ? "ok" : !one.workers ? "missing" : one.silent ? "silent" : "untold";
      return {
        ...one, state, troubles: known?.troubles ?? [], rate: asks, refused: work?.refused ?? null, p50: work?.p50 ?? null, p99: work?.p99 ?? null,
        version: known?.version, uptimeMilliseconds: known?.uptimeMilliseconds ?? null, residentKiB: known?.residentKiB ?? null,
      };
    });
    // The broker's own work is what passes through it.
    const passing = shown.filter((one) => !["gateway", "broker"].includes(one.service) && one.rate !== null);
    for (const one of shown) {
      if (one.service === "broker") one.rate = passing.length ? passing.reduce((sum, { rate }) => sum + rate, 0) : null;
      if (!this.#lines.has(one.service)) this.#lines.set(one.service, this.#lengths.map((length) => new Line(length)));
      for (const line of this.#lines.get(one.service)) line.add(now, one);
    }
    return shown;
  }

  /** A service's line of one of the lengths. */
  line(service, length) { return this.#lines.get(service)[this.#lengths.indexOf(length)].drawn(this.#time); }

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

/** Rounded, as at the beginning of a line. */
export const ago = (milliseconds) =>
  `${milliseconds < 7_200_000 ? `${Math.round(milliseconds / 60_000)} min` : `${Math.round(milliseconds / 3_600_000)} h`} ago`;

export function span(milliseconds) {
  if (milliseconds === null) return "–";
  const seconds = Math.floor(milliseconds / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
