// Who is logged in here. All pages of the set share one session; roles decide what it opens.
import { API } from "./api.js";
import { forTab } from "./keep.js";

const tokenName = "billfold.session";

/** The API as the one who is logged in. */
export const api = new API(forTab.get(tokenName));

/** The session's `{account, role, pinVerifiedUntil, …}`; null while nobody is logged in. */
export let session = null;

/** Logs in; returns the session. Throws `Problem` or `NoAnswer`. */
export async function logIn(username, password) {
  const { body } = await api.insist("POST", "/v1/sessions", { username, password });
  api.token = body.token;
  forTab.set(tokenName, body.token);
  session = body.session;
  return session;
}

/** Reads the session that the browser still has; null where there is none. Throws `NoAnswer` while offline. */
export async function resume() {
  if (!api.token) return (session = null);
  try {
    session = (await api.insist("GET", "/v1/sessions/current")).body;
  } catch (error) {
    if (!error.endsSession) throw error;
    forget();
  }
  return session;
}

/** Ends the session here and at the server. What the server does not hear ends by itself. */
export async function logOut() {
  try {
    await api.insist("DELETE", "/v1/sessions/current");
  } catch (error) {
    if (error.isPassing === undefined) throw error;
  }
  forget();
}

/** Forgets the session without a word to the server, because it has ended there. */
export function forget() {
  api.token = null;
  forTab.set(tokenName, null);
  session = null;
}

/** Enters the PIN; the server then trusts this session for some minutes. */
export async function enterPIN(pin) {
  const { body } = await api.insist("POST", "/v1/pin/verifications", { pin }, { tries: 1 });
  session = { ...session, pinVerifiedUntil: body.verifiedUntil };
}

/** Whether the PIN still counts for the next half minute. */
export const hasPIN = () => Date.parse(session?.pinVerifiedUntil ?? 0) > api.now + 30_000;
