// The routine manager: all routines; a new one is made, and an old one changed, step by step.
import { alertOf, refresh } from "../shared/app.js";
import { newID } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { put } from "../shared/read.js";
import { api } from "../shared/session.js";
import { confirm } from "../shared/sheet.js";
import { t } from "../shared/text.js";
import { attempt, go, tell } from "../shared/view.js";
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
    el("a", { class: "button quiet", href: `#/routines/${routine.routine}` },
      el("span", {}, icon("change"), " ", t("routine.change", { name: wordsOf(routine.name) }))),
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
    tell(t("deleted"));
    refresh();
  });
}

export const newRoutine = () => routineForm(null);

export async function changeRoutine({ params }) {
  const routine = (await routines()).find((one) => one.routine === params.routine);
  if (!routine) {
    return { title: t("way./routines"), back: "/routines", body: el("p", { class: "note refused" }, icon("error"), " ", t("fault.routines.routine_not_found")) };
  }
  return routineForm(routine);
}

/** The steps that make a routine, or change this one. */
async function routineForm(known) {
  const { actions: preloaded } = await offered();
  const key = newID();
  const name = await labelField({ label: known?.name });
  const actions = [...(known?.actions ?? [])];
  let tag = known?.tag ?? null;
  const isOffered = tagsOffered.includes(tag);
  const own = el("input", { id: "own-tag", autocomplete: "off", maxlength: "30", value: isOffered ? "" : tag ?? "" });
  const tags = oneOf(t("tag"), tagsOffered.map((one) => [one, () => tagPicture(one), tagWords(one)]), isOffered ? tag : null);
  const quiet = el("input", { type: "checkbox", role: "switch", id: "quiet", checked: known?.quiet ?? false });
  const list = el("ol", { class: "actions", "aria-label": t("actions") });

  function drawActions() {
    list.replaceChildren(...actions.map((action, at) => el("li", {},
      labelled(action.name),
      el("span", { class: "detail" }, t("minutes.n", { minutes: action.minutes }), " · ", prioritySigns(action.priority), " ",
        priorityWords(action.priority)),
      signed("earlier", t("action.earlier", { name: wordsOf(action.name) }), {
        class: "quiet", disabled: at === 0, click: () => {
          actions.splice(at - 1, 2, action, actions[at - 1]);
          drawActions();
          list.children[at - 1].querySelector("button:not([disabled])").focus();
        },
      }),
      signed("change", t("action.change", { name: wordsOf(action.name) }), { class: "quiet", click: () => change(at) }),
      signed("delete", t("action.remove", { name: wordsOf(action.name) }), {
        class: "quiet", click: () => {
          actions.splice(at, 1);
          drawActions();
        },
      }))));
  }

  /** Asks for an action's time and priority, and for another name where `field` can take one. */
  function askAction({ name, minutes, priority }, field = null) {
    const time = minutesField(minutes);
    const rank = priorities(priority);
    const value = () => {
      const label = field ? field.value() : name;
      const isTime = time.value() >= 1 && time.value() <= 240 && Number.isInteger(time.value());
      return label && isTime ? { name: label, minutes: time.value(), priority: rank.value() } : null;
    };
    return ask(t("action.time", { name: wordsOf(name) }), [
      el("div", { class: "big-picture" }, picturesOf(name)), time.element, rank.element,
      field && el("details", {}, el("summary", {}, t("action.rename")), field.element),
    ].filter(Boolean), value, t(field ? "action.rule" : "minutes.rule"));
  }

  async function add(name, minutes, priority) {
    const made = await askAction({ name, minutes, priority });
    if (!made) return;
    actions.push(made);
    drawActions();
    tell(t("action.added"));
  }

  async function change(at) {
    const made = await askAction(actions[at], await labelField({ label: actions[at].name }));
    if (!made) return;
    actions[at] = made;
    drawActions();
    tell(t("action.changed"));
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
      const made = { name: name.value(), tag, quiet: quiet.checked, actions };
      if (known) await put(`/v1/routines/${known.routine}`, made);
      else await api.insist("POST", "/v1/routines", made, { key: keyOf(key, made) });
      go("/routines");
      alertOf(t(known ? "routine.changed" : "routine.created"));
    },
  });
  drawActions();
  await flow.begin();
  return { title: known ? t("routine.change", { name: wordsOf(known.name) }) : t("routine.new"), body: flow.element };
}

/** The same routine has the same key; one that was changed after a refusal has another. */
const keys = new Map();
function keyOf(first, ...content) {
  const text = JSON.stringify([first, ...content]);
  if (!keys.has(text)) keys.set(text, newID());
  return keys.get(text);
}
