// The start view: a demo, logging in, a new account.
import { API, newID } from "../shared/api.js";
import { byID } from "../shared/dom.js";
import { isPast, newPassword, newUsername, username } from "../shared/fields.js";
import { form } from "../shared/form.js";
import { keyFor } from "../shared/once.js";
import { t } from "../shared/text.js";
import { attempt } from "../shared/view.js";

/** Calls `opened(api, answer, isDemo)` once there is a device. */
export function prepareStart(opened) {
  for (const button of document.querySelectorAll("[data-profile]")) {
    button.addEventListener("click", () => attempt(button, byID("demo-problem"), async () => {
      const api = new API();
      const answer = await openDevice(api, button.dataset.profile);
      api.token = answer.token;
      opened(api, answer, true);
    }));
  }

  /** Opens a device for an account, and leaves nothing that was typed behind. */
  const enter = async (element, { username, password }, first = async () => {}) => {
    const api = new API();
    api.token = (await api.insist("POST", "/v1/sessions", { username, password, role: "customer" })).body.token;
    await first(api);
    opened(api, await openDevice(api, "account"), false);
    element.reset();
  };

  const logIn = form({
    id: "log-in", action: t("log-in"),
    fields: [
      username(),
      { name: "password", label: t("password"), type: "password", autocomplete: "current-password", required: true },
    ],
    submit: (values) => enter(logIn, values),
  });
  byID("log-in-here").replaceWith(logIn);

  const signUp = form({
    id: "sign-up", action: "Make the account",
    fields: [
      newUsername(),
      newPassword("password", t("password"), { hint: t("password.hint") }),
      newPassword("confirmPassword", t("password.again"), { same: "password" }),
      { name: "email", label: t("email"), type: "email", autocomplete: "email", required: true, maxlength: "254" },
      { name: "birthdate", label: t("birthdate"), type: "date", autocomplete: "bday", required: true, check: isPast },
      { name: "student", label: t("student"), type: "check" },
      { name: "pin", label: t("pin"), type: "password", inputmode: "numeric", autocomplete: "off", pattern: "\\d{4}",
        rule: t("pin.rule"), required: true, maxlength: "4", hint: "4 digits" },
    ],
    submit: async ({ pin, ...wanted }) => {
      // The same registration has the same key: a repeat after a lost answer finds the account that it made.
      await new API().insist("POST", "/v1/customers", wanted, { key: keyFor(wanted) });
      await enter(signUp, wanted, (api) => api.insist("PUT", "/v1/pin", { password: wanted.password, pin }));
    },
  });
  byID("sign-up-here").replaceWith(signUp);
}

export async function openDevice(api, profile, tries = 4) {
  return (await api.insist("POST", "/v1/devices", { profile }, { key: newID(), tries })).body;
}
