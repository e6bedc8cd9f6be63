// What moved: payments, refunds, reloads, transfers, by day; older ones behind "More", and a search.
import { el } from "./dom.js";
import { growingList, pagesOf } from "./growing.js";
import { row } from "./rows.js";
import { clockOf, dayOf, t } from "./text.js";

const isPayment = ({ kind }) => kind === "payment";

/** Who was on the other side, or what it was where nobody was. */
function nameOf({ kind, amount, counterpartyName }) {
  const direction = kind === "transfer" ? (amount.amount > 0 ? ".in" : ".out") : "";
  return counterpartyName ?? t(`entry.${kind}${direction}`);
}

/**
 * Where a row leads: a payment's operation is its charge, and a transfer has a receipt for its sender. What else moved, a
 * capture too, has a number of its own.
 */
function linkOf(one, { payments, transfers }) {
  if (isPayment(one)) return `#${payments}/${one.operation}`;
  return transfers && one.kind === "transfer" && one.amount.amount < 0 ? `#${transfers}/${one.operation}` : undefined;
}

function rowOf(one, ways) {
  const direction = one.kind === "transfer" ? (one.amount.amount > 0 ? ".in" : ".out") : "";
  return row({
    what: nameOf(one), sum: one.amount, signed: true,
    mark: one.counterpartyName && !isPayment(one) ? t(`entry.${one.kind}${direction}`) : null,
    detail: [clockOf(one.time), one.memo].filter(Boolean).join(" · "),
    href: linkOf(one, ways),
  });
}

/**
 * The view of what moved. A payment leads to its charge below `payments`, a transfer that was sent to its receipt below
 * `transfers`, where the app has one, and the link above the title to `back`.
 */
export const activities = ({ back, ...ways }) => async () => {
  const search = el("input", {
    id: "search", type: "search", "aria-label": t("activities.search"), placeholder: t("activities.search"),
    input: () => moved.draw(),
  });
  const wanted = () => search.value.trim().toLowerCase();
  const isFound = (one) => `${nameOf(one)} ${one.memo}`.toLowerCase().includes(wanted());
  const moved = await growingList(pagesOf("activities", "/v1/activities", "before"), (all, hasMore) => {
    const found = all.filter(isFound);
    if (!found.length) {
      const words = !wanted() ? "activities.empty" : hasMore ? "activities.none.yet" : "activities.none";
      return el("p", { class: "empty" }, t(words));
    }
    return [...Map.groupBy(found, ({ time }) => dayOf(time))].map(([day, ones]) => el("section", {},
      el("h2", { class: "day" }, day), el("ul", { class: "list", "aria-label": day }, ...ones.map((one) => rowOf(one, ways)))));
  }, { isShown: isFound });
  return {
    title: t("way./activities"), back,
    body: [search, ...moved.parts],
  };
};
