// A list that is read page by page: the next page is behind "More".
import { el } from "./dom.js";
import { read } from "./read.js";
import { t } from "./text.js";
import { attempt } from "./view.js";

/**
 * Reads the pages of a list: a function from the `next` of the page before, none for the first one, to `{rows, next}`.
 * `name` is that of the rows in an answer, `parameter` takes the `next`.
 */
export const pagesOf = (name, path, parameter) => async (next) => {
  const page = await read(next === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}${parameter}=${next}`);
  return { rows: page[name], next: page.next };
};

/**
 * A list that begins with its first page. `page` is as of `pagesOf`, `draw(rows)` returns what is shown of all rows that
 * were read. Gives the list, what went wrong and the button, `parts` with the three; `draw()` draws anew, `load()` begins anew.
 */
export async function growingList(page, draw) {
  let rows;
  let next;
  const shown = el("div", { class: "column" });
  const problem = el("p", { class: "problem", role: "alert" });
  const show = () => {
    shown.replaceChildren(...[draw(rows)].flat());
    more.hidden = next === undefined;
  };
  const take = (before, found) => {
    rows = [...before, ...found.rows];
    next = found.next;
    show();
  };
  const more = el("button", { type: "button", id: "more", click: () => attempt(more, problem, async () => take(rows, await page(next))) },
    t("more"));
  const load = async () => take([], await page());
  await load();
  return {
    shown, problem, more, parts: [shown, problem, el("p", { class: "buttons" }, more)], draw: show, load,
    get isEmpty() {
      return rows.length === 0;
    },
  };
}
