// A list that is read page by page: the next page is behind "More".
import { el } from "./dom.js";
import { read } from "./read.js";
import { t } from "./text.js";
import { attempt } from "./view.js";

/** Pages without a row to show that are read behind each other: the server has passed over some, or a search does. */
const emptyMax = 10;

/**
 * Reads the pages of a list: a function from the `next` of the page before, none for the first one, to `{rows, next}`.
 * `name` is that of the rows in an answer, `parameter` takes the `next`.
 */
export const pagesOf = (name, path, parameter) => async (next) => {
  const page = await read(next === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}${parameter}=${next}`);
  return { rows: page[name], next: page.next };
};

/**
 * A list that begins with its first page. `page` is as of `pagesOf`; `draw(rows, hasMore)` returns what is shown of all
 * rows that were read. "More" reads on until it comes to a row for which `isShown(row)`.
 *
 * Returns `shown`, the drawn rows; `problem`, where an error is said; `more`, the button; `parts`, the three in this order;
 * `isEmpty`; `draw()`, which draws the same rows again; and `load()`, which begins again with the first page.
 */
export async function growingList(page, draw, { isShown = () => true } = {}) {
  let rows = [];
  let next;
  /** A page that comes behind a new beginning is of the old list. */
  let beginnings = 0;
  const shown = el("div", { class: "column" });
  const problem = el("p", { class: "problem", role: "alert" });
  const show = () => {
    shown.replaceChildren(...[draw(rows, next !== undefined)].flat());
    more.hidden = next === undefined;
  };
  const readOn = async (after) => {
    const found = await page(after);
    for (let at = 0; at < emptyMax && !found.rows.some(isShown) && found.next !== undefined; at += 1) {
      const { rows, next } = await page(found.next);
      found.rows.push(...rows);
      found.next = next;
    }
    return found;
  };
  const load = async () => {
    beginnings += 1;
    const own = beginnings;
    const found = await readOn();
    if (own !== beginnings) return;
    ({ rows, next } = found);
    delete shown.dataset.readOn;
    show();
  };
  const more = el("button", { type: "button", id: "more", click: () => attempt(more, problem, async () => {
    const own = beginnings;
    const known = shown.querySelectorAll(".item").length;
    const found = await readOn(next);
    if (own !== beginnings) return;
    rows = [...rows, ...found.rows];
    next = found.next;
    shown.dataset.readOn = "";
    const hadFocus = document.activeElement === more;
    show();
    // A button that goes would take the focus along.
    const first = hadFocus && more.hidden ? shown.querySelectorAll(".item")[known] : null;
    if (first?.matches("div")) first.tabIndex = -1;
    first?.focus();
  }) }, t("more"));
  await load();
  return {
    shown, problem, more, parts: [shown, problem, el("p", { class: "buttons" }, more)], draw: show, load,
    get isEmpty() {
      return rows.length === 0;
    },
  };
}
