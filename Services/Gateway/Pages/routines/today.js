// The main page: what to do now, what is next, and the whole day.
import { endsHere, refresh } from "../shared/app.js";
import { el, say } from "../shared/dom.js";
import { deliberate } from "../shared/press.js";
import { api } from "../shared/session.js";
import { clockOf, t } from "../shared/text.js";
import { announce, attempt, go, tell } from "../shared/view.js";
import { confirm } from "../shared/sheet.js";
import { prioritySigns, priorityWords, signed } from "./choose.js";
import { dateOf, dayOn, keepDay, settle, tap, todayNow, waitingTaps } from "./data.js";
import { currentOf, nextOf, stageOf, stateOf } from "./day.js";
import { icon } from "./icons.js";
import { labelled, picturesOf, wordsOf } from "./pictures.js";

/** `4:05`, or `1:04:05`. */
function span(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export async function today({ signal }) {
  const date = dateOf();
  const { day, newer } = await todayNow();
  signal.throwIfAborted();
  const midnight = setInterval(() => dateOf() === date || refresh(), 1000);
  signal.addEventListener("abort", () => clearInterval(midnight));
  if (!day) return { title: t("way./"), body: noSchedule() };
  const body = el("div", { class: "today" });
  draw(body, day, newer, signal);
  return { title: t("way./"), body };
}

const noSchedule = () => [
  el("p", { class: "lead note waiting", role: "status" }, icon("schedule"), " ", t("day.none")),
  el("p", { class: "buttons" },
    el("a", { class: "button primary big", href: "#/schedule/new" }, el("span", {}, icon("add"), " ", t("schedule.create"))),
    el("a", { class: "button big", href: "#/schedule" }, el("span", {}, icon("again"), " ", t("schedule.reuse")))),
];

/** Draws the day, and again whenever something of it begins, ends or is tapped, and once a newer one comes. */
function draw(place, first, newer, signal) {
  let day = first;
  let drawn = "";
  let clock = null;

  async function press(entry, action, done) {
    day = tap(day, entry.entry, action.action, done);
    show();
    announce(t(done ? "action.done" : "action.open", { name: wordsOf(action.name) }));
    await settle();
    if (signal.aborted) return;
    day = (await dayOn(day.date).catch(() => null)) ?? day;
    if (!signal.aborted) show();
  }

  function tick() {
    const now = api.now;
    const signature = [stageOf(day, now), currentOf(day, now), nextOf(day, now)?.entry.entry, waitingTaps(),
      day.entries.map((entry) => entry.actions.map((action) => stateOf(entry, action, now)))];
    if (JSON.stringify(signature) !== drawn) {
      drawn = JSON.stringify(signature);
      show();
    }
    clock?.(now);
  }

  function show() {
    const now = api.now;
    const stage = stageOf(day, now);
    const focused = document.activeElement?.id;
    let head;
    [head, clock] = heads[stage](day, now, press);
    place.replaceChildren(
      head,
      ...(waitingTaps() ? [el("p", { class: "note waiting", id: "waiting", role: "status" }, t("tap.waiting", { n: waitingTaps() }))] : []),
      wholeDay(day, now, press));
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    clock?.(now);
  }

  newer?.then((known) => {
    if (signal.aborted) return;
    // There is none any more.
    if (!known) return refresh();
    day = known;
    show();
  }, endsHere);

  tick();
  const timer = setInterval(tick, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
}

const heads = {
  now(day, now, press) {
    const { entry, action } = currentOf(day, now);
    const left = el("time", { class: "count", role: "timer" });
    const until = Date.parse(entry.ends);
    return [
      el("section", { class: "current", "aria-label": t("day.now") },
        el("p", { class: "detail" }, t("day.now.of", { routine: wordsOf(entry.name), time: clockOf(entry.begins) })),
        el("div", { class: "big-picture" }, picturesOf(action.name)),
        el("h2", { id: "current" }, wordsOf(action.name)),
        el("p", { class: "detail" }, t("minutes.n", { minutes: action.minutes }), " · ", prioritySigns(action.priority), " ",
          priorityWords(action.priority)),
        left,
        // The next action comes up where this one was.
        deliberate(signed("done", t("action.finish"), { class: "primary big", id: "finish", click: () => press(entry, action, true) })),
        afterwards(day, now)),
      (moment) => say(left, moment < until ? t("day.left", { time: span(until - moment) }) : t("day.late", { time: span(moment - until) })),
    ];
  },
  next(day, now) {
    const { entry, action } = nextOf(day, now);
    const wait = el("time", { class: "count", role: "timer" });
    return [
      el("section", { class: "current", "aria-label": t("day.next") },
        el("p", { class: "detail" }, t("day.next.at", { time: clockOf(entry.begins), routine: wordsOf(entry.name) })),
        el("div", { class: "big-picture" }, picturesOf(action.name)),
        el("h2", { id: "current" }, wordsOf(action.name)), wait),
      (moment) => say(wait, t("day.in", { time: span(Date.parse(entry.begins) - moment) })),
    ];
  },
  done: () => [
    el("section", { class: "current finished" }, icon("done"), el("h2", { id: "current" }, t("done-all"))), null,
  ],
  over: () => [
    el("section", { class: "current" }, icon("error"), el("h2", { id: "current" }, t("day.over")),
      el("p", { class: "detail" }, t("day.over.what"))), null,
  ],
};

function afterwards(day, now) {
  const next = nextOf(day, now);
  return next && el("p", { class: "detail afterwards" },
    t("day.then", { name: wordsOf(next.entry.name), time: clockOf(next.entry.begins) }));
}

/** Every entry with its actions; what is open can be completed, and what was completed be opened again. */
export const wholeDay = (day, now, press, remove) => el("section", { class: "whole" },
  el("h2", {}, t("day.whole")),
  ...day.entries.map((entry) => el("article", { class: "entry", "data-entry": entry.entry },
    el("h3", {}, el("time", {}, `${clockOf(entry.begins)} – ${clockOf(entry.ends)}`), " ", labelled(entry.name)),
    entry.quiet && el("p", { class: "detail" }, icon("quiet"), " ", t("quiet.runs")),
    el("ul", { class: "list" }, ...entry.actions.map((action) => el("li", {}, step(entry, action, now, press)))),
    remove && signed("delete", t("entry.delete", { name: wordsOf(entry.name) }), { class: "quiet", click: ({ currentTarget: button }) => remove(entry, button) }))));

function step(entry, action, now, press) {
  const state = stateOf(entry, action, now);
  const inside = [
    el("span", { class: "box" }, state === "done" ? icon("done") : state === "skipped" ? icon("error") : null),
    labelled(action.name), el("span", { class: "detail" }, t(`state.${state}`)),
  ];
  if (state === "skipped" || !press) return el("div", { class: "step-row", "data-state": state }, ...inside);
  return el("button", {
    type: "button", class: "step-row", "data-state": state, id: `step-${entry.entry}-${action.action}`,
    "aria-pressed": String(state === "done"), click: () => press(entry, action, state !== "done"),
  }, ...inside);
}

/** Removes an entry of a kept day after asking once. */
export async function removeEntry(day, entry, problem, button) {
  if (!(await confirm(t("entry.delete", { name: wordsOf(entry.name) }), t("entry.delete.what"), t("delete")))) return;
  await attempt(button, problem, async () => {
    keepDay((await api.insist("POST", `/v1/schedules/${day.day}/removals`, { entry: entry.entry })).body);
    tell(t("deleted"));
    refresh();
  });
}

/** Deletes a kept day after asking once. */
export async function deleteDay(day, problem, button) {
  if (!(await confirm(t("schedule.delete"), t("schedule.delete.what"), t("delete")))) return;
  await attempt(button, problem, async () => {
    await api.insist("DELETE", `/v1/schedules/${day.day}`);
    tell(t("deleted"));
    go("/schedule");
  });
}
