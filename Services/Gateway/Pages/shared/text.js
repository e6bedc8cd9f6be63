// Texts in English and German. Pages name a text by its key; tables stand beside the pages.
import { forGood } from "./keep.js";
import faults from "./words-faults.js";
import words from "./words.js";

const name = "billfold.language";
const known = ["en", "de"];
const chosen = forGood.get(name);

/** A page that has its texts in one language only says so. */
const only = document.documentElement.dataset.language;

/** The language that is shown, `en` or `de`: the page's only one, the chosen one, or the first of the browser's that there is. */
export const language = only ?? (known.includes(chosen)
  ? chosen
  : navigator.languages.map((one) => one.slice(0, 2)).find((one) => known.includes(one)) ?? "en");

document.documentElement.lang = language;

const plurals = new Intl.PluralRules(language);
const table = { ...words[language], ...faults[language] };

/** Adds a page's texts: `{en: {key: text}, de: {…}}`. */
export function addTexts(more) {
  Object.assign(table, more[language]);
}

/**
 * The text of a key, with `{name}` replaced by its value. With a value `n`, `key.one` or `key.other` is taken where
 * there is such a text. An unknown key shows as itself.
 */
export function t(key, values = {}) {
  const counted = values.n === undefined ? undefined : table[`${key}.${plurals.select(values.n)}`];
  const text = counted ?? table[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Whether there is a text of this key. */
export const hasText = (key) => key in table;

/** Chooses the language, or the browser's with null, and shows the page in it. */
export function chooseLanguage(code) {
  forGood.set(name, code);
  location.reload();
}

/** The language that was chosen here; null where the browser decides. */
export const chosenLanguage = known.includes(chosen) ? chosen : null;

const formats = {
  day: new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" }),
  clock: new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" }),
  full: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }),
  date: new Intl.DateTimeFormat(language, { dateStyle: "medium" }),
  number: new Intl.NumberFormat(language),
};

/** `Today`, `Yesterday`, or the day by name, in the reader's zone. */
export function dayOf(time, now = Date.now()) {
  const start = (moment) => new Date(moment).setHours(0, 0, 0, 0);
  const days = Math.round((start(now) - start(Date.parse(time))) / 86_400_000);
  if (days === 0) return t("today");
  return days === 1 ? t("yesterday") : formats.day.format(new Date(time));
}

/** `9:30 AM`, in the reader's zone. */
export const clockOf = (time) => formats.clock.format(new Date(time));
/** Date and time to the second, as on a receipt. */
export const exactly = (time) => formats.full.format(new Date(time));
/** A date without its time. */
export const dateOf = (time) => formats.date.format(new Date(time));
/** `120 m` or `1.2 km`. */
export const distance = (metres) =>
  metres < 1000 ? `${metres} m` : `${formats.number.format(Math.round(metres / 100) / 10)} km`;
