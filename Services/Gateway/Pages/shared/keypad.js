// <key-pad>: digits for a field, by pointer or by keyboard. Attributes: `for` is the field's id, `point` adds the
// decimal point (its text is typed), `keys-max` limits what is typed.
import { byID, el } from "./dom.js";
import { t } from "./text.js";

class KeyPad extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", t("keypad"));
    const point = this.getAttribute("point");
    const keys = [..."123456789", point ?? "", "0", "delete"];
    this.append(...keys.map((key) =>
      key === ""
        ? el("span")
        : el("button", {
            type: "button", class: "key",
            "aria-label": key === "delete" ? t("key.delete") : key === point ? t("key.point") : null,
            click: () => this.press(key),
          }, key === "delete" ? "⌫" : key)));
  }

  /** Types a digit or the point, or deletes with `delete`. */
  press(key) {
    const field = byID(this.getAttribute("for"));
    const max = Number(this.getAttribute("keys-max") ?? 12);
    if (key === "delete") field.value = field.value.slice(0, -1);
    else if (field.value.length < max) field.value += key;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}

customElements.define("key-pad", KeyPad);

/** Keys for the field of that id; with `point` for amounts. */
export const keypad = (id, { point, max } = {}) => el("key-pad", { for: id, point, "keys-max": max });
