// What went wrong, for people: what happened, whether money moved, what to do next.
import { hasText, t } from "./text.js";

/**
 * Explains an error of the API as `{what, money, next}`; `money` is empty where none could move.
 *
 * `moves` says that the request would have moved money. A code may have a text of its own about that.
 */
export function explain(error, { moves = false } = {}) {
  const code = hasText(`fault.${error.code}`) ? `fault.${error.code}` : "";
  const what = code ? t(code) : error.code ? t("fault.other", { title: sentence(error.title) }) : t("fault.offline");
  const wait = error.retryAfterSeconds ? t("fault.wait", { seconds: error.retryAfterSeconds }) : "";
  const next = hasText(`${code}.next`) ? t(`${code}.next`) : error.isOpen && moves ? t("fault.open.next") : nextOf(error);
  const money = hasText(`${code}.money`) ? `${code}.money` : error.isOpen ? "fault.money.unknown" : "fault.money.none";
  return { what, money: moves ? t(money) : "", next: wait || next };
}

/** The same as one paragraph. */
export function explained(error, options) {
  const { what, money, next } = explain(error, options);
  return [what, money, next].filter(Boolean).join(" ");
}

/** Refusals that are about one field, whatever their detail says. */
const fields = {
  "auth.username_taken": "username", "auth.username_invalid": "username", "auth.email_invalid": "email",
  "auth.birthdate_invalid": "birthdate", "auth.password_invalid": "password", "auth.password_required": "password",
  "auth.pin_invalid": "pin", "auth.pin_required": "currentPin", "gateway.passwords_differ": "confirmPassword",
  "auth.account_not_found": "to", "notifications.endpoint_invalid": "url",
};

/** A refusal of a page's own, explained by its code as the server's are; `detail` begins with the field that it names. */
export const refusalOf = (code, detail = "") => Object.assign(new Error(), { isPassing: false, code, title: "", detail });

/** The field that a refusal names, and the rule: `{field, rule}`; null where it names none. */
export function wrongField(error) {
  if (fields[error.code]) return { field: fields[error.code], rule: explained(error) };
  const match = /^'(\w+)'[: ]*(.*)$/s.exec(error.detail ?? "");
  return match && { field: match[1], rule: sentence(`${match[2]}`) };
}

const nextOf = (error) => t(error.code === "" ? "fault.offline.next" : error.isPassing ? "fault.later" : "");
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.?$/, ".");
