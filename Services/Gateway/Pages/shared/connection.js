// <stream-state>: whether the page gets its news. `state` is `connecting`, `live` or `lost`; when it is lost, a bar says
// what that means.
import { el, say } from "./dom.js";
import { t } from "./text.js";

class StreamState extends HTMLElement {
  #words = el("span");
  #why = el("span", { class: "why" });

  connectedCallback() {
    if (this.firstChild) return;
    this.setAttribute("role", "status");
    this.append(el("span", { class: "dot" }), this.#words, this.#why);
    this.state = this.dataset.state ?? "connecting";
  }

  set state(state) {
    this.dataset.state = state;
    say(this.#words, t(`stream.${state}`));
    say(this.#why, state === "lost" ? t("stream.lost.why") : "");
  }

  get state() {
    return this.dataset.state;
  }
}

customElements.define("stream-state", StreamState);
