// Lists: a row is one line of what, one line of detail, an amount at the right edge.
import { amount } from "./amount.js";
import { el } from "./dom.js";

/**
 * A row. `href` or `press` make it a link or a button; `sum` stands at the right edge (`signed` with its sign), `aside`
 * below it; `mark` is a short word in front of the detail, such as a state.
 */
export function row({ what, detail, sum, signed, aside, href, press, mark, id }) {
  const parts = [
    el("span", { class: "what" }, what),
    sum && el("span", { class: "sum" }, amount(sum, { signed })),
    (detail || mark) && el("span", { class: "detail" },
      mark && el("span", { class: "mark" }, mark), mark && detail ? " · " : null, detail),
    aside && el("span", { class: "sum-detail detail" }, aside),
  ];
  const inside = href
    ? el("a", { class: "item", href, id }, ...parts)
    : press
      ? el("button", { type: "button", class: "item", click: press, id }, ...parts)
      : el("div", { class: "item", id }, ...parts);
  return el("li", {}, inside);
}

/** A list of rows, named for screen readers; `empty` says what will appear here and how to get it there. */
export function list(label, rows, empty) {
  return rows.length
    ? el("ul", { class: "list", "aria-label": label }, ...rows)
    : el("p", { class: "empty" }, empty);
}
