// Receipts: what was paid, to whom, and what is left. They can be shared and printed.
import { amount } from "../shared/amount.js";
import { el } from "../shared/dom.js";
import { read, readIf } from "../shared/read.js";
import { money } from "../shared/money.js";
import { exactly, t } from "../shared/text.js";
import { tell } from "../shared/view.js";

/** Shares a text, or copies it where the browser shares nothing. */
const shareButton = (text) => (navigator.share
  ? el("button", { type: "button", click: () => {
    // Left without sharing: nothing has happened.
    navigator.share({ title: t("receipt"), text }).catch(() => {});
  } }, t("share"))
  : el("button", { type: "button", click: () => copy(text) }, t("copy")));

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    tell(t("copied"));
  } catch {
    tell(t("copy.failed"));
  }
}

function paper({ isNew, lead, sum, facts, words }) {
  const shared = `${lead} ${money(sum)}\n${facts.map(([name, value]) => `${name}: ${value}`).join("\n")}`;
  return [
    isNew && el("p", { class: "done", role: "status" }, words),
    el("section", { class: "receipt", "aria-label": t("receipt") },
      el("p", { class: "wordmark print-only" }, "Billfold"),
      el("p", { class: "lead" }, lead), el("p", {}, amount(sum, { size: "large" })),
      el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]))),
    el("p", { class: "buttons no-print" },
      el("button", { type: "button", click: () => print() }, t("print")),
      shareButton(shared),
      el("a", { class: "button primary", href: "#/" }, t("done"))),
  ];
}

export async function receipt({ params, query }) {
  const [one, charge] = await Promise.all([read(`/v1/receipts/${params.charge}`), readIf(`/v1/charges/${params.charge}`)]);
  const facts = [
    [t("time"), exactly(one.time)], one.memo && [t("memo"), one.memo],
    one.discount && [t("discount"), money({ ...one.discount, amount: -one.discount.amount })],
    charge?.refunded.amount > 0 && [t("refunded"), money(charge.refunded)],
    [t("balance.left"), money(one.cardBalance)], [t("receipt.number"), one.charge], [t("receipt.entry"), one.entry],
  ].filter(Boolean);
  return {
    title: t("receipt"), back: "/activities",
    body: paper({ isNew: query.has("new"), words: t("paid"), lead: one.merchantName, sum: one.amount, facts }),
  };
}

/** What was sent to a user. */
export async function sent({ params, query }) {
  const one = await read(`/v1/transfers/${params.operation}`);
  const facts = [
    [t("time"), exactly(one.time)], one.memo && [t("memo"), one.memo], [t("balance.left"), money(one.balance)],
    [t("receipt.number"), one.operation], [t("receipt.entry"), one.entry],
  ].filter(Boolean);
  return {
    title: t("receipt"), back: "/activities",
    body: paper({ isNew: query.has("new"), words: t("sent"), lead: one.toName ? t("sent.to", { name: one.toName }) : t("sent"), sum: one.amount, facts }),
  };
}
