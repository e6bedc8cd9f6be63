// What was taken, day by day: a value made of charges.

const dayMilliseconds = 86_400_000;

/** The start of a day in the reader's zone, `days` before now. Days have 23 to 25 hours. */
export function dayStart(days, now = Date.now()) {
  const start = new Date(now);
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - days);
  return start.getTime();
}

/**
 * Sums of paid charges for the last `count` days, the oldest first: `{start, taken, back, count}` in cents. `back` is what
 * was paid back of the charges of that day.
 */
export function daySums(charges, count, now = Date.now()) {
  const days = Array.from({ length: count }, (_, at) => ({ start: dayStart(count - 1 - at, now), taken: 0, back: 0, count: 0 }));
  for (const one of charges) {
    if (one.state !== "captured") continue;
    const time = Date.parse(one.decided);
    const day = days.findLast(({ start }) => start <= time);
    if (!day || time > now + dayMilliseconds) continue;
    day.taken += one.amount.amount;
    day.back += one.refunded.amount;
    day.count += 1;
  }
  return days;
}
