// The customer's app: starts it, keeps it live, and says which view stands where.
import { byID, el, say } from "../shared/dom.js";
import "../shared/connection.js";
import { explained } from "../shared/explain.js";
import { money } from "../shared/money.js";
import { resolveActs } from "../shared/once.js";
import { install, pushAgain } from "../shared/push.js";
import { api, forget, logOut, resume, session, useRole } from "../shared/session.js";
import { EventStream } from "../shared/stream.js";
import { addTexts, t } from "../shared/text.js";
import { announce, go, here, Views } from "../shared/view.js";
import words from "./words.js";
import { activities } from "./activities.js";
import { charge, charges } from "./charges.js";
import { coupons, deal } from "./deals.js";
import { home } from "./home.js";
import { inbox } from "./inbox.js";
import { forgotten, login, pinSetup, register, reset } from "./login.js";
import { merchant, merchants } from "./merchants.js";
import { code, pay, payMerchant, send } from "./pay.js";
import { receipt, sent } from "./receipt.js";
import { settings, settingsViews } from "./settings.js";

addTexts(words);
useRole("customer");

const views = new Views(byID("main"), "Billfold", {
  "/": home,
  "/login": login, "/register": register, "/forgotten": forgotten, "/reset": reset, "/pin": pinSetup,
  "/charges": charges, "/charges/{charge}": charge,
  "/pay": pay, "/pay/code": code, "/pay/{merchant}": payMerchant, "/send": send,
  "/receipts/{charge}": receipt, "/sent/{operation}": sent,
  "/activities": activities, "/inbox": inbox,
  "/merchants": merchants, "/merchants/{merchant}": merchant,
  "/coupons": coupons, "/deals/{offer}": deal,
  "/settings": settings, ...settingsViews,
});

const open = ["/login", "/register", "/forgotten", "/reset"];
/** Views that are drawn anew when something has happened elsewhere. */
const living = /^\/($|charges|activities|inbox)/;
let wanted = "/";
let stream = null;
let wasLost = false;

views.guard = (path) => {
  if (session) return open.includes(path) ? "/" : path;
  if (open.includes(path)) return path;
  wanted = path;
  return "/login";
};
views.failed = (error) => {
  if (!error.endsSession) return false;
  leave(t("session.ended"));
  return true;
};

/** What the page shows once somebody is logged in. */
async function entered() {
  drawFrame();
  follow();
  const target = wanted;
  wanted = "/";
  go(target, { replace: true });
  resolve();
  pushAgain(api, session.account).catch(() => {});
}

/** Back to the log-in, with nothing left behind. */
function leave(remark = "") {
  stream?.close();
  stream = null;
  forget();
  drawFrame();
  byID("alerts").replaceChildren();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  go("/login", { replace: true });
  alertOf(remark);
}

/** Logs out here and at the server. */
async function goodbye() {
  stream?.close();
  await logOut();
  leave(t("logged-out"));
}

function drawFrame() {
  byID("ways").hidden = byID("stream").hidden = !session;
  const ways = ["/", "/pay", "/activities", "/merchants", "/coupons"];
  byID("ways").setAttribute("aria-label", t("ways"));
  byID("ways").replaceChildren(...ways.map((path) => el("a", { href: `#${path}`, "data-way": path }, t(`way.${path}`))));
  byID("tools").replaceChildren(...(session ? [el("a", { class: "tool", href: "#/settings" }, t("settings"))] : []));
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

/** Follows the inbox: what arrives is shown within a second. */
async function follow() {
  stream?.close();
  const head = await api.insist("GET", "/v1/notices?limit=1").then(({ body }) => body.head).catch(() => 0);
  if (!session) return;
  stream = new EventStream(api, `/v1/notices/events?after=${head}`, {
    heard: ({ event, data }) => event === "notice" ? arrived(JSON.parse(data)) : event === "closed" && ended(),
    changed: (state) => {
      byID("stream").state = state;
      if (state === "lost") wasLost = true;
      if (state === "live" && wasLost) catchUp();
    },
    refused: (problem) => problem.endsSession && leave(t("session.ended")),
  });
}

async function ended() {
  if (!(await resume().catch(() => session))) leave(t("session.ended"));
}

/** The connection is back: what is on the screen may be old, and acts may be open. */
function catchUp() {
  wasLost = false;
  resolve();
  redraw();
}

/** Draws a living view anew, unless somebody is typing in it. */
function redraw() {
  if (!living.test(here()) || document.querySelector("dialog[open]")) return;
  if (!document.activeElement?.matches("input, select")) views.show({ quietly: true });
}

function arrived(notice) {
  announce(notice.title);
  if (notice.kind === "request" && here() !== "/charges" && here() !== "/" && here() !== notice.link) {
    alertOf(notice.title, { href: `#${notice.link}`, words: t("look") });
  }
  dispatchEvent(new CustomEvent("billfold-notice", { detail: notice }));
  redraw();
}

/** A line above the view that stays until it is read. */
function alertOf(text, link) {
  if (!text) return;
  const line = el("p", { class: "note waiting", role: "status" }, el("span", {}, text),
    link && el("a", { class: "button", href: link.href, click: () => line.remove() }, link.words),
    el("button", { type: "button", class: "quiet", click: () => line.remove() }, t("close")));
  byID("alerts").prepend(line);
  while (byID("alerts").children.length > 3) byID("alerts").lastChild.remove();
}

/** Finds out what became of acts whose answers were lost. */
function resolve() {
  resolveActs(api, session.account, {
    done: (act, { body }) => {
      dispatchEvent(new CustomEvent("billfold-act", { detail: { id: act.id, body } }));
      const link = body.charge ? `#/receipts/${body.charge}` : "#/activities";
      alertOf(t("act.done", { label: act.label, amount: money(body.amount) }), { href: link, words: t("look") });
      redraw();
    },
    refused: (act, problem) => {
      dispatchEvent(new CustomEvent("billfold-act", { detail: { id: act.id, problem } }));
      alertOf(`${act.label}: ${explained(problem, { moves: true })}`);
    },
  });
}

// MARK: Start

addEventListener("hashchange", markWay);
// The old connection may be dead without having said so.
addEventListener("online", () => session && follow());
addEventListener("offline", () => {
  if (!session) return;
  wasLost = true;
  byID("stream").state = "lost";
});
document.addEventListener("visibilitychange", () => document.hidden || stream?.wake());
addEventListener("billfold-entered", entered);
addEventListener("billfold-goodbye", goodbye);

install("/wallet", (link) => go(link));

async function start() {
  wanted = here();
  try {
    await resume();
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    byID("main").replaceChildren(
      el("h1", { id: "heading", tabindex: "-1" }, t("stream.lost")),
      el("p", { class: "problem", role: "alert" }, explained(error)),
      el("p", {}, t("offline.shell")),
      el("p", { class: "buttons" }, el("button", { type: "button", click: start }, t("try-again"))));
    addEventListener("online", start, { once: true });
    return;
  }
  drawFrame();
  await views.start();
  if (session) {
    wanted = here();
    await follow();
    resolve();
    pushAgain(api, session.account).catch(() => {});
  }
}

start();
