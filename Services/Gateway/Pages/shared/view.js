// One page, many views: the part of the address behind `#` names the view, so that Back, reload and links work.
import { byID, el, say } from "./dom.js";
import { explained } from "./explain.js";
import { t } from "./text.js";

/** Tells a screen reader something that is seen elsewhere. */
export function announce(words) {
  const region = byID("announcer") ?? document.body.appendChild(
    el("p", { id: "announcer", class: "unseen", role: "status" }));
  region.textContent = "";
  // A text that is set in the same turn as its region appears is not spoken.
  requestAnimationFrame(() => say(region, words));
}

/** Between a line that tells what was done and its end. */
const toldMilliseconds = 5000;

/** Tells everybody what was done: to be heard, and to be seen over the head of the page for some seconds. */
export function tell(words) {
  announce(words);
  byID("told")?.remove();
  const line = document.body.appendChild(el("p", { id: "told", "aria-hidden": "true" }, words));
  setTimeout(() => line.remove(), toldMilliseconds);
}

/** Goes to a view, such as `/charges/1`, which is shown anew where it is shown already. With `replace` Back does not come here again. */
export function go(path, { replace = false } = {}) {
  if (location.hash === `#${path}`) {
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else if (!replace) {
    location.hash = path;
  } else {
    history.replaceState(history.state, "", `#${path}`);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

/** The view's path that the address names. */
export const here = () => location.hash.slice(1).split("?")[0] || "/";

/**
 * Shows views by path.
 *
 * `routes` maps a path such as `/charges/{charge}` to `view({params, query, signal})`, which returns, or promises,
 * `{title, body}`: body is an element or a list of them; `back` is the path that the link above the title leads to,
 * `wide` lets it use two columns, `plain` leaves the title to screen readers. `signal` aborts when the view is left: stop
 * timers and listeners with it. A view that throws a problem is shown as one, with a button that tries again.
 */
export class Views {
  #routes;
  /** The controllers of the view that is shown, and of the one that is being made. */
  #shown = new AbortController();
  #coming = null;
  #first = true;

  /** `name()` is what the page is called behind the title of each view. */
  constructor(outlet, name, routes) {
    this.outlet = outlet;
    this.name = name;
    this.#routes = Object.entries(routes).map(([path, view]) => [path.split("/"), view]);
    /** May return another path: a log-in before the page that was asked for. */
    this.guard = (path) => path;
    /** Called with what a view has thrown; true when that was dealt with. */
    this.failed = () => false;
    /** Called when another view is shown, or one from its beginning. */
    this.shown = () => {};
  }

  /** Shows what the address names, now and whenever it changes. */
  start() {
    addEventListener("hashchange", () => this.show());
    return this.show();
  }

  /**
   * Shows the view anew, as after the connection has come back; the focus stays where it is if it can. Quietly, what is shown
   * stays until the new one is there, and also where it cannot be had now.
   */
  async show({ quietly = false } = {}) {
    const path = this.guard(here());
    if (path !== here()) return go(path, { replace: true });
    this.#coming?.abort();
    if (!quietly) this.#shown.abort();
    const coming = new AbortController();
    const { signal } = coming;
    this.#coming = coming;
    const waiting = setTimeout(() => {
      if (quietly || signal.aborted) return;
      this.outlet.replaceChildren(el("p", { class: "empty", role: "status" }, t("loading")));
    }, 150);
    let shown;
    try {
      const [view, params] = this.#find(path);
      shown = await view({ params, query: new URLSearchParams(location.hash.split("?")[1] ?? ""), signal });
    } catch (error) {
      if (signal.aborted) return;
      clearTimeout(waiting);
      if (this.failed(error)) return;
      if (error.isPassing === undefined) throw error;
      if (quietly && error.isPassing && !this.#shown.signal.aborted) return coming.abort();
      shown = this.#problem(error);
      // Without an answer it was the network: it is tried again when that is back.
      if (!error.code) addEventListener("online", () => this.show(), { signal });
    }
    clearTimeout(waiting);
    if (signal.aborted) return;
    this.#shown.abort();
    this.#shown = coming;
    this.#coming = null;
    const focused = document.activeElement;
    this.#draw(shown);
    this.outlet.dataset.view = path;
    if (quietly && focused?.isConnected === false) this.#again(focused)?.focus();
    if (!quietly) {
      this.shown();
      scrollTo(0, 0);
      const first = this.outlet.querySelector("[data-first]") ?? (this.#first ? null : byID("heading"));
      first?.focus({ preventScroll: true });
    }
    this.#first = false;
  }

  #draw({ title, body, back, wide = false, plain = false }) {
    document.title = `${title} · ${this.name()}`;
    this.outlet.classList.toggle("wide", wide);
    this.outlet.replaceChildren(
      el("div", { class: plain ? "title unseen" : "title" },
        back && el("a", { class: "back", href: `#${back}` }, t("back")),
        el("h1", { id: "heading", tabindex: "-1" }, title)),
      ...[body].flat().filter(Boolean));
  }

  /** What stands in the place of an element that was drawn anew: by its id, or a link by where it leads. */
  #again(element) {
    return byID(element.id) ?? [...this.outlet.querySelectorAll("a")].find(({ href }) => href === element.href);
  }

  #find(path) {
    const parts = path.split("/");
    for (const [route, view] of this.#routes) {
      if (route.length !== parts.length) continue;
      const params = {};
      const fits = route.every((part, at) => {
        if (!part.startsWith("{")) return part === parts[at];
        params[part.slice(1, -1)] = decodeURIComponent(parts[at]);
        return parts[at] !== "";
      });
      if (fits) return [view, params];
    }
    return [missing, {}];
  }

  #problem(error) {
    // Of an address that names no id there is nothing to read.
    if (error.code === "bus.malformed") return missing();
    return {
      title: t(error.code ? "view.failed" : "stream.lost"), back: "/",
      body: [
        el("p", { class: "problem", role: "alert" }, explained(error)),
        el("p", { class: "buttons" }, el("button", { type: "button", click: () => this.show() }, t("try-again"))),
      ],
    };
  }
}

const missing = () => ({ title: t("page.missing"), back: "/", body: el("p", {}, t("page.missing.next")) });

/** Runs `act` while its button shows that it waits; what it throws is explained in `problem`. Returns what it returns. */
export async function attempt(button, problem, act, options) {
  if (button.getAttribute("aria-busy")) return undefined;
  say(problem, "");
  button.setAttribute("aria-busy", "true");
  try {
    return await act();
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    say(problem, explained(error, options));
    return undefined;
  } finally {
    button.removeAttribute("aria-busy");
  }
}
