// Refusals in groups, each with the trace of its newest one.
import { byID, el, say } from "../shared/dom.js";
import { api } from "../shared/session.js";
import { millis } from "./figures.js";

/** By group: the row's parts, which stay while its words change. */
let rows = new Map();

const clock = (time) => time.slice(11, 19);

/** Draws the groups; one that is new comes first, or last while somebody is at the others, and no other one moves. */
export function drawRefusals(groups) {
  byID("faults-region").hidden = !groups.length;
  byID("faults-empty").hidden = groups.length > 0;
  for (const group of groups.toReversed()) {
    if (!rows.has(group.key)) rows.set(group.key, row(group));
    const { time, count } = rows.get(group.key);
    time.dateTime = group.time;
    say(time, clock(group.time));
    say(count, String(group.count));
    rows.get(group.key).group = group;
  }
  for (const [key, parts] of rows) {
    if (groups.some((group) => group.key === key)) continue;
    parts.row.remove();
    parts.opened?.remove();
    rows.delete(key);
  }
}

/** Forgets all rows. */
export function clearRefusals() {
  rows = new Map();
  byID("faults").replaceChildren();
}

function row(group) {
  const parts = { time: el("time"), count: el("td", { class: "number" }), group };
  const button = el("button", {
    type: "button", "aria-expanded": "false", "aria-label": `Trace of ${group.name} ${group.why}`, click: () => toggle(parts, button) }, "Trace");
  parts.row = el("tr", {},
    el("td", {}, parts.time), el("td", {}, group.service), el("td", {}, group.name), el("td", {}, group.why), parts.count, el("td", {}, button));
  const isInUse = byID("faults").matches(":hover, :focus-within");
  byID("faults")[isInUse ? "append" : "prepend"](parts.row);
  return parts;
}

async function toggle(parts, button) {
  if (parts.opened) {
    parts.opened.remove();
    parts.opened = null;
    button.setAttribute("aria-expanded", "false");
    return;
  }
  const { correlation } = parts.group;
  const cell = el("td", { colspan: "6" }, el("p", {}, "Reading …"));
  const opened = el("tr", { class: "opened" }, cell);
  parts.opened = opened;
  parts.row.after(opened);
  button.setAttribute("aria-expanded", "true");
  try {
    const { body } = await api.call("GET", `/v1/traces/${correlation}`);
    cell.replaceChildren(...trace(correlation, body));
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    cell.replaceChildren(el("p", { class: "problem", role: "alert" }, error.words));
  }
}

/** Requests, asks and facts in their order, with the time since the first. */
function trace(correlation, { steps, missing }) {
  const number = (text) => el("td", { class: "number" }, text);
  const began = steps.length && Date.parse(steps[0].time);
  return [
    el("p", {}, "Trace ", el("code", {}, correlation)),
    missing.length > 0 && el("p", { class: "detail" }, `Not all is known: ${missing.join(", ")} did not answer, or had more to say than was read.`),
    steps.length === 0
      ? el("p", { class: "empty" }, "No service remembers it any more.")
      : el("table", {},
        el("thead", {}, el("tr", {}, ...["Service", "What", "Kind"].map((name) => el("th", { scope: "col" }, name)),
          ...["After", "Took"].map((name) => el("th", { scope: "col", class: "number" }, name)), el("th", { scope: "col" }, "Result"))),
        el("tbody", {}, ...steps.map((step) => el("tr", { class: step.fault ? "fails" : null },
          el("td", {}, step.service), el("td", {}, step.name), el("td", {}, step.kind), number(`${Date.parse(step.time) - began} ms`),
          number(millis(step.microseconds ?? null)), el("td", {}, step.fault ?? (step.entry ? `entry ${step.entry}` : "")))))),
  ].filter(Boolean);
}
