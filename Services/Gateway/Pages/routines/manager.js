// The routine manager: all routines, and a new one step by step.
import { alertOf, refresh } from "../shared/app.js";
import { newID } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { api } from "../shared/session.js";
import { confirm } from "../shared/sheet.js";
import { t } from "../shared/text.js";
import { announce, attempt, go } from "../shared/view.js";
import { ask, labelField, minutesField, oneOf, priorities, prioritySigns, priorityWords, signed, tagPicture, tagsOffered, tagWords } from "./choose.js";
import { offered, routines } from "./data.js";
import { icon } from "./icons.js";
import { labelled, picturesOf, wordsOf } from "./pictures.js";
import { steps } from "./steps.js";

export async function manager() {
  const all = await routines();
  const problem = el("p", { class: "problem", role: "alert" });
  const rows = all.map((routine) => el("li", { class: "routine" },
    el("div", {}, labelled(routine.name),
      el("p", { class: "detail" }, tagPicture(routine.tag), " ", tagWords(routine.tag), " · ",
        t("minutes.n", { minutes: routine.minutes }), " · ", prioritySigns(routine.priority), " ",
        priorityWords(routine.priority), routine.quiet && [" · ", icon("quiet"), " ", t("quiet.short")]),
      el("details", {}, el("summary", {}, t("routine.actions", { n: routine.actions.length })),
        el("ol", { class: "actions" }, ...routine.actions.map((action) =>
          el("li", {}, labelled(action.name), el("span", { class: "detail" }, t("minutes.n", { minutes: action.minutes }))))))),
    signed("delete", t("routine.delete", { name: wordsOf(routine.name) }), {
      class: "quiet", click: ({ currentTarget: button }) => remove(routine, button, problem),
    })));
  const search = el("input", {
    type: "search", id: "routine-search", autocomplete: "off",
    input: () => {
      const wanted = search.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    },
  });
  return {
    title: t("way./routines"),
    body: [
      el("p", { class: "buttons" },
        el("a", { class: "button primary big", href: "#/routines/new" }, el("span", {}, icon("add"), " ", t("routine.new")))),
      all.length > 3 && el("div", { class: "field" }, el("label", { for: "routine-search" }, icon("search"), t("search")), search),
      problem,
      rows.length
        ? el("ul", { class: "list routines", "aria-label": t("way./routines") }, ...rows)
        : el("p", { class: "empty" }, t("routine.empty")),
    ],
  };
}

async function remove(routine, button, problem) {
  const name = wordsOf(routine.name);
  if (!(await confirm(t("routine.delete", { name }), t("routine.delete.what"), t("delete")))) return;
  await attempt(button, problem, async () => {
    await api.insist("DELETE", `/v1/routines/${routine.routine}`);
    announce(t("deleted"));
    refresh();
  });
}

export async function newRoutine() {
  const { actions: preloaded } = await offered();
  const key = newID();
  const name = await labelField();
  const actions = [];
  let tag = null;
  const own = el("input", { id: "own-tag", autocomplete: "off", maxlength: "30" });
  const tags = oneOf(t("tag"), tagsOffered.map((one) => [one, () => tagPicture(one), tagWords(one)]), null);
  const quiet = el("input", { type: "checkbox", role: "switch", id: "quiet" });
  const list = el("ol", { class: "actions", "aria-label": t("actions") });

  function drawActions() {
    list.replaceChildren(...actions.map((action, at) => el("li", {},
      labelled(action.name),
      el("span", { class: "detail" }, t("minutes.n", { minutes: action.minutes }), " · ", prioritySigns(action.priority), " ",
        priorityWords(action.priority)),
      signed("delete", t("action.remove", { name: wordsOf(action.name) }), {
        class: "quiet", click: () => {
          actions.splice(at, 1);
          drawActions();
        },
      }))));
  }

  async function add(name, minutes, priority) {
    const time = minutesField(minutes);
    const rank = priorities(priority);
    const made = await ask(t("action.time", { name: wordsOf(name) }), [el("div", { class: "big-picture" }, picturesOf(name)), time.element, rank.element],
      () => (time.value() >= 1 && time.value() <= 240 && Number.isInteger(time.value())
        ? { name, minutes: time.value(), priority: rank.value() } : null), t("minutes.rule"));
    if (!made) return;
    actions.push(made);
    drawActions();
    announce(t("action.added"));
  }

  async function addOwn() {
    const field = await labelField();
    const label = await ask(t("action.own"), field.element, field.value, t("label.missing"));
    if (label) await add(label, 5, "normal");
  }

  const flow = steps([
    { name: "name", body: () => name.element, leave: () => (name.value() ? "" : t("label.missing")) },
    {
      name: "actions",
      body: () => [
        list,
        el("p", { class: "buttons" }, signed("add", t("action.own"), { click: addOwn })),
        el("div", { class: "tiles", role: "group", "aria-label": t("actions.offered") }, ...preloaded.map((one) =>
          el("button", { type: "button", class: "tile", click: () => add(one.name, one.minutes, one.priority) },
            picturesOf(one.name), el("span", {}, wordsOf(one.name)), icon("add")))),
      ],
      leave: () => (actions.length ? "" : t("actions.missing")),
    },
    {
      name: "tag",
      body: () => [
        tags.element,
        el("div", { class: "field" }, el("label", { for: "own-tag" }, icon("add"), t("tag.own")),
          el("span", { class: "detail" }, t("optional")), own),
        el("div", { class: "field check" }, quiet, el("label", { for: "quiet" }, icon("quiet"), t("quiet.switch"))),
      ],
      leave: () => {
        tag = own.value.trim() || tags.value();
        return tag ? "" : t("tag.missing");
      },
    },
    {
      name: "confirm",
      body: () => [
        el("div", { class: "big-picture" }, labelled(name.value())),
        el("p", { class: "detail" }, tagPicture(tag), " ", tagWords(tag), " · ",
          t("minutes.n", { minutes: actions.reduce((sum, one) => sum + one.minutes, 0) })),
        el("ol", { class: "actions" }, ...actions.map((action) => el("li", {}, labelled(action.name),
          el("span", { class: "detail" }, t("minutes.n", { minutes: action.minutes }))))),
      ],
    },
  ], {
    cancel: "/routines",
    confirm: async () => {
      await api.insist("POST", "/v1/routines",
        { name: name.value(), tag, quiet: quiet.checked, actions }, { key: keyOf(key, name.value(), tag, actions, quiet.checked) });
      go("/routines");
      alertOf(t("routine.created"));
    },
  });
  await flow.begin();
  return { title: t("routine.new"), body: flow.element };
}

/** The same routine has the same key; one that was changed after a refusal has another. */
const keys = new Map();
function keyOf(first, ...content) {
  const text = JSON.stringify([first, ...content]);
  if (!keys.has(text)) keys.set(text, newID());
  return keys.get(text);
}
