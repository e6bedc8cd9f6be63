// The merchant's app: says which view stands where.
import { activities } from "../shared/activities.js";
import { goodbye, startApp } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { inbox } from "../shared/inbox.js";
import { addTexts, t } from "../shared/text.js";
import { here } from "../shared/view.js";
import words from "./words.js";
import { charge } from "./charge.js";
import { entrance } from "./entrance.js";
import { menu } from "./menu.js";
import { nearby } from "./nearby.js";
import { changeOffer, newOffer, offer, offers } from "./offers.js";
import { orderAtTill, orders } from "./orders.js";
import { receipt } from "./receipt.js";
import { sale, sales } from "./sales.js";
import { settings, settingsViews } from "./settings.js";
import { waiting } from "./waiting.js";
import { whom } from "./whom.js";

addTexts(words);

startApp({
  path: "/till", role: "merchant",
  ways: ["/", "/orders", "/nearby", "/sales", "/offers"],
  tools: () => [
    el("a", { class: "tool", href: "#/settings" }, t("settings")),
    el("button", { type: "button", class: "tool", click: goodbye }, t("log-out"))],
  routes: {
    ...entrance,
    "/": charge, "/whom": whom, "/waiting/{charge}": waiting,
    "/orders": orders, "/orders/{order}": orderAtTill, "/menu": menu,
    "/nearby": nearby,
    "/sales": sales, "/charges/{charge}": sale, "/receipts/{charge}": receipt,
    "/activities": activities({ payments: "/charges", back: "/sales" }),
    "/offers": offers, "/offers/new/{kind}": newOffer, "/offers/{offer}": offer, "/offers/{offer}/change": changeOffer,
    // What notices of decisions name.
    "/deals/{offer}": offer,
    "/inbox": inbox, "/settings": settings, ...settingsViews,
  },
  living: /^\/(orders|sales|activities|offers|inbox)$/,
  arrived: ({ link, kind }) => {
    const id = link?.split("/")[2];
    // Whoever waits for it sees it there; so does whoever has just asked.
    if (here() === `/waiting/${id}` || here() === link || kind === "request") return null;
    return { href: `#${link ?? "/inbox"}`, words: t("look") };
  },
  found: ({ charge, refund }) => (refund ? `#/charges/${charge}` : `#/waiting/${charge}`),
});
