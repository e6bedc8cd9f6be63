// Payments that have been made, and their receipts.
import { byID, el } from "../shared/dom.js";
import { money, negative, when, whenExactly } from "../shared/money.js";

const shownMax = 10;
/** How many receipts were shown: a late answer is of an earlier one. */
let shown = 0;

/** The list beside the phone; read anew whenever money may have moved, and shown only behind the PIN. */
export class Payments {
  #api = null;
  #isReading = false;
  #isStale = false;
  #listed = "";

  constructor() {
    this.list = byID("payments");
    this.empty = byID("payments-empty");
  }

  /** Shows the payments of whom the token belongs to. */
  unlock(api) {
    this.#api = api;
    this.read();
  }

  lock() {
    this.#api = null;
    this.#draw([]);
    this.empty.textContent = "Payments appear here once the Pin has been entered.";
  }

  async read() {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale && this.#api) {
        this.#isStale = false;
        const api = this.#api;
        const { charges } = (await api.call("GET", `/v1/history?limit=${shownMax}`)).body;
        if (api === this.#api) this.#draw(charges);
      }
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      // The list stays as it was; the next change or connection reads it again.
      this.empty.textContent = "Your payments cannot be read now: newer ones may be missing here.";
      this.empty.hidden = false;
    } finally {
      this.#isReading = false;
    }
  }

  #draw(charges) {
    const listed = JSON.stringify(charges);
    this.empty.hidden = charges.length > 0;
    this.list.hidden = charges.length === 0;
    this.empty.textContent = "Payments appear here, newest first. To make one, choose Pay on My Cards - Main.";
    if (listed === this.#listed) return;
    this.#listed = listed;
    const focused = document.activeElement?.closest?.("#payments [data-charge]")?.dataset.charge;
    this.list.replaceChildren(...charges.map((charge) => this.#row(charge)));
    if (focused) this.list.querySelector(`[data-charge="${focused}"]`)?.focus();
  }

  #row({ charge, merchantName, amount, decided, requested, refunded }) {
    const time = decided ?? requested;
    const back = refunded.amount > 0 && `, ${money(refunded)} paid back`;
    const open = () => this.#open(charge);
    return el("li", {}, el("button", { type: "button", class: "item", "data-charge": charge, click: open },
      el("span", { class: "what" }, merchantName),
      el("span", { class: "sum" }, money(negative(amount))),
      el("span", { class: "detail" }, el("time", { datetime: time }, when(time)), back),
      el("span", { class: "detail sum-detail" }, "Receipt")));
  }

  async #open(charge) {
    const api = this.#api;
    showReceipt([["Receipt", charge]], "Reading the receipt …");
    const own = shown;
    const answered = (...parts) => own === shown && api === this.#api && byID("receipt").open && showReceipt(...parts);
    try {
      const receipt = (await api.call("GET", `/v1/receipts/${charge}`)).body;
      answered([
        ["Paid", money(receipt.amount)],
        ["To", receipt.merchantName],
        ["Time", whenExactly(receipt.time)],
        ["For", receipt.memo],
        ["Balance afterwards", money(receipt.cardBalance)],
        ["Entry in the ledger", String(receipt.entry)],
        ["Receipt", receipt.charge],
      ]);
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      answered([["Receipt", charge]], `${error.words} The payment is not touched by that.`);
    }
  }
}

/** The receipt of the payment just made, as the phone has it. */
export const showTouchReceipt = ({ operation, amount, lastFour, balance, entry, time }) => showReceipt([
  ["Paid", money(amount)],
  ["Card", lastFour],
  ["Time", whenExactly(time)],
  ["Balance afterwards", money(balance)],
  ["Entry in the ledger", String(entry)],
  ["Operation", operation],
]);

/** Lines of name and value; a line without a value is left out. */
function showReceipt(lines, remark = "") {
  shown += 1;
  byID("receipt-lines").replaceChildren(...lines.filter(([, value]) => value).flatMap(([name, value]) => [
    el("dt", {}, name), el("dd", {}, value),
  ]));
  byID("receipt-remark").textContent = remark;
  byID("receipt-print").hidden = remark !== "";
  const dialog = byID("receipt");
  if (!dialog.open) dialog.showModal();
}

export const forgetReceipt = () => byID("receipt-lines").replaceChildren();

export function prepareReceipts() {
  byID("receipt-print").addEventListener("click", () => print());
}
