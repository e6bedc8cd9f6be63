// The touch app's page: a start view, then a phone with what belongs beside it.
import { API, backOff, pause } from "../shared/api.js";
import { byID, el, say } from "../shared/dom.js";
import { forTab } from "../shared/keep.js";
import { api as shared } from "../shared/session.js";
import { addTexts } from "../shared/text.js";
import { attempt } from "../shared/view.js";
import { position, whereabouts } from "../shared/whereabouts.js";
import words from "../shared/words-app.js";
import { Device } from "./device.js";
import { Phone } from "./phone.js";
import { Payments, forgetReceipt, prepareReceipts } from "./receipts.js";
import { Requests } from "./requests.js";
import { openDevice, prepareStart } from "./start.js";

addTexts(words);

const stateWords = { connecting: "Connecting", live: "Live", lost: "Offline" };

/** What is kept as long as the tab: `{token, device, isDemo}`. */
const kept = "billfold.touch";

let api = new API();
let device = null;
let waking = new AbortController();
const payments = new Payments();
const requests = new Requests({ now: () => api.now });
const phone = new Phone({
  showReceipt: (receipt) => payments.openTouched(receipt), whereabouts: aboutHere, now: () => api.now,
});

function open(session, opened, isDemo) {
  api = session;
  // Shared modules ask as the same session.
  shared.token = api.token;
  forTab.set(kept, { token: api.token, device: opened.device, isDemo });
  attach(new Device(api, opened, isDemo));
}

function attach(next) {
  device = next;
  lock();
  let seen = null;
  device.addEventListener("display", () => {
    if (next !== device) return;
    const { menuActive, card, receipt } = next.display;
    const now = menuActive && JSON.stringify([card?.balance, receipt?.operation]);
    if (!now) lock();
    else if (now !== seen) unlock();
    seen = now;
  });
  device.addEventListener("connection", () => {
    if (next !== device) return;
    showConnection();
    if (next.connection === "live" && next.display?.menuActive) unlock();
  });
  device.addEventListener("ended", ({ detail }) => next === device && ended(detail));
  phone.attach(device);
  showConnection();
}

/** Shows what is for the customer alone, who has entered the PIN. */
function unlock() {
  payments.unlock(api);
  requests.unlock(api);
}

function lock() {
  payments.lock();
  requests.lock();
}

/** The device is gone. As long as the session is there, another one takes its place. */
async function ended({ session, words }) {
  if (session) return leave(words);
  const gone = device;
  phone.remark(`${words} Starting it again …`);
  showConnection("connecting");
  for (let attempt = 1; ; attempt += 1) {
    try {
      const opened = await openDevice(api, "account", 1);
      // Logged out meanwhile: it ends with the session.
      if (device !== gone) return;
      open(api, opened, gone.isDemo);
      return phone.remark(`${words} Enter your PIN.`);
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      if (device !== gone) return;
      if (error.endsSession) return leave("Your session has ended. Log in again.");
      if (!error.isPassing) return leave(`${words} ${error.words}`);
      showConnection("lost");
      waking = new AbortController();
      await pause(Math.max(backOff(attempt), 1000 * error.retryAfterSeconds), waking.signal);
    }
  }
}

/** Where the customer is, with the ways to say it; `changed` is called when it is known. */
function aboutHere(changed) {
  const place = el("div", { class: "here" });
  const problem = el("p", { class: "problem", role: "alert" });
  const draw = () => attempt(place, problem, async () => place.replaceChildren(whereabouts(await position(), () => {
    draw();
    changed();
  })));
  draw();
  return el("div", {}, place, problem);
}

/** Back to the start view, with nothing left behind. */
function leave(words = "") {
  forTab.set(kept, null);
  shared.token = null;
  device?.stop();
  phone.attach(null);
  lock();
  forgetReceipt();
  device = null;
  api = new API();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  history.replaceState(null, "", location.pathname);
  route();
  say(byID("start-remark"), words);
}

/** The server is told as long as the page is open: only its answer ends the session, and the session's devices. */
async function logOut() {
  const old = api;
  const remark = (words) => device || say(byID("start-remark"), words);
  leave("You have logged out.");
  for (let attempt = 1; ; attempt += 1) {
    try {
      await old.insist("DELETE", "/v1/sessions/current");
      return remark("You have logged out.");
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      // The session has ended by itself.
      if (!error.isPassing) return remark("You have logged out.");
      remark("The server could not be told yet, so your session goes on there. Leave this page open: it goes on trying.");
      await pause(backOff(attempt));
    }
  }
}

function showConnection(known = device?.connection) {
  const state = navigator.onLine ? known ?? "lost" : "lost";
  const line = byID("connection");
  line.dataset.state = state;
  say(byID("connection-words"), stateWords[state]);
}

/** Whatever waits for its next try tries now. */
function wake() {
  waking.abort();
  device?.wake();
  requests.wake();
}

// MARK: Views

/** `#app` is the phone; going back from it leads to the start view, which leads on again. */
function route() {
  const isApp = device !== null && location.hash === "#app";
  const wasApp = !byID("app").hidden;
  byID("app").hidden = !isApp;
  byID("start").hidden = isApp;
  byID("go-on").hidden = device === null;
  byID("connection").hidden = !isApp;
  byID("log-out").hidden = device === null;
  if (isApp) {
    if (!wasApp) phone.focus();
    return;
  }
  document.title = "Billfold";
  if (wasApp) byID("start-heading").focus();
}

function enter() {
  say(byID("start-remark"), "");
  if (location.hash !== "#app") history.pushState(null, "", "#app");
  scrollTo(0, 0);
  route();
}

// MARK: Start

prepareReceipts();
prepareStart((session, opened, isDemo) => {
  open(session, opened, isDemo);
  enter();
});
byID("go-on-button").addEventListener("click", enter);
byID("log-out").addEventListener("click", logOut);
byID("help-button").addEventListener("click", () => byID("help").showModal());
for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}
addEventListener("popstate", () => {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  route();
});
addEventListener("offline", () => showConnection());
addEventListener("online", () => {
  showConnection();
  wake();
});
document.addEventListener("visibilitychange", () => document.hidden || wake());

const session = forTab.get(kept);
if (session) {
  open(new API(session.token), { device: session.device }, session.isDemo);
  enter();
} else {
  history.replaceState(null, "", location.pathname);
  route();
}
