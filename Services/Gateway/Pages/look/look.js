// The components with their states: how they look is compared here, and tested.
import { amount } from "../shared/amount.js";
import { NoAnswer, Problem } from "../shared/api.js";
import { categoryBoxes } from "../shared/categories.js";
import { choices } from "../shared/choices.js";
import "../shared/code.js";
import "../shared/connection.js";
import { byID, el, say } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { form } from "../shared/form.js";
import { keypad } from "../shared/keypad.js";
import "../shared/map.js";
import { money, parseAmount, usd } from "../shared/money.js";
import { preview } from "../shared/offer.js";
import { barPlot } from "../shared/plot.js";
import { pointPicker } from "../shared/position.js";
import { list, row } from "../shared/rows.js";
import { confirm, sheet } from "../shared/sheet.js";
import { addTexts, t } from "../shared/text.js";
import words from "../shared/words-app.js";

addTexts(words);

const part = (title, ...children) => el("section", { class: "part" }, el("h2", {}, title), ...children);
const state = (name) => {
  const element = el("stream-state", { "data-state": name });
  return element;
};

const shown = el("output", {}, "");
const typed = el("input", { id: "typed", class: "amount", inputmode: "decimal", "aria-label": "Amount",
  input: () => {
    const { amount: sum, problem } = parseAmount(typed.value);
    shown.replaceChildren(sum ? amount(sum) : t(`amount.${problem}`));
  } });

const refused = new Problem(402, { code: "wallet.insufficient_funds", title: "Insufficient funds", retry: "never" });
const unknown = new NoAnswer("No answer");
const code = el("qr-code");
const over = el("qr-code");
const map = el("place-map");
const answer = el("output", {}, "");

byID("main").replaceChildren(
  el("h1", {}, "Components"),
  el("div", { class: "parts" },
    part("Colours", el("div", { class: "swatches" },
      ...["paper", "surface", "ink", "accent", "amber", "refusal"].map((name) => el("span", { class: name }, name)))),
    part("Amounts",
      el("p", {}, amount(usd(123450), { size: "large" })),
      el("p", {}, amount(usd(1650)), " · ", amount(usd(-150)), " · ", amount(usd(1000), { signed: true }))),
    part("Buttons",
      el("p", { class: "buttons" }, el("button", { class: "primary" }, "Approve"), el("button", {}, "Decline"),
        el("button", { class: "danger" }, "Remove"), el("button", { class: "quiet" }, "More")),
      el("p", { class: "buttons" }, el("button", { class: "primary", "aria-busy": "true" }, "Paying …"),
        el("button", { disabled: true, title: "Why not" }, "Not now"), el("a", { class: "button", href: "#" }, "A link"))),
    part("Rows",
      list("Examples", [
        row({ what: "Coffee House", detail: "9:30 AM", sum: usd(-450), signed: true }),
        row({ what: "A row that leads on, with a name that is far too long for one line", detail: "240 m", href: "#rows" }),
        row({ what: "Refund", mark: "In part", detail: "Yesterday", sum: usd(150), signed: true, aside: "of $4.50" }),
      ]),
      list("Empty", [], "Payments appear here once you have made one.")),
    part("Keypad", typed, shown, keypad("typed", { point: "." })),
    part("Form", form({
      id: "example", action: "Send",
      fields: [
        { name: "username", label: t("username"), required: true, pattern: "[A-Za-z0-9._@+-]{1,64}" },
        { name: "email", label: "E-mail", type: "email", hint: "For a forgotten password" },
        { name: "password", label: t("password"), type: "password", min: 8, required: true },
        { name: "again", label: "Once more", type: "password", same: "password", required: true },
        { name: "category", label: "Category", type: "select", options: [["food", "Food"], ["coffee", "Coffee"]] },
        { name: "student", label: "I am a student", type: "check" },
      ],
      submit: () => {
        throw new Problem(409, { code: "auth.username_taken", title: "Username taken", detail: "'username' is taken" });
      },
    })),
    part("Dialogs", el("p", { class: "buttons" },
      el("button", { click: async () => say(answer, String(await sheet("A sheet", (close) => [
        el("p", {}, "From below on a phone, in the middle of a desktop."),
        el("button", { class: "primary", click: () => close("done") }, "Done")]))) }, "Open a sheet"),
      el("button", { click: async () => say(answer, String(await confirm("Remove?", "It cannot be undone.", "Remove"))) },
        "Ask once")), answer),
    part("Errors", el("p", { class: "problem" }, explained(refused, { moves: true })),
      el("p", { class: "note waiting" }, explained(unknown, { moves: true }))),
    part("Connection", state("connecting"), state("live"), state("lost")),
    part("Notes", el("p", { class: "note" }, "Paid."), el("p", { class: "note waiting" }, "One request waits."),
      el("p", { class: "note refused" }, "Refused.")),
    part("Code", code), part("Code that has expired", over),
    part("Map", map),
    part("Offers", preview({ kind: "coupon", merchantName: "Coffee House", title: "Half a flat white", content: "From three to five",
      discount: { percent: 50 }, minimum: usd(200) }),
    preview({ kind: "ad", merchantName: "Coffee House", title: "New beans", content: "From the hills" })),
    part("Plot", barPlot({ title: "Taken, day by day", columns: ["Day", "Taken"], bars: ["Mon", "Tue", "Wed"].map((label, at) => (
      { label, value: [450, 0, 1250][at], text: money(usd([450, 0, 1250][at])) })) })),
    part("Categories", categoryBoxes(["coffee"]).element),
    part("A point", pointPicker({ label: "Where it is", at: { latitude: 35198284, longitude: -111651302 } }).element),
    part("Choices", choices())));

code.show("BF1.Zm9v.YmFy", { expires: new Date(Date.now() + 60_000).toISOString() });
over.show("BF1.Zm9v.YmFy", { expires: new Date(0).toISOString() });
map.show({
  me: { latitude: 35198284, longitude: -111651302 },
  places: [
    { latitude: 35199000, longitude: -111650500, name: "Coffee House", detail: "Two coupons", marked: true },
    { latitude: 35197600, longitude: -111652400, name: "Pharmacy", detail: "Open until 8 PM" }],
});
