// Receipts: what was paid, to whom, and what is left. They can be shared and printed.
import { amount } from "../shared/amount.js";
import { refresh } from "../shared/app.js";
import { el, say } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { read, readIf } from "../shared/read.js";
import { money } from "../shared/money.js";
import { exactly, t } from "../shared/text.js";
import { tell } from "../shared/view.js";

/** Shares a text, or copies it where the browser shares nothing; what went wrong is said in `problem`. */
const shareButton = (text, problem) => (navigator.share
  ? el("button", { type: "button", click: () => {
    // Left without sharing: nothing has happened.
    navigator.share({ title: t("receipt"), text }).catch(() => {});
  } }, t("share"))
  : el("button", { type: "button", click: async () => {
    try {
      await navigator.clipboard.writeText(text);
      tell(t("copied"));
    } catch {
      say(problem, t("copy.failed"));
    }
  } }, t("copy")));

function paper({ isNew, lead, sum, facts, words }) {
  const shared = `${lead} ${money(sum)}\n${facts.map(([name, value]) => `${name}: ${value}`).join("\n")}`;
  const problem = el("p", { class: "problem no-print", role: "alert" });
  return [
    isNew && el("p", { class: "done", role: "status" }, words),
    el("section", { class: "receipt", "aria-label": t("receipt") },
      el("p", { class: "wordmark print-only" }, "Billfold"),
      el("p", { class: "lead" }, lead), el("p", {}, amount(sum, { size: "large" })),
      el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]))),
    el("p", { class: "buttons no-print" },
      el("button", { type: "button", click: () => print() }, t("print")),
      shareButton(shared, problem),
      el("a", { class: "button primary", href: "#/" }, t("done"))),
    problem,
  ];
}

/** What stands in a receipt's place where it cannot be read just after the money has moved. */
const later = (words, error) => ({
  title: words, back: "/activities",
  body: [
    el("p", { class: "done", role: "status" }, t("receipt.later")),
    el("p", { class: "problem" }, explained(error)),
    el("p", { class: "buttons" }, el("button", { type: "button", class: "primary", click: refresh }, t("try-again")))],
});

/** A receipt's view. Where it is new and nobody answers, it says all the same that the money has moved; a refusal it says as it is. */
async function view({ query }, words, show) {
  try {
    return { title: t("receipt"), back: "/activities", body: paper({ isNew: query.has("new"), words, ...await show() }) };
  } catch (error) {
    if (!error.isPassing || error.endsSession || !query.has("new")) throw error;
    return later(words, error);
  }
}

export const receipt = (shown) => view(shown, t("paid"), async () => {
  const { charge: id } = shown.params;
  const [one, charge] = await Promise.all([read(`/v1/receipts/${id}`), readIf(`/v1/charges/${id}`)]);
  const facts = [
    [t("time"), exactly(one.time)], one.memo && [t("memo"), one.memo],
    one.discount && [t("discount"), money({ ...one.discount, amount: -one.discount.amount })],
    charge?.refunded.amount > 0 && [t("refunded"), money(charge.refunded)],
    [t("balance.left"), money(one.cardBalance)], [t("receipt.number"), one.charge], [t("receipt.entry"), one.entry],
  ].filter(Boolean);
  return { lead: one.merchantName, sum: one.amount, facts };
});

/** What was sent to a user. */
export const sent = (shown) => view(shown, t("sent"), async () => {
  const one = await read(`/v1/transfers/${shown.params.operation}`);
  const facts = [
    [t("time"), exactly(one.time)], one.memo && [t("memo"), one.memo], [t("balance.left"), money(one.balance)],
    [t("receipt.number"), one.operation], [t("receipt.entry"), one.entry],
  ].filter(Boolean);
  return { lead: one.toName ? t("sent.to", { name: one.toName }) : t("sent"), sum: one.amount, facts };
});
