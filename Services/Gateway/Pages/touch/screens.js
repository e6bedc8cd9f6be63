// What stands on each screen besides its buttons: blocks that lie on the grid.
//
// A block is `{name, rows, columns, data, draw}`; `rows` and `columns` are its first and last ones. It is drawn anew
// only when its `data` differ, so that what stays the same keeps its focus, its selection and its place.
import { el } from "../shared/dom.js";
import { money, signedMoney, when, whenExactly } from "../shared/money.js";

/** By Screen Name. `page` has what the phone does for them: `barCode`, `renewCode`, `showReceipt`. */
const screens = {
  "Pin Screen": ({ words, passcode }) => [
    block("passcode", [1, 4], { prompt: words.split("\n")[0], passcode }, passcodeEcho),
  ],
  "My Cards - Main": ({ words, card }) => [
    block("balance", [1, 2], words, (balance) => [label("Balance"), el("output", { class: "balance" }, balance)]),
    block("pocket", [5, 8], card?.lastFour ?? null, pocket),
  ],
  "My Cards - Pay": (display, page) => {
    const { words, card = null, payCode: code = null, receipt = null } = display;
    return [
      block("scan", [1, 1], { words, code }, () => [
        large(words), code && el("p", { class: "detail", id: "expiry", role: "timer" }),
      ]),
      block("balance", [3, 3], card, () => card && [
        label(`Card ${card.lastFour}`), el("output", { class: "sum" }, money(card.balance)),
      ], [1, 2]),
      block("code", [4, 8], { code: code?.code, receipt }, () => [
        receipt && slip(receipt, page), code ? scannable(code.code, page) : noCode(),
      ]),
    ];
  },
  "My Cards - Options": (display) => [cardBlock([1, 2], display), wordsBlock([3, 4], display, quiet)],
  "My Cards - More Options": (display) => [
    cardBlock([1, 2], display),
    wordsBlock([3, 4], display, quiet),
    block("transactions", [8, 8], display.transactions ?? null, transactionList),
  ],
  "Payment Setup": (display) => [
    wordsBlock([1, 1], display), block("enabled", [2, 4], display.paymentsEnabled ?? null, paymentState),
  ],
  "Rewards Setup": (display) => [
    wordsBlock([1, 1], display), block("rewards", [2, 4], display.rewards ?? null, stars),
  ],
  "Find Starbucks": (display) => [
    wordsBlock([1, 1], display), block("stores", [2, 8], display.stores ?? null, storeList),
  ],
  "Settings Screen": (display) => [
    wordsBlock([1, 1], display, quiet),
    block("default-card", [3, 4], display.card ?? null, (card) => card && [
      label("The card that pays"),
      el("p", { class: "one-line" },
        el("span", {}, `Card ${card.lastFour}`), el("span", { class: "sum" }, money(card.balance))),
    ]),
  ],
  "Add Card Screen": (display) => [wordsBlock([1, 2], display)],
};

/** A screen that this page does not know: its lines, as they are. */
const anyScreen = ({ lines }) => [block("lines", [1, 8], lines, () => lines.map((line) => el("p", {}, line)))];

export const blocksOf = (display, page) => (screens[display.screen] ?? anyScreen)(display, page);

// MARK: Blocks

const block = (name, rows, data, draw, columns = [1, 3]) => ({
  name, rows, columns, data, draw: () => draw(data) || [],
});

const large = (words) => el("p", { class: "words large" }, words);
const quiet = (words) => el("p", { class: "words quiet" }, words);
const label = (words) => el("p", { class: "label" }, words);
const detail = (words) => el("p", { class: "detail" }, words);
const empty = (words) => el("p", { class: "empty" }, words);

const wordsBlock = (rows, { words }, style = large) => block("words", rows, words, () => [style(words)]);

const cardBlock = (rows, { card = null }) => block("card", rows, card, () => card && [
  label(`Card ${card.lastFour}`), el("output", { class: "balance" }, money(card.balance)),
]);

/** How many digits have been entered, never which. */
const passcodeEcho = ({ prompt, passcode }) => [
  large(prompt),
  el("div", { class: "digits-entered", role: "img", "aria-label": `${passcode} of 4 digits entered` },
    [0, 1, 2, 3].map((index) => el("span", { class: index < passcode ? "digit filled" : "digit" }))),
];

/** The billfold itself. */
const pocket = (lastFour) => [
  el("div", { class: "pocket" },
    lastFour === null
      ? empty("Your card will appear here. Add one: Settings, then Add Starbucks Cards.")
      : el("p", { class: "card-face" }, el("span", {}, "Card"), el("span", { class: "number" }, `•••• ${lastFour}`)),
    el("div", { class: "leather" }, el("span", { class: "stitch" }))),
];

const slip = (receipt, page) => el("div", { class: "slip" },
  el("p", { class: "what" }, "Paid", el("span", { class: "sum" }, money(receipt.amount))),
  detail(`Card ${receipt.lastFour}, ${when(receipt.time)}`),
  el("button", { type: "button", class: "quiet", click: () => page.showReceipt(receipt) }, "Receipt"));

const scannable = (code, page) => el("figure", { class: "scannable" },
  page.barCode(code),
  el("div", { class: "expired", hidden: true },
    el("p", {}, "This code has expired."),
    el("button", { type: "button", class: "primary", click: () => page.renewCode() }, "New code")));

const noCode = () => empty("A code for the merchant’s scanner appears here when there is a card that may pay.");

function transactionList(transactions) {
  if (!transactions) return [empty("Recent transactions appear here once you ask for them.")];
  if (transactions.length === 0) return [empty("Nothing has moved on this card yet.")];
  return [el("ul", { class: "list", "aria-label": "Recent transactions" }, transactions.map(transactionRow))];
}

const transactionRow = ({ kind, amount, balance, time }) => el("li", {},
  el("span", { class: "what" }, kind),
  el("span", { class: "sum" }, signedMoney(amount)),
  el("span", { class: "detail" }, el("time", { datetime: time, title: whenExactly(time) }, when(time))),
  el("span", { class: "detail sum-detail" }, `Balance ${money(balance)}`));

function paymentState(enabled) {
  if (enabled === null) return [empty("Whether payments are on is not known now.")];
  return enabled
    ? [state("on", "Payments are on"), detail("Your card pays at a touch, or when a merchant scans your code.")]
    : [state("off", "Payments disabled"), detail("Nobody can take money from your cards until you enable payments.")];
}

const state = (name, ...children) => el("p", { class: `state ${name}` }, ...children);

function stars(rewards) {
  if (!rewards) return [detail("There are no stars to show here now.")];
  if (!rewards.joined) return [state("off", "Not joined"), detail("Join, and every payment brings a star.")];
  const count = el("span", { class: "balance" }, String(rewards.stars));
  return [state("on", count, rewards.stars === 1 ? " star" : " stars"), detail("Every payment brings a star.")];
}

function storeList(stores) {
  if (!stores) return [empty("Stores near you appear here after Search.")];
  return stores.length === 0 ? [empty("No stores near you.")] : [el("ul", { class: "list" }, stores.map(storeRow))];
}

const storeRow = ({ name, distanceMetres: metres }) => el("li", {},
  el("span", { class: "what" }, name),
  el("span", { class: "sum" }, metres < 1000 ? `${metres} m` : `${(metres / 1000).toFixed(1)} km`));

// MARK: Speech

/** What to say when a screen has come, or has changed: short, and never a digit of a PIN or of a new card. */
export function spoken(display, before) {
  const isNew = display.screen !== before?.screen;
  const { words, passcode, fields, card, transactions, stores } = display;
  if (passcode !== undefined) {
    if (isNew) return "Enter Pin";
    return passcode !== before.passcode && passcode > 0 ? `${passcode} of 4 digits` : "";
  }
  if (display.screen === "My Cards - Main") {
    const isSame = !isNew && words === before.words;
    return isSame ? "" : [`Balance ${words}`, card && `card ${card.lastFour}`].filter(Boolean).join(", ");
  }
  if (isNew) return words;
  if (fields) return spokenField(fields.find(({ focused }) => focused), before.fields);
  if (transactions && !before.transactions) return `${transactions.length} recent transactions`;
  if (stores && !before.stores) return `${stores.length} stores`;
  const isMoved = card && before.card && card.balance.amount !== before.card.balance.amount;
  return isMoved ? `Balance ${money(card.balance)}` : "";
}

function spokenField({ label: name, digits, digitsMax }, before) {
  const previous = before.find((field) => field.label === name);
  const isSame = previous.focused && previous.digits === digits;
  return isSame ? "" : `${name}, ${digits.length} of ${digitsMax} digits`;
}
