// Reads and small changes that every app makes.
import { waitedMilliseconds } from "./api.js";
import { api } from "./session.js";

/** The body of a GET. */
export const read = async (path) => (await api.insist("GET", path)).body;

/** The same, or null where there is no such thing. */
export async function readIf(path) {
  try {
    return await read(path);
  } catch (error) {
    if (error.status !== 404) throw error;
    return null;
  }
}

/** The same for what a view can do without: null where it is not there, or no answer comes soon. */
export async function readSoon(path) {
  try {
    return (await api.call("GET", path, undefined, { signal: AbortSignal.timeout(waitedMilliseconds) })).body;
  } catch (error) {
    if (error.endsSession || (error.isPassing === undefined && error.name !== "TimeoutError")) throw error;
    return null;
  }
}

/**
 * A reading that never runs twice at once: a call that comes while it runs has it run once more afterwards, so that no older
 * answer replaces a newer one.
 */
export function again(reading) {
  let isRunning = false;
  let isStale = false;
  return async () => {
    isStale = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isStale) {
        isStale = false;
        await reading();
      }
    } finally {
      isRunning = false;
    }
  };
}

/** All rows of a list, or those of its first `pagesMax` pages; `parameter` takes the `next` of the page before. */
export async function allRows(name, path, parameter, pagesMax = Infinity) {
  const rows = [];
  let next;
  for (let at = 0; at < pagesMax && (at === 0 || next); at += 1) {
    const page = await read(`${path}${path.includes("?") ? "&" : "?"}limit=100${next ? `&${parameter}=${next}` : ""}`);
    rows.push(...page[name]);
    next = page.next;
  }
  return rows;
}

/** Changes something that is no money, and may be repeated. */
export const put = async (path, body) => (await api.insist("PUT", path, body)).body;

/** Values of a form without the empty ones, as bodies of requests have them. */
export const given = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== undefined && value !== null));

/** A form's changes: only what differs from `now`; what was emptied is null. */
export const changes = (values, now) => Object.fromEntries(Object.entries(values)
  .filter(([name, value]) => value !== (now[name] ?? (typeof value === "boolean" ? false : "")))
  .map(([name, value]) => [name, value === "" ? null : value]));
