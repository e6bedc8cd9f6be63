// A plot of bars: one for each value, with its exact figure on hover and in the table below.
import { el } from "./dom.js";
import { t } from "./text.js";

const svg = "http://www.w3.org/2000/svg";
const [width, height, bottom, top] = [320, 140, 22, 18];

function draw(name, attributes, ...children) {
  const element = document.createElementNS(svg, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Bars with a title that says what to see. `bars` are `{label, value, text}`; `columns` are the heads of the table. */
export function barPlot({ title, bars, columns }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = width / bars.length;
  const shapes = bars.map(({ label, value, text }, at) => {
    const tall = Math.max(value > 0 ? 2 : 0, ((height - bottom - top) * value) / most);
    const middle = step * (at + 0.5);
    return draw("g", {},
      draw("title", {}, `${label}: ${text}`),
      draw("rect", { class: "bar", x: middle - step * 0.35, y: height - bottom - tall, width: step * 0.7, height: tall }),
      value === most && value > 0 ? draw("text", { x: middle, y: height - bottom - tall - 5, class: "most" }, text) : "",
      draw("text", { x: middle, y: height - 6 }, label));
  });
  const picture = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", "aria-hidden": "true" },
    draw("line", { x1: 0, x2: width, y1: height - bottom, y2: height - bottom }), ...shapes);
  return el("figure", {},
    el("figcaption", {}, title), picture,
    el("details", {}, el("summary", {}, t("plot.table")),
      el("table", { class: "figures" },
        el("thead", {}, el("tr", {}, ...columns.map((column) => el("th", { scope: "col" }, column)))),
        el("tbody", {}, ...bars.map(({ label, text }) => el("tr", {}, el("th", { scope: "row" }, label), el("td", {}, text)))))));
}
