// What moved: payments, refunds, reloads, transfers, by day; older ones behind "More", and a search.
import { el } from "./dom.js";
import { read } from "./read.js";
import { row } from "./rows.js";
import { clockOf, dayOf, t } from "./text.js";
import { attempt } from "./view.js";

/** A payment's operation is its charge; what else moved, a capture too, has a number of its own. */
const isPayment = ({ kind }) => kind === "payment";

/** Who was on the other side, or what it was where nobody was. */
function nameOf({ kind, amount, counterpartyName }) {
  const direction = kind === "transfer" ? (amount.amount > 0 ? ".in" : ".out") : "";
  return counterpartyName ?? t(`entry.${kind}${direction}`);
}

function rowOf(one, payments) {
  const direction = one.kind === "transfer" ? (one.amount.amount > 0 ? ".in" : ".out") : "";
  return row({
    what: nameOf(one), sum: one.amount, signed: true,
    mark: one.counterpartyName && !isPayment(one) ? t(`entry.${one.kind}${direction}`) : null,
    detail: [clockOf(one.time), one.memo].filter(Boolean).join(" · "),
    href: isPayment(one) ? `#${payments}/${one.operation}` : undefined,
  });
}

/** The view of what moved: a payment leads to its charge below `payments`, and the link above the title to `back`. */
export const activities = (payments, back) => async () => {
  let page = await read("/v1/activities");
  let all = page.activities;
  const shown = el("div", { class: "column" });
  const problem = el("p", { class: "problem", role: "alert" });
  const search = el("input", {
    id: "search", type: "search", "aria-label": t("activities.search"), placeholder: t("activities.search"),
    input: () => draw(),
  });

  const draw = () => {
    const wanted = search.value.trim().toLowerCase();
    const found = all.filter((one) => `${nameOf(one)} ${one.memo}`.toLowerCase().includes(wanted));
    const days = Map.groupBy(found, ({ time }) => dayOf(time));
    shown.replaceChildren(...[...days].map(([day, ones]) => el("section", {},
      el("h2", { class: "day" }, day), el("ul", { class: "list", "aria-label": day }, ...ones.map((one) => rowOf(one, payments))))));
    if (!found.length) {
      shown.replaceChildren(el("p", { class: "empty" }, t(wanted ? "activities.none" : "activities.empty")));
    }
    more.hidden = page.next === undefined;
  };
  const more = el("button", { type: "button", click: () => attempt(more, problem, async () => {
    page = await read(`/v1/activities?before=${page.next}`);
    all = [...all, ...page.activities];
    draw();
  }) }, t("more"));
  draw();
  return {
    title: t("way./activities"), back,
    body: [search, shown, problem, el("p", { class: "buttons" }, more)],
  };
};
