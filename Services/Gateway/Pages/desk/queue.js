// The queue: what waits, the item, the decision. Fast by keyboard.
import { connection, endsHere } from "../shared/app.js";
import { pause, waitedMilliseconds } from "../shared/api.js";
import { byID, el, say } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { dayOf, clockOf, t } from "../shared/text.js";
import { announce } from "../shared/view.js";
import { isDecided, undo } from "./decisions.js";
import { decision, details } from "./item.js";
import { undoList } from "./undo.js";
import { everything } from "./waiting.js";

/** Between two looks at what waits. */
const lookMilliseconds = 5000;

export async function queue({ signal }) {
  let items = await everything();
  signal.throwIfAborted();
  /** The item on the screen, as it was read. */
  let chosen = null;
  connection("live");
  const count = el("p", { class: "detail", role: "status" });
  const rows = el("ul", { class: "list queue", "aria-label": t("queue") });
  const shown = el("section", { class: "column item-shown", "aria-labelledby": "item-title" });
  const deciding = el("div", { class: "column" });

  const isWaiting = ({ id }) => !isDecided(id);
  const waiting = () => items.filter(isWaiting);
  const draw = () => {
    const now = waiting();
    const focused = document.activeElement?.id;
    say(count, t("queue.n", { n: now.length }));
    rows.replaceChildren(...(now.length ? now.map((item) => el("li", {}, el("button", {
      type: "button", class: "item", id: `item-${item.subject}`, "aria-current": item.subject === chosen?.subject ? "true" : null,
      click: () => choose(item.subject) },
      el("span", { class: "what" }, item.title), el("span", { class: "sum-detail detail" }, t(`kind.${item.kind}`)),
      el("span", { class: "detail" }, `${dayOf(item.since)}, ${clockOf(item.since)}`))))
      : [el("li", { class: "empty" }, t("queue.empty"))]));
    if (focused?.startsWith("item-")) byID(focused)?.focus();
  };

  /** Shows what waits of a subject; the oldest item where none is named. */
  const choose = async (subject) => {
    const now = waiting();
    const item = subject ? now.find((one) => one.subject === subject) : now[0];
    if (subject && !item) return leave("queue.gone", null);
    chosen = item ?? null;
    delete deciding.dataset.left;
    draw();
    if (!item) {
      shown.replaceChildren(el("h2", { id: "item-title" }, t("queue.done")), el("p", { class: "empty" }, t("queue.done.what")));
      deciding.replaceChildren();
      return;
    }
    const body = el("div", { class: "column" }, el("p", { class: "empty" }, t("loading")));
    shown.replaceChildren(el("h2", { id: "item-title", tabindex: "-1" }, item.title), body);
    deciding.replaceChildren(decision(item, () => {
      announce(t("decided.said", { title: item.title }));
      choose(following(item));
      if (document.activeElement === document.body) byID("item-title")?.focus();
    }));
    try {
      const all = await details(item);
      if (chosen !== item) return;
      body.replaceChildren(all);
      body.dataset.read = "";
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      body.replaceChildren(el("p", { class: "problem", role: "alert" }, explained(error)));
    }
  };

  /** What is on the screen is not what waits: it stays as it was read, and cannot be decided on. `next` is what a button shows. */
  const leave = (words, next) => {
    if (deciding.dataset.left === words) return;
    const reason = deciding.querySelector("input")?.value ?? "";
    const hadFocus = deciding.contains(document.activeElement);
    const button = el("button", { type: "button", class: "primary", click: () => {
      choose(next);
      const field = deciding.querySelector("input");
      if (next && field) field.value = reason;
      (byID("approve") ?? field)?.focus();
    } }, t(`${words}.next`));
    deciding.dataset.left = words;
    deciding.replaceChildren(el("p", { class: "note waiting", id: "left" }, t(words)), button);
    announce(t(words));
    if (hadFocus) button.focus();
  };

  /** The subject behind an item, or else the one before it; null where nothing waits. */
  const following = ({ subject }) => {
    const at = items.findIndex((one) => one.subject === subject);
    return (items.slice(at + 1).find(isWaiting) ?? items.slice(0, Math.max(at, 0)).findLast(isWaiting))?.subject ?? null;
  };
  const step = (by) => {
    const now = waiting();
    const at = now.findIndex(({ subject }) => subject === chosen?.subject);
    const next = now[Math.min(now.length - 1, Math.max(0, at + by))];
    if (next) choose(next.subject).then(() => byID(`item-${next.subject}`)?.scrollIntoView({ block: "nearest" }));
  };
  const taken = (item) => item && choose(item.subject);

  /** Follows what waits by now, without taking away what is being read. */
  const follow = () => {
    draw();
    const same = waiting().find(({ subject }) => subject === chosen?.subject);
    if (!chosen) choose(null);
    else if (!same) leave("queue.gone", null);
    else if (same.id !== chosen.id) leave("queue.changed", chosen.subject);
    else if (deciding.dataset.left) choose(chosen.subject);
  };

  const steps = { j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1) };
  const acts = {
    // A key approves nothing that could not be read yet.
    a: () => shown.querySelector("[data-read]") && byID("approve")?.click(), r: () => byID("reject")?.querySelector("input").focus(), u: () => taken(undo()),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
    const act = steps[event.key] ?? acts[event.key];
    if (!act) return;
    event.preventDefault();
    // A key that is held goes through the list, and decides once.
    if (!event.repeat || steps[event.key]) act();
  }, { signal });

  (async () => {
    while (!signal.aborted) {
      await pause(lookMilliseconds, signal);
      if (signal.aborted || document.hidden) continue;
      const late = setTimeout(() => signal.aborted || connection("lost"), waitedMilliseconds);
      try {
        items = await everything();
        if (signal.aborted) return;
        connection("live");
        follow();
      } catch (error) {
        if (error.isPassing === undefined) throw error;
        if (!endsHere(error)) connection("lost");
      } finally {
        clearTimeout(late);
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
