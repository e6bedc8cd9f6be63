// An order: a row of a list, and its receipt, whose lines are what was ordered.
import { el } from "./dom.js";
import { money } from "./money.js";
import { read } from "./read.js";
import { row } from "./rows.js";
import { exactly, language, t } from "./text.js";

const text = (words) => words[language] ?? words.en;

/** `Beef, Pickles`. */
export const detailOf = (line) => [line.baseName, ...line.extraNames].map(text).join(", ");

/** `Paid back in part`; null where nothing was paid back. */
export const refundOf = ({ refunded, total }) =>
  refunded ? t(refunded.amount === total.amount ? "refunded.all" : "refunded.part") : null;

/** A paid order, by its number. */
export const orderRow = (one) => row({
  what: `${t("order.number", { n: one.number })} · ${one.merchantName}`, mark: [t(`order.${one.state}`), refundOf(one)].filter(Boolean).join(" · "),
  detail: one.lines.map(detailOf).join("; "), sum: one.total, href: `#/orders/${one.order}`,
});

/** What was ordered, with prices and the total. */
export const linesOf = (one) => [
  el("ul", { class: "list", "aria-label": t("order.lines") }, ...one.lines.map((line) =>
    el("li", {}, el("div", { class: "item" },
      el("span", { class: "what" }, text(line.name)), el("span", { class: "sum" }, money(line.price)),
      el("span", { class: "detail" }, detailOf(line)))))),
  el("p", { class: "total" }, el("span", {}, t("order.total")), el("strong", { class: "sum" }, money(one.total))),
  one.refunded && el("p", { class: "note", role: "status" }, `${refundOf(one)}: ${money(one.refunded)}`),
].filter(Boolean);

/** The receipt of an order as a view, from which Back leads to `back`. */
export const orderView = (back) => async ({ params }) => {
  const one = await read(`/v1/orders/${params.order}`);
  const facts = [
    [t("state"), t(`order.${one.state}`)], one.paid && [t("time"), exactly(one.paid)],
    [t("receipt.number"), one.order], one.entry && [t("receipt.entry"), one.entry],
  ].filter(Boolean);
  return {
    title: one.number ? t("order.number", { n: one.number }) : t("order"), back,
    body: [
      el("section", { class: "receipt", "aria-label": t("receipt") },
        el("p", { class: "lead" }, one.merchantName), ...linesOf(one),
        el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]))),
      one.state === "ready" && el("p", { class: "note", role: "status" }, t("order.ready.what")),
      el("p", { class: "buttons no-print" }, el("button", { type: "button", click: () => print() }, t("print"))),
    ],
  };
};
