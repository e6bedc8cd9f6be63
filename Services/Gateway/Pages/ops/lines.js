// Lines of figures over time.
import { el, say } from "../shared/dom.js";

const svg = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/**
 * A line: above it the scale's top, or the figure where the pointer is; its time below. `draw` takes points as `{x, value}`,
 * x from 0 to 1, and the words for its beginning.
 */
export function plot(title, kind = "") {
  const [width, height] = [450, 40];
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img" });
  const line = svg("path", { class: `line ${kind}` });
  picture.append(
    svg("path", { class: "axis", d: `M0 0H${width}M0 ${height}H${width}` }), line);
  const caption = el("figcaption");
  const beginning = el("span");
  let drawn = null;
  let pointed = null;
  const head = () => {
    const { points, shown, top } = drawn;
    if (!top) return `${title}: nothing yet`;
    if (pointed === null) return `${title}, 0 to ${shown(top)}`;
    const distance = ({ x }) => Math.abs(x - pointed);
    return `${title}: ${shown(points.reduce((nearest, one) => (distance(one) < distance(nearest) ? one : nearest)).value)}`;
  };
  picture.addEventListener("pointermove", ({ clientX }) => {
    const { left, width } = picture.getBoundingClientRect();
    pointed = (clientX - left) / width;
    say(caption, head());
  });
  picture.addEventListener("pointerleave", () => {
    pointed = null;
    say(caption, head());
  });
  const figure = el("figure", {}, caption, picture, el("p", { class: "ends", "aria-hidden": "true" }, beginning, el("span", {}, "now")));
  return {
    figure,
    draw(points, shown, since) {
      const known = points.map(({ value }) => value).filter((value) => value !== null);
      const top = ceiling(Math.max(0, ...known));
      drawn = { points, shown, top };
      let path = "";
      let isDown = false;
      for (const { x, value } of points) {
        if (value !== null) path += `${isDown ? "L" : "M"}${(x * width).toFixed(1)} ${(height - (top ? value / top : 0) * height).toFixed(1)}`;
        isDown = value !== null;
      }
      line.setAttribute("d", path || "M0 0");
      line.classList.toggle("idle", !top);
      say(beginning, since);
      say(caption, head());
      picture.setAttribute("aria-label", top ? `${title}: ${shown(known.at(-1))} now, at most ${shown(Math.max(...known))}` : `${title}: nothing yet`);
    },
  };
}

/** The next of 1, 2, 5, 10, 20, 50 … : scales that change seldom. */
function ceiling(value) {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].find((step) => step * power >= value) * power;
}
