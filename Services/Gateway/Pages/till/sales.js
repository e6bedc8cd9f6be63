// Sales: charges by state, what they come to, and refunds.
import { amount } from "../shared/amount.js";
import { el } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { showBy } from "../shared/filter.js";
import { findOut } from "../shared/find-out.js";
import { form } from "../shared/form.js";
import { growingList } from "../shared/growing.js";
import { money, parseAmount, usd } from "../shared/money.js";
import { newAct, once, openActs } from "../shared/once.js";
import { barPlot } from "../shared/plot.js";
import { read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { api, session } from "../shared/session.js";
import { confirm } from "../shared/sheet.js";
import { clockOf, dayOf, exactly, language, t } from "../shared/text.js";
import { attempt, go, here, tell } from "../shared/view.js";
import { forTab } from "../shared/keep.js";
import { customerOf } from "./draft.js";
import { dayStart, daySums } from "./sums.js";

const states = ["captured", "requested", "declined", "expired", "cancelled"];
const page = 50;

/** Pages of a week that are added up; behind them the sums say that they are not all. */
const pagesMax = 20;

/** The terms that are given, as an address has them. */
const queryOf = (terms) => new URLSearchParams(Object.entries(terms).filter(([, value]) => value !== undefined && value !== ""));

/** A page of charges as `{rows, next}`, since a moment if one is given, behind `before`; `next` is absent when nothing follows. */
async function pageOf({ limit, state, since, before }) {
  const part = (limit, before) => read(`/v1/charges?${queryOf({ limit, state, since: since?.toISOString(), before })}`);
  const { charges, next } = await part(limit, before);
  if (next === undefined || !since || charges.length === limit) return { rows: charges, next };
  // A page is short at the moment that ends it, and also where texts are long or few charges are in the state.
  const behind = await part(1, next);
  return { rows: charges, next: behind.charges.length || behind.next ? next : undefined };
}

/** All paid charges since a moment, and whether there are more than are read. */
async function paidSince(since) {
  const found = [];
  let before;
  for (let at = 0; at < pagesMax; at += 1) {
    const part = await pageOf({ limit: 100, state: "captured", since, before });
    found.push(...part.rows);
    before = part.next;
    if (before === undefined) return { found, isAll: true };
  }
  return { found, isAll: false };
}

export async function sales({ query }) {
  const state = query.get("state") ?? "";
  const since = query.get("since") ?? "";
  const terms = { limit: page, state, since: since ? new Date(`${since}T00:00`) : undefined };
  const [sold, week, account] = await Promise.all([
    growingList((before) => pageOf({ ...terms, before }), (charges) => (charges.length
      ? [...Map.groupBy(charges, (one) => dayOf(one.decided ?? one.requested))]
        .flatMap(([day, ones]) => [el("h2", { class: "day" }, day), list(day, ones.map(saleRow), "")])
      : el("p", { class: "empty" }, t(state || since ? "sales.none" : "sales.empty")))),
    paidSince(new Date(dayStart(6))), read("/v1/account")]);
  const filter = () => {
    // The field is left with the view too.
    if (here() !== "/sales") return;
    const query = queryOf({ state: stateSelect.value, since: sinceField.value });
    showBy(`/sales${query.size ? `?${query}` : ""}`);
  };
  const stateSelect = el("select", { id: "state", change: filter },
    el("option", { value: "" }, t("state.all")),
    ...states.map((one) => el("option", { value: one, selected: one === state }, t(`state.${one}`))));
  // While it is typed each digit gives another date: it counts from Enter on, or once the field is left.
  let isTyped = false;
  const sinceField = el("input", {
    id: "since", type: "date", value: since,
    // A choice of the state reads both.
    blur: ({ relatedTarget }) => relatedTarget !== stateSelect && filter(),
    pointerdown: () => { isTyped = false; },
    keydown: ({ key }) => {
      isTyped = key !== "Enter";
      if (!isTyped) filter();
    },
    change: () => {
      if (!isTyped) filter();
    } });
  return {
    title: t("way./sales"), wide: true,
    body: el("div", { class: "columns" },
      el("div", { class: "column" },
        el("div", { class: "filters" },
          el("div", { class: "field" }, el("label", { for: "state" }, t("state")), stateSelect),
          el("div", { class: "field" }, el("label", { for: "since" }, t("since")), sinceField)),
        sold.shown, sold.problem, el("p", { class: "buttons" }, sold.more,
          !sold.isEmpty && exportLink({ state, since: terms.since?.toISOString() }, sold.problem))),
      el("div", { class: "column" }, sums(week, account),
        el("p", { class: "buttons" }, el("a", { class: "button", href: "#/activities" }, t("way./activities"))))),
  };
}

/** A download goes by the cookie, which may be another account's by now: the page's own session is asked for first. */
function exportLink(terms, problem) {
  const link = el("a", {
    class: "button", href: `/v1/sales.csv?${queryOf(terms)}`, download: "sales.csv",
    click: (event) => {
      // The link's own press, after the answer.
      if (!event.isTrusted) return;
      event.preventDefault();
      attempt(link, problem, async () => {
        await read("/v1/account");
        link.click();
      });
    },
  }, t("sales.export"));
  return link;
}

function sums({ found, isAll }, account) {
  const days = daySums(found, 7);
  const week = days.reduce((sum, day) => ({
    taken: sum.taken + day.taken, back: sum.back + day.back, count: sum.count + day.count }), { taken: 0, back: 0, count: 0 });
  const weekday = new Intl.DateTimeFormat(language, { weekday: "short" });
  const line = (name, { taken, back, count }) => row({
    what: t(name), sum: usd(taken - back), detail: [t("sales.n", { n: count }), back && t("sales.back", { amount: money(usd(back)) })]
      .filter(Boolean).join(" · ") });
  return el("section", { class: "column", "aria-label": t("sums") },
    el("h2", {}, t("sums")),
    el("ul", { class: "list" }, line("today", days.at(-1)), line("week", week), row({ what: t("account.balance"), sum: account.balance })),
    !isAll && el("p", { class: "note waiting" }, t("sums.part", { n: found.length })),
    week.count > 0 && barPlot({
      title: t("plot.title"), columns: [t("day"), t("plot.taken")],
      bars: days.map(({ start, taken, back }) => ({ label: weekday.format(start), value: taken - back, text: money(usd(taken - back)) })),
    }));
}

const saleRow = (one) => row({
  id: `sale-${one.charge}`, what: customerOf(one), sum: one.amount, mark: markOf(one),
  detail: [clockOf(one.decided ?? one.requested), one.memo].filter(Boolean).join(" · "),
  href: one.state === "requested" ? `#/waiting/${one.charge}` : `#/charges/${one.charge}`,
});

/** What became of it, as texts name it. */
const endOf = ({ state, refunded, amount: sum }) =>
  refunded.amount === 0 ? state : refunded.amount === sum.amount ? "refunded.all" : "refunded.part";
const markOf = (one) => t(one.refunded.amount === 0 ? `state.${one.state}` : endOf(one));

// MARK: One charge

export async function sale({ params, signal }) {
  const one = await read(`/v1/charges/${params.charge}`);
  signal.throwIfAborted();
  if (one.state === "requested") return go(`/waiting/${one.charge}`, { replace: true }) ?? { title: t("waiting") };
  const facts = [
    [t("state"), markOf(one)], [t("customer"), customerOf(one)], one.memo && [t("memo"), one.memo],
    one.discount && [t("discount"), money(one.discount)], [t("time"), exactly(one.decided)],
    one.refunded.amount > 0 && [t("refunded"), money(one.refunded)],
    one.presence && [t("presence"), t("presence.metres", { n: one.presence.distanceMetres })],
    [t("receipt.number"), one.charge],
  ].filter(Boolean);
  const rest = one.state === "captured" ? one.amount.amount - one.refunded.amount : 0;
  return {
    title: t(`sale.${endOf(one)}`, { name: customerOf(one) }), back: "/sales",
    body: [
      el("p", {}, amount(one.amount, { size: "large" })),
      el("p", { class: `note ${one.state === "captured" ? "" : "refused"}` }, t(`result.${endOf(one)}.what`)),
      el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
      one.state === "captured" && el("p", { class: "buttons" },
        el("a", { class: "button", href: `#/receipts/${one.charge}` }, t("receipt"))),
      rest > 0 && refundForm(one, rest, signal),
    ],
  };
}

/** Pays a charge back, in whole or in part. A filled-in form is one act, also after a reload. */
function refundForm(one, rest, signal) {
  const name = `billfold.till.refund.${one.charge}`;
  const id = () => forTab.get(name) ?? renew();
  const renew = () => {
    const next = newAct();
    forTab.set(name, next);
    return next;
  };
  const done = () => {
    renew();
    tell(t("refund.done"));
    dispatchEvent(new HashChangeEvent("hashchange"));
  };
  addEventListener("billfold-act", ({ detail }) => {
    if (detail.id !== id()) return;
    if (detail.body) return done();
    renew();
    dispatchEvent(new HashChangeEvent("hashchange"));
  }, { signal });
  const place = el("section", { class: "column" });
  const showOpen = (words) => {
    const open = openActs(session.account).find((act) => act.id === id());
    if (open) place.replaceChildren(findOut(open, () => once(api, session.account, open.id).then(done), words));
    return Boolean(open);
  };
  if (showOpen("")) return place;
  place.append(el("h2", {}, t("refund")),
    el("p", {}, t("refund.lead", { amount: money(usd(rest)) })),
    form({
      id: "refund", action: t("refund"), moves: true,
      fields: [{ name: "amount", label: t("amount"), inputmode: "decimal", autocomplete: "off", hint: t("refund.hint"),
        check: (value) => {
          const { amount: sum, problem } = parseAmount(value);
          return problem ? t(`amount.${problem}`) : sum.amount > rest ? t("refund.most", { amount: money(usd(rest)) }) : "";
        } }],
      submit: async (values) => {
        const sum = values.amount === "" ? usd(rest) : parseAmount(values.amount).amount;
        const isSure = await confirm(t("refund"), t("refund.sure", { amount: money(sum), name: customerOf(one) }), t("refund"));
        if (!isSure) return;
        try {
          await once(api, session.account, id(), "POST", `/v1/charges/${one.charge}/refunds`, { amount: sum },
            { label: t("refund.label", { name: customerOf(one) }) });
          done();
        } catch (error) {
          if (error.isOpen && !error.endsSession && showOpen(explained(error, { moves: true }))) return;
          if (!error.isOpen) renew();
          throw error;
        }
      },
    }));
  return place;
}
