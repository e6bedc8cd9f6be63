// Orders that customers have paid ahead: as they come, and what is ready.
import { refresh } from "../shared/app.js";
import { byID, el } from "../shared/dom.js";
import { growingList, pagesOf } from "../shared/growing.js";
import { detailOf, linesOf, orderRow, refundOf } from "../shared/order.js";
import { deliberate } from "../shared/press.js";
import { allRows, read } from "../shared/read.js";
import { list } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { clockOf, t } from "../shared/text.js";
import { attempt } from "../shared/view.js";

const isPaidBack = ({ refunded, total }) => refunded?.amount >= total.amount;
const isReady = ({ state }) => state === "ready";

export async function orders() {
  const [waiting, ready] = await Promise.all([
    // The oldest is on the last page.
    allRows("orders", "/v1/orders?waiting=true", "before"),
    growingList(pagesOf("orders", "/v1/orders?limit=100", "before"), (rows) => (rows.some(isReady)
      ? [el("h2", {}, t("order.ready")), list(t("order.ready"), rows.filter(isReady).map(orderRow), "")] : []), { isShown: isReady })]);
  return {
    title: t("way./orders"),
    body: [
      waiting.length
        ? el("ul", { class: "list", "aria-label": t("orders.waiting") }, ...waiting.toReversed().map(toMake))
        : el("p", { class: "empty" }, t("orders.empty")),
      el("section", { class: "column" }, ...ready.parts),
      el("p", { class: "buttons" }, el("a", { class: "button", href: "#/menu" }, t("menu"))),
    ],
  };
}

/** The oldest is made first. */
function toMake(one) {
  const problem = el("p", { class: "problem", role: "alert" });
  const button = finishing(one, problem, { class: "primary" });
  return el("li", {}, el("div", { class: "column order" },
    el("a", { class: "item", id: `order-${one.order}`, href: `#/orders/${one.order}` },
      el("span", { class: "what" }, `${t("order.number", { n: one.number })} · ${one.customerName ?? t("customer")}`),
      el("span", { class: "sum" }, clockOf(one.paid)),
      el("span", { class: "detail" }, one.lines.map(detailOf).join("; ")),
      one.refunded && el("span", { class: "mark" }, refundOf(one))),
    problem, el("p", { class: "buttons" }, button)));
}

/** The button that says that an order is ready; one that was paid back leaves the list without a word to its customer. */
function finishing(one, problem, attributes) {
  const button = el("button", { type: "button", id: `ready-${one.order}`, ...attributes,
    click: () => finish(one, button, problem) }, t(isPaidBack(one) ? "order.remove" : "order.finish", { n: one.number }));
  // The next order comes up where this one was.
  return deliberate(button);
}

async function finish(one, button, problem) {
  if (!(await attempt(button, problem, () => api.insist("POST", `/v1/orders/${one.order}/ready`)))) return;
  const row = button.closest("li");
  const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector("a").id;
  await refresh();
  // The order behind it, and not its button: a second Enter says of no other order that it is ready.
  if (document.activeElement === document.body) (byID(next) ?? byID("heading"))?.focus();
}

export async function orderAtTill({ params }) {
  const one = await read(`/v1/orders/${params.order}`);
  const problem = el("p", { class: "problem", role: "alert" });
  const button = finishing(one, problem, { class: "primary big" });
  return {
    title: t("order.number", { n: one.number }), back: "/orders",
    body: [
      el("p", {}, `${one.customerName ?? t("customer")} · ${t(`order.${one.state}`)}`), ...linesOf(one), problem,
      el("p", { class: "buttons" }, one.state === "paid" && button,
        el("a", { class: "button", href: `#/charges/${one.order}` }, t("order.charge"))),
    ],
  };
}
