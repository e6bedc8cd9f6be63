// <qr-code>: a text to be scanned, drawn black on white. Set `text`; with `expires` (a time) it shows what is left, and
// fires `over` when it has expired.
import { el, say } from "./dom.js";
import { minutes } from "./money.js";
import { qr } from "./qr.js";
import { t } from "./text.js";

const svg = "http://www.w3.org/2000/svg";
/** Light modules around a code (ISO/IEC 18004 section 5.3.8). */
const quiet = 4;

class QRCode extends HTMLElement {
  #timer;

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  /** Draws a text; `now` gives the server's time in milliseconds. */
  show(text, { expires, now = Date.now } = {}) {
    const rows = qr(text);
    const size = rows.length + 2 * quiet;
    const picture = document.createElementNS(svg, "svg");
    picture.setAttribute("viewBox", `0 0 ${size} ${size}`);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", t("code.label"));
    picture.setAttribute("shape-rendering", "crispEdges");
    const path = document.createElementNS(svg, "path");
    path.setAttribute("d", rows.flatMap((line, y) =>
      line.map((isDark, x) => (isDark ? `M${x + quiet} ${y + quiet}h1v1h-1z` : ""))).join(""));
    picture.append(path);
    const left = el("p", { class: "left", role: "timer" });
    this.replaceChildren(picture, left);
    delete this.dataset.over;
    clearInterval(this.#timer);
    if (!expires) return;
    const tick = () => {
      const seconds = Math.ceil((Date.parse(expires) - now()) / 1000);
      if (seconds > 0) return say(left, t("code.left", { time: minutes(seconds) }));
      clearInterval(this.#timer);
      say(left, t("code.over"));
      this.dataset.over = "";
      return this.dispatchEvent(new Event("over"));
    };
    this.#timer = setInterval(tick, 1000);
    tick();
  }
}

customElements.define("qr-code", QRCode);
