// The way in: LOG IN and SIGN UP, as the mock-ups have them.
import { accountViews } from "../shared/account.js";
import { alertOf, entered } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { isPast, newPassword, newUsername } from "../shared/fields.js";
import { form } from "../shared/form.js";
import { keyFor } from "../shared/once.js";
import { api, logIn } from "../shared/session.js";
import { t } from "../shared/text.js";
import { forgetSession, keepSession } from "./data.js";
import { drawing } from "./drawings.js";

const { "/forgotten": forgotten, "/reset": reset } = accountViews({ role: "customer" });

const logo = () => el("p", { class: "logo" }, drawing("sun"), el("span", {}, t("logo")));

/** Logs in, and says with a sign that it was accepted. */
async function enter(username, password) {
  await logIn(username, password);
  keepSession();
  entered();
  alertOf(`✓ ${t("login.accepted")}`);
}

export const entrance = {
  "/login": () => {
    forgetSession();
    return {
      title: t("log-in"), plain: true,
      body: [
        logo(),
        form({
          id: "log-in", action: t("login.button"),
          fields: [
            { name: "username", label: t("username"), autocomplete: "username", autocapitalize: "none", required: true, "data-first": true },
            { name: "password", label: t("password"), type: "password", autocomplete: "current-password", required: true },
          ],
          submit: ({ username, password }) => enter(username, password),
        }),
        el("p", { class: "buttons" },
          el("a", { class: "button", href: "#/register" }, t("login.sign-up")),
          el("a", { class: "button", href: "#/forgotten" }, t("forgotten"))),
      ],
    };
  },
  "/register": () => ({
    title: t("register"), plain: true,
    body: [
      logo(),
      form({
        id: "register", action: t("register.button"),
        fields: [
          { name: "email", label: t("email"), type: "email", autocomplete: "email", required: true, "data-first": true },
          newUsername(),
          newPassword("password", t("password"), { hint: t("password.hint") }),
          newPassword("confirmPassword", t("password.again"), { same: "password" }),
          { name: "birthdate", label: t("birthdate"), type: "date", autocomplete: "bday", required: true, check: isPast },
          { name: "student", label: t("student"), type: "check" },
        ],
        submit: async (values) => {
          // The same registration has the same key: a repeat after a lost answer finds the account that it made.
          await api.insist("POST", "/v1/customers", values, { key: keyFor(values) });
          await enter(values.username, values.password);
        },
      }),
      el("p", { class: "buttons" }, el("a", { class: "button", href: "#/login" }, t("register.sign-in"))),
    ],
  }),
  "/forgotten": forgotten, "/reset": reset,
};
