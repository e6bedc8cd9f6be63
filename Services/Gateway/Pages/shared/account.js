// Log in, register, forgotten username or password: the same way into every app.
import { entered } from "./app.js";
import { el } from "./dom.js";
import { newPassword, newUsername, username } from "./fields.js";
import { form } from "./form.js";
import { forTab } from "./keep.js";
import { keyFor } from "./once.js";
import { api, logIn } from "./session.js";
import { t } from "./text.js";
import { go } from "./view.js";

/**
 * The views in front of an app of `role`. `registration()` gives its form as `{path, fields, extra, body, done}`: what is
 * asked for besides username and passwords, the body of the request, and what follows, given the values and the answer,
 * which may return the path of the next view; without it customers register in the wallet.
 */
export function accountViews({ role, registration }) {
  const way = registration ? "#/register" : role === "customer" ? "/wallet#/register" : null;
  // Administrators have no e-mail address.
  const canReset = role !== "administrator";

  const login = () => ({
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
          await logIn(username, password);
          entered();
        },
      }),
      el("p", { class: "buttons" },
        way && el("a", { class: "button", href: way }, t("register")),
        canReset && el("a", { class: "button", href: "#/forgotten" }, t("forgotten"))),
      !canReset && el("p", { class: "detail" }, t("forgotten.operator")),
    ],
  });

  const register = () => {
    const { path, fields, extra = [], body, done } = registration();
    return {
      title: t("register"), back: "/login",
      body: form({
        id: "register", action: t("register"), extra,
        fields: [
          newUsername({ "data-first": true }),
          newPassword("password", t("password"), { hint: t("password.hint") }),
          newPassword("confirmPassword", t("password.again"), { same: "password" }),
          ...fields,
        ],
        submit: async (values) => {
          // The same registration has the same key: a repeat after a lost answer finds the account that it made.
          const wanted = body(values);
          const { body: made } = await api.insist("POST", path, wanted, { key: keyFor(wanted) });
          await logIn(values.username, values.password);
          entered((await done?.(values, made)) ?? "/");
        },
      }),
    };
  };

  const forgotten = () => ({
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

  const reset = ({ query }) => query.has("names")
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
              await logIn(values.username, values.password);
              entered();
            },
          }),
        ],
      };

  return {
    "/login": login, ...(registration ? { "/register": register } : {}),
    ...(canReset ? { "/forgotten": forgotten, "/reset": reset } : {}),
  };
}
