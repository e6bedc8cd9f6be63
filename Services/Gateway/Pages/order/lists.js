// Where one can order, and what one has ordered.
import { el } from "../shared/dom.js";
import { orderRow } from "../shared/order.js";
import { read, rowsOf } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { language, t } from "../shared/text.js";

const pageLength = 100;

export async function shops() {
  const menus = await rowsOf("menus", "/v1/menus", pageLength);
  return {
    title: t("shops"),
    body: list(t("shops"), menus.map((one) => row({
      what: one.title[language] ?? one.title.en, detail: one.merchantName, href: `#/shops/${one.merchant}`,
    })), t("shops.empty")),
  };
}

export async function orders() {
  const { orders } = await read(`/v1/orders?limit=${pageLength}`);
  return { title: t("way./orders"), body: list(t("way./orders"), orders.map(orderRow), t("orders.empty")) };
}

/** The PIN is set in the wallet. */
export const pin = () => ({
  title: t("pin.missing"), back: "/",
  body: [
    el("p", {}, t("pin.missing.what")),
    el("p", { class: "buttons" }, el("a", { class: "button primary", href: "/wallet#/pin" }, t("pin.to-wallet"))),
  ],
});
