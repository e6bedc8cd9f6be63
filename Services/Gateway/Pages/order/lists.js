// Where one can order, and what one has ordered.
import { el } from "../shared/dom.js";
import { growingList, pagesOf } from "../shared/growing.js";
import { orderRow } from "../shared/order.js";
import { list, row } from "../shared/rows.js";
import { language, t } from "../shared/text.js";

export async function shops() {
  const { parts } = await growingList(pagesOf("menus", "/v1/menus?limit=100", "skip"), (menus) =>
    list(t("shops"), menus.map((one) => row({
      what: one.title[language] ?? one.title.en, detail: one.merchantName, href: `#/shops/${one.merchant}`,
    })), t("shops.empty")));
  return { title: t("shops"), body: parts };
}

export async function orders() {
  const { parts } = await growingList(pagesOf("orders", "/v1/orders?limit=100", "before"), (found) =>
    list(t("way./orders"), found.map(orderRow), t("orders.empty")));
  return { title: t("way./orders"), body: parts };
}

/** The PIN is set in the wallet. */
export const pin = () => ({
  title: t("pin.missing"), back: "/",
  body: [
    el("p", {}, t("pin.missing.what")),
    el("p", { class: "buttons" }, el("a", { class: "button primary", href: "/wallet#/pin" }, t("pin.to-wallet"))),
  ],
});
