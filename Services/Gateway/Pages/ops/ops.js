// The operator's page: looks once a second, and draws what has changed since the look before.
import { backOff, pause } from "../shared/api.js";
import { byID, el, say } from "../shared/dom.js";
import { api, forget, logIn, logOut, resume, useRole } from "../shared/session.js";
import { History, millis, rate, span } from "./figures.js";

const lookMilliseconds = 1000;

let watching = new AbortController();
let boxes = new Map();

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
    const session = await logIn(username, password);
    if (session.role !== "administrator") {
      await logOut();
      problem.textContent = "This page is for administrators.";
      return;
    }
    form.reset();
    watch();
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    problem.textContent = error.words;
  } finally {
    button.removeAttribute("aria-busy");
  }
});

byID("log-out").addEventListener("click", async () => {
  await logOut();
  start("You have logged out.");
});

// MARK: Looking

async function watch() {
  watching.abort();
  watching = new AbortController();
  const { signal } = watching;
  const history = new History();
  boxes = new Map();
  byID("map").replaceChildren();
  byID("start").hidden = true;
  byID("set").hidden = false;
  byID("log-out").hidden = false;
  byID("connection").hidden = false;
  connection("connecting", "Connecting");
  byID("set-heading").focus();
  for (let failures = 0; !signal.aborted;) {
    // Nobody sees a page behind others.
    if (document.hidden) await visible(signal);
    try {
      const { body } = await api.call("GET", "/v1/ops", undefined, { signal });
      failures = 0;
      connection("live", "Live");
      draw(history.add(body), body);
      await pause(lookMilliseconds, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error.isPassing === undefined) throw error;
      if (error.endsSession) return start("Your session has ended. Log in again.");
      if (error.status === 403) return start("This page is for administrators.");
      failures += 1;
      connection("lost", "Offline");
      verdict("bad", "The gateway does not answer: these figures are out of date.");
      await pause(backOff(failures), signal);
    }
  }
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

const stateWords = { ok: "answers", missing: "missing", silent: "does not answer", paused: "paused", untold: "tells no figures" };

function draw(services, { faults, drops }) {
  const of = (state) => services.filter((one) => one.state === state).map((one) => one.service);
  const missing = of("missing");
  const silent = of("silent");
  const held = of("paused");
  const bad = [missing.length && `Missing: ${missing.join(", ")}.`, silent.length && `No answer from: ${silent.join(", ")}.`];
  if (missing.length || silent.length) verdict("bad", bad.filter(Boolean).join(" "));
  else if (held.length) verdict("waiting", `Paused: ${held.join(", ")}.`);
  else verdict("ok", `All ${services.length} answer.`);
  for (const one of services) box(one);
  for (const [name, { element }] of boxes) {
    if (services.some((one) => one.service === name)) continue;
    element.remove();
    boxes.delete(name);
  }
  byID("figures").replaceChildren(...services.map(row));
  byID("faults-region").hidden = !faults.length;
  byID("faults-empty").hidden = faults.length > 0;
  byID("faults").replaceChildren(...faults.map(refusal));
  const dropped = Object.entries(drops ?? {}).filter(([, count]) => count > 0).sort();
  say(byID("drops"), drops === undefined || drops === null ? "The broker does not tell what it has dropped."
    : dropped.length ? `Dropped or refused by the broker since its start: ${dropped.map(([why, count]) => `${why} ${count}`).join(", ")}.`
      : "The broker has dropped nothing.");
}

/** Made once for each service, then only its words and lines change: nothing jumps. */
function box(one) {
  if (!boxes.has(one.service)) {
    const parts = {
      state: el("span", { class: "state" }), rate: el("p", { class: "rate" }), held: el("p", { class: "facts" }),
      latency: el("p", { class: "facts" }), rates: plot(one.service === "gateway" ? "Requests a second" : "Asks a second"),
      slow: plot("p99 latency", "slow"),
    };
    parts.element = el("li", { class: ["gateway", "broker"].includes(one.service) ? "box across" : "box", "data-service": one.service },
      el("div", { class: "words" }, el("header", {}, el("h2", {}, one.service), parts.state), parts.rate, parts.held, parts.latency),
      parts.rates.figure, parts.slow.figure);
    boxes.set(one.service, parts);
    byID("map").append(parts.element);
  }
  const parts = boxes.get(one.service);
  parts.element.dataset.state = one.state;
  say(parts.state, stateWords[one.state] + (one.workers > 1 ? `, ${one.workers} processes` : ""));
  say(parts.rate, rate(one.rate));
  parts.held.replaceChildren(
    el("span", { class: one.queued ? "held" : null }, `${one.queued} queued`),
    el("span", {}, `${one.inFlight} of ${one.credit} in flight`));
  parts.latency.replaceChildren(
    el("span", {}, `p50 ${millis(one.p50)}`), el("span", {}, `p99 ${millis(one.p99)}`),
    el("span", {}, `${rate(one.refused)} refused`));
  parts.rates.draw(one.line.map((point) => point.rate), rate);
  parts.slow.draw(one.line.map((point) => point.p99), millis);
}

const svg = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/** A line over the last two minutes: the scale's top above it, its time below. */
function plot(title, kind = "") {
  const [width, height] = [120, 40];
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img" });
  const line = svg("path", { class: `line ${kind}` });
  picture.append(
    svg("path", { class: "axis", d: `M0 0H${width}M0 ${height}H${width}` }), line);
  const caption = el("figcaption");
  const figure = el("figure", {}, caption, picture, el("p", { class: "ends", "aria-hidden": "true" }, el("span", {}, "2 min ago"), el("span", {}, "now")));
  return {
    figure,
    draw(values, shown) {
      const known = values.filter((value) => value !== null);
      const top = ceiling(Math.max(0, ...known));
      let path = "";
      let isDown = false;
      values.forEach((value, place) => {
        if (value === null) return void (isDown = false);
        const x = width - values.length + 1 + place;
        path += `${isDown ? "L" : "M"}${x} ${(height - (top ? value / top : 0) * height).toFixed(1)}`;
        isDown = true;
      });
      line.setAttribute("d", path || "M0 0");
      const last = known.length ? shown(known.at(-1)) : "–";
      say(caption, top ? `${title}, 0 to ${shown(top)}` : `${title}: nothing in two minutes`);
      picture.setAttribute("aria-label", top ? `${title}: ${last} now, at most ${shown(Math.max(...known))} in two minutes` : `${title}: nothing in two minutes`);
    },
  };
}

/** The next of 1, 2, 5, 10, 20, 50 … : scales that change seldom. */
function ceiling(value) {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].find((step) => step * power >= value) * power;
}

function row(one) {
  const number = (text) => el("td", { class: "number" }, text);
  return el("tr", {},
    el("th", { scope: "row" }, one.service), el("td", {}, stateWords[one.state]), number(String(one.workers)),
    el("td", {}, one.version ?? "–"), number(span(one.uptimeMilliseconds)), number(String(one.queued)),
    number(one.queued ? millis(one.oldestMilliseconds * 1000) : "–"), number(`${one.inFlight} / ${one.credit}`),
    number(rate(one.rate)), number(millis(one.p50)), number(millis(one.p99)), number(rate(one.refused)),
    number(one.residentKiB === null ? "–" : `${(one.residentKiB / 1024).toFixed(1)} MiB`));
}

function refusal(one) {
  return el("tr", {},
    el("td", {}, el("time", { datetime: one.time }, one.time.slice(11, 19))), el("td", {}, one.service), el("td", {}, one.name),
    el("td", {}, [one.status, one.code].filter(Boolean).join(" ")), el("td", {}, el("code", {}, one.correlation)));
}

/** Goes on with the session that the browser has. While offline it looks again and again, as when the connection is lost. */
async function begin() {
  useRole("administrator");
  let isThere = true;
  try {
    isThere = await resume() !== null;
  } catch (error) {
    if (error.isPassing === undefined) throw error;
  }
  if (isThere) watch();
  else start();
}

begin();
