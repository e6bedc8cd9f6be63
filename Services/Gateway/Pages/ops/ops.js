// The operator's page: looks once a second, and draws what has changed since the look before.
import { backOff, pause, waitedMilliseconds } from "../shared/api.js";
import { byID, el, say } from "../shared/dom.js";
import { api, forget, isLeaving, logIn, logOut, resume, useRole } from "../shared/session.js";
import { money } from "../shared/money.js";
import { History, Minute, Refusals, ago, millis, rate, span } from "./figures.js";
import { plot } from "./lines.js";
import { clearRefusals, drawRefusals } from "./refusals.js";

const lookMilliseconds = 1000;

/** Lengths of the lines, in milliseconds. */
const lengths = new Map([[900_000, "15 minutes"], [86_400_000, "24 hours"]]);
byID("length").append(...[...lengths].map(([value, name]) => el("option", { value }, name)));
byID("length").addEventListener("change", () => drawLines());

let watching = new AbortController();
let boxes = new Map();
let history = new History();

// MARK: Logging in and out

function start(words = "") {
  watching.abort();
  forget();
  byID("set").hidden = true;
  byID("log-out").hidden = true;
  byID("connection").hidden = true;
  byID("start").hidden = false;
  say(byID("start-remark"), words);
  byID("start-heading").focus();
}

byID("log-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector("button");
  const problem = form.querySelector(".problem");
  const { username, password } = Object.fromEntries(new FormData(form));
  problem.textContent = "";
  if (!username || !password) {
    problem.textContent = "Enter your username and your password.";
    (username ? form.elements.password : form.elements.username).focus();
    return;
  }
  if (button.getAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  try {
    await logIn(username, password);
    form.reset();
    watch();
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    problem.textContent = error.code === "gateway.other_role" ? "This page is for administrators." : error.words;
  } finally {
    button.removeAttribute("aria-busy");
  }
});

const unheard = "The server could not be told: this browser is still logged in there. Reload this page when there is a connection.";

byID("log-out").addEventListener("click", async () => {
  start((await logOut()) ? "You have logged out." : unheard);
});

// MARK: Looking

async function watch() {
  watching.abort();
  watching = new AbortController();
  const { signal } = watching;
  history = new History([...lengths.keys()]);
  const [minute, refusals] = [new Minute(), new Refusals()];
  boxes = new Map();
  byID("map").replaceChildren();
  clearRefusals();
  byID("start").hidden = true;
  byID("set").hidden = false;
  byID("log-out").hidden = false;
  byID("connection").hidden = false;
  connection("connecting", "Connecting");
  byID("set-heading").focus();
  for (let failures = 0; !signal.aborted;) {
    // Nobody sees a page behind others.
    if (document.hidden) await visible(signal);
    const late = setTimeout(() => outdated("Behind", "No answer for three seconds."), waitedMilliseconds);
    try {
      const { body } = await api.call("GET", "/v1/ops", undefined, { signal });
      clearTimeout(late);
      failures = 0;
      connection("live", "Live");
      const services = history.add(body);
      draw(services, body, minute.add(Date.parse(body.time), body.payments));
      drawRefusals(refusals.add(body.faults));
      drawLines();
      await pause(lookMilliseconds, signal);
    } catch (error) {
      clearTimeout(late);
      if (signal.aborted) return;
      if (error.isPassing === undefined) throw error;
      if (error.endsSession) return start("Your session has ended. Log in again.");
      if (error.status === 403) return start("This page is for administrators.");
      failures += 1;
      if (error.code) outdated("Behind", `The gateway answers, but not with figures (${error.code}). /health says what is missing.`);
      else outdated("Offline", "The gateway does not answer.");
      await pause(backOff(failures), signal);
    }
  }
}

function outdated(state, why) {
  connection("lost", state);
  verdict("bad", `${why} These figures are out of date.`);
}

function visible(signal) {
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", resolve, { once: true, signal });
    signal.addEventListener("abort", resolve, { once: true });
  });
}

function connection(state, words) {
  byID("connection").dataset.state = state;
  say(byID("connection-words"), words);
}

function verdict(state, words) {
  byID("verdict").dataset.state = state;
  say(byID("verdict"), words);
}

// MARK: Drawing

const stateWords = {
  ok: "answers", missing: "missing", silent: "does not answer", paused: "paused", untold: "tells no figures", troubled: "has a problem" };

function draw(services, { drops, ledger }, inMinute) {
  const of = (state) => services.filter((one) => one.state === state).map((one) => one.service);
  const [missing, silent, held] = ["missing", "silent", "paused"].map(of);
  const bad = [
    missing.length && `Missing: ${missing.join(", ")}.`, silent.length && `No answer from: ${silent.join(", ")}.`,
    ...services.flatMap(({ service, troubles }) => troubles.map((what) => `${service}: ${what}.`)), ...wrongIn(ledger)].filter(Boolean);
  if (bad.length) verdict("bad", bad.join(" "));
  else if (held.length) verdict("waiting", `Paused: ${held.join(", ")}.`);
  else if (!ledger) verdict("waiting", "The wallet tells nothing of the ledger.");
  else verdict("ok", `All ${services.length} answer.`);
  say(byID("money"), moneyWords(ledger, inMinute));
  for (const one of services) box(one);
  for (const [name, { element }] of boxes) {
    if (services.some((one) => one.service === name)) continue;
    element.remove();
    boxes.delete(name);
  }
  drawFigures(services);
  const dropped = Object.entries(drops ?? {}).filter(([, count]) => count > 0).sort();
  say(byID("drops"), drops === undefined || drops === null ? "The broker does not tell what it has dropped."
    : dropped.length ? `Dropped or refused by the broker since its start: ${dropped.map(([why, count]) => `${why} ${count}`).join(", ")}.`
      : "The broker has dropped nothing.");
}

const counted = (number, one, many) => `${Math.round(number).toLocaleString("en-US")} ${Math.round(number) === 1 ? one : many}`;

/** What is wrong with the money, a sentence each. */
function wrongIn(ledger) {
  const sums = Object.entries(ledger?.totals ?? {}).filter(([, total]) => total !== 0);
  const problems = ledger?.verified?.problems ?? 0;
  return [
    ...sums.map(([currency, amount]) => `The ledger's sum is ${money({ amount, currency })} and has to be zero: stop payments.`),
    problems > 0 && `The last check of the ledger found ${counted(problems, "thing", "things")} wrong: stop payments.`,
  ];
}

/** What the ledger comes to, when it was checked, and how much is paid. */
function moneyWords(ledger, inMinute) {
  const isEven = Object.values(ledger?.totals ?? {}).every((total) => total === 0);
  const sum = ledger && `The ledger's sum is ${isEven ? "zero" : "not zero"}, over ${counted(ledger.entries, "entry", "entries")}.`;
  const check = ledger && (ledger.verified
    ? `Checked ${ledger.verified.time.slice(0, 16).replace("T", " ")} UTC: ${ledger.verified.problems === 0 ? "all right" : "not right"}.`
    : "Nobody has checked it since the wallet was started.");
  return [sum, check, inMinute !== null && `${counted(inMinute, "payment", "payments")} a minute.`].filter(Boolean).join(" ");
}

/** Made once for each service, then only its words and lines change: nothing jumps. */
function box(one) {
  if (!boxes.has(one.service)) {
    const parts = {
      state: el("span", { class: "state" }), rate: el("p", { class: "rate" }), held: el("p", { class: "facts" }),
      latency: el("p", { class: "facts" }), rates: plot(one.service === "gateway" ? "Requests a second" : "Asks a second"),
      slow: plot("p99 latency", "slow"), trouble: el("p", { class: "problem" }),
    };
    parts.element = el("li", { class: ["gateway", "broker"].includes(one.service) ? "box across" : "box", "data-service": one.service },
      el("div", { class: "words" }, el("header", {}, el("h2", {}, one.service), parts.state), parts.trouble, parts.rate, parts.held, parts.latency),
      parts.rates.figure, parts.slow.figure);
    boxes.set(one.service, parts);
    byID("map").append(parts.element);
  }
  const parts = boxes.get(one.service);
  parts.element.dataset.state = one.state;
  say(parts.state, stateWords[one.state] + (one.workers > 1 ? `, ${one.workers} processes` : ""));
  say(parts.trouble, one.troubles.map((what) => `${what.charAt(0).toUpperCase()}${what.slice(1)}.`).join(" "));
  say(parts.rate, rate(one.rate));
  parts.held.replaceChildren(
    el("span", { class: one.queued ? "held" : null }, `${one.queued} queued`),
    el("span", {}, `${one.inFlight} of ${one.credit} in flight`));
  parts.latency.replaceChildren(
    el("span", {}, `p50 ${millis(one.p50)}`), el("span", {}, `p99 ${millis(one.p99)}`),
    el("span", {}, `${rate(one.refused)} refused`));
}

/** Draws the lines of all services, as long as was chosen. */
function drawLines() {
  const length = Number(byID("length").value);
  for (const [service, parts] of boxes) {
    const { milliseconds, points } = history.line(service, length);
    parts.rates.draw(points.map(({ x, rate }) => ({ x, value: rate })), rate, ago(milliseconds));
    parts.slow.draw(points.map(({ x, p99 }) => ({ x, value: p99 })), millis, ago(milliseconds));
  }
}

/** The cells of a service's row, behind its name; numbers but for the first and the third. */
const figuresOf = (one) => [
  stateWords[one.state], String(one.workers), one.version ?? "–", span(one.uptimeMilliseconds), String(one.queued),
  one.queued ? millis(one.oldestMilliseconds * 1000) : "–", `${one.inFlight} / ${one.credit}`, rate(one.rate), millis(one.p50),
  millis(one.p99), rate(one.refused), one.residentKiB === null ? "–" : `${(one.residentKiB / 1024).toFixed(1)} MiB`,
];

/** Rows are made anew only where other services answer: what is selected in them stays, and a screen reader's place. */
function drawFigures(services) {
  const table = byID("figures");
  const names = services.map((one) => one.service);
  if ([...table.rows].map((row) => row.dataset.service).join() !== names.join()) {
    table.replaceChildren(...services.map((one) => el("tr", { "data-service": one.service },
      el("th", { scope: "row" }, one.service),
      ...figuresOf(one).map((_, at) => el("td", { class: at === 0 || at === 2 ? null : "number" })))));
  }
  services.forEach((one, at) => {
    const cells = table.rows[at].querySelectorAll("td");
    figuresOf(one).forEach((text, column) => say(cells[column], text));
  });
}

/** Goes on with the session that the browser has. While offline it looks again and again, as when the connection is lost. */
async function begin() {
  useRole("administrator");
  let isThere = true;
  try {
    isThere = await resume() !== null;
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    if (isLeaving()) return start(unheard);
  }
  if (isThere) watch();
  else start();
}

begin();
