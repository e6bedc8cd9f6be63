// Paying: show a code, pay a merchant, send money to a user.
import "../shared/code.js";
import { el, say } from "../shared/dom.js";
import { form } from "../shared/form.js";
import { growingList } from "../shared/growing.js";
import { cardFirst, hindrance } from "../shared/hindrance.js";
import { read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { t } from "../shared/text.js";
import { announce, attempt, go } from "../shared/view.js";
import { chargeRow } from "./charges.js";
import { cards, merchantName, nearby, ownerOf, pending, whereOf } from "./data.js";
import { moneyForm } from "./money-form.js";
import { withPIN } from "../shared/pin.js";

/** Merchants that a search by name finds at most. */
const foundMax = 100;

export async function pay({ signal }) {
  const [waiting, around] = await Promise.all([
    pending(),
    growingList(nearby, (places) => list(t("pay.nearby"), places.map((one) => row({
      what: ownerOf(one), detail: whereOf(one), href: `#/pay/${one.merchant}?name=${encodeURIComponent(ownerOf(one))}`,
    })), t("pay.nearby.empty")))]);
  const found = el("div", { class: "column", "aria-live": "polite" });
  return {
    title: t("way./pay"), back: "/",
    body: [
      waiting.length > 0 && el("section", { class: "waiting" }, el("h2", {}, t("waiting", { n: waiting.length })),
        list(t("charges"), waiting.map((one) => chargeRow(one, signal)), "")),
      el("p", { class: "buttons stretch" },
        el("a", { class: "button primary big", href: "#/pay/code" }, t("pay.code")),
        el("a", { class: "button big", href: "#/send" }, t("send"))),
      el("section", {}, el("h2", {}, t("pay.nearby")), ...around.parts),
      el("section", {}, el("h2", {}, t("pay.by-name")),
        form({
          id: "by-name", action: t("search"),
          fields: [{ name: "merchant", label: t("merchant.name"), type: "search", required: true }],
          submit: async ({ merchant }) => {
            const { merchants } = await read(`/v1/deals/search?limit=${foundMax}&merchant=${encodeURIComponent(merchant)}`);
            found.replaceChildren(list(t("pay.by-name"), merchants.map((one) => row({
              what: one.name, detail: (one.productTypes ?? []).map((type) => t(`category.${type}`)).join(", "),
              href: `#/pay/${one.merchant}?name=${encodeURIComponent(one.name)}`,
            })), t("pay.by-name.empty", { name: merchant })));
            if (merchants.length === foundMax) found.prepend(el("p", { class: "detail" }, t("pay.by-name.first", { n: foundMax })));
          },
        }), found),
    ],
  };
}

// MARK: A code

/** Between two looks at whether the code has been used: no message says so. */
const lookMilliseconds = 1500;

export async function code({ signal }) {
  const hindered = await hindrance(await cards());
  if (hindered) return { title: t("pay.code"), back: "/pay", body: hindered };
  const shown = el("qr-code");
  const typed = el("p", { class: "typed", id: "typed-code" });
  const problem = el("p", { class: "problem", role: "alert" });
  const again = el("button", { type: "button", class: "primary", hidden: true }, t("code.new"));
  const newest = async () => (await read("/v1/history?limit=1")).charges[0]?.charge;
  const last = await newest();
  signal.throwIfAborted();

  const renew = async () => {
    if (signal.aborted) return;
    again.hidden = true;
    const made = await attempt(again, problem, () => withPIN(async () => (await api.insist("POST", "/v1/pay-codes", { typed: true })).body));
    if (signal.aborted) return;
    if (!made) {
      again.hidden = false;
      return;
    }
    shown.show(made.code, { expires: made.expires, now: () => api.now });
    // In two halves, as people read it out.
    say(typed, made.typed ? `${made.typed.slice(0, 5)} ${made.typed.slice(5)}` : "");
  };
  again.addEventListener("click", renew);
  // A code that nobody looks at is not renewed.
  shown.addEventListener("over", () => (document.hidden ? (again.hidden = false) : renew()));

  const timer = setInterval(async () => {
    if (document.hidden) return;
    const now = await newest().catch(() => last);
    if (now === last || signal.aborted) return;
    clearInterval(timer);
    announce(t("paid"));
    go(`/receipts/${now}?new`, { replace: true });
  }, lookMilliseconds);
  signal.addEventListener("abort", () => clearInterval(timer));

  renew();
  return {
    title: t("pay.code"), back: "/pay",
    body: [
      shown, el("div", { class: "to-type" }, el("span", { class: "detail" }, t("code.typed")), typed),
      problem, el("p", { class: "buttons" }, again), el("p", { class: "detail" }, t("code.hint")),
    ],
  };
}

// MARK: To somebody

export async function payMerchant({ params, query, signal }) {
  const all = await cards();
  const hindered = await hindrance(all);
  const name = await merchantName(params.merchant, query.get("name"));
  return {
    title: t("pay.to", { name: name ?? t("merchant") }), back: "/pay",
    body: hindered ?? (name === undefined ? unknownPayee() : moneyForm({
      name: `/pay/${params.merchant}`, label: () => name, all, action: t("pay.now"), signal,
      request: (_, { amount, card }) => ({ path: "/v1/payments", body: { merchant: params.merchant, amount, card } }),
      done: ({ charge }) => go(`/receipts/${charge}?new`, { replace: true }),
    })),
  };
}

/** Nobody pays somebody whose name the server does not tell. */
const unknownPayee = () => [
  el("p", { class: "note waiting" }, t("pay.unknown")),
  el("p", { class: "buttons" }, el("a", { class: "button primary", href: "#/pay" }, t("pay.by-name"))),
];

export async function send({ query, signal }) {
  const all = await cards();
  return {
    title: t("send"), back: "/pay",
    body: [
      el("p", {}, t("send.lead")),
      all.length === 0 ? cardFirst() : moneyForm({
        name: "/send", label: ({ to }) => to, all, action: t("send.now"), signal,
        fields: [{ name: "to", label: t("send.to"), autocapitalize: "none", required: true, value: query.get("to") ?? "" }],
        request: ({ to }, { amount, card }) => ({ path: "/v1/transfers", body: { to: { username: to }, amount, card } }),
        done: ({ operation }) => go(`/sent/${operation}?new`, { replace: true }),
      }),
    ],
  };
}
