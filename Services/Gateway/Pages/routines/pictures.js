// Labels as people see them: offered pictures, own images, emoji and words.
import { el } from "../shared/dom.js";
import { forGood } from "../shared/keep.js";
import { addressOf, smallPicture } from "../shared/picture.js";
import { read } from "../shared/read.js";
import { api, session } from "../shared/session.js";
import { hasText, t } from "../shared/text.js";
import { drawing, isDrawn } from "./drawings.js";

/** Emoji to choose from; any other can be typed. */
export const emoji = ["🌅", "🌙", "🦷", "🚿", "👕", "🍎", "🥣", "🍽️", "🧹", "🧺", "🐶", "🐱", "📚", "✏️", "🎒", "🏫", "💼", "🚌",
  "💊", "🩺", "⚽", "🏃", "🎵", "🎨", "🧩", "🛏️", "☎️", "🛒", "💧", "⭐"];

/** The word of an offered picture. */
export const wordOf = (picture) => t(`picture.${picture}`);

/** The word that is read for an own image. */
const ownImage = () => t("image.own");

const kept = (image) => `billfold.routines.image.${session.account}.${image}`;
const waiting = new Map();

/** The address of an own image: kept in this browser once it was read, so that a day shows without a network. */
export function imageAddress(image) {
  const known = forGood.get(kept(image));
  if (known) return Promise.resolve(known);
  if (!waiting.has(image)) {
    waiting.set(image, read(`/v1/routines/images/${image}`)
      .then((one) => {
        const address = addressOf(one, one.data);
        forGood.set(kept(image), address);
        return address;
      })
      .finally(() => waiting.delete(image)));
  }
  return waiting.get(image);
}

/** One picture: offered, own or an emoji. The words stand beside it, so it is for eyes alone. */
export function picture(name) {
  if (isDrawn(name)) return drawing(name);
  const image = el("img", { class: "picture", alt: "", "data-picture": name });
  imageAddress(name).then((address) => { image.src = address; }, () => image.classList.add("missing"));
  return image;
}

/** The pictures of a label, the emoji among them. */
export const picturesOf = (label) => el("span", { class: "pictures" },
  ...(label.images ?? []).map(picture),
  label.emoji && el("span", { class: "picture", "aria-hidden": "true" }, label.emoji));

/** What a label is called: its text, or the word of what it shows. */
export function wordsOf(label) {
  if (label.text) {
    const offered = (label.images ?? []).length === 1 && hasText(`offered.${label.text}`);
    return offered ? t(`offered.${label.text}`) : label.text;
  }
  if (label.emoji) return label.emoji;
  const [first] = label.images ?? [];
  return isDrawn(first) ? wordOf(first) : ownImage();
}

/** Pictures and words together. */
export const labelled = (label, more = {}) =>
  el("span", { class: "labelled", ...more }, picturesOf(label), el("span", { class: "words" }, wordsOf(label)));

/** Makes a file into a picture of the right size and sends it; returns its id. Throws what the server refuses. */
export async function upload(file, key) {
  const data = await smallPicture(file, "routines.image_invalid");
  return (await api.insist("POST", "/v1/routines/images", { data }, { key })).body.image;
}
