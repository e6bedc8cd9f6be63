// Parts of the settings that several apps have.
import { choices } from "./choices.js";
import { el, say } from "./dom.js";
import { isPast, newPassword } from "./fields.js";
import { form } from "./form.js";
import { withPIN } from "./pin.js";
import { pushOff, pushOn, pushState } from "./push.js";
import { changes, put, read } from "./read.js";
import { list, row } from "./rows.js";
import { api, session } from "./session.js";
import { confirm } from "./sheet.js";
import { exactly, t } from "./text.js";
import { attempt, go, tell } from "./view.js";

/** A view below the settings. */
export const below = (part, body, more = {}) => ({ title: t(`settings.${part}`), back: "/settings", body, ...more });

/** Says that it was saved, and goes back. */
export const saved = (path = "/settings") => {
  tell(t("saved"));
  go(path);
};

/** A switch that is saved at once; where `save(isOn)` throws or returns false, it goes back. */
export function toggle(id, label, isOn, save, hint) {
  const problem = el("p", { class: "problem", role: "alert" });
  const box = el("input", { type: "checkbox", role: "switch", id, checked: isOn, change: async () => {
    let isSaved = false;
    await attempt(box, problem, async () => {
      isSaved = (await save(box.checked)) !== false;
      if (isSaved) tell(t("saved"));
    });
    if (!isSaved) box.checked = !box.checked;
  } });
  return el("div", { class: "field check" }, box, el("label", { for: id }, label),
    hint && el("span", { class: "detail" }, hint), problem);
}

/**
 * Saves changes of `now` one after another, as `send(all)` needs all of it each time. `change(now)` sees what is saved by
 * then.
 */
export function inTurn(now, send) {
  let last = Promise.resolve();
  return (change) => {
    const own = last.then(async () => {
      const changed = change(now);
      await send({ ...now, ...changed });
      Object.assign(now, changed);
    });
    last = own.catch(() => {}); // Said where it was asked for.
    return own;
  };
}

/** Settings of what the account is pushed: `now`, and `save(change)` as of `inTurn`. */
export async function noticeSettings() {
  const now = await read("/v1/settings/notices");
  const save = inTurn(now, (all) => put("/v1/settings/notices", defined(all)));
  return { now, save };
}

/** The fields of a body that have a value: a request may name no others. */
export const defined = (body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** Switches all pushes on or off. */
export const noticesToggle = ({ now, save }) =>
  toggle("notices-on", t("notices.enabled"), now.enabled, (enabled) => save(() => ({ enabled })), t("notices.enabled.what"));

/** What a customer's account says. */
export async function customerAccountView() {
  const now = await read("/v1/settings/account");
  return below("account", form({
    id: "account", action: t("save"),
    fields: [
      { name: "firstName", label: t("first-name"), maxlength: "100", autocomplete: "given-name", value: now.firstName ?? "" },
      { name: "lastName", label: t("last-name"), maxlength: "100", autocomplete: "family-name", value: now.lastName ?? "" },
      { name: "email", label: t("email"), type: "email", autocomplete: "email", value: now.email ?? "" },
      { name: "birthdate", label: t("birthdate"), type: "date", value: now.birthdate ?? "", check: isPast },
      { name: "gender", label: t("gender"), type: "select", value: now.gender ?? "",
        options: [["", t("gender.none")], ["F", t("gender.F")], ["M", t("gender.M")]] },
      { name: "student", label: t("student"), type: "check", value: now.student ?? false },
      { name: "password", label: t("password"), type: "password", autocomplete: "current-password", hint: t("account.password.hint") },
    ],
    submit: async (values) => {
      const { password, ...rest } = values;
      const changed = { ...changes(rest, now), ...(password ? { password } : {}) };
      if (await withPIN(() => put("/v1/settings/account", changed), { always: false }) !== undefined) saved();
    },
  }));
}

/** Another password, which ends all other sessions. */
export const passwordView = () => below("password", [
  el("p", {}, t("password.lead")),
  form({
    id: "password", action: t("save"),
    fields: [
      { name: "password", label: t("password.old"), type: "password", autocomplete: "current-password", required: true },
      newPassword("newPassword", t("new-password"), { hint: t("password.hint") }),
      newPassword("confirmPassword", t("password.again"), { same: "newPassword" }),
    ],
    submit: async (values) => {
      if (await withPIN(() => put("/v1/settings/password", values), { always: false }) !== undefined) saved();
    },
  }),
]);

/** Notifications on this device: their state, and a button that switches them. */
export async function pushSwitch() {
  const device = await pushState(session.account);
  const problem = el("p", { class: "problem", role: "alert" });
  const state = el("p", { class: "detail", role: "status" }, t(`push.${device}`));
  const button = el("button", { type: "button", hidden: device === "missing" || device === "denied",
    click: () => attempt(button, problem, async () => {
      const next = await ((await pushState(session.account)) === "on" ? pushOff : pushOn)(api, session.account);
      say(state, t(`push.${next}`));
      say(button, t(next === "on" ? "push.end" : "push.begin"));
    }) }, t(device === "on" ? "push.end" : "push.begin"));
  return el("section", {}, el("h2", {}, t("push")), state, el("p", { class: "buttons" }, button), problem);
}

/** Where the account is logged in, with a way to end each log-in but this one. */
export async function sessionsView() {
  const { sessions } = await read("/v1/sessions");
  const problem = el("p", { class: "problem", role: "alert" });
  const end = (path, words) => ({ currentTarget: button }) => attempt(button, problem, async () => {
    if (!(await confirm(t(words), t(`${words}.what`), t(words)))) return;
    await api.insist("DELETE", path);
    tell(t("sessions.ended"));
    dispatchEvent(new HashChangeEvent("hashchange"));
  });
  return below("sessions", [
    el("p", {}, t("sessions.lead")),
    list(t("settings.sessions"), sessions.map((one) => row({
      id: `session-${one.session}`, what: one.client ? deviceOf(one.client) : t("session.unknown"), mark: one.current ? t("session.here") : null,
      detail: t("session.since", { time: exactly(one.opened) }), aside: one.current ? null : t("session.end"),
      press: one.current ? undefined : end(`/v1/sessions/${one.session}`, "session.end"),
    })), ""),
    problem,
    sessions.length > 1 && el("p", { class: "buttons" }, el("button", { type: "button", click: end("/v1/sessions", "sessions.end") }, t("sessions.end"))),
  ]);
}

/** What people call a browser, out of its `User-Agent`; programs are called as they call themselves. */
function deviceOf(client) {
  const browser = ["Edg", "OPR", "Firefox", "Chrome", "Safari"].find((one) => client.includes(`${one}/`));
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac OS X", "Linux"].find((one) => client.includes(one));
  if (!browser) return client;
  const name = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system ? `${name}, ${system}` : name;
}

/** Light or dark, text size, language. */
export const lookView = () => below("look", choices());
