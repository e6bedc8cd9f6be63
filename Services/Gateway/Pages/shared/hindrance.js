// Why a customer cannot pay now, and the way to the cure, which is in the wallet.
import { el } from "./dom.js";
import { read } from "./read.js";
import { t } from "./text.js";

const cannot = (why, href, cure) => el("div", { class: "column", id: "hindrance" }, el("p", { class: "note waiting" }, why),
  el("p", { class: "buttons" }, el("a", { class: "button primary", href }, cure)));

/** What stands in a form's place while there is no card. `wallet` is the wallet's address, empty within the wallet. */
export const cardFirst = (wallet = "") => cannot(t("card.none"), `${wallet}#/settings/cards/new`, t("card.add"));

/** What stands in a payment's place while none can be made, with `all` cards; null where one can. */
export async function hindrance(all, wallet = "") {
  if (all.length === 0) return cardFirst(wallet);
  const { enabled } = await read("/v1/settings/payments");
  return enabled ? null : cannot(t("fault.payments.disabled"), `${wallet}#/settings/cards`, t("payments.on"));
}
