// Payments that have been made, and their receipts.
import { byID, el, say } from "../shared/dom.js";
import { money, negative, when, whenExactly } from "../shared/money.js";
import { again } from "../shared/read.js";
import { attempt } from "../shared/view.js";

const pageRows = 10;
/** How many receipts were shown: a late answer is of an earlier one. */
let shown = 0;

/** The list beside the phone; read anew whenever money may have moved, and shown only behind the PIN. */
export class Payments {
  #api = null;
  /** All that were read, newest first; `next` reads on behind them. */
  #charges = [];
  #next;
  #listed = "";

  constructor() {
    this.list = byID("payments");
    this.empty = byID("payments-empty");
    this.problem = byID("payments-problem");
    this.more = byID("payments-more");
    this.more.addEventListener("click", () => attempt(this.more, this.problem, () => this.#readOlder()));
  }

  /** Shows the payments of whom the token belongs to. */
  unlock(api) {
    this.#api = api;
    this.read();
  }

  lock() {
    this.#api = null;
    this.#draw([], undefined);
    this.empty.textContent = "Payments appear here once the PIN has been entered.";
  }

  read = again(async () => {
    const api = this.#api;
    if (!api) return;
    try {
      const { charges, next } = (await api.call("GET", `/v1/history?limit=${pageRows}`)).body;
      if (api === this.#api) this.#begin(charges, next);
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      // The list stays as it was; the next change or connection reads it again.
      say(this.problem, "Your payments cannot be read now: newer ones may be missing here.");
    }
  });

  /** Takes the newest ones; older ones that were asked for stay behind them, unless others lie between. */
  #begin(charges, next) {
    const last = this.#charges.length <= pageRows ? -1 : this.#charges.findIndex(({ charge }) => charge === charges.at(-1)?.charge);
    const older = last < 0 ? [] : this.#charges.slice(last + 1);
    this.#draw([...charges, ...older], older.length > 0 ? this.#next : next);
  }

  async #readOlder() {
    const [api, after] = [this.#api, this.#next];
    const { charges, next } = (await api.insist("GET", `/v1/history?limit=${pageRows}&before=${after}`)).body;
    if (api === this.#api && after === this.#next) this.#draw([...this.#charges, ...charges], next);
  }

  #draw(charges, next) {
    this.#charges = charges;
    this.#next = next;
    this.more.hidden = next === undefined;
    say(this.problem, "");
    const listed = JSON.stringify(charges);
    this.empty.hidden = charges.length > 0;
    this.list.hidden = charges.length === 0;
    this.empty.textContent = "Payments appear here, newest first. To make one, choose Pay under Cards.";
    if (listed === this.#listed) return;
    this.#listed = listed;
    const focused = document.activeElement?.closest?.("#payments [data-charge]")?.dataset.charge;
    this.list.replaceChildren(...charges.map((charge) => this.#row(charge)));
    if (focused) this.list.querySelector(`[data-charge="${focused}"]`)?.focus();
  }

  #row({ charge, merchantName, amount, decided, requested, refunded }) {
    const time = decided ?? requested;
    const back = refunded.amount > 0 && `, ${money(refunded)} paid back`;
    const open = () => this.#open(charge, { refunded });
    return el("li", {}, el("button", { type: "button", class: "item", "data-charge": charge, click: open },
      el("span", { class: "what" }, merchantName),
      el("span", { class: "sum" }, money(negative(amount))),
      el("span", { class: "detail" }, el("time", { datetime: time }, when(time)), back),
      el("span", { class: "detail sum-detail" }, "Receipt")));
  }

  /** Shows a receipt; the lines `known` stand there until the whole one has been read. */
  async #open(charge, { known = [], refunded }) {
    const api = this.#api;
    const id = ["Receipt", charge];
    showReceipt([...known, id], "Reading the receipt …");
    const own = shown;
    const answered = (...parts) => own === shown && api === this.#api && byID("receipt").open && showReceipt(...parts);
    try {
      const receipt = (await api.call("GET", `/v1/receipts/${charge}`)).body;
      answered([
        ["Paid", money(receipt.amount)],
        ["To", receipt.merchantName],
        ["Time", whenExactly(receipt.time)],
        ["For", receipt.memo],
        ["Discount", receipt.discount && money(receipt.discount)],
        ["Paid back", refunded?.amount > 0 && money(refunded)],
        ["Balance afterwards", money(receipt.cardBalance)],
        ["Entry in the ledger", String(receipt.entry)],
        id,
      ]);
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      answered([...known, id], `${error.words} The payment is not touched by that.`);
    }
  }

  /** The receipt of the payment just made: its operation is the charge. */
  openTouched({ operation, amount, lastFour, balance, time }) {
    this.#open(operation, { known: [
      ["Paid", money(amount)],
      ["Card", lastFour],
      ["Time", whenExactly(time)],
      ["Balance afterwards", money(balance)],
    ] });
  }
}

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
