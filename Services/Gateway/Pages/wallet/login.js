// Log in, register, forgotten username or password, and the first PIN.
import { el } from "../shared/dom.js";
import { form } from "../shared/form.js";
import { forTab } from "../shared/keep.js";
import { keyFor } from "../shared/once.js";
import { api, enterPIN, logIn, logOut, session } from "../shared/session.js";
import { t } from "../shared/text.js";
import { go } from "../shared/view.js";

const namePattern = "[A-Za-z0-9._@+\\-]{1,64}";
const username = (more = {}) => ({
  name: "username", label: t("username"), autocomplete: "username", autocapitalize: "none", required: true, ...more,
});
const newPassword = (name, label, more = {}) => ({
  name, label, type: "password", autocomplete: "new-password", min: 8, required: true, maxlength: "128", ...more,
});

const entered = () => dispatchEvent(new Event("billfold-entered"));

/** Only customers have a wallet. */
async function enter(name, password) {
  await logIn(name, password);
  if (session.role === "customer") return;
  await logOut();
  throw Object.assign(new Error(), { isPassing: false, code: "wallet.page", title: t("not-a-customer") });
}

export const login = () => ({
  title: t("log-in"),
  body: [
    el("p", { class: "lead" }, t("login.lead")),
    form({
      id: "log-in", action: t("log-in"),
      fields: [
        username({ "data-first": true }),
        { name: "password", label: t("password"), type: "password", autocomplete: "current-password", required: true },
      ],
      submit: async ({ username, password }) => {
        await enter(username, password);
        entered();
      },
    }),
    el("p", { class: "buttons" },
      el("a", { class: "button", href: "#/register" }, t("register")),
      el("a", { class: "button", href: "#/forgotten" }, t("forgotten"))),
  ],
});

const isPast = (value) => (Date.parse(value) < Date.now() ? "" : t("field.date"));

export const register = () => ({
  title: t("register"), back: "/login",
  body: form({
    id: "register", action: t("register"),
    fields: [
      username({ pattern: namePattern, rule: t("username.rule"), maxlength: "64", "data-first": true }),
      newPassword("password", t("password"), { hint: t("password.hint") }),
      newPassword("confirmPassword", t("password.again"), { same: "password" }),
      { name: "email", label: t("email"), type: "email", autocomplete: "email", required: true },
      { name: "birthdate", label: t("birthdate"), type: "date", autocomplete: "bday", required: true, check: isPast },
      { name: "firstName", label: t("first-name"), autocomplete: "given-name" },
      { name: "lastName", label: t("last-name"), autocomplete: "family-name" },
      { name: "gender", label: t("gender"), type: "select",
        options: [["", t("gender.none")], ["F", t("gender.F")], ["M", t("gender.M")]] },
      { name: "student", label: t("student"), type: "check" },
    ],
    submit: async (values) => {
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
      await api.insist("POST", "/v1/customers", given, { key: keyFor(given) });
      await enter(values.username, values.password);
      entered();
      go("/pin", { replace: true });
    },
  }),
});

export const forgotten = () => ({
  title: t("forgotten"), back: "/login",
  body: [
    el("p", {}, t("forgotten.lead")),
    form({
      id: "forgotten", action: t("forgotten.send"),
      fields: [
        { name: "email", label: t("email"), type: "email", autocomplete: "email", required: true, "data-first": true },
        username({ required: false, hint: t("forgotten.username.hint") }),
      ],
      submit: async ({ username, email }) => {
        await api.insist("POST", "/v1/password-resets", username ? { username, email } : { email });
        forTab.set("billfold.reset", { username });
        go(`/reset${username ? "" : "?names"}`);
      },
    }),
  ],
});

export const reset = ({ query }) => query.has("names")
  ? { title: t("reset.mailed"), back: "/login", body: el("p", { class: "note" }, t("reset.names")) }
  : {
      title: t("reset.mailed"), back: "/forgotten",
      body: [
        el("p", { class: "note" }, t("reset.lead")),
        form({
          id: "reset", action: t("reset.set"),
          fields: [
            username({ value: forTab.get("billfold.reset")?.username ?? "" }),
            { name: "code", label: t("reset.code"), autocomplete: "one-time-code", required: true },
            newPassword("password", t("new-password"), { hint: t("password.hint") }),
            newPassword("confirmPassword", t("password.again"), { same: "password" }),
          ],
          submit: async (values) => {
            await api.insist("POST", "/v1/password-resets/use", values);
            await enter(values.username, values.password);
            entered();
          },
        }),
      ],
    };

/** The PIN that pays: the first thing after a registration. */
export const pinSetup = () => ({
  title: t("pin.set"), back: "/",
  body: [
    el("p", {}, t("pin.set.lead")),
    form({
      id: "set-pin", action: t("pin.set"),
      fields: [
        { name: "pin", label: t("pin"), type: "password", inputmode: "numeric", autocomplete: "off", pattern: "\\d{4}",
          rule: t("pin.rule"), required: true, maxlength: "4", hint: t("pin.hint") },
        { name: "password", label: t("password"), type: "password", autocomplete: "current-password", required: true },
      ],
      submit: async ({ pin, password }) => {
        await api.insist("PUT", "/v1/pin", { pin, password });
        await enterPIN(pin);
        const { body } = await api.insist("GET", "/v1/cards");
        go(body.cards.length ? "/" : "/settings/cards/new", { replace: true });
      },
    }),
  ],
});
