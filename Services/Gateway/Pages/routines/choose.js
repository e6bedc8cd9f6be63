// Choosing by pictures: labels, tags, priorities and minutes without a word typed.
import { newID } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { sheet } from "../shared/sheet.js";
import { t } from "../shared/text.js";
import { tell } from "../shared/view.js";
import { offered, ownImages } from "./data.js";
import { icon } from "./icons.js";
import { emoji, picture, upload, wordOf } from "./pictures.js";

/** A button of a sign, or a picture, and a word. */
export const signed = (sign, words, more = {}) =>
  el("button", { type: "button", ...more }, typeof sign === "string" ? icon(sign) : sign, el("span", {}, words));

/** A tile that is chosen or not. */
export function tile(inside, words, { isChosen = false, press, ...more } = {}) {
  const button = el("button", {
    type: "button", class: "tile", "aria-pressed": String(isChosen), ...more,
    click: () => press(button),
  }, inside, el("span", {}, words), icon("done"));
  return button;
}

/** Tiles of which one is chosen; `value()` is the chosen one. */
export function oneOf(label, options, chosen) {
  let value = chosen;
  const tiles = options.map(([key, inside, words]) => tile(inside(), words, {
    isChosen: key === chosen,
    "data-value": key,
    press: (button) => {
      value = key;
      for (const one of tiles) one.setAttribute("aria-pressed", String(one === button));
    },
  }));
  return { element: el("fieldset", {}, el("legend", {}, label), el("div", { class: "tiles" }, ...tiles)), value: () => value };
}

/** Tiles of which any are chosen; `value()` is the list of the chosen ones. */
export function someOf(label, options, chosen = []) {
  const values = new Set(chosen);
  const tiles = options.map(([key, inside, words]) => tile(inside(), words, {
    isChosen: values.has(key),
    "data-value": key,
    press: (button) => {
      if (!values.delete(key)) values.add(key);
      button.setAttribute("aria-pressed", String(values.has(key)));
    },
  }));
  return {
    element: el("fieldset", {}, el("legend", {}, label), el("div", { class: "tiles" }, ...tiles)),
    value: () => options.map(([key]) => key).filter((key) => values.has(key)),
  };
}

const signOfTag = { morning: "sun", afternoon: "work", evening: "rest", night: "moon", hygiene: "shower", pet: "dog" };

/** Pictures and words of a tag. */
export const tagPicture = (tag) => (signOfTag[tag] ? picture(signOfTag[tag]) : icon("routines"));
export const tagWords = (tag) => (signOfTag[tag] ? t(`tag.${tag}`) : tag);
export const tagsOffered = Object.keys(signOfTag);

const stars = { high: "★★★", normal: "★★", low: "★" };
export const priorityWords = (priority) => t(`priority.${priority}`);
export const prioritySigns = (priority) => el("span", { class: "stars", "aria-hidden": "true" }, stars[priority]);

export const priorities = (chosen = "normal") => oneOf(
  t("priority"), ["high", "normal", "low"].map((one) => [one, () => prioritySigns(one), priorityWords(one)]), chosen);

/** How long something takes: minutes to tap, or typed. */
export function minutesField(value, most = 240) {
  const input = el("input", {
    type: "number", id: "minutes", min: "1", max: String(most), step: "1", value: String(value), inputmode: "numeric",
  });
  return {
    element: el("div", { class: "field" }, el("label", { for: "minutes" }, icon("appointment"), t("minutes")),
      el("div", { class: "buttons" }, ...[2, 5, 10, 15, 30, 60].map((minutes) => el("button", {
        type: "button", click: () => { input.value = String(minutes); },
      }, icon("appointment"), t("minutes.n", { minutes })))), input),
    value: () => Number(input.value),
  };
}

/**
 * A label: pictures to tap, own images to upload, an emoji, and a text for those who like words. `value()` is the label,
 * null while it is empty.
 */
export async function labelField({ most = 3, label = {} } = {}) {
  const [{ pictures }, own] = await Promise.all([offered(), ownImages()]);
  const chosen = [...(label.images ?? [])];
  const problem = el("p", { class: "problem", role: "alert" });
  const tiles = el("div", { class: "tiles pictures-to-choose" });
  const press = (name) => (button) => {
    const at = chosen.indexOf(name);
    if (at >= 0) chosen.splice(at, 1);
    else if (chosen.length < most) chosen.push(name);
    button.setAttribute("aria-pressed", String(chosen.includes(name)));
    say(problem, at < 0 && !chosen.includes(name) ? t("label.most", { n: most }) : "");
  };
  const tileOf = (name, words) =>
    tile(picture(name), words, { isChosen: chosen.includes(name), press: press(name), "data-value": name });
  tiles.append(
    ...own.map(({ image }, at) => tileOf(image, t("image.own.n", { n: at + 1 }))),
    ...pictures.map((name) => tileOf(name, wordOf(name))));
  const search = el("input", {
    type: "search", id: "picture-search", autocomplete: "off",
    input: () => {
      const wanted = search.value.trim().toLowerCase();
      for (const one of tiles.children) one.hidden = !one.textContent.toLowerCase().includes(wanted);
    },
  });
  const file = el("input", {
    type: "file", accept: "image/png,image/jpeg,image/webp,image/*", id: "own-image", hidden: true, "aria-label": t("image.add"),
    change: async () => {
      const [one] = file.files;
      if (!one) return;
      say(problem, "");
      try {
        const image = await upload(one, newID());
        if (chosen.length < most) chosen.push(image);
        tiles.prepend(tileOf(image, t("image.own.n", { n: tiles.querySelectorAll("img").length + 1 })));
        tell(t("image.added"));
      } catch (error) {
        if (error.isPassing === undefined) throw error;
        say(problem, explained(error));
      }
      file.value = "";
    },
  });
  const sign = el("input", { id: "emoji", autocomplete: "off", value: label.emoji ?? "", maxlength: "16" });
  const text = el("input", { id: "label-text", autocomplete: "off", value: label.text ?? "", maxlength: "60" });
  return {
    element: el("div", { class: "label-field" },
      el("div", { class: "field" }, el("label", { for: "picture-search" }, icon("search"), t("search")), search),
      tiles,
      el("p", { class: "buttons" }, signed("image", t("image.add"), { click: () => file.click() })), file,
      el("details", {},
        el("summary", {}, t("emoji.choose")),
        el("div", { class: "tiles small" }, ...emoji.map((one) => el("button", {
          type: "button", class: "tile", click: () => { sign.value = one; },
        }, one))),
        el("div", { class: "field" }, el("label", { for: "emoji" }, t("emoji")), sign)),
      el("div", { class: "field" }, el("label", { for: "label-text" }, t("label.text")),
        el("span", { class: "detail", id: "label-text-hint" }, t("optional")), text),
      problem),
    value: () => {
      const made = {
        text: text.value.trim() || undefined, emoji: sign.value.trim() || undefined,
        images: chosen.length ? [...chosen] : undefined,
      };
      return made.text || made.emoji || made.images ? made : null;
    },
  };
}

/** Asks for something on a sheet with a button that takes it; `value()` throws nothing, and returns null while it lacks. */
export const ask = (title, body, value, missing) => sheet(title, (close) => {
  const problem = el("p", { class: "problem", role: "alert" });
  return [...[body].flat(), problem, el("p", { class: "buttons" }, signed("done", t("take"), {
    class: "primary", click: () => {
      const made = value();
      if (made === null) say(problem, missing);
      else close(made);
    },
  }))];
});
