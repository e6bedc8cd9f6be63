// Schedules: the days that have one, one day, and a new one step by step.
import { alertOf } from "../shared/app.js";
import { newID } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { growingList, pagesOf } from "../shared/growing.js";
import { api } from "../shared/session.js";
import { confirm, sheet } from "../shared/sheet.js";
import { dayOf, language, t } from "../shared/text.js";
import { attempt, go } from "../shared/view.js";
import { ask, labelField, minutesField, signed, someOf, tagPicture, tagWords } from "./choose.js";
import { dateOf, dayOn, keepDay, routines, zone } from "./data.js";
import { icon } from "./icons.js";
import { labelled, wordsOf } from "./pictures.js";
import { steps } from "./steps.js";
import { deleteDay, removeEntry, wholeDay } from "./today.js";

/** A date as people say it. */
const said = (date) => dayOf(`${date}T12:00:00`, api.now);

export async function schedules() {
  const { parts } = await growingList(pagesOf("days", "/v1/schedules?limit=100", "before"), drawDays);
  return {
    title: t("way./schedule"),
    body: [
      el("p", { class: "buttons" }, el("a", { class: "button primary big", href: "#/schedule/new" },
        el("span", {}, icon("add"), " ", t("schedule.create")))),
      ...parts,
    ],
  };
}

const drawDays = (days) => (days.length
  ? el("ul", { class: "list", "aria-label": t("way./schedule") }, ...days.map((day) => el("li", {},
      el("a", { class: "item", href: `#/schedule/${day.date}` },
        el("span", { class: "what" }, icon("schedule"), " ", said(day.date)),
        el("span", { class: "detail" }, icon("done"), " ", t("schedule.progress", { done: day.done, all: day.actions }))))))
  : el("p", { class: "empty" }, t("schedule.empty")));

export async function schedule({ params }) {
  const day = await dayOn(params.date);
  const problem = el("p", { class: "problem", role: "alert" });
  if (!day) {
    return { title: said(params.date), back: "/schedule", body: el("p", { class: "note waiting" }, icon("schedule"), " ", t("day.none")) };
  }
  return {
    title: said(day.date), back: "/schedule",
    body: [
      problem,
      el("p", { class: "buttons stretch" },
        signed("again", t("schedule.again"), { click: ({ currentTarget: button }) => copy(day, problem, button) }),
        signed("delete", t("schedule.delete"), { click: ({ currentTarget: button }) => deleteDay(day, problem, button) })),
      wholeDay(day, api.now, null, (entry, button) => removeEntry(day, entry, problem, button)),
    ],
  };
}

/** Keeps a schedule, and once more in the place of another after asking. */
async function keep(path, body) {
  try {
    return (await api.insist("POST", path, body, { key: newID() })).body;
  } catch (error) {
    if (error.code !== "routines.day_exists") throw error;
    if (!(await confirm(t("schedule.replace"), t("schedule.replace.what", { day: said(body.date) }), t("schedule.replace")))) return null;
    return (await api.insist("POST", path, { ...body, replace: true }, { key: newID() })).body;
  }
}

function show(day) {
  keepDay(day);
  go(day.date === dateOf() ? "/" : `/schedule/${day.date}`);
  alertOf(t("schedule.created"));
}

async function copy(day, problem, button) {
  const date = await chooseDate();
  if (!date) return;
  await attempt(button, problem, async () => {
    const made = await keep("/v1/schedules/copies", { from: day.date, date, zone, language });
    if (made) show(made);
  });
}

const dateField = (value = dateOf()) => el("input", { type: "date", id: "date", value, min: dateOf(), required: true });

const chooseDate = () => {
  const input = dateField();
  return ask(t("schedule.again"), el("div", { class: "field" }, el("label", { for: "date" }, icon("schedule"), t("date")), input),
    () => input.value || null, t("date.missing"));
};

// MARK: A new one

const minuteOf = (time) => {
  const [hours, minutes] = time.split(":").map(Number);
  return Number.isNaN(hours) || Number.isNaN(minutes) ? null : hours * 60 + minutes;
};
const timeOf = (minute) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

export async function newSchedule() {
  const all = await routines();
  const byID = new Map(all.map((routine) => [routine.routine, routine]));
  const date = dateField();
  const dates = el("div", { class: "tiles" }, ...[0, 1].map((days) => el("button", {
    type: "button", class: "tile", click: () => { date.value = dateOf(days); },
  }, icon("schedule"), el("span", {}, t(days ? "tomorrow" : "today")))));
  const appointments = [];
  const appointmentList = el("ul", { class: "actions", "aria-label": t("appointments") });
  const tagsThere = [...new Set(all.map((routine) => routine.tag))];
  const tags = someOf(t("tags"), tagsThere.map((tag) => [tag, () => tagPicture(tag), tagWords(tag)]), tagsThere);
  const byHand = el("input", { type: "checkbox", role: "switch", id: "by-hand" });
  let entries = [];
  let left = [];
  let proposals = 0;
  // A time that is typed is another one with each digit: the rows are put in order once nobody is at them.
  const list = el("ul", { class: "actions plan", "aria-label": t("plan"), focusout: ({ relatedTarget }) => {
    const isInUse = [relatedTarget, document.activeElement].some((one) => list.contains(one));
    if (!isInUse && entries.some((entry, at) => entry.start < entries[at - 1]?.start)) drawPlan();
  } });
  const remark = el("p", { class: "note refused", role: "status" });

  function drawAppointments() {
    appointmentList.replaceChildren(...appointments.map((one, at) => el("li", {},
      labelled(one.name), el("span", { class: "detail" }, t("appointment.at", { time: timeOf(one.start), minutes: one.minutes })),
      signed("delete", t("entry.delete", { name: wordsOf(one.name) }), {
        class: "quiet", click: () => {
          appointments.splice(at, 1);
          drawAppointments();
        },
      }))));
  }

  async function askAppointment() {
    const field = await labelField({ label: { images: ["doctor"] } });
    const name = await ask(t("appointment.new"), field.element, field.value, t("label.missing"));
    if (!name) return null;
    const start = el("input", { type: "time", id: "start", value: "10:00", required: true });
    const time = minutesField(60, 1440);
    return ask(t("appointment.when", { name: wordsOf(name) }), [
      el("div", { class: "field" }, el("label", { for: "start" }, icon("appointment"), t("start")), start), time.element,
    ], () => (minuteOf(start.value) === null || !(time.value() >= 1) ? null
      : { name, start: minuteOf(start.value), minutes: time.value() }), t("start.missing"));
  }

  function drawPlan() {
    entries.sort((one, other) => one.start - other.start);
    list.replaceChildren(...entries.map((entry, at) => {
      const name = wordsOf(entry.name);
      const start = el("input", {
        type: "time", id: `start-${at}`, value: timeOf(entry.start), "aria-label": t("start.of", { name }),
        change: () => {
          entry.start = minuteOf(start.value) ?? entry.start;
        },
      });
      return el("li", {}, labelled(entry.name), el("span", { class: "detail" }, t("minutes.n", { minutes: entry.minutes })), start,
        signed("delete", t("entry.delete", { name }), {
          class: "quiet", click: () => {
            entries.splice(at, 1);
            drawPlan();
          },
        }));
    }));
    if (!entries.length) list.append(el("li", { class: "empty" }, t("plan.empty")));
    say(remark, left.length ? t("plan.left", { names: left.map((one) => wordsOf(one.name)).join(", ") }) : "");
  }

  /** The end of the day's last entry: what is added by hand goes behind it. */
  const behind = () => Math.min(1439, Math.max(480, ...entries.map((entry) => entry.start + entry.minutes)));

  async function addRoutine() {
    const chosen = await sheet(t("plan.add"), (close) => [
      all.length ? el("div", { class: "tiles" }, ...all.map((routine) => el("button", {
        type: "button", class: "tile", click: () => close(routine),
      }, labelled(routine.name), icon("add")))) : el("p", { class: "empty" }, t("routine.empty")),
    ]);
    if (!chosen) return;
    entries.push({ routine: chosen.routine, name: chosen.name, start: behind(), minutes: chosen.minutes });
    left = left.filter((one) => one.routine !== chosen.routine);
    drawPlan();
  }

  async function addAppointment() {
    const made = await askAppointment();
    if (!made) return;
    entries.push(made);
    drawPlan();
  }

  async function propose() {
    proposals += 1;
    const own = proposals;
    if (byHand.checked) {
      entries = appointments.map((one) => ({ ...one }));
      left = [];
      return;
    }
    const now = new Date(api.now);
    const from = date.value === dateOf() ? Math.min(1439, now.getHours() * 60 + now.getMinutes()) : undefined;
    const chosen = tags.value();
    const { body } = await api.insist("POST", "/v1/schedules/proposals",
      { tags: chosen.length < tagsThere.length ? chosen : undefined, appointments: appointments.map(({ name, start, minutes }) => ({ name, start, minutes })), from });
    // A later one is of other tags.
    if (own === proposals) ({ entries, left } = body);
  }

  const flow = steps([
    {
      name: "date", body: () => [dates,
        el("div", { class: "field" }, el("label", { for: "date" }, icon("schedule"), t("date")), date)],
      leave: () => (date.value ? "" : t("date.missing")),
    },
    {
      name: "appointments",
      body: () => [appointmentList, el("p", { class: "buttons" }, signed("add", t("appointment.new"), {
        click: async () => {
          const made = await askAppointment();
          if (!made) return;
          appointments.push(made);
          drawAppointments();
        },
      }))],
    },
    {
      name: "tags",
      body: () => [
        tagsThere.length ? tags.element : el("p", { class: "empty" }, t("routine.empty")),
        el("div", { class: "field check" }, byHand, el("label", { for: "by-hand" }, icon("routines"), t("schedule.by-hand"))),
      ],
    },
    {
      name: "plan",
      body: async () => {
        await propose();
        drawPlan();
        return [remark, list, el("p", { class: "buttons stretch" },
          signed("add", t("plan.add"), { click: addRoutine }), signed("add", t("appointment.new"), { click: addAppointment }))];
      },
      leave: () => (entries.length ? "" : t("plan.empty")),
    },
  ], {
    cancel: "/schedule",
    confirm: async () => {
      const made = await keep("/v1/schedules", {
        date: date.value, zone, language,
        entries: entries.map((entry) => (entry.routine && byID.has(entry.routine)
          ? { routine: entry.routine, start: entry.start }
          : { appointment: entry.name, start: entry.start, minutes: entry.minutes })),
      });
      if (made) show(made);
    },
  });
  await flow.begin();
  return { title: t("schedule.create"), body: flow.element };
}
