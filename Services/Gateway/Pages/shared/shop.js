// A merchant's page as its readers see it: in the shop's own pages, and as a preview at the till.
import { el } from "./dom.js";
import { addressOf } from "./picture.js";
import { read } from "./read.js";
import { addTexts, language, t } from "./text.js";

addTexts({
  en: {
    "shop.open": "Open now", "shop.closed": "Closed now", "shop.day.closed": "closed", "shop.address": "Address",
    "shop.phone": "Phone", "shop.hours": "Opening hours", "shop.hours.zone": "Times are the shop's own ({zone}).",
    "shop.history": "The shop's history", "shop.history.empty": "The shop's history appears here once the shop has written it.",
    "day.1": "Monday", "day.2": "Tuesday", "day.3": "Wednesday", "day.4": "Thursday", "day.5": "Friday", "day.6": "Saturday",
    "day.7": "Sunday",
  },
  de: {
    "shop.open": "Jetzt geöffnet", "shop.closed": "Jetzt geschlossen", "shop.day.closed": "geschlossen", "shop.address": "Adresse",
    "shop.phone": "Telefon", "shop.hours": "Öffnungszeiten", "shop.hours.zone": "Zeiten des Ladens ({zone}).",
    "shop.history": "Die Geschichte des Ladens", "shop.history.empty": "Hier steht die Geschichte des Ladens, sobald er sie geschrieben hat.",
    "day.1": "Montag", "day.2": "Dienstag", "day.3": "Mittwoch", "day.4": "Donnerstag", "day.5": "Freitag", "day.6": "Samstag",
    "day.7": "Sonntag",
  },
});

export const days = [1, 2, 3, 4, 5, 6, 7];

/** Gives an element, and what is in it, the theme of a page. */
export function dress(element, { page, onAccent, isDark }) {
  element.dataset.shop = isDark ? "dark" : "light";
  for (const [name, colour] of Object.entries({ ...page.theme, "on-accent": onAccent })) {
    element.style.setProperty(`--${name}`, colour);
  }
}

const logos = new Map();

/** The logo: an image that is read out as its letters, or the letters. */
export function logoOf({ merchant, page, logoImage }) {
  if (!logoImage) return page.logo;
  const { image, width, height } = logoImage;
  const shown = el("img", { class: "shop-image", alt: page.logo, width, height });
  if (!logos.has(image)) logos.set(image, read(`/v1/shops/${merchant}/logo`).then(({ logo, data }) => addressOf(logo, data)));
  logos.get(image).then((address) => { shown.src = address; }, () => {
    logos.delete(image);
    shown.replaceWith(page.logo);
  });
  return shown;
}

export const homeParts = ({ page, isOpen }) => [
  ...paragraphs(page.welcome, "lead"),
  el("p", { class: isOpen ? "shop-open" : null }, t(isOpen ? "shop.open" : "shop.closed")),
];

/** The events, each of which opens when it is touched. */
export const timeline = ({ page }) => (page.events.length
  ? el("ul", { class: "timeline", "aria-label": t("shop.history") }, ...page.events.map(({ date, name, text }) =>
      el("li", {}, el("details", {},
        el("summary", {}, el("span", {}, name), el("time", { datetime: date, class: "detail" }, longDate(date))),
        ...paragraphs(text)))))
  : el("p", { class: "empty" }, t("shop.history.empty")));

export const aboutParts = ({ page, isOpen }) => [
  ...paragraphs(page.about),
  el("dl", { class: "facts" },
    el("dt", {}, t("shop.address")), el("dd", {}, page.address),
    el("dt", {}, t("shop.phone")), el("dd", {}, el("a", { class: "shop-call", href: `tel:${page.phone.replace(/[^+\d]/g, "")}` }, page.phone))),
  el("section", {}, el("h2", {}, t("shop.hours")),
    el("p", { class: isOpen ? "shop-open" : null }, t(isOpen ? "shop.open" : "shop.closed")),
    el("dl", { class: "facts hours" }, ...days.flatMap((day) => [
      el("dt", {}, t(`day.${day}`)), el("dd", {}, spans(page.hours.filter((one) => one.day === day)))])),
    el("p", { class: "detail" }, t("shop.hours.zone", { zone: page.zone }))),
];

const spans = (hours) =>
  hours.map(({ opens, closes }) => `${clock(opens)}–${clock(closes)}`).join(", ") || t("shop.day.closed");

/** Minutes of the day as a time. */
export const clock = (minutes) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

const paragraphs = (text, kind) =>
  text.split("\n").filter((line) => line.trim()).map((line) => el("p", { class: kind }, line));

// A date is a day of the shop's, whatever the reader's zone.
const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
const longDate = (date) => format.format(new Date(`${date}T00:00Z`));
