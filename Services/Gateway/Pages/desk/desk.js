// The administrator's app: says which view stands where.
import { accountViews } from "../shared/account.js";
import { alertOf, connection, goodbye, startApp } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { session } from "../shared/session.js";
import { lookView } from "../shared/settings.js";
import { addTexts, t } from "../shared/text.js";
import { go } from "../shared/view.js";
import words from "./words.js";
import { books } from "./books.js";
import { sendAll } from "./decisions.js";
import { account, charge, find } from "./find.js";
import { letter, letters } from "./letters.js";
import { merchant, merchants } from "./merchants.js";
import { queue } from "./queue.js";
import { tables } from "./tables.js";
import { why } from "./why.js";

addTexts(words);

/** What was decided and can still be undone is done before the session ends. */
async function leave({ currentTarget: button }) {
  if (button.getAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  const isAllDone = await sendAll();
  if (isAllDone) await goodbye();
  button.removeAttribute("aria-busy");
  // The session may have ended meanwhile.
  if (isAllDone || !session) return;
  go("/");
  alertOf(t("leave.undecided"));
}

/** Says whether there is a network; whether the server is there the queue finds out, and each view by what it reads. */
const sayConnection = () => session && connection(navigator.onLine ? "live" : "lost");
addEventListener("online", sayConnection);
addEventListener("hashchange", sayConnection);

await startApp({
  path: "/desk", role: "administrator", hears: false,
  ways: ["/", "/merchants", "/find", "/books"],
  tools: () => [
    el("a", { class: "tool", href: "#/settings" }, t("settings")),
    el("button", { type: "button", class: "tool", click: leave }, t("log-out"))],
  routes: {
    ...accountViews({ role: "administrator" }),
    "/": queue, "/merchants": merchants, "/merchants/{merchant}": merchant,
    "/find": find, "/accounts": account, "/charges/{charge}": charge, "/books": books,
    "/why": why, "/letters": letters, "/letters/{delivery}": letter, "/tables": tables,
    "/settings": () => ({ ...lookView(), back: "/" }),
  },
  // The queue looks for itself, because an administrator has no inbox.
  living: /^$/,
});
sayConnection();
