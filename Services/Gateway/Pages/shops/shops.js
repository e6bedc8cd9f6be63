// Merchants' own pages: says which view stands where. The address says whose they are.
import { accountViews } from "../shared/account.js";
import { startApp } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { customerAccountView } from "../shared/settings.js";
import { addTexts, t } from "../shared/text.js";
import { settings } from "./settings.js";
import { about, history, home, merchant, name, shops } from "./views.js";
import words from "./words.js";

addTexts(words);

const isShop = merchant !== "";

startApp({
  path: "/shops", role: "customer", guests: true, hears: false, name,
  ways: isShop ? ["/", "/history", "/about"] : [],
  tools: () => [isShop && el("a", { class: "tool", href: "#/settings" },
    el("span", {}, el("span", { "aria-hidden": "true" }, "⚙ "), t("settings")))].filter(Boolean),
  routes: isShop
    ? {
        ...accountViews({ role: "customer" }),
        "/": home, "/history": history, "/about": about, "/settings": settings, "/settings/account": customerAccountView,
      }
    : { "/": shops },
  living: /^$/,
});
