// The phone: draws a device's display, and turns clicks and keys into its touches.
import { cellAt, cellsOf, nearest } from "./cells.js";
import { byID, el, say } from "../shared/dom.js";
import { minutes, money } from "../shared/money.js";
import { blocksOf, forPeople, hindrances, spoken, titleOf } from "./screens.js";

/** After how long without an answer the page says that it waits for one. */
const slowMilliseconds = 1000;

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Phone {
  #device = null;
  /** The display that is drawn. */
  #shown = null;
  #cells = [];
  #blocks = new Map();
  /** Buttons whose touches wait for their answers, with these touches' ids. */
  #pressed = new Map();
  /** What the page itself has to say, until the next touch. */
  #remark = null;
  /** What the display says is of before the last touch, and has been read. */
  #isNoteOld = false;
  /** When the next PIN is looked at, in milliseconds: it counts on while the next one is typed. */
  #nextPIN = 0;
  /** The payment whose receipt has made way for the next code. */
  #coded = null;
  #listening = new AbortController();

  /** `page` has `showReceipt(receipt)`, `whereabouts(changed)`, and `now()`, the server's time. */
  constructor(page) {
    this.page = page;
    this.root = byID("phone");
    this.grid = byID("grid");
    this.heading = byID("screen");
    this.topLeft = byID("top-left");
    this.topRight = byID("top-right");
    this.menu = [...byID("menu").querySelectorAll("button")];
    onClick(this.topLeft, (event) => this.#pressOnce(event, (device) => device.topLeft()));
    onClick(this.topRight, (event) => this.#pressOnce(event, (device) => device.topRight()));
    this.menu.forEach((button, index) => {
      onClick(button, () => this.#press(button, (device) => device.menu(index + 1)));
    });
    onClick(byID("stop"), () => this.#device?.giveUp());
    onClick(this.grid, (event) => this.#touchBare(event));
    document.addEventListener("keydown", (event) => this.#key(event));
    // Enter that is held would press a button again and again, and each press of Pay is a payment.
    document.addEventListener("keydown", (event) => event.repeat && event.key === "Enter" && event.preventDefault(), { capture: true });
    setInterval(() => this.#tick(), 250);
  }

  /** Shows a device from now on; without one, nothing of the last one stays. */
  attach(device) {
    this.#listening.abort();
    this.#listening = new AbortController();
    this.#device = device;
    this.#pressed.clear();
    this.#remark = null;
    this.#nextPIN = 0;
    this.#coded = null;
    if (!device) return this.#clear();
    const { signal } = this.#listening;
    device.addEventListener("display", () => this.#draw(), { signal });
    device.addEventListener("waiting", () => this.#drawWaiting(), { signal });
    device.addEventListener("told", ({ detail }) => this.remark(detail.words, detail), { signal });
    if (device.display) this.#draw();
    this.#drawWaiting();
  }

  /** Says something of the page's own; `isError` unless it is good news. */
  remark(words, { isError = true } = {}) {
    this.#remark = { words, isError };
    this.#drawNote();
  }

  focus() {
    this.heading.focus({ preventScroll: true });
  }

  // MARK: Drawing

  #draw() {
    const display = this.#device.display;
    const before = this.#shown;
    this.#shown = display;
    this.#isNoteOld = false;
    const isNew = display.screen !== before?.screen;
    const focused = document.activeElement;

    const title = titleOf(display.screen);
    if (display.nextPin) this.#nextPIN = Date.parse(display.nextPin);
    say(this.heading, title);
    document.title = `${title} · Billfold`;
    this.root.dataset.screen = display.screen;
    drawCorner(this.topLeft, display.topLeft, false);
    drawCorner(this.topRight, display.topRight, isNextStep(display));
    this.#drawMenu(display);
    this.#drawCells(display, isNew);
    this.#drawFields(display);
    this.#drawPay(display);
    this.#drawBlocks(display, isNew);
    this.#tick();
    if (isNew && this.root.getBoundingClientRect().top < 0) this.root.scrollIntoView();

    // Whoever stood on something that has gone stands on the new screen's name.
    const isLost = !focused.isConnected || focused.hidden || focused.disabled;
    const movesFocus = isLost && !document.querySelector("dialog[open]");
    if (movesFocus) this.focus();
    const words = spoken(display, before);
    if (words) say(byID("announcer"), isNew && !movesFocus ? `${title}. ${words}` : words);
  }

  #clear() {
    this.#shown = null;
    for (const { element } of [...this.#cells, ...this.#blocks.values()]) element.remove();
    this.#cells = [];
    this.#blocks.clear();
    this.heading.textContent = "Starting …";
    byID("announcer").textContent = "";
    drawCorner(this.topLeft, "", false);
    drawCorner(this.topRight, "", false);
    this.#drawMenu({ menu: [], menuActive: false });
    this.#drawNote();
  }

  #drawMenu({ screen, menu, menuActive }) {
    this.menu.forEach((button, index) => {
      say(button, menu[index] ?? "");
      button.disabled = !menuActive;
      if (menuOf(screen) === index + 1) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  #drawCells(display, isNew) {
    if (!isNew) return;
    for (const { element } of this.#cells) element.remove();
    this.#cells = cellsOf(display).map((cell) => ({ ...cell, element: this.#cellElement(cell) }));
    this.grid.prepend(...this.#cells.map(({ element }) => element));
  }

  #cellElement(cell) {
    const { x, y, width, only, label, isKey, sum, payee } = cell;
    const isRow = width > 1;
    const isPay = label === "Pay";
    let element;
    if (label === "_") {
      // It does nothing: there to be seen only, and a touch of it is one of the bare grid.
      element = el("span", { class: "key", "aria-hidden": "true" }, label);
    } else {
      element = el("button", {
        type: "button", "data-x": only ?? x, "data-y": y, "data-label": label,
        class: isKey ? "key" : `cell ${isRow ? "row" : "single"}${isPay ? " primary" : ""}`,
        "aria-label": isKey && label === "X" ? "X, delete the last digit" : null,
        click: (event) => this.#touchCell(event, cell),
      }, el("span", { class: "what" }, isPay && sum ? `${label} ${money(sum)}` : label),
      payee && el("span", { class: "to" }, `to ${payee}`),
      sum && !isPay && el("span", { class: "sum" }, money(sum)));
    }
    element.style.gridArea = `${y} / ${x} / auto / span ${width}`;
    return element;
  }

  /** Pay is disabled where it cannot pay, and says why; the server decides. */
  #drawPay({ payAmount, payHindrance }) {
    const element = payAmount && this.#cells.find((cell) => cell.label === "Pay")?.element;
    if (!element) return;
    element.classList.toggle("primary", !payHindrance);
    element.toggleAttribute("data-hindered", Boolean(payHindrance));
    if (payHindrance) {
      element.setAttribute("aria-disabled", "true");
      element.setAttribute("aria-describedby", "hindrance");
    } else {
      element.removeAttribute("aria-disabled");
      element.removeAttribute("aria-describedby");
    }
  }

  /** The fields of a new card stand in the cells that choose between them. */
  #drawFields({ fields = [] }) {
    for (const { label, digits, digitsMax, focused } of fields) {
      const { element } = this.#cells.find((cell) => cell.label === label);
      element.classList.add("field");
      element.classList.toggle("focused", focused);
      element.setAttribute("aria-pressed", String(focused));
      const groups = digits.padEnd(digitsMax, "·").match(/.{4}/g);
      element.replaceChildren(
        el("span", { class: "label" }, `${label} `, el("span", { class: "count" }, `${digits.length} of ${digitsMax}`)),
        el("span", { class: "digits" }, groups.map((group) => el("span", {}, group))));
    }
  }

  #drawBlocks(display, isNew) {
    const blocks = blocksOf(display, {
      barCode: (code) => this.#barCode(code),
      renewCode: () => this.#device.refresh(),
      showReceipt: (receipt) => this.page.showReceipt(receipt),
      showsCode: display.receipt?.operation === this.#coded,
      showCode: () => {
        this.#coded = this.#shown.receipt?.operation ?? null;
        this.#drawBlocks(this.#shown, false);
        this.#tick();
        this.grid.querySelector(".block-code button")?.focus();
      },
      menu: (slot) => this.menu[slot - 1].click(),
      whereabouts: () => this.page.whereabouts(() => this.topRight.click()),
      isDemo: this.#device.isDemo,
    });
    const names = blocks.map(({ name }) => name);
    for (const [name, { element }] of this.#blocks) {
      if (!isNew && names.includes(name)) continue;
      element.remove();
      this.#blocks.delete(name);
    }
    for (const { name, rows, columns, data, draw } of blocks) {
      const drawn = JSON.stringify(data);
      const there = this.#blocks.get(name);
      if (there?.drawn === drawn) continue;
      const element = there?.element ?? el("div", { class: `block block-${name}` });
      element.style.gridArea = `${rows[0]} / ${columns[0]} / ${rows[1] + 1} / ${columns[1] + 1}`;
      element.replaceChildren(...draw().filter(Boolean));
      if (!there) this.grid.append(element);
      this.#blocks.set(name, { drawn, element });
    }
  }

  #drawNote() {
    const [first] = this.#device?.waiting ?? [];
    const isSlow = first && Date.now() - first.since > slowMilliseconds;
    const waits = first?.tries > 0 ? `${first.trouble} Trying again: it counts once.` : isSlow ? "Sent. Waiting for the answer …" : "";
    const said = this.#isNoteOld ? {} : { error: this.#shown?.error, notice: this.#shown?.notice };
    if (this.#remark) {
      const { words, isError } = this.#remark;
      Object.assign(said, { error: isError ? words : "", notice: isError ? "" : words });
    }
    if (waits) Object.assign(said, { error: "", notice: waits });
    say(byID("error"), forPeople(said.error));
    say(byID("notice"), forPeople(said.notice));
    byID("notice").classList.toggle("waiting", Boolean(waits));
    byID("stop").hidden = !waits;
  }

  #drawWaiting() {
    const { waiting } = this.#device;
    for (const [button, id] of this.#pressed) {
      if (waiting.some(({ touchId }) => touchId === id)) continue;
      button.removeAttribute("aria-busy");
      this.#pressed.delete(button);
    }
    this.root.dataset.waiting = waiting.length;
    this.#drawNote();
  }

  // MARK: Touches

  /** Sends an input at once; the button is busy until its answer. */
  #press(button, send) {
    if (!this.#device) return;
    this.#remark = null;
    // Should the answer say the same again, it is news again.
    this.#isNoteOld = true;
    if (!send(this.#device)) {
      const { isOver, display } = this.#device;
      const why = isOver || !display ? "The app is being started." : "Too many touches are waiting.";
      return this.remark(`${why} This touch was not sent.`);
    }
    const sent = this.#device.waiting.at(-1);
    if (!sent) return;
    this.#pressed.set(button, sent.touchId);
    button.setAttribute("aria-busy", "true");
  }

  /** A command is given once: not by the second half of a double click, nor again while it waits. */
  #pressOnce({ detail, currentTarget: button }, send) {
    if (detail <= 1 && !this.#pressed.has(button)) this.#press(button, send);
  }

  /** In a row of three that mean the same, the pointer tells which of them is touched; the keyboard touches the middle. */
  #touchCell(event, { x, y, width, only, isKey }) {
    if (event.currentTarget.getAttribute("aria-disabled")) return say(byID("announcer"), hindrances[this.#shown.payHindrance]);
    const isByPointer = event.detail > 0;
    const middle = x + Math.floor(width / 2);
    const column = only ?? (isByPointer && width > 1 ? (cellAt(event, this.grid)?.x ?? middle) : middle);
    const send = (device) => device.touch(column, y);
    if (isKey) this.#press(event.currentTarget, send);
    else this.#pressOnce(event, send);
  }

  /** A touch beside all buttons: it is sent too, and means nothing (A8). */
  #touchBare(event) {
    const isWords = !getSelection().isCollapsed;
    const cell = cellAt(event, this.grid);
    if (event.target.closest("button, a") || isWords || !cell || !this.#device) return;
    const mark = el("span", { class: "mark", animationend: () => mark.remove() });
    mark.style.gridArea = `${cell.y} / ${cell.x}`;
    this.grid.append(mark);
    this.#device.touch(cell.x, cell.y);
  }

  // MARK: The pay code

  #barCode(code) {
    const image = el("img", {
      class: "bar-code", alt: "Bar code of your pay code, for the merchant’s scanner", width: 240, height: 240,
    });
    const device = this.#device;
    device.barCode().then((svg) => {
      // An answer for a code that has gone meanwhile is of no use.
      if (device.display.payCode?.code !== code) return;
      if (svg) image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      else image.alt = "The bar code cannot be shown now.";
    });
    return image;
  }

  /** Draws anew the times that are left, and how long a touch has waited. */
  #tick() {
    this.#drawNote();
    this.#countDownCode();
    const wait = byID("pin-wait");
    const seconds = this.#secondsUntil(this.#nextPIN);
    if (wait) say(wait, seconds ? `The next PIN counts in ${minutes(seconds)}.` : "");
  }

  #countDownCode() {
    const code = this.#shown?.payCode;
    const [expiry, expired] = [byID("expiry"), this.grid.querySelector(".expired")];
    if (!code || !expiry) return;
    const seconds = this.#secondsUntil(Date.parse(code.expires));
    say(expiry, seconds ? `Valid for ${minutes(seconds)}` : "Expired");
    expiry.classList.toggle("soon", seconds <= 10);
    if (expired) expired.hidden = seconds > 0;
  }

  #secondsUntil(time) {
    return Math.max(0, Math.ceil((time - this.page.now()) / 1000));
  }

  // MARK: Keys

  #key(event) {
    const { target, ctrlKey, metaKey, repeat } = event;
    if (!this.#device || this.root.closest("[hidden]") || document.querySelector("dialog[open]")) return;
    if (target !== document.body && !this.root.contains(target)) return;
    if (!ctrlKey && !metaKey && !repeat && this.#take(event)) event.preventDefault();
  }

  /** Whether the key means something here. */
  #take({ key, code, altKey, target }) {
    if (altKey) {
      const slot = Number(/^Digit([1-5])$/.exec(code)?.[1]);
      if (slot) this.menu[slot - 1].click();
      return Boolean(slot);
    }
    if (/^[0-9]$/.test(key)) return this.#clickKey(key);
    if (key === "Backspace") return this.#clickKey("X");
    if (key === "Escape") {
      const isWayBack = ["Back", "Cancel"].includes(this.topLeft.textContent);
      if (isWayBack) this.topLeft.click();
      return isWayBack;
    }
    if (directions[key]) this.#walk(target, directions[key]);
    return key in directions;
  }

  #clickKey(label) {
    const cell = this.#cells.find((cell) => cell.isKey && cell.label === label);
    cell?.element.click();
    return Boolean(cell);
  }

  /** From button to button: the corners are above the grid, the menus below it. */
  #walk(from, direction) {
    const buttons = [...this.root.querySelectorAll("button:enabled")].filter((button) => button.offsetParent);
    const first = this.grid.querySelector("button") ?? buttons[0];
    (buttons.includes(from) ? nearest(from, buttons, direction) : first)?.focus();
  }
}

const onClick = (element, act) => element.addEventListener("click", act);

function drawCorner(button, label, isPrimary) {
  say(button, label ?? "");
  button.hidden = !label;
  button.classList.toggle("primary", isPrimary);
}

/** The menu from which a screen is reached. */
function menuOf(screen) {
  switch (screen) {
    case "Payment Setup": return 2;
    case "Rewards Setup": return 3;
    case "Find Starbucks": return 4;
    case "Settings Screen":
    case "Add Card Screen": return 5;
    default: return screen?.startsWith("My Cards") ? 1 : null;
  }
}

/** Whether the top right command is the one thing to do here. */
function isNextStep({ topRight, fields, paymentsEnabled, rewards, stores }) {
  switch (topRight) {
    case "Add": return fields.every(({ digits, digitsMax }) => digits.length === digitsMax);
    case "Enable": return paymentsEnabled === false;
    case "Join": return rewards?.joined === false;
    case "Search": return !stores;
    default: return false;
  }
}
