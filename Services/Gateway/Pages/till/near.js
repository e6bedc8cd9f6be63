// Who is near the merchant's places, live.
import { el } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { list, row } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { EventStream } from "../shared/stream.js";
import { clockOf, distance, t } from "../shared/text.js";

/** Whom the next charge is for, as the draft keeps it. */
export const chosen = (one) => ({
  customer: one.customer, name: one.username ?? t("customer.number", { n: one.customer.slice(-6) }), place: one.place });

/**
 * Customers near one place, or all: a list that changes with them. `pick(one, button)` is called with the one that was
 * pressed.
 */
export function nearList({ place, pick, signal }) {
  const shown = el("div", { class: "column near", "aria-busy": "true" }, el("p", { class: "empty" }, t("loading")));
  const count = el("p", { class: "detail", role: "status" });
  let drawn = "";
  const draw = ({ customers, total }) => {
    shown.removeAttribute("aria-busy");
    const now = JSON.stringify(customers);
    if (now === drawn) return;
    drawn = now;
    const focused = document.activeElement?.id;
    count.textContent = total > customers.length ? t("near.first", { n: customers.length, total }) : t("near.count", { n: total });
    shown.replaceChildren(count, list(t("near"), customers.map((one) => row({
      id: `near-${one.customer}-${one.place}`, what: chosen(one).name,
      detail: t("near.since", { distance: distance(one.distanceMetres), time: clockOf(one.time) }), aside: t("near.charge"),
      press: (event) => pick(one, event.currentTarget),
    })), t("near.empty")));
    if (focused?.startsWith("near-")) document.getElementById(focused)?.focus();
  };
  const stream = new EventStream(api, `/v1/customers/nearby/events${place ? `?place=${place}` : ""}`, {
    heard: ({ event, data }) => event === "nearby" && draw(JSON.parse(data)),
    changed: () => {},
    refused: (problem) => shown.replaceChildren(el("p", { class: "problem", role: "alert" }, explained(problem))),
  });
  signal.addEventListener("abort", () => stream.close());
  return shown;
}

/** Where nobody can be near yet. */
export const noPlace = () => el("div", { class: "column" },
  el("p", { class: "note waiting" }, t("place.none")),
  el("p", { class: "buttons" }, el("a", { class: "button", href: "#/settings/places/new" }, t("place.add"))));
