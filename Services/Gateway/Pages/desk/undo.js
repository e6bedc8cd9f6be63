// What was just decided, with the way back.
import { el, say } from "../shared/dom.js";
import { t } from "../shared/text.js";
import { decisions, secondsLeft, undo } from "./decisions.js";

/** A list that follows the decisions; `taken(item)` is called for what was undone. */
export function undoList({ signal, taken }) {
  signal.throwIfAborted();
  const shown = el("ul", { class: "undo", "aria-label": t("decided.list") });
  const draw = () => {
    const focused = document.activeElement?.id;
    shown.replaceChildren(...decisions().map((one) => el("li", { class: "note waiting" },
      el("span", {}, one.problem
        ? t("decided.failed", { title: one.item.title, why: one.problem })
        : t(one.approves ? "decided.approved" : "decided.rejected", { title: one.item.title })),
      !one.isSent && el("span", { class: "number", "data-due": one.due }),
      (!one.isSent || one.problem) && el("button", {
        type: "button", id: `undo-${one.item.id}`, click: () => back(one) }, t(one.problem ? "close" : "undo")))));
    tick();
    if (focused?.startsWith("undo-")) document.getElementById(focused)?.focus();
  };
  const back = (one) => {
    one.isSent = false;
    taken(undo(one.item.id));
  };
  const tick = () => {
    for (const left of shown.querySelectorAll("[data-due]")) say(left, t("decided.left", { n: secondsLeft({ due: Number(left.dataset.due) }) }));
  };
  const timer = setInterval(tick, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  addEventListener("billfold-decisions", draw, { signal });
  draw();
  return shown;
}
