// Ordering ahead: says which view stands where.
import { accountViews } from "../shared/account.js";
import { goodbye, startApp } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { inbox } from "../shared/inbox.js";
import { orderView } from "../shared/order.js";
import { lookView } from "../shared/settings.js";
import { addTexts, t } from "../shared/text.js";
import { here } from "../shared/view.js";
import { orders, pin, shops } from "./lists.js";
import { screen } from "./screen.js";
import words from "./words.js";

addTexts(words);

startApp({
  path: "/order", role: "customer",
  ways: ["/", "/orders"],
  tools: () => [
    el("a", { class: "tool", href: "#/settings" }, t("settings")),
    el("button", { type: "button", class: "tool", click: goodbye }, t("log-out"))],
  routes: {
    ...accountViews({ role: "customer" }),
    "/": shops, "/shops/{merchant}": screen, "/orders": orders, "/orders/{order}": orderView("/orders"), "/pin": pin, "/inbox": inbox,
    "/settings": () => ({ ...lookView(), back: "/" }),
  },
  living: /^\/orders/,
  arrived: ({ kind, link }) =>
    kind === "order" && link !== here() ? { href: `#${link}`, words: t("look") } : null,
  // An act that began in the wallet is found there.
  found: ({ order }) => (order ? `#/orders/${order}` : "/wallet#/activities"),
});
