// A receipt for the customer, as wide as a roll of paper.
import { amount } from "../shared/amount.js";
import { el } from "../shared/dom.js";
import { money, negative, usd } from "../shared/money.js";
import { read } from "../shared/read.js";
import { exactly, t } from "../shared/text.js";
import { customerOf } from "./draft.js";

export async function receipt({ params }) {
  const [one, charge, account] = await Promise.all([
    read(`/v1/receipts/${params.charge}`), read(`/v1/charges/${params.charge}`), read("/v1/settings/account")]);
  const facts = [
    [t("time"), exactly(one.time)], one.memo && [t("memo"), one.memo],
    one.discount && [t("asked"), money(usd(one.amount.amount + one.discount.amount))],
    one.discount && [t("discount"), money(negative(one.discount))],
    charge.refunded.amount > 0 && [t("refunded"), money(charge.refunded)],
    [t("customer"), customerOf(charge)], [t("receipt.number"), one.charge], [t("receipt.entry"), one.entry],
  ].filter(Boolean);
  return {
    title: t("receipt"), back: `/charges/${one.charge}`,
    body: [
      el("section", { class: "receipt roll", "aria-label": t("receipt") },
        el("p", { class: "lead" }, one.merchantName), account.address && el("p", {}, account.address),
        el("p", {}, amount(one.amount, { size: "large" })),
        el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
        el("p", {}, t("receipt.thanks"))),
      el("p", { class: "buttons stretch no-print" },
        el("button", { type: "button", class: "big", click: () => print() }, t("print")),
        el("a", { class: "button primary big", href: "#/" }, t("result.next"))),
    ],
  };
}
