// Acts that move money, each at most once.
//
// An act gets its key before the first try. Act and key stay in the browser's storage until the answer is known, so a
// reload, a second tap, a lost answer, a second tab and the back button repeat the same act instead of making another.
import { backOff, newID, pause } from "./api.js";
import { refusalOf } from "./explain.js";
import { forGood, forTab } from "./keep.js";

/** Each act has a place of its own: two tabs never write the same one back. */
const prefix = "billfold.act.";
const kept = (id) => forGood.get(prefix + id);
const keep = (id, act) => forGood.set(prefix + id, act);

const running = new Map();
/** Acts that this page has asked for in vain. */
const unknown = new Set();
const keys = new Map();

/** A name for an act that is about to be made. Keep it where what it does is kept. */
export const newAct = newID;

/**
 * A form's next act, `{id, end}`: the form is one act, also after a reload of the tab, until `end()` is called because
 * the act is done or refused. `place` names the form.
 */
export function draft(place) {
  const name = `billfold.draft.${place}`;
  const id = forTab.get(name) ?? newID();
  forTab.set(name, id);
  return { id, end: () => forTab.set(name, null) };
}

/** A key for something that moves no money: the same content has the same key while the page lives. */
export function keyFor(content) {
  const wanted = JSON.stringify(content);
  if (!keys.has(wanted)) keys.set(wanted, newID());
  return keys.get(wanted);
}

/** `ask(key)` with the content's key, which is forgotten with an answer: the same content is something new then. */
export async function withKey(content, ask) {
  let isOpen = false;
  try {
    return await ask(keyFor(content));
  } catch (error) {
    isOpen = error.isOpen;
    throw error;
  } finally {
    if (!isOpen) keys.delete(JSON.stringify(content));
  }
}

/** The acts of an account whose outcome is not known: `{id, method, path, body, label, since}`, oldest first. */
export function openActs(account) {
  return forGood.names(prefix)
    .map((name) => ({ id: name.slice(prefix.length), ...forGood.get(name) }))
    .filter((act) => act.account === account)
    .sort((a, b) => a.since - b.since);
}

/**
 * Does an act, or finds out what became of it: its `{status, headers, body}`.
 *
 * The same `id` is the same act, whatever else is given. Throws a `Problem` when the server refused, so that nothing
 * was done; an error with `isOpen` when the outcome is unknown, also where this try was refused and one before it may
 * have been done. Then the act is kept. Without a `path` it only finds out, and throws `act.elsewhere` where another tab
 * has done so: this page knows neither the act nor its outcome any more.
 */
export function once(api, account, id, method, path, body, { label = "", tries = 4, signal } = {}) {
  if (running.has(id)) return running.get(id);
  const known = kept(id);
  // Nobody asks again for what another account has asked for.
  if (known && known.account !== account) return Promise.reject(refusalOf("auth.session_not_found"));
  const act = known ?? (path ? { account, key: newID(), method, path, body, label, since: Date.now() } : null);
  if (!act) return Promise.reject(refusalOf("act.elsewhere"));
  keep(id, act);
  const result = exclusively(id, () => attempt(api, id, act, tries, signal)).finally(() => running.delete(id));
  running.set(id, result);
  return result;
}

/**
 * Finds out what became of the open acts that nobody waits for in this page: calls `done(act, answer)` or
 * `refused(act, problem)` for each.
 */
export async function resolveActs(api, account, { done, refused }) {
  for (const act of openActs(account)) {
    if (running.has(act.id)) continue;
    try {
      done(act, await once(api, account, act.id));
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      if (!error.isOpen && error.code !== "act.elsewhere") refused(act, error);
    }
  }
}

/** Calls `found(act)` when another tab has found out what became of an act for which this page asked in vain. */
export function onFoundElsewhere(found) {
  addEventListener("storage", ({ key, oldValue, newValue }) => {
    const id = key?.startsWith(prefix) && newValue === null ? key.slice(prefix.length) : null;
    if (id && !running.has(id) && unknown.delete(id)) found({ id, ...JSON.parse(oldValue) });
  });
}

/** What may be refused before the server looks the key up says nothing of the tries before: a missing session or PIN, and
 * what may succeed later. */
const isUndecided = (error) => error.isPassing || error.endsSession || beforeTheKey.has(error.code);
const beforeTheKey = new Set(["auth.pin_required", "gateway.head_too_large", "gateway.request_unreadable"]);

async function attempt(api, id, act, tries, signal) {
  let wasOpen = act.wasOpen ?? false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      keep(id, { ...act, wasOpen: true });
      const answer = await api.call(act.method, act.path, act.body, { key: act.key, account: act.account, signal });
      forget(id);
      return answer;
    } catch (error) {
      if (error.isOpen === undefined) throw error;
      const isWorthATry = error.isOpen && attempt < tries;
      wasOpen ||= error.isOpen;
      // No try may have done anything, or the server knows this act's outcome.
      if (!wasOpen || !isUndecided(error)) {
        forget(id);
        throw error;
      }
      Object.defineProperty(error, "isOpen", { value: true });
      if (!isWorthATry) {
        unknown.add(id);
        dispatchEvent(new Event("billfold-open"));
        throw error;
      }
      await pause(backOff(attempt), signal);
    }
  }
}

function forget(id) {
  unknown.delete(id);
  keep(id, null);
}

/** One tab at a time, where the browser can. Elsewhere the server refuses the second of two at once. */
function exclusively(id, act) {
  return navigator.locks ? navigator.locks.request(`billfold.act.${id}`, act) : act();
}
