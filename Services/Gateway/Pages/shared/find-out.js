// The view that takes a form's place while the outcome of its act is not known.
import { el } from "./dom.js";
import { t } from "./text.js";
import { attempt } from "./view.js";

/**
 * Says that an act's answer was lost, with a button that finds out what became of it by `ask()`. The act is asked for by itself
 * too, but where the PIN is wanted only the button gets on. `words` say what has just gone wrong.
 */
export function findOut(open, ask, words = "") {
  const problem = el("p", { class: "problem", role: "alert" }, words);
  const button = el("button", { type: "button", class: "primary", click: () => attempt(button, problem, ask, { moves: true }) },
    t("act.find-out"));
  return el("div", { class: "column" },
    el("p", { class: "note waiting", role: "status" }, t("act.open", { label: open.label })), problem,
    el("p", { class: "buttons" }, button));
}
