// The entrance: what runs here, in one glance, and the way to each app.
import { API, waitedMilliseconds } from "../shared/api.js";
import { byID, el, say } from "../shared/dom.js";
import { addTexts, t } from "../shared/text.js";
import words from "./words.js";

addTexts(words);

const lookMilliseconds = 5000;
const apps = ["wallet", "order", "shops", "routines", "till", "desk", "touch"];
const services = ["ops", "openapi.json", "asyncapi.json", "zeromq.md", "look"];

const verdict = el("p", { class: "verdict", role: "status" }, t("verdict.wait"));
const doors = el("ul", { class: "doors" });

const door = (path) => el("li", {},
  el("a", { href: `/${path}` }, el("strong", {}, t(`door.${path}`)), el("span", {}, t(`door.${path}.what`))));

byID("main").replaceChildren(
  el("div", { class: "hello" }, el("h1", {}, t("hello")), el("p", {}, t("hello.what"))),
  doors, verdict,
  el("h2", {}, t("behind")), el("ul", { class: "doors" }, ...services.map(door)));
byID("tools").append(
  el("button", { type: "button", class: "tool", "data-theme-switch": true, "aria-pressed": "false" }, t("theme.dark")));

/** An app that this gateway does not have has no door. */
async function openDoors(api) {
  const { files } = (await api.call("GET", "/pages/files.json")).body;
  doors.replaceChildren(...apps.filter((app) => `/pages/${app}/index.html` in files).map(door));
}

async function look(api) {
  if (!doors.firstChild) openDoors(api).catch(() => {}); // The next look tries again.
  const late = setTimeout(() => show({}), waitedMilliseconds);
  show(await api.call("GET", "/health").catch((error) => error));
  clearTimeout(late);
}

/** An answer without a status is none. */
function show(answer) {
  const missing = Object.entries(answer.body?.services ?? {}).filter(([, answers]) => !answers).map(([name]) => name);
  const isGood = answer.status === 200;
  verdict.dataset.state = isGood ? "good" : "bad";
  const count = Object.keys(answer.body?.services ?? {}).length;
  say(verdict, isGood
    ? t("verdict.good", { n: count })
    : missing.length ? t("verdict.missing", { n: missing.length, names: missing.join(", ") })
      : t(answer.status ? "verdict.bad" : "verdict.none"));
}

const api = new API();
look(api);
setInterval(() => document.hidden || look(api), lookMilliseconds);
