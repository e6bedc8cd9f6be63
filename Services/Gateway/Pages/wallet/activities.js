// What moved: payments, refunds, reloads, transfers, by day; older ones behind "More", and a search.
import { el } from "../shared/dom.js";
import { negative } from "../shared/money.js";
import { row } from "../shared/rows.js";
import { read } from "../shared/read.js";
import { clockOf, dayOf, t } from "../shared/text.js";
import { attempt } from "../shared/view.js";
import { cards } from "./data.js";

/** Entries of a card that no charge tells of. */
const own = ["opening", "reload", "transfer"];

/** A charge as something that moved, or that did not. */
const ofCharge = (one) => ({
  time: one.decided ?? one.requested, name: one.merchantName, memo: one.memo,
  sum: one.state === "captured" ? negative(one.amount) : null, state: one.state, charge: one.charge,
  aside: one.refunded.amount > 0 ? t("refunded") : null,
});

const ofEntry = (one) => ({
  time: one.time, name: t(`entry.${one.kind}${one.kind === "transfer" ? (one.amount.amount > 0 ? ".in" : ".out") : ""}`),
  memo: one.memo, sum: one.amount,
});

/** Charges, and the entries of all cards down to the oldest of them. */
async function pageOf(next) {
  const page = await read(`/v1/activities${next ? `?before=${next}` : ""}`);
  const items = page.charges.map(ofCharge);
  const from = page.next ? items.at(-1)?.time ?? "" : "";
  return { items, next: page.next, from };
}

async function entries() {
  const found = await Promise.all((await cards()).map(({ card }) => read(`/v1/cards/${card}/entries?limit=100`)));
  return found.flatMap((page) => page.entries).filter(({ kind }) => own.includes(kind)).map(ofEntry);
}

function rowOf(one) {
  const state = one.state && one.state !== "captured" ? t(`state.${one.state}`) : null;
  const detail = [clockOf(one.time), one.memo].filter(Boolean).join(" · ");
  return row({
    what: one.name, detail, mark: state, sum: one.sum, signed: true, aside: one.aside,
    href: one.charge ? `#/${one.state === "captured" ? "receipts" : "charges"}/${one.charge}` : undefined,
  });
}

export async function activities() {
  const [first, moves] = await Promise.all([pageOf(), entries()]);
  let { items, next } = first;
  let { from } = first;
  const shown = el("div", { class: "column" });
  const problem = el("p", { class: "problem", role: "alert" });
  const search = el("input", {
    id: "search", type: "search", "aria-label": t("activities.search"), placeholder: t("activities.search"),
    input: () => draw(),
  });

  const draw = () => {
    const wanted = search.value.trim().toLowerCase();
    const all = [...items, ...moves.filter(({ time }) => time >= from)]
      .filter(({ name, memo }) => `${name} ${memo}`.toLowerCase().includes(wanted))
      .sort((a, b) => Date.parse(b.time) - Date.parse(a.time));
    const days = Map.groupBy(all, ({ time }) => dayOf(time));
    shown.replaceChildren(...[...days].map(([day, ones]) => el("section", {},
      el("h2", { class: "day" }, day), el("ul", { class: "list", "aria-label": day }, ...ones.map(rowOf)))));
    if (!all.length) shown.replaceChildren(el("p", { class: "empty" }, t(wanted ? "activities.none" : "activities.empty")));
    more.hidden = !next;
  };
  const more = el("button", { type: "button", click: () => attempt(more, problem, async () => {
    const page = await pageOf(next);
    items = [...items, ...page.items];
    ({ next, from } = page);
    draw();
  }) }, t("more"));
  draw();
  return {
    title: t("way./activities"), back: "/",
    body: [search, shown, problem, el("p", { class: "buttons" }, more)],
  };
}
