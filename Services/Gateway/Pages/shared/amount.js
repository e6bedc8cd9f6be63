// <money-amount>: a sum of money. Set `sum` to `{amount, currency}`; `data-signed` shows a plus, `data-size="large"` a
// balance.
import { money, signedMoney } from "./money.js";

class MoneyAmount extends HTMLElement {
  set sum(sum) {
    this.textContent = this.hasAttribute("data-signed") ? signedMoney(sum) : money(sum);
  }
}

customElements.define("money-amount", MoneyAmount);

/** A sum as an element: `signed` shows a plus, `size` is `large` for a balance. */
export function amount(sum, { signed = false, size } = {}) {
  const element = document.createElement("money-amount");
  if (signed) element.dataset.signed = "";
  if (size) element.dataset.size = size;
  element.sum = sum;
  return element;
}
