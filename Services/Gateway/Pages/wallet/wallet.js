// The customer's app: says which view stands where.
import { activities } from "../shared/activities.js";
import { startApp } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { addTexts, t } from "../shared/text.js";
import { here, tell } from "../shared/view.js";
import words from "./words.js";
import { charge, charges } from "./charges.js";
import { foundAt } from "./data.js";
import { coupons, deal } from "./deals.js";
import { entrance, pinSetup } from "./entrance.js";
import { home } from "./home.js";
import { inbox } from "../shared/inbox.js";
import { orderView } from "../shared/order.js";
import { merchant, merchants } from "./merchants.js";
import { code, pay, payMerchant, send } from "./pay.js";
import { receipt, sent } from "./receipt.js";
import { settings, settingsViews } from "./settings.js";

addTexts(words);

startApp({
  path: "/wallet", role: "customer",
  ways: ["/", "/pay", "/activities", "/merchants", "/coupons"],
  tools: () => [el("a", { class: "tool", href: "#/settings" }, t("settings"))],
  routes: {
    ...entrance, "/pin": pinSetup,
    "/": home,
    "/charges": charges, "/charges/{charge}": charge,
    "/pay": pay, "/pay/code": code, "/pay/{merchant}": payMerchant, "/send": send,
    "/receipts/{charge}": receipt, "/sent/{operation}": sent,
    "/activities": activities({ payments: "/receipts", transfers: "/sent", back: "/" }), "/inbox": inbox, "/orders/{order}": orderView("/inbox"),
    "/merchants": merchants, "/merchants/{merchant}": merchant,
    "/coupons": coupons, "/deals/{offer}": deal,
    "/settings": settings, ...settingsViews,
  },
  living: /^\/($|charges$|activities$|inbox$)/,
  // Home and the list of charges show it by themselves.
  arrived: ({ kind, link }) =>
    kind === "request" && !["/", "/charges", link].includes(here()) ? { href: `#${link}`, words: t("look") } : null,
  found: (body) => `#${foundAt(body)}`,
});

// Home and the inbox show these by themselves, as does the view that a notice leads to.
addEventListener("billfold-notice", ({ detail: { kind, link, title } }) => {
  if (["refund", "transfer", "offer"].includes(kind) && !["/", "/inbox", link].includes(here())) tell(title);
});
