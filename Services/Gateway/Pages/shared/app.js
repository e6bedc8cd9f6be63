// An app: its frame, who is logged in, the notices that arrive, and acts whose answers were lost.
import { backOff, NoAnswer, pause, waitedMilliseconds } from "./api.js";
import "./connection.js";
import { byID, el } from "./dom.js";
import { explained, refusalOf } from "./explain.js";
import { money } from "./money.js";
import { onFoundElsewhere, openActs, resolveActs } from "./once.js";
import { install, pushAgain, pushRest } from "./push.js";
import { api, assume, forget, isLeaving, logOut, resume, session, useRole } from "./session.js";
import { EventStream } from "./stream.js";
import { addTexts, t } from "./text.js";
import { announce, attempt, go, here, Views } from "./view.js";
import words from "./words-app.js";

addTexts(words);

/** Lines above a view, and over it. */
const linesMax = 3;

/** How long a page that nobody sees keeps its stream: of one server a browser has six connections, in all tabs together. */
const unseenMilliseconds = 10_000;

/** Views that need no session. */
const entrance = ["/login", "/register", "/forgotten", "/reset"];

let app;
let views;
let stream = null;
let followings = 0;
let wanted = "/";
let wasLost = false;
let nextAsk = null;
let nextRest = null;

/**
 * Starts an app.
 *
 * `path` is its own, such as `/till`; `role` says whose it is; `routes` are its views by path. `ways` are the paths of
 * the navigation, with texts `way.<path>`; `tools()` gives what stands at the right of the head. `living` fits the paths
 * of views that are drawn anew when something has happened elsewhere. `hears`: the role has an inbox, whose notices
 * `arrived(notice)` turns into `{href, words}` for a line above the view, or null. `found(body)` gives the link of an
 * act whose answer had been lost. `sign(path)` gives a picture for a way of the navigation. `kept()` gives the session
 * that an app may begin with where there is no network, or null. `guests`: nobody has to log in to see its views.
 * `name()` is what the page is called.
 */
export function startApp(description) {
  app = { hears: true, arrived: () => null, found: () => "#/", sign: () => null, kept: () => null, guests: false, name: () => "Billfold",
    ...description };
  useRole(app.role);
  views = new Views(byID("main"), app.name, app.routes);
  views.guard = (path) => {
    if (session) return entrance.includes(path) ? "/" : path;
    if (entrance.includes(path)) return path;
    wanted = path;
    return app.guests ? path : "/login";
  };
  views.failed = endsHere;
  views.shown = settleAlerts;
  addEventListener("hashchange", () => {
    markWay();
    dropAlerts(here());
    dropNews();
  });
  addEventListener("billfold-open", askLater);
  onFoundElsewhere((act) => {
    if (session?.account !== act.account) return;
    dispatchEvent(new CustomEvent("billfold-act", { detail: { id: act.id } }));
    alertOf(`${act.label}: ${explained(refusalOf("act.elsewhere"), { moves: true })}`);
    renew();
  });
  // The old connection may be dead without having said so.
  addEventListener("online", () => session && follow());
  addEventListener("offline", () => {
    if (!session) return;
    wasLost = true;
    byID("stream").state = "lost";
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? restUnseen() : stream?.wake()));
  install(app.path, (link) => go(link), registerAgain);
  return start();
}

/** Shows the current view anew, without a jump. */
export function refresh() {
  dropNews();
  return views.show({ quietly: true });
}

/** Somebody has logged in: shows what was asked for, or `path`. */
export function entered(path = wanted) {
  wanted = "/";
  lines().forEach((line) => line.remove());
  drawFrame();
  follow();
  go(path, { replace: true });
  resolve();
  registerAgain();
}

/** Registers for notifications again; without them the inbox still has everything. */
function registerAgain() {
  if (session && app.hears) pushAgain(api, session.account).catch(() => {});
}

/** Logs out here and at the server. */
export async function goodbye() {
  stream?.close();
  // Where the server cannot be told, it hears from the push service that the subscription has ended.
  if (session) await pushRest(api, session.account).catch(() => {});
  leave(t((await logOut()) ? "logged-out" : "logged-out.unheard"));
}

/** Says in the head whether the page gets its news, for apps without an inbox. */
export function connection(state) {
  byID("stream").state = state;
}

/** Leads to the log-in where an error says that the session has ended; whether it does. */
export function endsHere(error) {
  if (error.endsSession) leave(t("session.ended"));
  return error.endsSession === true;
}

/** Ends what only a session may show, with nothing left behind. */
function leave(remark = "") {
  stream?.close();
  stream = null;
  forget();
  drawFrame();
  lines().forEach((line) => line.remove());
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  if (app.guests) refresh();
  else go("/login", { replace: true });
  alertOf(remark);
}

/** The lines that were not read yet, those over the view first. */
const lines = () => [...byID("alerts").querySelectorAll(".note")];

const hash = () => location.hash || "#/";

/** A line over the view, and above the next one, until it is read; `link` is `{href, words}`. Returns the line. */
export function alertOf(text, link) {
  if (!text) return null;
  const line = el("p", { class: "note waiting", role: "status", "data-about": link?.href.slice(1).split("?")[0] },
    el("span", {}, text),
    link && el("a", { class: "button", href: link.href, click: () => {
      line.remove();
      if (link.href === hash()) views.show();
    } }, link.words),
    el("button", { type: "button", class: "quiet", click: () => line.remove() }, t("close")));
  byID("live").prepend(line);
  while (byID("live").children.length > linesMax) byID("live").lastChild.remove();
  return line;
}

/** Takes the line away that offers news of the view. */
function dropNews() {
  for (const line of lines()) if ("news" in line.dataset) line.remove();
}

/** Another view is shown: what lay over the one before stands above it. */
function settleAlerts() {
  byID("live").after(...byID("live").children);
  for (const line of lines().slice(linesMax)) line.remove();
}

/** Takes the lines away that lead to a view which is shown, or whose news is old. */
function dropAlerts(path) {
  for (const line of lines()) {
    if (line.dataset.about && line.dataset.about === path) line.remove();
  }
}

function drawFrame() {
  const isShown = Boolean(session) || app.guests;
  byID("ways").hidden = !isShown || !app.ways.length;
  byID("stream").hidden = !session || app.guests;
  byID("ways").setAttribute("aria-label", t("ways"));
  byID("ways").replaceChildren(...app.ways.map((path) =>
    el("a", { href: `#${path}`, "data-way": path }, app.sign(path), t(`way.${path}`))));
  byID("tools").replaceChildren(...(isShown ? app.tools() : []));
  markWay();
}

function markWay() {
  for (const way of byID("ways").children) {
    const path = way.dataset.way;
    const isHere = path === "/" ? here() === "/" : here().startsWith(path);
    if (isHere) way.setAttribute("aria-current", "page");
    else way.removeAttribute("aria-current");
  }
}

// MARK: What happens elsewhere

/** Whether something would be lost if the view were drawn anew: what is typed, was read with "More", or was searched for. */
const isInUse = () => document.querySelector("dialog[open]") || document.activeElement?.matches("input, select")
  || byID("main").querySelector("[data-read-on]")
  || [...byID("main").querySelectorAll("input[type=search]")].some(({ value }) => value);

/** Shows news in the view, or offers to. */
function renew() {
  if (!app.living.test(here())) return;
  if (!isInUse()) {
    refresh();
    return;
  }
  dropNews();
  alertOf(t("news"), { href: hash(), words: t("news.show") }).dataset.news = "";
}

/** Follows the inbox: what arrives is shown within a second. */
async function follow() {
  stream?.close();
  followings += 1;
  const own = followings;
  if (!app.hears) return;
  // Without a head the stream begins with what comes next.
  const from = await api.insist("GET", "/v1/notices?limit=1").then(({ body }) => `?after=${body.head}`).catch(() => "");
  // Another one may have begun meanwhile, and each has a stream.
  if (!session || own !== followings) return;
  stream = new EventStream(api, `/v1/notices/events${from}`, {
    heard: ({ event, data }) => (event === "notice" ? hear(JSON.parse(data)) : event === "closed" && ended()),
    changed: (state) => {
      byID("stream").state = state;
      if (state === "lost") wasLost = true;
      if (state === "live" && wasLost) catchUp();
    },
    refused: endsHere,
  });
  if (document.hidden) restUnseen();
}

/** Lets the stream rest where the page stays unseen: notices reach a closed app by pushes. */
function restUnseen() {
  clearTimeout(nextRest);
  nextRest = setTimeout(() => document.hidden && stream?.rest(), unseenMilliseconds);
}

async function ended() {
  // While the server cannot be asked, the session may well go on.
  if (!(await resume().catch(() => session))) leave(t("session.ended"));
}

/** The connection is back: what is on the screen may be old, and acts may be open. */
function catchUp() {
  wasLost = false;
  resolve();
  renew();
}

function hear(notice) {
  announce(notice.title);
  dropAlerts(notice.link);
  const link = app.arrived(notice);
  if (link) alertOf(notice.title, link);
  dispatchEvent(new CustomEvent("billfold-notice", { detail: notice }));
  renew();
}

/** Finds out what became of acts whose answers were lost; asks again until all is known. */
async function resolve() {
  clearTimeout(nextAsk);
  if (!session || !openActs(session.account).length) return;
  await resolveActs(api, session.account, {
    done: (act, { body }) => {
      dispatchEvent(new CustomEvent("billfold-act", { detail: { id: act.id, body } }));
      const href = app.found(body);
      if (location.hash !== href || isInUse()) {
        alertOf(t("act.done", { label: act.label, amount: money(body.amount ?? body.total) }), { href, words: t("look") });
      }
      renew();
    },
    refused: (act, problem) => {
      dispatchEvent(new CustomEvent("billfold-act", { detail: { id: act.id, problem } }));
      alertOf(`${act.label}: ${explained(problem, { moves: true })}`);
    },
  });
  askLater();
}

/** After the longest of waits: whoever has just failed has tried several times. */
function askLater() {
  clearTimeout(nextAsk);
  nextAsk = setTimeout(resolve, backOff(6));
}

/** Says that there is no connection until there is one. The browser does not tell that the server is back. */
async function connected(error) {
  const problem = el("p", { class: "problem", role: "alert" }, explained(error));
  const button = el("button", { type: "button", click: () => attempt(button, problem, tried) }, t("try-again"));
  const back = new AbortController();
  const tried = async () => {
    await resume();
    back.abort();
  };
  byID("main").replaceChildren(
    el("h1", { id: "heading", tabindex: "-1" }, t("stream.lost")), problem,
    el("p", {}, t("offline.shell")), el("p", { class: "buttons" }, button));
  addEventListener("online", () => button.click(), { signal: back.signal });
  while (!back.signal.aborted) {
    await pause(backOff(6), back.signal);
    if (!back.signal.aborted) await tried().catch(() => {}); // The next turn tries again.
  }
}

/** Whether the app can begin with what it has kept. */
const canKeep = () => app.kept() !== null && !isLeaving();

/** A server that says nothing is none, where something was kept. */
async function silence() {
  await pause(waitedMilliseconds);
  throw new NoAnswer();
}

async function start() {
  if (!entrance.includes(here())) wanted = here();
  const resumed = resume();
  try {
    await (canKeep() ? Promise.race([resumed, silence()]) : resumed);
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    if (canKeep()) {
      assume(app.kept());
      resumed.then(() => session || leave(t("session.ended")), () => {}); // Offline: the stream goes on asking.
      drawFrame();
      connection("lost");
      wasLost = true;
      follow();
      return views.start();
    }
    await connected(error);
  }
  drawFrame();
  await views.start();
  if (!session) return;
  await follow();
  resolve();
  registerAgain();
}
