// One screen of the flow. The server says what stands on it, what can be pressed and where that leads: this draws it.
import { alertOf, refresh } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { hindrance } from "../shared/hindrance.js";
import { money } from "../shared/money.js";
import { once, withKey } from "../shared/once.js";
import { withPIN } from "../shared/pin.js";
import { deliberate } from "../shared/press.js";
import { read } from "../shared/read.js";
import { api, session } from "../shared/session.js";
import { confirm } from "../shared/sheet.js";
import { language, t } from "../shared/text.js";
import { announce, attempt, go } from "../shared/view.js";

/** What was pressed last: it keeps the focus where the next screen has it too. */
let pressed = "";

/** What keeps a customer from paying; nothing where that cannot be found out, as the payment says it then. */
async function hinders() {
  try {
    return await hindrance((await read("/v1/cards")).cards, "/wallet");
  } catch (error) {
    if (error.isPassing === undefined || error.endsSession) throw error;
    return null;
  }
}

export async function screen({ params, query, signal }) {
  query.set("language", language);
  const shown = await read(`/v1/menus/${params.merchant}/screen?${query}`);
  const canPay = shown.buttons.some(({ key, act }) => key === "pay" && act);
  const hindered = canPay ? await hinders() : null;
  // The cure is in another app.
  if (hindered) document.addEventListener("visibilitychange", () => document.hidden || refresh(), { signal });
  const problem = el("p", { class: "problem", role: "alert" });
  const to = (press) => `/shops/${params.merchant}?${new URL(press.to, location).searchParams}`;

  const act = async (button, press) => {
    pressed = press.key;
    const { method, path, body } = press.act;
    if (press.key === "pay") return pay(button, press, problem, to);
    if (press.key === "discard" && !(await confirm(press.label, t("discard.sure"), press.label))) return;
    // The same press on the same screen is one act while its answer is missing.
    const done = await attempt(button, problem, () => withKey([press, shown], (key) => api.insist(method, path, body, { key })));
    if (done) go(to(press), { replace: press.key === "discard" });
  };

  const button = (press, { lead = false } = {}) => {
    const id = `press-${press.key}`;
    const label = press.disabled ? el("span", { class: "detail" }, press.disabled) : null;
    if (!press.act && !press.disabled) {
      return el("a", { class: lead ? "button primary big" : "button big", href: `#${to(press)}`, id }, press.label);
    }
    const isHindered = press.key === "pay" && hindered !== null;
    const made = el("button", {
      type: "button", class: press.key === "discard" ? "danger" : lead && !isHindered ? "primary big" : "big", id,
      disabled: Boolean(press.disabled) || isHindered, "aria-describedby": isHindered ? hindered.id : null, click: () => act(made, press),
    }, press.label, label && " ", label);
    return made;
  };

  const choice = ({ press, price, isChosen }) => {
    const made = el("button", {
      type: "button", class: shown.takesSeveral ? "item choice several" : "item choice", id: `choice-${press.key}`, "data-first": pressed === press.key,
      "aria-pressed": shown.screen === "start" ? null : String(isChosen),
      click: () => {
        pressed = press.key;
        if (press.act) act(made, press);
        else go(to(press), { replace: true });
      },
    }, el("span", { class: "what" }, press.label), price && el("span", { class: "sum" }, price));
    return el("li", {}, made);
  };

  const leads = shown.buttons.findIndex(({ disabled, key }) =>
    !disabled && (key === "pay" || key === "order" || key === "continue"));
  const count = shown.lines.length;
  const note = shown.note && el("p", { class: "note waiting", role: "status" }, shown.note);
  if (shown.screen === "checkout" && pressed === "order") announce(`${t("items", { n: count })}, ${shown.total?.amount ?? ""}`);
  return {
    title: shown.title,
    body: [
      el("p", { class: "shop" }, el("strong", {}, shown.shop)),
      shown.back && el("a", { class: "back", href: `#${to(shown.back)}`, id: "press-back" }, shown.back.label),
      shown.screen !== "checkout" && note,
      shown.choices.length > 0 && el("ul", { class: "list", "aria-label": shown.title }, ...shown.choices.map(choice)),
      shown.screen === "checkout" && (count
        ? el("ul", { class: "list", "aria-label": shown.title }, ...shown.lines.map(({ name, detail, price }) =>
            el("li", {}, el("div", { class: "item" }, el("span", { class: "what" }, name),
              el("span", { class: "sum" }, price), el("span", { class: "detail" }, detail)))))
        : el("p", { class: "empty" }, t("order.empty"))),
      shown.total && el("p", { class: "total" }, el("span", {}, shown.total.label), el("strong", { class: "sum" }, shown.total.amount)),
      shown.screen === "checkout" && note,
      problem, hindered,
      // The button that pays may lie where the one that orders was.
      deliberate(el("p", { class: "buttons stretch" }, ...shown.buttons.map((press, at) => button(press, { lead: at === leads })))),
    ],
  };
}

/** One payment under the order's id, with the PIN; afterwards the start stands there again. */
async function pay(button, press, problem, to) {
  const { method, path, body } = press.act;
  try {
    const paid = await attempt(button, problem, () => withPIN(() =>
      once(api, session.account, path, method, path, body, { label: press.label }))
      .catch((error) => {
        if (error.isPassing === undefined || error.isOpen) throw error;
        // The order has another id now: the screen is drawn anew, and what happened stays above it.
        alertOf(explained(error, { moves: true }), error.code === "wallet.insufficient_funds" || error.code === "wallet.no_card"
          ? { href: "/wallet#/settings/cards", words: t("cards") } : undefined);
        refresh();
        return null;
      }), { moves: true });
    if (!paid) return;
    const order = paid.body;
    alertOf(t("order.paid.now", { n: order.number, amount: money(order.total) }),
      { href: `#/orders/${order.order}`, words: t("receipt") });
    pressed = "";
    go(to(press), { replace: true });
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    alertOf(explained(error, { moves: true }));
  }
}
