// Requests for money that wait for the open customer: who, how much, for what, how long.
import { byID, el, say } from "../shared/dom.js";
import { minutes, money } from "../shared/money.js";
import { deliberate } from "../shared/press.js";
import { again } from "../shared/read.js";
import { EventStream } from "../shared/stream.js";
import { announce, attempt } from "../shared/view.js";

/** The requests above the phone; shown only behind the PIN. */
export class Requests {
  #api = null;
  #stream = null;
  /** The times that are left, by charge. */
  #timers = new Map();

  /** `now()` is the server's time in milliseconds. */
  constructor({ now }) {
    this.now = now;
    this.section = byID("requests");
    this.list = byID("requests-list");
    this.problem = byID("requests-problem");
    setInterval(() => this.#countDown(), 1000);
  }

  /** Shows the requests to whom the token belongs, and hears of further ones. */
  unlock(api) {
    if (api !== this.#api) {
      this.lock();
      this.#api = api;
      this.#stream = new EventStream(api, "/v1/notices/events", {
        heard: ({ event }) => event === "notice" && this.#read(),
        changed: (state) => state === "live" && this.#read(),
        // The device tells of the session's end.
        refused: () => {},
      });
    }
    this.#read();
  }

  lock() {
    this.#api = null;
    this.#stream?.close();
    this.#stream = null;
    say(this.problem, "");
    this.#draw([]);
  }

  wake() {
    this.#stream?.wake();
  }

  #read = again(async () => {
    const api = this.#api;
    if (!api) return;
    try {
      const { charges } = (await api.call("GET", "/v1/charges?state=requested&limit=100")).body;
      if (api === this.#api) this.#draw(charges.reverse());
    } catch (error) {
      // The next notice or connection reads them again.
      if (error.isPassing === undefined) throw error;
    }
  });

  /** Adds and removes rows: one that is there stays under the finger. */
  #draw(charges) {
    for (const [charge, { row }] of this.#timers) {
      if (charges.some((one) => one.charge === charge)) continue;
      row.remove();
      this.#timers.delete(charge);
    }
    for (const one of charges) {
      if (this.#timers.has(one.charge)) continue;
      this.list.append(this.#row(one));
      announce(`${one.merchantName} asks for ${money(one.amount)}`);
    }
    this.section.hidden = this.#timers.size === 0 && this.problem.textContent === "";
    this.#countDown();
  }

  #row(one) {
    const { charge, merchantName, amount, memo, expires } = one;
    const left = el("span", { class: "detail number" });
    const approve = el("button", { type: "button", class: "primary",
      click: () => this.#answer(approve, one, "approval", { amount }) }, `Approve ${money(amount)}`);
    const decline = el("button", { type: "button", click: () => this.#answer(decline, one, "decline") }, "Decline");
    const row = el("li", { class: "request", "data-request": charge },
      el("p", { class: "what" }, `${merchantName} asks for ${money(amount)}`),
      memo && el("p", {}, memo), left,
      el("p", { class: "buttons" }, approve, decline));
    this.#timers.set(charge, { row, left, expires: Date.parse(expires) });
    return deliberate(row);
  }

  /** Both answers are the charge's own: a repeat pays nothing twice. */
  async #answer(button, { charge, merchantName, amount }, what, body) {
    const api = this.#api;
    const isDone = await attempt(button, this.problem, async () => {
      await api.insist("POST", `/v1/charges/${charge}/${what}`, body);
      return true;
    }, { moves: what === "approval" });
    if (isDone) announce(what === "approval" ? `Paid ${money(amount)} to ${merchantName}` : `Declined: nothing was paid to ${merchantName}`);
    this.section.hidden = false;
    await this.#read();
  }

  #countDown() {
    for (const { left, expires } of this.#timers.values()) {
      const seconds = Math.max(0, Math.ceil((expires - this.now()) / 1000));
      say(left, seconds ? `Open for ${minutes(seconds)}` : "Over: nothing was paid");
    }
  }
}
