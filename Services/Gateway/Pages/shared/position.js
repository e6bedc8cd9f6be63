// Points on the globe: typed in degrees, taken from the device, or set on a map. Requests have millionths of a degree.
import "./map.js";
import { el, say } from "./dom.js";
import { refusalOf } from "./explain.js";
import { t } from "./text.js";
import { attempt } from "./view.js";

/** Metres around a merchant's place within which a customer is near it: `FenceRules.enterMetres` of location. */
export const fenceMetres = 100;
/** Metres around a customer in which merchants are nearby: `LocationRules.merchantsWithinMetres`. */
export const nearbyMetres = 200;
/** Metres around an offer's place in which it counts where its merchant says nothing else: `DealRules.radiusMetres`. */
export const radiusMetres = 200;

/** A coordinate in degrees, with a true minus. */
export const degrees = (millionths) => (millionths / 1e6).toFixed(6).replace("-", "\u2212");

const number = (text) => Number(text.replace(",", ".").replace("\u2212", "-"));
/** Millionths of what was typed, with a point or a comma. */
export const millionths = (text) => Math.round(number(text) * 1e6);
/** A check of a form: degrees up to `most` on both sides of zero. */
export const within = (most) => (text) => (text !== "" && Math.abs(number(text)) <= most ? "" : t("position.rule", { most }));

/** Where this device is. Throws `device.position` where it does not say. */
export const fromDevice = () => new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(
  ({ coords }) => resolve({ latitude: Math.round(coords.latitude * 1e6), longitude: Math.round(coords.longitude * 1e6) }),
  () => reject(refusalOf("device.position")),
  { enableHighAccuracy: true, timeout: 10_000, maximumAge: 60_000 }));

/**
 * A point that is chosen on a map, typed, or taken from the device: `{element, value(), draw()}`; `value()` is
 * `{latitude, longitude}`, null where nothing was chosen, and undefined where what was typed is no point. `around()` is
 * the radius in metres that is drawn around it.
 */
export function pointPicker({ label, at = null, id = "point", around = () => undefined }) {
  const map = el("place-map");
  const problem = el("p", { class: "problem", role: "alert" });
  const field = (name, most) => {
    const input = el("input", { id: `${id}-${name}`, inputmode: "text", autocomplete: "off", "aria-describedby": `${id}-rule`,
      change: () => draw() });
    return { input, most, row: el("div", { class: "field" }, el("label", { for: input.id }, t(name)), input) };
  };
  const [latitude, longitude] = [field("latitude", 90), field("longitude", 180)];
  const typed = () => [latitude, longitude].map(({ input }) => input.value.trim());
  const value = () => {
    const texts = typed();
    if (texts.every((one) => one === "")) return null;
    const wrong = [latitude, longitude].map(({ most }, at) => within(most)(texts[at])).find(Boolean);
    say(problem, wrong ?? "");
    return wrong ? undefined : { latitude: millionths(texts[0]), longitude: millionths(texts[1]) };
  };
  const draw = () => {
    const point = value();
    map.show({ places: point ? [{ ...point, name: label, marked: true, around: around() }] : [], picked: choose });
  };
  const choose = (point) => {
    latitude.input.value = degrees(point.latitude);
    longitude.input.value = degrees(point.longitude);
    draw();
  };
  if (at) {
    latitude.input.value = degrees(at.latitude);
    longitude.input.value = degrees(at.longitude);
  }
  draw();
  const device = el("button", { type: "button", click: () => attempt(device, problem, async () => {
    const before = typed();
    const point = await fromDevice();
    // A point that was typed or pressed meanwhile is the later choice.
    if (typed().every((text, at) => text === before[at])) choose(point);
  }) }, t("position.device"));
  const element = el("fieldset", { class: "column" }, el("legend", {}, label),
    el("p", { class: "detail", id: `${id}-rule` }, t("point.hint")), map,
    el("p", { class: "buttons" },
      el("button", { type: "button", click: () => {
        const { middle } = map;
        if (middle) choose(middle);
        else say(problem, t("point.no-map"));
      } }, t("point.middle")),
      device),
    latitude.row, longitude.row, problem);
  return { element, value, draw };
}
