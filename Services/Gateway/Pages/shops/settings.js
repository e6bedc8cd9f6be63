// Settings: the customer's own, which hold in every shop and in every other app.
import { goodbye } from "../shared/app.js";
import { sizeChoice } from "../shared/choices.js";
import { el } from "../shared/dom.js";
import { row } from "../shared/rows.js";
import { session } from "../shared/session.js";
import { noticeSettings, noticesToggle } from "../shared/settings.js";
import { t } from "../shared/text.js";
import { shop } from "./views.js";

/** Something that needs a session, and says so. */
const waiting = (what) => el("li", {}, el("button", { type: "button", class: "item", disabled: true },
  el("span", { class: "what" }, what), el("span", { class: "detail" }, t("sign-in.first"))));

export async function settings() {
  await shop();
  const notices = session && noticesToggle(await noticeSettings());
  return {
    title: t("settings"), back: "/",
    body: el("ul", { class: "list", "aria-label": t("settings") },
      session ? row({ what: t("sign-out"), press: goodbye }) : row({ what: t("sign-in"), href: "#/login" }),
      el("li", {}, el("div", { class: "settings-row" }, sizeChoice())),
      notices ? el("li", {}, el("div", { class: "settings-row" }, notices)) : waiting(t("notices.enabled")),
      session ? row({ what: t("settings.account"), href: "#/settings/account" }) : waiting(t("settings.account"))),
  };
}
