// The kinds of products that merchants sell and customers search for.
import { el } from "./dom.js";
import { t } from "./text.js";

export const categories = [
  "food", "coffee", "groceries", "pharmacy", "fashion", "electronics", "books", "home", "sports", "beauty", "services", "other"];

/** What a merchant sells, as boxes: `{element, values()}`. */
export function categoryBoxes(chosen = []) {
  const boxes = categories.map((one) =>
    el("input", { type: "checkbox", id: `category-${one}`, value: one, checked: chosen.includes(one) }));
  return {
    element: el("fieldset", {}, el("legend", {}, t("categories")), el("div", { class: "boxes" }, ...boxes.map((box) =>
      el("div", { class: "field check" }, box, el("label", { for: box.id }, t(`category.${box.value}`)))))),
    values: () => boxes.filter((box) => box.checked).map((box) => box.value),
  };
}
