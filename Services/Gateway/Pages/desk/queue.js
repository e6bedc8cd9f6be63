// The queue: what waits, the item, the decision. Fast by keyboard.
import { connection, endsHere } from "../shared/app.js";
import { pause } from "../shared/api.js";
import { byID, el, say } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { dayOf, clockOf, t } from "../shared/text.js";
import { announce } from "../shared/view.js";
import { isDecided, undo } from "./decisions.js";
import { decision, details } from "./item.js";
import { undoList } from "./undo.js";
import { everything, subjectOf } from "./waiting.js";

/** Between two looks at what waits. */
const lookMilliseconds = 5000;

export async function queue({ signal }) {
  let items = await everything();
  let chosen = null;
  connection("live");
  const count = el("p", { class: "detail", role: "status" });
  const rows = el("ul", { class: "list queue", "aria-label": t("queue") });
  const shown = el("section", { class: "column item-shown", "aria-labelledby": "item-title" });
  const deciding = el("div", { class: "column" });

  const waiting = () => items.filter(({ id }) => !isDecided(id));
  const draw = () => {
    const now = waiting();
    const focused = document.activeElement?.id;
    say(count, t("queue.n", { n: now.length }));
    rows.replaceChildren(...(now.length ? now.map((item) => el("li", {}, el("button", {
      type: "button", class: "item", id: `item-${item.id}`, "aria-current": item.id === chosen ? "true" : null, click: () => choose(item.id) },
      el("span", { class: "what" }, item.title), el("span", { class: "sum-detail detail" }, t(`kind.${item.kind}`)),
      el("span", { class: "detail" }, `${dayOf(item.since)}, ${clockOf(item.since)}`))))
      : [el("li", { class: "empty" }, t("queue.empty"))]));
    if (focused?.startsWith("item-")) byID(focused)?.focus();
  };

  /** Shows an item; the next one where it waits no longer. */
  const choose = async (id) => {
    const now = waiting();
    const item = now.find((one) => one.id === id) ?? now[0];
    chosen = item?.id ?? null;
    draw();
    if (!item) {
      shown.replaceChildren(el("h2", { id: "item-title" }, t("queue.done")), el("p", { class: "empty" }, t("queue.done.what")));
      deciding.replaceChildren();
      return;
    }
    const body = el("div", { class: "column" }, el("p", { class: "empty" }, t("loading")));
    shown.replaceChildren(el("h2", { id: "item-title" }, item.title), body);
    deciding.replaceChildren(decision(item, () => {
      announce(t("decided.said", { title: item.title }));
      choose(following(now, item));
    }));
    try {
      const all = await details(item);
      if (chosen === item.id) body.replaceChildren(all);
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      body.replaceChildren(el("p", { class: "problem", role: "alert" }, explained(error)));
    }
  };
  /** The item on the screen is another one by now: it stays as it was read, and cannot be decided on any more. */
  const showChanged = (edited) => {
    if (deciding.querySelector("#changed")) return;
    deciding.replaceChildren(el("p", { class: "note waiting", id: "changed", role: "status" }, t("queue.changed")),
      el("button", { type: "button", class: "primary", click: () => choose(edited.id) }, t("queue.changed.show")));
  };
  const following = (now, item) => now[now.indexOf(item) + 1]?.id ?? now[now.indexOf(item) - 1]?.id;
  const step = (by) => {
    const now = waiting();
    const next = now[Math.min(now.length - 1, Math.max(0, now.findIndex(({ id }) => id === chosen) + by))];
    if (next) choose(next.id).then(() => byID(`item-${next.id}`)?.scrollIntoView({ block: "nearest" }));
  };
  const taken = (item) => item && choose(item.id);

  const keys = {
    j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
    a: () => byID("approve")?.click(), r: () => byID("reject")?.querySelector("input").focus(), u: () => taken(undo()),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }, { signal });

  (async () => {
    while (!signal.aborted) {
      await pause(lookMilliseconds, signal);
      if (signal.aborted || document.hidden) continue;
      try {
        items = await everything();
        if (signal.aborted) return;
        connection("live");
        draw();
        const edited = waiting().find(({ id }) => id !== chosen && chosen && subjectOf(id) === subjectOf(chosen));
        if (edited) showChanged(edited);
        else if (!waiting().some(({ id }) => id === chosen)) choose(chosen);
      } catch (error) {
        if (error.isPassing === undefined) throw error;
        if (!endsHere(error)) connection("lost");
      }
    }
  })();

  // What could not be decided waits again.
  addEventListener("billfold-decisions", () => (chosen ? draw() : choose(null)), { signal });
  choose(null);
  return {
    title: t("queue"), wide: true, plain: true,
    body: el("div", { class: "desk" },
      el("section", { class: "column", "aria-label": t("queue") }, count, rows,
        el("p", { class: "detail keys" }, t("queue.keys"))),
      shown,
      el("section", { class: "column", "aria-label": t("decision") }, deciding, undoList({ signal, taken }))),
  };
}
