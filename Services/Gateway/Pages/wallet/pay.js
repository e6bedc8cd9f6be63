// Paying: show a code, pay a merchant, send money to a user.
import "../shared/code.js";
import { newID } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { form } from "../shared/form.js";
import { forTab } from "../shared/keep.js";
import { keypad } from "../shared/keypad.js";
import { parseAmount } from "../shared/money.js";
import { openActs } from "../shared/once.js";
import { list, row } from "../shared/rows.js";
import { api, session } from "../shared/session.js";
import { distance, language, t } from "../shared/text.js";
import { announce, attempt, go } from "../shared/view.js";
import { cardSelect, chargeRow } from "./charges.js";
import { cards, nearby, pending, read } from "./data.js";
import { act, withPIN } from "./pin.js";

export async function pay({ signal }) {
  const [waiting, places] = await Promise.all([pending(), nearby()]);
  const found = el("div", { class: "column", "aria-live": "polite" });
  return {
    title: t("way./pay"), back: "/",
    body: [
      waiting.length > 0 && el("section", { class: "waiting" }, el("h2", {}, t("waiting", { n: waiting.length })),
        list(t("charges"), waiting.map((one) => chargeRow(one, signal)), "")),
      el("p", { class: "buttons stretch" },
        el("a", { class: "button primary big", href: "#/pay/code" }, t("pay.code")),
        el("a", { class: "button big", href: "#/send" }, t("send"))),
      el("section", {}, el("h2", {}, t("pay.nearby")),
        list(t("pay.nearby"), places.map((one) => row({
          what: one.name, detail: distance(one.distanceMetres), href: `#/pay/${one.merchant}?name=${encodeURIComponent(one.name)}`,
        })), t("pay.nearby.empty"))),
      el("section", {}, el("h2", {}, t("pay.by-name")),
        form({
          id: "by-name", action: t("search"),
          fields: [{ name: "merchant", label: t("merchant.name"), type: "search", required: true }],
          submit: async ({ merchant }) => {
            const { merchants } = await read(`/v1/deals/search?limit=20&merchant=${encodeURIComponent(merchant)}`);
            found.replaceChildren(list(t("pay.by-name"), merchants.map((one) => row({
              what: one.name, detail: (one.productTypes ?? []).map((type) => t(`category.${type}`)).join(", "),
              href: `#/pay/${one.merchant}?name=${encodeURIComponent(one.name)}`,
            })), t("pay.by-name.empty", { name: merchant })));
          },
        }), found),
    ],
  };
}

// MARK: A code

/** Between two looks at whether the code has been used: no message says so. */
const lookMilliseconds = 1500;

export async function code({ signal }) {
  const shown = el("qr-code");
  const typed = el("p", { class: "typed detail" });
  const problem = el("p", { class: "problem", role: "alert" });
  const again = el("button", { type: "button", class: "primary", hidden: true }, t("code.new"));
  const newest = async () => (await read("/v1/history?limit=1")).charges[0]?.charge;
  const last = await newest();

  const renew = async () => {
    if (signal.aborted) return;
    again.hidden = true;
    const made = await attempt(again, problem, () => withPIN(async () => (await api.insist("POST", "/v1/pay-codes", {})).body));
    if (signal.aborted) return;
    if (!made) {
      again.hidden = false;
      return;
    }
    shown.show(made.code, { expires: made.expires, now: () => api.now });
    say(typed, made.code);
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
      shown, problem, el("p", { class: "buttons" }, again), el("p", { class: "detail" }, t("code.hint")),
      el("details", {}, el("summary", {}, t("code.typed")), typed),
    ],
  };
}

// MARK: An amount

/** A filled-in form is one act, also after a reload. Its name lasts until the act is done or refused. */
function draft(place) {
  const name = `billfold.draft.${place}`;
  const id = forTab.get(name) ?? newID();
  forTab.set(name, id);
  return { id, end: () => forTab.set(name, null) };
}

/**
 * Amount, words and card, then the act. `request(values)` returns its path and body; `done(body)` where it leads.
 * An act of this form that is still open is found out instead of being made again.
 */
function moneyForm({ place, label, fields = [], request, done, all, action, signal }) {
  const current = draft(place);
  const card = cardSelect(all);
  const finish = (body) => {
    current.end();
    done(body);
  };
  addEventListener("billfold-act", ({ detail }) => {
    if (detail.id !== current.id) return;
    if (detail.body) finish(detail.body);
    else current.end();
  }, { signal });
  const open = openActs(session.account).find(({ id }) => id === current.id);
  if (open) return findOut(open, finish);
  const element = form({
    action, moves: true,
    fields: [
      ...fields,
      { name: "amount", label: t("amount"), class: "amount", inputmode: "decimal", autocomplete: "off", required: true,
        check: (value) => {
          const { problem } = parseAmount(value);
          return problem ? t(`amount.${problem}`) : "";
        } },
      { name: "memo", label: t("memo"), maxlength: "200" },
    ],
    extra: all.length > 1 ? [el("div", { class: "field" }, el("label", { for: "card" }, t("pay.with")), card)] : [],
    submit: async (values) => {
      const { path, body } = request(values, { amount: parseAmount(values.amount).amount, card: card.value });
      try {
        const result = await act(current.id, "POST", path, values.memo ? { ...body, memo: values.memo } : body, label(values));
        if (result) finish(result);
      } catch (error) {
        if (!error.isOpen) {
          // Refused: another try is another act, because its amount may differ.
          current.end();
          current.id = draft(place).id;
        }
        throw error;
      }
    },
  });
  const field = element.querySelector("[name=amount]");
  return el("div", { class: "with-keys" }, element,
    keypad(field.id, { point: language === "de" ? "," : ".", max: 9 }));
}

/** An act whose answer was lost: asked for again by itself, and by a button where the PIN is wanted. */
function findOut(open, finish) {
  const problem = el("p", { class: "problem", role: "alert" });
  const button = el("button", { type: "button", class: "primary", click: () => attempt(button, problem, async () => {
    const result = await act(open.id);
    if (result) finish(result);
  }, { moves: true }) }, t("act.find-out"));
  return el("div", { class: "column" },
    el("p", { class: "note waiting", role: "status" }, t("act.open", { label: open.label })), problem,
    el("p", { class: "buttons" }, button));
}

export async function payMerchant({ params, query, signal }) {
  const all = await cards();
  const name = query.get("name") ?? (await merchantName(params.merchant)) ?? t("merchant");
  return {
    title: t("pay.to", { name }), back: "/pay",
    body: all.length === 0 ? cardFirst() : moneyForm({
      place: `/pay/${params.merchant}`, label: () => name, all, action: t("pay.now"), signal,
      request: (_, { amount, card }) => ({ path: "/v1/payments", body: { merchant: params.merchant, amount, card } }),
      done: ({ charge }) => go(`/receipts/${charge}?new`, { replace: true }),
    }),
  };
}

async function merchantName(id) {
  const found = (await nearby()).find(({ merchant }) => merchant === id);
  return found?.name;
}

export async function send({ query, signal }) {
  const all = await cards();
  return {
    title: t("send"), back: "/pay",
    body: [
      el("p", {}, t("send.lead")),
      all.length === 0 ? cardFirst() : moneyForm({
        place: "/send", label: ({ to }) => to, all, action: t("send.now"), signal,
        fields: [{ name: "to", label: t("send.to"), autocapitalize: "none", required: true, value: query.get("to") ?? "" }],
        request: ({ to }, { amount, card }) => ({ path: "/v1/transfers", body: { to: { username: to }, amount, card } }),
        done: (posted) => {
          forTab.set(`billfold.sent.${posted.operation}`, posted);
          go(`/sent/${posted.operation}?new`, { replace: true });
        },
      }),
    ],
  };
}

const cardFirst = () => el("div", { class: "column" }, el("p", { class: "note waiting" }, t("card.none")),
  el("p", { class: "buttons" }, el("a", { class: "button primary", href: "#/settings/cards/new" }, t("card.add"))));
