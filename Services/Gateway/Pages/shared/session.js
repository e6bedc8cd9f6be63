// Who is logged in here. The session is in a cookie that scripts cannot read, one for each role: a customer's, a
// merchant's and an administrator's page work beside each other in one browser.
import { API } from "./api.js";
import { forGood } from "./keep.js";

/** The API as the one who is logged in. */
export const api = new API();

/** The session's `{account, role, pinVerifiedUntil, …}`; null while nobody is logged in. */
export let session = null;

/** Kept while the server has not heard of a log-out: only its answer takes the cookie away. */
const leaving = (role) => `billfold.leaving.${role}`;

/** Says whose page this is, before anything else: `customer`, `merchant` or `administrator`. */
export function useRole(role) {
  api.role = role;
}

/**
 * What is asked from now on is asked as this session's account. A log-in in another tab replaces the cookie of the role, and
 * what this page shows is not the other account's to go on with.
 */
function begin(next) {
  session = next;
  api.account = next?.account ?? null;
}

/** Logs in to an account of this page's role; the server opens no session for one of another role. Throws `Problem` or `NoAnswer`. */
export async function logIn(username, password) {
  const { body } = await api.insist("POST", "/v1/sessions", { username, password, cookie: true, role: api.role });
  begin(body.session);
  forGood.set(leaving(api.role), null);
}

/**
 * Reads the session that the browser still has, after a log-out that was not heard; null where there is none, or where it has
 * become another account's. Throws `NoAnswer` while offline.
 */
export async function resume() {
  if (isLeaving()) await end();
  try {
    const { body } = await api.insist("GET", "/v1/sessions/current");
    begin(session && session.account !== body.account ? null : body);
  } catch (error) {
    if (!error.endsSession) throw error;
    begin(null);
  }
  return session;
}

/** Goes on as whoever was logged in before, where the server cannot be asked; its answers decide later. */
export const assume = begin;

/** Whether whoever was here has logged out, and the server has not heard of it. */
export const isLeaving = () => forGood.get(leaving(api.role)) !== null;

/** What the day's app keeps for times without a network, but for its colour. */
function forgetDay() {
  for (const name of forGood.names("billfold.routines.")) if (name !== "billfold.routines.colour") forGood.set(name, null);
}

async function end() {
  forGood.set(leaving(api.role), true);
  // One cookie is every customer app's: whichever is left, nothing of the account stays in this browser.
  if (api.role === "customer") forgetDay();
  try {
    await api.insist("DELETE", "/v1/sessions/current");
  } catch (error) {
    if (error.isPassing !== false) throw error;
  }
  forGood.set(leaving(api.role), null);
}

/** Ends the session here and at the server; whether the server has heard of it. Where not, the next start tells it. */
export async function logOut() {
  let isHeard = true;
  try {
    await end();
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    isHeard = false;
  }
  forget();
  return isHeard;
}

/** Forgets the session without a word to the server, because it has ended there. */
export const forget = () => begin(null);

/** Enters the PIN; the server then trusts this session for some minutes. */
export async function enterPIN(pin) {
  const { body } = await api.insist("POST", "/v1/pin/verifications", { pin }, { tries: 1 });
  session = { ...session, pinVerifiedUntil: body.verifiedUntil };
}

/** Whether the PIN still counts for the next half minute. */
export const hasPIN = () => Date.parse(session?.pinVerifiedUntil ?? 0) > api.now + 30_000;

/** Forgets that the PIN was entered: the server wants it again. */
export function forgetPIN() {
  session = { ...session, pinVerifiedUntil: null };
}
