// Acts that move money, each at most once.
//
// An act gets its key before the first try. Act and key stay in the browser's storage until the answer is known, so a
// reload, a second tap, a lost answer, a second tab and the back button repeat the same act instead of making another.
import { backOff, newID, pause } from "./api.js";
import { forGood } from "./keep.js";

const name = "billfold.acts";

/** The server keeps keys for longer. An act of that age is looked up in the activities instead. */
const ageMaxMilliseconds = 20 * 3600 * 1000;

const all = () => forGood.get(name) ?? {};

function change(id, act) {
  const acts = all();
  if (act) acts[id] = act;
  else delete acts[id];
  forGood.set(name, acts);
}

const running = new Map();

/** A name for an act that is about to be made, such as one filled-in form. Keep it where the form is kept. */
export const newAct = newID;

/** The acts of an account whose outcome is not known: `{id, method, path, body, label, since}`. */
export function openActs(account) {
  return Object.entries(all())
    .filter(([, act]) => act.account === account && Date.now() - act.since < ageMaxMilliseconds)
    .map(([id, act]) => ({ id, ...act }));
}

/**
 * Does an act, or finds out what became of it: its `{status, headers, body}`.
 *
 * The same `id` is the same act, whatever else is given. Throws a `Problem` when the server refused, so that nothing
 * was done; an error with `isOpen` when the outcome is unknown, and then the act is kept.
 */
export function once(api, account, id, method, path, body, { label = "", tries = 4, signal } = {}) {
  if (running.has(id)) return running.get(id);
  const act = all()[id] ?? { account, key: newID(), method, path, body, label, since: Date.now() };
  change(id, act);
  const result = exclusively(id, () => attempt(api, id, act, tries, signal)).finally(() => running.delete(id));
  running.set(id, result);
  return result;
}

/** Finds out what became of the open acts: calls `done(act, answer)` or `refused(act, problem)` for each. */
export async function resolveActs(api, account, { done, refused }) {
  for (const act of openActs(account)) {
    try {
      done(act, await once(api, account, act.id));
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      if (!isUndecided(error)) refused(act, error);
    }
  }
}

/** A missing session, PIN or allowance was refused before the server looked the key up: it says nothing of the act. */
const isUndecided = (error) =>
  error.isOpen || error.endsSession || ["auth.pin_required", "gateway.rate_limited", "gateway.account_busy"]
    .includes(error.code);

async function attempt(api, id, act, tries, signal) {
  let wasOpen = act.wasOpen ?? false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      change(id, { ...act, wasOpen: true });
      const answer = await api.call(act.method, act.path, act.body, { key: act.key, signal });
      change(id, null);
      return answer;
    } catch (error) {
      if (error.isOpen === undefined) throw error;
      wasOpen ||= error.isOpen;
      // The first try was refused before anything happened, or the server knows this act's outcome.
      if (!isUndecided(error) || (!wasOpen && !error.isOpen)) {
        change(id, null);
        throw error;
      }
      if (!error.isOpen || attempt >= tries) throw error;
      await pause(backOff(attempt), signal);
    }
  }
}

/** One tab at a time, where the browser can. Elsewhere the server refuses the second of two at once. */
function exclusively(id, act) {
  return navigator.locks ? navigator.locks.request(`billfold.act.${id}`, act) : act();
}
