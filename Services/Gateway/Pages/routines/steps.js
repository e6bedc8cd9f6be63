// One sequence of steps for all that is made here: a routine and a schedule are made the same way.
import { el, say } from "../shared/dom.js";
import { t } from "../shared/text.js";
import { announce, attempt, go } from "../shared/view.js";
import { signed } from "./choose.js";

/**
 * A view of steps.
 *
 * Each step is `{name, body(), leave()}`: `leave` keeps what was chosen and returns what is missing, or "". The last
 * step's button is "confirm" and calls `confirm()`; `cancel` is the path that Cancel leads to.
 */
export function steps(all, { cancel, confirm }) {
  const place = el("section", { class: "step" });
  const problem = el("p", { class: "problem", role: "alert" });
  const trail = el("ol", { class: "trail", "aria-label": t("steps") });
  const buttons = el("p", { class: "buttons stretch" });
  let at = 0;
  let shows = 0;

  /** Shows a step once its body is there; of two that are asked for, the later one. */
  async function show(next) {
    shows += 1;
    const own = shows;
    const body = [await all[next].body()].flat().filter(Boolean);
    if (own !== shows) return;
    at = next;
    trail.replaceChildren(...all.map(({ name }, index) => el("li", {
      "aria-current": index === at ? "step" : null, class: index < at ? "past" : null,
    }, `${index + 1}. ${t(`step.${name}`)}`)));
    const isLast = at === all.length - 1;
    buttons.replaceChildren(
      signed("cancel", at ? t("step.back") : t("cancel"), { click: at ? goBack : () => go(cancel) }),
      ...(at ? [signed("error", t("cancel"), { click: () => go(cancel) })] : []),
      signed(isLast ? "done" : "next", t(isLast ? "confirm" : "step.next"), { class: "primary", click: advance }));
    const heading = el("h2", { tabindex: "-1" }, t(`step.${all[at].name}.what`));
    place.replaceChildren(heading, ...body);
    heading.focus({ preventScroll: true });
    announce(t(`step.${all[at].name}.what`));
  }

  const goBack = ({ currentTarget: button }) => attempt(button, problem, () => show(at - 1));

  const advance = ({ currentTarget: button }) => attempt(button, problem, async () => {
    const missing = all[at].leave?.() ?? "";
    if (missing) say(problem, missing);
    else if (at < all.length - 1) await show(at + 1);
    else await confirm();
  });

  return { element: el("div", { class: "steps" }, trail, place, problem, buttons), begin: () => show(0) };
}
