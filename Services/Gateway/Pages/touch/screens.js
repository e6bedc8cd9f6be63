// What stands on each screen besides its buttons: blocks that lie on the grid.
//
// A block is `{name, rows, columns, data, draw}`; `rows` and `columns` are its first and last ones. It is drawn anew
// only when its `data` differ, so that what stays the same keeps its focus, its selection and its place.
import { el } from "../shared/dom.js";
import { money, signedMoney, when, whenExactly } from "../shared/money.js";

const titles = {
  "Pin Screen": "Enter your PIN", "My Cards - Main": "Cards", "My Cards - Pay": "Pay", "My Cards - Options": "Options",
  "My Cards - More Options": "More options", "Payment Setup": "Payments", "Rewards Setup": "My Rewards",
  "Settings Screen": "Settings", "Add Card Screen": "Add a card",
};

/** A screen's title for people. */
export const titleOf = (screen) => titles[screen] ?? screen;

/** A line of the display in the words of this page: a PIN is a PIN, and a wait that is counted down stands once. */
export const forPeople = (line = "") => line.replace(/\bPin(s?)\b/g, "PIN$1").replace(/ Wait \d+ s$/, "");

/** Why a touch would pay nothing, and what to do. */
export const hindrances = {
  no_card: "There is no card to pay with. Add one under Settings.",
  payments_disabled: "Payments are off: nobody can take money from your cards. Turn them on under Payments.",
  insufficient_funds: "The balance is less than one touch pays. Reload the card: Cards, then Options.",
};

/** The cures that are one menu away: its slot, and what the button says. */
const cures = { no_card: [5, "Add a card"], payments_disabled: [2, "Payments"] };

/**
 * By Screen Name. `page` has what the phone does for them: `barCode`, `renewCode`, `showReceipt`, `showCode`, `menu`,
 * `whereabouts`; and `showsCode`, whether the receipt has made way for the code, and `isDemo`.
 */
const screens = {
  "Pin Screen": ({ passcode, error }, { isDemo }) => [
    block("passcode", [1, 4], { passcode, warns: !isDemo && error === "Invalid Pin" }, passcodeEcho),
  ],
  "My Cards - Main": ({ words, card = null }, page) => [
    block("card", [1, 2], { words, card }, () => [card ? cardFace(card) : noCard(words, page)]),
  ],
  "My Cards - Pay": (display, page) => {
    const { words, card = null, payCode: code = null, payee, receipt = null, payHindrance: hindrance } = display;
    const { showsCode } = page;
    return [
      block("scan", [1, 1], { words, code, card }, () => [
        el("div", {}, large(words), code && el("p", { class: "detail", id: "expiry", role: "timer" })),
        card && el("div", { class: "holds" }, label(`Card ${card.lastFour}`), el("output", { class: "sum" }, money(card.balance))),
      ]),
      block("code", [4, 8], { code: code?.code, receipt, hindrance, showsCode }, () => [
        hindrance && hindered(hindrance, page),
        receipt && !showsCode ? slip(receipt, payee, page) : code && scannable(code.code, page),
        !code && !hindrance && !receipt && noCode(),
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
  "Find Starbucks": (display, page) => [
    wordsBlock([1, 1], display), block("stores", [2, 8], display.stores ?? null, (stores) => storeList(stores, page)),
  ],
  "Settings Screen": (display) => [
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
const passcodeEcho = ({ passcode, warns }) => [
  el("div", { class: "digits-entered", role: "img", "aria-label": `${passcode} of 4 digits entered` },
    [0, 1, 2, 3].map((index) => el("span", { class: index < passcode ? "digit filled" : "digit" }))),
  el("p", { class: "detail", id: "pin-wait", role: "timer" }),
  warns && detail("From the fifth wrong PIN on you wait before the next one; the tenth locks it."),
];

const cardFace = ({ lastFour, balance }) => el("div", { class: "card-face" },
  el("span", { class: "wordmark" }, "Billfold"),
  el("output", { class: "balance" }, money(balance)),
  el("span", { class: "number" }, `•••• ${lastFour}`));

/** The place of the card: there is none, or nobody knows. */
const noCard = (balance, page) => el("div", { class: "card-face none" },
  el("output", { class: "balance" }, balance),
  ...(/^\$/.test(balance)
    ? [empty("Your card will appear here."), el("button", { type: "button", click: () => page.menu(5) }, "Add a card")]
    : [empty("Your card cannot be read now.")]));

const slip = (receipt, payee, page) => el("div", { class: "slip" },
  el("p", { class: "what" }, "Paid", el("span", { class: "sum" }, money(receipt.amount))),
  payee && el("p", { class: "to" }, `To ${payee}`),
  detail(`Card ${receipt.lastFour}, ${when(receipt.time)}`),
  detail(`Balance ${money(receipt.balance)}`),
  el("p", { class: "buttons" },
    el("button", { type: "button", click: () => page.showReceipt(receipt) }, "Receipt"),
    el("button", { type: "button", class: "quiet", click: () => page.showCode() }, "Show the code")));

const hindered = (hindrance, page) => {
  const [slot, words] = cures[hindrance] ?? [];
  return el("div", { class: "hindered" },
    el("p", { id: "hindrance" }, hindrances[hindrance]),
    slot && el("button", { type: "button", click: () => page.menu(slot) }, words));
};

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

function storeList(stores, page) {
  if (!stores) return [empty("Stores near you appear here after Search.")];
  if (stores.length === 0) return [empty("No store within 200 m was found."), page.whereabouts()];
  return [el("ul", { class: "list" }, stores.map(storeRow))];
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
    if (isNew) return "Four digits";
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
