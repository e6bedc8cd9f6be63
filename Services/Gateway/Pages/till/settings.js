// Settings of a merchant: account, places, web hooks, this device.
import { goodbye } from "../shared/app.js";
import { newID } from "../shared/api.js";
import { categoryBoxes } from "../shared/categories.js";
import { el, say } from "../shared/dom.js";
import { isPast } from "../shared/fields.js";
import { form } from "../shared/form.js";
import { growingList, pagesOf } from "../shared/growing.js";
import { degrees, fenceMetres, pointPicker } from "../shared/position.js";
import { changes, put, read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { below, lookView, passwordView, pushSwitch, saved, sessionsView } from "../shared/settings.js";
import { confirm } from "../shared/sheet.js";
import { dateOf, exactly, hasText, t } from "../shared/text.js";
import { attempt, go } from "../shared/view.js";
import { approval } from "./approval.js";
import { accountFields } from "./entrance.js";
import { shop } from "./shop.js";

const parts = ["account", "shop", "password", "places", "hooks", "sessions", "notices", "look"];

export async function settings() {
  const account = await read("/v1/settings/account");
  return {
    title: t("settings"), back: "/",
    body: [
      el("p", { class: "lead" }, account.name), el("p", { class: "detail" }, account.username),
      approval(account),
      el("ul", { class: "list" }, row({ what: t("inbox"), detail: t("inbox.what"), href: "#/inbox" }), ...parts.map((part) => row({
        what: t(`settings.${part}`), detail: t(`settings.${part}.what`), href: `#/settings/${part}` }))),
      el("p", { class: "buttons" }, el("button", { type: "button", click: goodbye }, t("log-out"))),
    ],
  };
}

async function account() {
  const now = await read("/v1/settings/account");
  const categories = categoryBoxes(now.productTypes);
  return below("account", form({
    id: "account", action: t("save"), extra: [categories.element],
    fields: [
      { name: "name", label: t("name"), required: true, maxlength: "100", value: now.name, hint: t("name.hint") },
      ...accountFields(now).map((field) => ({ ...field, required: false })),
      { name: "birthdate", label: t("birthdate"), type: "date", value: now.birthdate ?? "", check: isPast },
      { name: "student", label: t("student"), type: "check", value: now.student ?? false },
      { name: "password", label: t("password"), type: "password", autocomplete: "current-password", hint: t("account.password.hint") },
    ],
    submit: async ({ password, ...values }) => {
      await put("/v1/settings/account", {
        ...changes(values, now), productTypes: categories.values(), ...(password ? { password } : {}) });
      saved();
    },
  }));
}

// MARK: Places

async function places() {
  const found = (await read("/v1/places")).places;
  const map = el("place-map");
  map.show({ places: found.map((one) => ({ ...one, around: fenceMetres, press: () => go(`/settings/places/${one.place}`) })) });
  return below("places", el("div", { class: "columns" },
    el("div", { class: "column" },
      el("p", {}, t("places.lead")),
      list(t("settings.places"), found.map((one) => row({
        what: one.name, detail: `${degrees(one.latitude)}, ${degrees(one.longitude)}`, href: `#/settings/places/${one.place}`,
      })), t("places.empty")),
      el("p", { class: "buttons" }, el("a", { class: "button primary", href: "#/settings/places/new" }, t("place.add")))),
    el("div", { class: "column" }, map)), { wide: true });
}

function placeForm(title, one, save) {
  const point = pointPicker({ label: t("place"), at: one, around: () => fenceMetres });
  const problem = el("p", { class: "problem", role: "alert" });
  const remove = one && el("button", { type: "button", class: "danger", click: () => attempt(remove, problem, async () => {
    if (!(await confirm(t("place.remove"), t("place.remove.what"), t("place.remove")))) return;
    await api.insist("DELETE", `/v1/places/${one.place}`);
    saved("/settings/places");
  }) }, t("place.remove"));
  return {
    title, back: "/settings/places",
    body: [
      form({
        id: "place", action: t("save"), extra: [point.element],
        fields: [{ name: "name", label: t("place.name"), required: true, maxlength: "100", value: one?.name ?? "", "data-first": true }],
        submit: async ({ name }) => {
          const at = point.value();
          if (at === null) return say(problem, t("place.missing"));
          if (!at) return;
          await save({ name, ...at });
          saved("/settings/places");
        },
      }),
      problem, remove && el("p", { class: "buttons" }, remove)],
  };
}

function newPlace() {
  const key = newID();
  return placeForm(t("place.add"), null, (body) => api.insist("POST", "/v1/places", body, { key }));
}

async function onePlace({ params }) {
  const one = (await read("/v1/places")).places.find(({ place }) => place === params.place);
  if (!one) return below("places", el("p", { class: "empty" }, t("place.gone")));
  return placeForm(one.name, one, (body) => put(`/v1/places/${one.place}`, body));
}

// MARK: Web hooks, this device

/** The number of a web hook among the kinds of registrations. */
const hookType = 4;

async function hooks() {
  const { endpoints } = await read("/v1/endpoints");
  const secret = el("div");
  let key = newID();
  return below("hooks", [
    el("p", {}, t("hooks.lead")),
    list(t("settings.hooks"), endpoints.filter(({ type }) => type === hookType).map((one) => row({
      what: one.address, detail: t("hook.since", { day: dateOf(one.created) }), href: `#/settings/hooks/${one.endpoint}`,
    })), t("hooks.empty")),
    secret,
    form({
      id: "hook", action: t("hook.add"),
      fields: [{ name: "url", label: t("hook.url"), type: "url", required: true, maxlength: "1000", hint: t("hook.url.hint") }],
      submit: async ({ url }) => {
        const { body } = await api.insist("POST", "/v1/endpoints", { type: hookType, url }, { key });
        key = newID();
        secret.replaceChildren(el("div", { class: "note" },
          el("p", {}, t("hook.secret")), el("p", { class: "typed" }, body.secret ?? t("hook.secret.shown"))));
      },
    }),
  ]);
}

/** One web hook: what was sent to it, a test, and its end. */
async function oneHook({ params }) {
  const one = (await read("/v1/endpoints")).endpoints.find(({ endpoint }) => endpoint === params.endpoint);
  const back = "/settings/hooks";
  if (!one) return { title: t("settings.hooks"), back, body: [el("p", { class: "empty" }, t("hook.gone"))] };
  const path = `/v1/endpoints/${one.endpoint}`;
  const problem = el("p", { class: "problem", role: "alert" });
  const outcome = el("p", { class: "note", role: "status", hidden: true });
  const sent = await growingList(pagesOf("deliveries", `${path}/deliveries?limit=20`, "before"), (found) =>
    list(t("hook.deliveries"), found.map((one) => row({
      id: `delivery-${one.delivery}`, what: hasText(`hook.event.${one.title}`) ? t(`hook.event.${one.title}`) : one.title, mark: t(`delivery.${one.state}`),
      detail: [exactly(one.created), t("hook.tries", { n: one.attempts }), one.reason].filter(Boolean).join(" · "),
    })), t("hook.deliveries.empty")));
  const test = el("button", { type: "button", class: "primary", click: () => attempt(test, problem, async () => {
    const { body } = await api.insist("POST", `${path}/tests`, undefined, { key: newID() });
    // The button takes the next press when the outcome is read.
    await sent.load().finally(() => {
      outcome.hidden = false;
      outcome.className = `note ${{ queued: "waiting", dead: "refused" }[body.state] ?? ""}`;
      say(outcome, t(`hook.test.${body.state}`, { reason: body.reason ?? "" }));
    });
  }) }, t("hook.test"));
  const remove = el("button", { type: "button", class: "danger", click: () => attempt(remove, problem, async () => {
    if (!(await confirm(t("hook.remove"), t("hook.remove.what"), t("hook.remove")))) return;
    await api.insist("DELETE", path);
    go(back);
  }) }, t("hook.remove"));
  return {
    title: one.address, back,
    body: [
      el("p", { class: "detail" }, t("hook.since", { day: dateOf(one.created) })), outcome, problem,
      el("p", { class: "buttons stretch" }, test, remove),
      el("h2", {}, t("hook.deliveries")), ...sent.parts],
  };
}

const notices = async () => below("notices", await pushSwitch());

/** Views by path, below `/settings`. */
export const settingsViews = {
  "/settings/account": account, "/settings/shop": shop, "/settings/password": passwordView,
  "/settings/places": places, "/settings/places/new": newPlace, "/settings/places/{place}": onePlace,
  "/settings/hooks": hooks, "/settings/hooks/{endpoint}": oneHook, "/settings/sessions": sessionsView, "/settings/notices": notices, "/settings/look": lookView,
};
