// Decisions: each can be undone for ten seconds, and is sent then.
import { endsHere } from "../shared/app.js";
import { explained, refusalOf } from "../shared/explain.js";
import { api, session } from "../shared/session.js";
import { forgetMerchant, merchantOf } from "./waiting.js";

const undoMilliseconds = 10_000;

/** By the item's id: `{item, approves, reason, account, due, timer, isSent, sending, problem}`. */
const open = new Map();

/** Ids of items whose decision has been sent: lists that were read before still have them. */
const sent = new Set();

const changed = () => dispatchEvent(new Event("billfold-decisions"));

/** What was decided and not sent yet, the newest first; with `problem` what could not be done. */
export const decisions = () => [...open.values()].reverse().filter((one) => !isAnothers(one));

/** Whether an item was decided on here, so that it no longer waits. */
export const isDecided = (id) => sent.has(id) || (open.has(id) && !open.get(id).problem);

/** Whether a decision is on its way, and can perhaps still be undone. */
export const isOpen = (id) => open.has(id) && !open.get(id).problem;

/** Seconds in which a decision can be undone. */
export const secondsLeft = ({ due }) => Math.max(0, Math.ceil((due - Date.now()) / 1000));

export function decide(item, approves, reason = "") {
  clearTimeout(open.get(item.id)?.timer);
  const timer = setTimeout(() => send(item.id), undoMilliseconds);
  open.delete(item.id);
  sent.delete(item.id);
  open.set(item.id, { item, approves, reason, account: session.account, due: Date.now() + undoMilliseconds, timer });
  changed();
}

/** Whether somebody else is logged in by now: what was not sent waits again, for them. */
const isAnothers = ({ account }) => session && session.account !== account;

/** Takes a decision back, the newest where none is named. Returns its item, or undefined. */
export function undo(id = decisions().find(({ isSent }) => !isSent)?.item.id) {
  const one = open.get(id);
  if (!one || one.isSent) return undefined;
  clearTimeout(one.timer);
  open.delete(id);
  changed();
  return one.item;
}

/** Sends all that is open, without waiting for the ten seconds, and waits for what is on its way. Resolves to whether all was done. */
export async function sendAll() {
  await Promise.all([...open.keys()].map(send));
  return open.size === 0;
}

function send(id) {
  const one = open.get(id);
  if (!one || one.problem) return undefined;
  if (isAnothers(one)) {
    open.delete(id);
    changed();
    return undefined;
  }
  one.sending ??= deliver(id, one);
  return one.sending;
}

async function deliver(id, one) {
  clearTimeout(one.timer);
  one.isSent = true;
  changed();
  try {
    await expectSame(one.item);
    const [path, body] = request(one);
    await api.insist("POST", path, body, { account: one.account });
    open.delete(id);
    sent.add(id);
    if (one.item.merchant) forgetMerchant(id);
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    one.problem = explained(error);
    endsHere(error);
  }
  changed();
}

/** A merchant's decision names no state that it is about, as an offer's does: what somebody else decided meanwhile stays. */
async function expectSame({ id, merchant }) {
  if (!merchant) return;
  forgetMerchant(id);
  if ((await merchantOf(id))?.status !== merchant.status) throw refusalOf("offers.offer_decided");
}

function request({ item, approves, reason }) {
  const word = approves ? "approval" : "rejection";
  if (item.merchant) return [`/v1/merchants/${item.id}/${word}`, approves ? undefined : reason ? { reason } : {}];
  const { offer, revision } = item.offer;
  return [`/v1/offers/${offer}/${word}`, approves ? { revision } : { reason, revision }];
}

// A decision that was not sent yet is lost with the page: its item waits again.
addEventListener("beforeunload", (event) => {
  if (decisions().some(({ problem }) => !problem)) event.preventDefault();
});
