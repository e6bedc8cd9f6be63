// What the page reads, what it keeps for times without a network, and taps that wait for one.
import { pause } from "../shared/api.js";
import { alertOf } from "../shared/app.js";
import { explained } from "../shared/explain.js";
import { forGood } from "../shared/keep.js";
import { allRows, read } from "../shared/read.js";
import { api, session } from "../shared/session.js";
import { t } from "../shared/text.js";
import { tapped } from "./day.js";

const dayName = () => `billfold.routines.day.${session.account}`;
const tapsName = () => `billfold.routines.taps.${session.account}`;
const sessionName = "billfold.routines.session";

/** The reader's time zone. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** A date such as `2026-11-24` by the reader's clock, `days` from today. */
export function dateOf(days = 0) {
  const date = new Date(api.now);
  date.setDate(date.getDate() + days);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

// MARK: Who was here, for a start without a network

export const keptSession = () => forGood.get(sessionName);
export const keepSession = () => forGood.set(sessionName, session);

/** Without a session a start without a network shows nobody's day. */
export const forgetSession = () => forGood.set(sessionName, null);

// MARK: The day

const taps = () => forGood.get(tapsName()) ?? [];
const withTaps = (day) => taps().filter((tap) => tap.day === day.day).reduce(tapped, day);

/** The schedule of a date with the taps that wait, or null; today's is kept, and is shown where there is no network. */
export async function dayOn(date) {
  await settle();
  const isToday = date === dateOf();
  try {
    const { body } = await api.call("GET", `/v1/schedules/day?date=${date}`);
    if (isToday) forGood.set(dayName(), body);
    return withTaps(body);
  } catch (error) {
    if (error.code === "routines.day_not_found") {
      if (isToday) forGood.set(dayName(), null);
      return null;
    }
    const kept = forGood.get(dayName());
    if (!error.isPassing || kept?.date !== date) throw error;
    return withTaps(kept);
  }
}

/** How long the server is waited for before the kept day is shown. */
const patienceMilliseconds = 2000;

/**
 * Today as `{day, newer}`: where the server takes long, `day` is what was kept, and `newer` promises the server's answer; otherwise
 * `newer` is null.
 */
export async function todayNow() {
  const date = dateOf();
  const asked = dayOn(date);
  const kept = forGood.get(dayName());
  if (kept?.date !== date) return { day: await asked, newer: null };
  return Promise.race([
    asked.then((day) => ({ day, newer: null })),
    pause(patienceMilliseconds).then(() => ({ day: withTaps(kept), newer: asked }))]);
}

/** Keeps the newest answer of the server. */
export function keepDay(day) {
  if (day.date === dateOf()) forGood.set(dayName(), day);
}

/** Whether taps wait for a network. */
export const waitingTaps = () => taps().length;

/** Counts a tap here at once, and at the server when it can be reached. Returns the day with it. */
export function tap(day, entry, action, done) {
  const one = { day: day.day, entry, action, done, time: new Date(api.now).toISOString() };
  forGood.set(tapsName(), [...taps(), one]);
  return tapped(day, one);
}

let settling = null;

/** Sends the taps that wait, in their order, from one tab at a time; says which of them the server does not take. */
export function settle() {
  const account = session?.account;
  settling ??= exclusively(() => send(account)).finally(() => { settling = null; });
  return settling;
}

/** One tab at a time, where the browser can. Elsewhere two may send the same tap, which then counts once. */
const exclusively = (act) => (navigator.locks ? navigator.locks.request(tapsName(), act) : act());

async function send(account) {
  // Another account that logs in meanwhile has taps of its own.
  while (session && session.account === account && taps().length) {
    const [first] = taps();
    const { day, ...mark } = first;
    let answer;
    let problem;
    try {
      answer = await api.call("POST", `/v1/schedules/${day}/marks`, mark);
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      if (error.isPassing || error.endsSession) return;
      problem = error;
    }
    if (session?.account !== account) return;
    if (problem) alertOf(`${t("tap.refused")} ${explained(problem)}`);
    else keepDay(answer.body);
    // Another tab may have taken away some, or the same one.
    forGood.set(tapsName(), taps().filter((one) => JSON.stringify(one) !== JSON.stringify(first)));
  }
}

// MARK: Everything else

/** All routines, the newest first. */
export const routines = () => allRows("routines", "/v1/routines", "before");

let offeredOnce;

/** Pre-loaded actions, pictures, tags and colours. */
export const offered = () => (offeredOnce ??= read("/v1/routines/offered").catch((error) => {
  offeredOnce = undefined;
  throw error;
}));

export const ownImages = async () => (await read("/v1/routines/images")).images;

const colourName = "billfold.routines.colour";

/** Shows the page in the profile's colour; the browser keeps it for the next start. */
export function showColour(colour = forGood.get(colourName) ?? "green") {
  document.documentElement.dataset.colour = colour;
  forGood.set(colourName, colour);
}
