// Requests for money: which wait, and the answer to one.
import { amount } from "../shared/amount.js";
import { pause } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { minutes, money, usd } from "../shared/money.js";
import { deliberate } from "../shared/press.js";
import { read, readSoon } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { clockOf, dayOf, t } from "../shared/text.js";
import { attempt, go, tell } from "../shared/view.js";
import { cards, discountOf, pending } from "./data.js";
import { act } from "../shared/pin.js";

/** Between two looks at a charge: no notice says that it was answered on another device. */
const lookMilliseconds = 2000;

/** Seconds that a charge still holds. */
const left = (charge) => Math.max(0, Math.ceil((Date.parse(charge.expires) - api.now) / 1000));

/** A text that counts down; `over` is called once. */
function countdown(charge, signal, over = () => {}) {
  signal.throwIfAborted();
  const text = el("span", { class: "number" });
  const tick = () => {
    const seconds = left(charge);
    say(text, seconds ? t("charge.left", { time: minutes(seconds) }) : t("charge.over"));
    if (seconds) return;
    clearInterval(timer);
    over();
  };
  const timer = setInterval(tick, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  tick();
  return text;
}

export const chargeRow = (charge, signal) => row({
  id: `charge-${charge.charge}`, what: charge.merchantName, sum: charge.amount, detail: charge.memo || t("charge.no-memo"),
  aside: countdown(charge, signal), href: `#/charges/${charge.charge}`,
});

export async function charges({ signal }) {
  const waiting = await pending();
  return {
    title: t("charges"), back: "/",
    body: [
      el("p", { class: "lead" }, t("charges.count", { n: waiting.length })),
      list(t("charges"), waiting.map((one) => chargeRow(one, signal)), t("charges.empty")),
    ],
  };
}

export async function charge({ params, signal }) {
  const [one, all] = await Promise.all([read(`/v1/charges/${params.charge}`), cards()]);
  return one.state === "requested" ? question(one, all, signal) : answer(one);
}

/** A charge that is decided. */
function answer(one) {
  const end = one.refunded.amount === 0 ? one.state : one.refunded.amount === one.amount.amount ? "refunded.all" : "refunded.part";
  const facts = [
    [t("state"), t(`state.${one.state}`)], [t("merchant"), one.merchantName], [t("amount"), money(one.amount)],
    one.memo && [t("memo"), one.memo], one.decided && [t("time"), `${dayOf(one.decided)}, ${clockOf(one.decided)}`],
    one.refunded.amount > 0 && [t("refunded"), money(one.refunded)],
  ].filter(Boolean);
  return {
    title: t("charge.title", { name: one.merchantName }), back: "/activities",
    body: [
      el("p", { class: `note ${one.state === "captured" ? "" : "refused"}` }, t(`state.${end}.what`)),
      el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
      one.state === "captured" && el("p", { class: "buttons" },
        el("a", { class: "button", href: `#/receipts/${one.charge}` }, t("receipt"))),
    ],
  };
}

/** A charge that waits: who, how much, for what, how long, with which card and coupon. */
async function question(one, all, signal) {
  const [coupons, payments] = await Promise.all([readSoon("/v1/coupons?limit=100"), read("/v1/settings/payments")]);
  const fitting = (coupons?.deals ?? []).filter((deal) =>
    deal.merchant === one.merchant && deal.discount && (deal.minimum?.amount ?? 0) <= one.amount.amount);
  const total = el("p", { class: "total" });
  const problem = el("p", { class: "problem", role: "alert" });
  const card = cardSelect(all);
  const coupon = couponSelect(fitting, one.amount.amount, () => draw());
  const approve = el("button", { type: "button", class: "primary big" }, t("approve"));
  const decline = el("button", { type: "button", class: "big" }, t("decline"));

  const due = () => {
    const deal = fitting.find((deal) => deal.offer === coupon.value);
    return usd(one.amount.amount - discountOf(deal?.discount, one.amount.amount));
  };
  const draw = () => {
    const sum = due();
    total.replaceChildren(amount(sum, { size: "large" }));
    if (sum.amount !== one.amount.amount) {
      total.append(el("span", { class: "detail" }, t("charge.instead", { amount: money(one.amount) })));
    }
    const paying = all.find(({ card: id }) => id === card.value);
    const isShort = !paying || paying.available.amount < sum.amount;
    approve.disabled = isShort || !payments.enabled || left(one) === 0;
    say(short, !payments.enabled ? t("fault.payments.disabled")
      : !isShort ? "" : paying ? t("charge.short", { amount: money(paying.available) }) : t("card.none"));
    cure.hidden = !isShort && payments.enabled;
  };
  const short = el("p", { class: "note waiting", role: "status" });
  const cure = el("a", { class: "button", href: all.length ? "#/settings/cards" : "#/settings/cards/new" },
    t(all.length === 0 ? "card.add" : payments.enabled ? "card.reload" : "payments.on"));
  card.addEventListener("change", draw);

  approve.addEventListener("click", () => attempt(approve, problem, async () => {
    const body = { card: card.value, amount: one.amount, ...(coupon.value ? { coupon: coupon.value } : {}) };
    const paid = await act(
      `approve-${one.charge}`, "POST", `/v1/charges/${one.charge}/approval`, body, one.merchantName);
    if (paid) go(`/receipts/${paid.charge}?new`, { replace: true });
  }, { moves: true }).then(look));
  decline.addEventListener("click", () => attempt(decline, problem, async () => {
    await api.insist("POST", `/v1/charges/${one.charge}/decline`);
    tell(t("state.declined.what"));
    go("/", { replace: true });
  }).then(look));
  const over = () => {
    approve.disabled = decline.disabled = true;
  };
  /** Only the server knows what became of it: by an answer that is under way, on another device, or of the other side. */
  const look = async () => {
    if (signal.aborted || document.hidden) return;
    const now = await read(`/v1/charges/${one.charge}`).catch(() => one); // Offline: the next turn looks again.
    if (now.state !== "requested" && !signal.aborted) dispatchEvent(new HashChangeEvent("hashchange"));
  };
  (async () => {
    while (!signal.aborted) {
      await pause(lookMilliseconds, signal);
      await look();
    }
  })();
  addEventListener("billfold-notice", ({ detail }) => detail.link === `/charges/${one.charge}` && look(), { signal });
  const found = ({ detail }) => detail.id === `approve-${one.charge}` && detail.body
    && go(`/receipts/${one.charge}?new`, { replace: true });
  addEventListener("billfold-act", found, { signal });
  const shown = {
    title: t("charge.asks", { name: one.merchantName }), back: "/",
    body: el("div", { class: "request" },
      total, one.memo && el("p", { class: "lead" }, one.memo), el("p", { class: "detail" }, countdown(one, signal, over)),
      all.length > 1 && el("div", { class: "field" }, el("label", { for: "card" }, t("pay.with")), card),
      all.length === 1 && el("p", { class: "detail" }, t("card", all[0]), ", ", money(all[0].available)),
      !coupons && el("p", { class: "note waiting" }, t("coupons.away")),
      fitting.length > 0 && el("div", { class: "field" }, el("label", { for: "coupon" }, t("coupon")), coupon),
      short, cure, problem,
      // A second tap on the request's row falls here.
      deliberate(el("p", { class: "buttons stretch" }, decline, approve))),
  };
  draw();
  return shown;
}

/** Which card pays. */
export const cardSelect = (all) => el("select", { id: "card" }, ...all.map((one) => el(
  "option", { value: one.card, selected: one.isDefault }, `${t("card", one)}, ${money(one.available)}`)));

/** The best coupon comes first and is chosen. */
function couponSelect(deals, cents, changed) {
  const best = [...deals].sort((a, b) => discountOf(b.discount, cents) - discountOf(a.discount, cents));
  return el("select", { id: "coupon", change: changed },
    ...best.map((deal) => el("option", { value: deal.offer },
      `${deal.title} (${money(usd(-discountOf(deal.discount, cents)))})`)),
    el("option", { value: "" }, t("coupon.none")));
}
