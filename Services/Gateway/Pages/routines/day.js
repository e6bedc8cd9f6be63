// What a day says at a moment: the server's rules, for a day that is shown without it.

/** `open`, `done` or `skipped`: an open action whose time has passed is skipped. */
export const stateOf = (entry, action, now) =>
  action.done ? "done" : Date.parse(entry.until) <= now ? "skipped" : "open";

const firstOpen = (entry, now) => entry.actions.find((action) => stateOf(entry, action, now) === "open");
const place = (entry, now) => ({ entry, action: firstOpen(entry, now) });

/** What should be done now, `{entry, action}`: of the entry whose time it is, or else of the first that is not over. */
export function currentOf(day, now) {
  const begun = day.entries.filter((entry) => Date.parse(entry.begins) <= now && firstOpen(entry, now));
  const entry = begun.find((one) => now < Date.parse(one.ends)) ?? begun[0];
  return entry ? place(entry, now) : null;
}

/** What comes after that, `{entry, action}`. */
export function nextOf(day, now) {
  const entry = day.entries.find((one) => Date.parse(one.begins) > now && firstOpen(one, now));
  return entry ? place(entry, now) : null;
}

/** `now`, `next`, `done`, or `over` where nothing is open and nothing was done. */
export function stageOf(day, now) {
  if (currentOf(day, now)) return "now";
  if (nextOf(day, now)) return "next";
  return day.entries.some((entry) => entry.actions.some((action) => action.done)) ? "done" : "over";
}

/** The day with a tap in it. */
export function tapped(day, { entry, action, done, time }) {
  return {
    ...day,
    entries: day.entries.map((one) => one.entry !== entry ? one : {
      ...one,
      actions: one.actions.map((step) => step.action !== action ? step : { ...step, done: done ? step.done ?? time : undefined }),
    }),
  };
}
