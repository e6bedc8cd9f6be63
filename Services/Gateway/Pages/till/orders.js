// Orders that customers have paid ahead: as they come, and what is ready.
import { refresh } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { detailOf, linesOf, orderRow, refundOf } from "../shared/order.js";
import { read } from "../shared/read.js";
import { list } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { clockOf, t } from "../shared/text.js";
import { attempt } from "../shared/view.js";

const pageLength = 100;

export async function orders() {
  const [waiting, all] = await Promise.all([
    read(`/v1/orders?waiting=true&limit=${pageLength}`), read(`/v1/orders?limit=${pageLength}`)]);
  const ready = all.orders.filter(({ state }) => state === "ready");
  return {
    title: t("way./orders"),
    body: [
      waiting.orders.length
        ? el("ul", { class: "list", "aria-label": t("orders.waiting") }, ...waiting.orders.toReversed().map(toMake))
        : el("p", { class: "empty" }, t("orders.empty")),
      ready.length > 0 && el("section", {}, el("h2", {}, t("order.ready")),
        list(t("order.ready"), ready.map(orderRow), "")),
      el("p", { class: "buttons" }, el("a", { class: "button", href: "#/menu" }, t("menu"))),
    ],
  };
}

/** The oldest is made first. */
function toMake(one) {
  const problem = el("p", { class: "problem", role: "alert" });
  const button = el("button", { type: "button", class: "primary", click: () => finish(one, button, problem) },
    t("order.finish", { n: one.number }));
  return el("li", {}, el("div", { class: "column order" },
    el("a", { class: "item", href: `#/orders/${one.order}` },
      el("span", { class: "what" }, `${t("order.number", { n: one.number })} · ${one.customerName ?? t("customer")}`),
      el("span", { class: "sum" }, clockOf(one.paid)),
      el("span", { class: "detail" }, one.lines.map(detailOf).join("; ")),
      one.refunded && el("span", { class: "mark" }, refundOf(one))),
    problem, el("p", { class: "buttons" }, button)));
}

async function finish(one, button, problem) {
  if (await attempt(button, problem, () => api.insist("POST", `/v1/orders/${one.order}/ready`))) refresh();
}

export async function orderAtTill({ params }) {
  const one = await read(`/v1/orders/${params.order}`);
  const problem = el("p", { class: "problem", role: "alert" });
  const button = el("button", { type: "button", class: "primary big", click: () => finish(one, button, problem) },
    t("order.finish", { n: one.number }));
  return {
    title: t("order.number", { n: one.number }), back: "/orders",
    body: [
      el("p", {}, `${one.customerName ?? t("customer")} · ${t(`order.${one.state}`)}`), ...linesOf(one), problem,
      el("p", { class: "buttons" }, one.state === "paid" && button,
        el("a", { class: "button", href: `#/charges/${one.order}` }, t("order.charge"))),
    ],
  };
}
