// What a reader chooses for all pages of this browser: light or dark, text size, language.
import { el } from "./dom.js";
import { forGood } from "./keep.js";
import { chooseLanguage, chosenLanguage, t } from "./text.js";

/** The three choices as labelled selects. */
export function choices() {
  return el("div", { class: "choices" },
    choice("theme", ["auto", "light", "dark"], localTheme() ?? "auto", (value) =>
      window.billfoldTheme.choose(value === "auto" ? null : value)),
    sizeChoice(),
    choice("language", ["auto", "en", "de"], chosenLanguage ?? "auto", (value) =>
      chooseLanguage(value === "auto" ? null : value)));
}

/** How large the letters are, in all views. */
export const sizeChoice = () =>
  choice("size", ["normal", "large", "larger"], forGood.get("billfold.size") ?? "normal", (value) => {
    forGood.set("billfold.size", value === "normal" ? null : value);
    document.documentElement.dataset.size = value;
  });

const localTheme = () => window.billfoldTheme.chosen();

function choice(name, values, current, choose) {
  const select = el("select", { id: `choice-${name}`, change: () => choose(select.value) },
    ...values.map((value) => el("option", { value, selected: value === current }, t(`${name}.${value}`))));
  return el("div", { class: "field" }, el("label", { for: `choice-${name}` }, t(name)), select);
}
