// The menu that customers order ahead from: its words, countries, bases and extras.
import { el, say } from "../shared/dom.js";
import { parseAmount } from "../shared/money.js";
import { put, readIf } from "../shared/read.js";
import { session } from "../shared/session.js";
import { t } from "../shared/text.js";
import { attempt, go, tell } from "../shared/view.js";

const texts = ["title", "item", "baseTitle", "baseName", "extrasTitle"];
const empty = { countries: [{ currency: "USD", factorPercent: 100 }], bases: [{}], extras: [] };

export async function menu() {
  const known = await readIf(`/v1/menus/${session.account}`);
  const now = known?.menu ?? empty;
  const words = Object.fromEntries(texts.map((name) => [name, wordsOf(t(`menu.${name}`), now[name])]));
  const lists = {
    countries: listOf("countries", now.countries, (one) => [
      field(t("menu.currency"), one.currency ?? "USD", { maxlength: "3", size: "4", autocapitalize: "characters" }),
      field(t("menu.factor"), fixed(one.factorPercent ?? 100), { inputmode: "decimal", size: "5" })]),
    bases: listOf("bases", now.bases, priceOf), extras: listOf("extras", now.extras, priceOf),
  };
  const problem = el("p", { class: "problem", role: "alert" });
  const save = el("button", { type: "button", class: "primary big", click: () => attempt(save, problem, async () => {
    const made = { ...Object.fromEntries(texts.map((name) => [name, words[name].value()])) };
    try {
      for (const [name, list] of Object.entries(lists)) made[name] = list.values();
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      error.input.focus();
      return say(problem, error.message);
    }
    await put("/v1/menu", made);
    tell(t("saved"));
    go("/orders");
  }) }, t("save"));
  return {
    title: t("menu"), back: "/orders",
    body: [
      known?.isHidden && el("p", { class: "note waiting", role: "status" }, t("menu.hidden")),
      el("p", {}, t("menu.lead")), ...texts.map((name) => words[name].element),
      ...Object.values(lists).map((list) => list.element), problem, el("p", { class: "buttons" }, save),
    ],
  };
}

/** Something that was typed and cannot be used. */
class Wrong extends Error {
  constructor(input, message) {
    super(message);
    this.input = input;
  }
}

const field = (label, value, more = {}) =>
  el("label", {}, el("span", { class: "detail" }, label), el("input", { value: value ?? "", ...more }));
const inputOf = (label) => label.querySelector("input");
const valueOf = (label) => inputOf(label).value.trim();
const fixed = (hundredths) => (hundredths / 100).toFixed(2);
const priceOf = (one) => [
  field(t("menu.price"), one.price === undefined ? "" : fixed(one.price), { inputmode: "decimal", size: "7" })];

/** A text in both languages. */
function wordsOf(legend, now) {
  const [en, de] = [field(t("language.en"), now?.en, { maxlength: "60" }), field(t("language.de"), now?.de, { maxlength: "60" })];
  const value = () => ({ en: valueOf(en), ...(valueOf(de) ? { de: valueOf(de) } : {}) });
  return { element: el("fieldset", { class: "menu-row" }, el("legend", {}, legend), en, de), value };
}

/** Rows of which each has a name in both languages, and `more` fields. */
function listOf(name, now, more) {
  const rows = [];
  const body = el("div", { class: "column" });
  const add = (one) => {
    const words = wordsOf(t(`menu.${name}.one`), one.name);
    const fields = more(one);
    const row = { key: one.key, words, fields };
    const remove = el("button", { type: "button", class: "quiet", click: () => {
      rows.splice(rows.indexOf(row), 1);
      words.element.remove();
    } }, t("remove"));
    words.element.append(...fields, remove);
    rows.push(row);
    body.append(words.element);
    return words.element;
  };
  for (const one of now) add(one);
  const button = el("button", { type: "button", click: () => inputOf(add({})).focus() }, t(`menu.${name}.add`));
  const values = () => {
    const taken = new Set(rows.map(({ key }) => key).filter(Boolean));
    return rows.map((row) => {
      const named = row.words.value();
      row.key ??= keyOf(named.en, taken);
      return { key: row.key, name: named, ...(name === "countries" ? countryOf(row.fields) : { price: price(row.fields[0]) }) };
    });
  };
  return { element: el("section", {}, el("h2", {}, t(`menu.${name}`)), body, el("p", { class: "buttons" }, button)), values };
}

/** A key that no other row has: the English name without what a key cannot hold. */
function keyOf(name, taken) {
  const base = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 16) || "one";
  let key = base;
  for (let count = 2; taken.has(key); count += 1) key = `${base}-${count}`;
  taken.add(key);
  return key;
}

function price(label) {
  if (/^0+([.,]0{1,2})?$/.test(valueOf(label))) return 0;
  const { amount, problem } = parseAmount(valueOf(label));
  if (problem) throw new Wrong(inputOf(label), t("menu.price.rule"));
  return amount.amount;
}

function countryOf([currency, factor]) {
  if (!/^[A-Za-z]{3}$/.test(valueOf(currency))) throw new Wrong(inputOf(currency), t("menu.currency.rule"));
  const { amount, problem } = parseAmount(valueOf(factor));
  if (problem) throw new Wrong(inputOf(factor), t("menu.factor.rule"));
  return { currency: valueOf(currency).toUpperCase(), factorPercent: amount.amount };
}
