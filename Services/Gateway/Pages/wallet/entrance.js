// The way in: log in, register, forgotten username or password, and the first PIN.
import { accountViews } from "../shared/account.js";
import { el } from "../shared/dom.js";
import { isPast } from "../shared/fields.js";
import { form } from "../shared/form.js";
import { given, put, read } from "../shared/read.js";
import { enterPIN } from "../shared/session.js";
import { t } from "../shared/text.js";
import { go } from "../shared/view.js";

/** Views by path, in front of the wallet. */
export const entrance = accountViews({
  role: "customer",
  registration: () => ({
    path: "/v1/customers", body: given, done: () => "/pin?new",
    fields: [
      { name: "email", label: t("email"), type: "email", autocomplete: "email", required: true },
      { name: "birthdate", label: t("birthdate"), type: "date", autocomplete: "bday", required: true, check: isPast },
      { name: "firstName", label: t("first-name"), maxlength: "100", autocomplete: "given-name" },
      { name: "lastName", label: t("last-name"), maxlength: "100", autocomplete: "family-name" },
      { name: "gender", label: t("gender"), type: "select",
        options: [["", t("gender.none")], ["F", t("gender.F")], ["M", t("gender.M")]] },
      { name: "student", label: t("student"), type: "check" },
    ],
  }),
});

/** The PIN that pays: the first thing after a registration. */
export const pinSetup = ({ query }) => ({
  title: t("pin.set"), back: "/",
  body: [
    query.has("new") && el("p", { class: "done", role: "status" }, t("registered")),
    el("p", {}, t("pin.set.lead")),
    form({
      id: "set-pin", action: t("pin.set"),
      fields: [
        { name: "pin", label: t("pin"), type: "password", inputmode: "numeric", autocomplete: "off", pattern: "\\d{4}",
          rule: t("pin.rule"), required: true, maxlength: "4", hint: t("pin.hint") },
        { name: "password", label: t("password"), type: "password", autocomplete: "current-password", required: true },
      ],
      submit: async ({ pin, password }) => {
        await put("/v1/pin", { pin, password });
        await enterPIN(pin);
        const { cards } = await read("/v1/cards");
        go(cards.length ? "/" : "/settings/cards/new", { replace: true });
      },
    }),
  ],
});
