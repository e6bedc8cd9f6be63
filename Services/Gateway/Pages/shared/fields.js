// Fields that several forms have.
import { explained, refusalOf } from "./explain.js";
import { api } from "./session.js";
import { t } from "./text.js";

/** A field for a name that is there. */
export const username = (more = {}) => ({
  name: "username", label: t("username"), autocomplete: "username", autocapitalize: "none", required: true, ...more,
});

/** What is wrong with a name that is to be registered. The registration says so too where this cannot be asked now. */
async function taken(name) {
  try {
    return (await api.call("GET", `/v1/usernames?${new URLSearchParams({ username: name })}`)).body.free ? "" : explained(refusalOf("auth.username_taken"));
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    return "";
  }
}

/** A field for a name that is to be registered. */
export const newUsername = (more = {}) => username({
  pattern: "[A-Za-z0-9._@+\\-]{1,64}", rule: t("username.rule"), ask: taken, maxlength: "64", ...more,
});

/** A field for a password that is set. */
export const newPassword = (name, label, more = {}) => ({
  name, label, type: "password", autocomplete: "new-password", min: 8, required: true, maxlength: "128", ...more,
});

/** A day in the past, or what is wrong. */
export const isPast = (value) => (Date.parse(value) < Date.now() ? "" : t("field.date"));
