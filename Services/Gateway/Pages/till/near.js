// Who is near the merchant's places, live.
import { el, say } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { row } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { EventStream } from "../shared/stream.js";
import { clockOf, distance, t } from "../shared/text.js";

/** Whom the next charge is for, as the draft keeps it. */
export const chosen = (one) => ({
  customer: one.customer, name: one.username ?? t("customer.number", { n: one.customer.slice(-6) }), place: one.place });

/** A row whose customer has left is another's after this: by then nobody aims at it any more. */
const freeMilliseconds = 5000;

/**
 * Customers near one place, or all: a list that changes with them, and in which nobody's row moves. `pick(one, button)` is
 * called with the one that was pressed. Nothing may stand below it, because it grows.
 */
export function nearList({ place, pick, signal }) {
  signal.throwIfAborted();
  const count = el("p", { class: "detail", role: "status" });
  const shown = el("div", { class: "column near", "aria-busy": "true" }, el("p", { class: "empty" }, t("loading")));
  const people = el("ul", { class: "list", "aria-label": t("near") });
  /** As they stand on the screen; `left` is when the customer was missed first, null while near. */
  const rows = [];
  const draw = ({ customers, total }) => {
    shown.removeAttribute("aria-busy");
    say(count, total > customers.length ? t("near.first", { n: customers.length, total }) : t("near.count", { n: total }));
    const here = new Map(customers.map((one) => [keyOf(one), one]));
    for (const known of rows) {
      known.follow(here.get(known.key));
      here.delete(known.key);
    }
    for (const [key, one] of here) {
      const free = rows.findIndex((known) => known.isFree);
      const next = nearRow(key, one, pick);
      if (free < 0) people.append(next.element);
      else rows[free].element.replaceWith(next.element);
      rows[free < 0 ? rows.length : free] = next;
    }
    while (rows.at(-1)?.isFree) rows.pop().element.remove();
    const list = rows.length ? people : el("p", { class: "empty" }, t("near.empty"));
    if (shown.firstChild !== count || shown.lastChild.className !== list.className) shown.replaceChildren(count, list);
  };
  const stream = new EventStream(api, `/v1/customers/nearby/events${place ? `?place=${place}` : ""}`, {
    heard: ({ event, data }) => event === "nearby" && draw(JSON.parse(data)),
    changed: () => {},
    refused: (problem) => shown.replaceChildren(el("p", { class: "problem", role: "alert" }, explained(problem))),
  });
  signal.addEventListener("abort", () => stream.close());
  return shown;
}

const keyOf = ({ customer, place }) => `near-${customer}-${place}`;

/** The row of one customer at one place, which can be pressed while the customer is there. */
function nearRow(key, first, pick) {
  let one = first;
  const element = row({
    id: key, what: " ", detail: " ", aside: t("near.charge"), press: (event) => known.left === null && pick(one, event.currentTarget) });
  const [button, what, detail] = [".item", ".what", ".detail"].map((part) => element.querySelector(part));
  const known = {
    key, element, left: null,
    /** Shows what is known of the customer by now: nothing once the customer has left. */
    follow(now) {
      known.left = now ? null : known.left ?? Date.now();
      one = now ?? one;
      button.setAttribute("aria-disabled", String(!now));
      say(what, chosen(one).name);
      say(detail, now ? t("near.since", { distance: distance(one.distanceMetres), time: clockOf(one.time) }) : t("near.left"));
    },
    get isFree() {
      return known.left !== null && Date.now() - known.left >= freeMilliseconds && !element.matches(":hover, :focus-within");
    },
  };
  known.follow(first);
  return known;
}

/** Where nobody can be near yet. */
export const noPlace = () => el("div", { class: "column" },
  el("p", { class: "note waiting" }, t("place.none")),
  el("p", { class: "buttons" }, el("a", { class: "button", href: "#/settings/places/new" }, t("place.add"))));
