// The nine tables, a page at a time.
import { el } from "../shared/dom.js";
import { showBy } from "../shared/filter.js";
import { read } from "../shared/read.js";
import { t } from "../shared/text.js";

const names = [
  "Customers", "Merchants", "customerTransactions", "merchantLocation", "merchantProductType", "advertisements", "coupons",
  "subscribeForAds", "subscribeForCoupons"];
const rowsOnPage = 50;

export async function tables({ query }) {
  const name = names.includes(query.get("name")) ? query.get("name") : names[0];
  const offset = Number(query.get("offset") ?? 0) || 0;
  const { rows, next } = await read(`/v1/tables?name=${name}&offset=${offset}&limit=${rowsOnPage}`);
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const to = (change) => `/tables?${new URLSearchParams({ name, offset, ...change })}`;
  const select = el("select", { id: "table", change: () => showBy(to({ name: select.value, offset: 0 })) },
    ...names.map((one) => el("option", { value: one, selected: one === name }, one)));
  return {
    title: t("way./tables"), wide: true,
    body: [
      el("div", { class: "field table-name" }, el("label", { for: "table" }, t("table")), select),
      rows.length === 0 ? el("p", { class: "empty" }, t("table.empty")) : el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
        el("table", { class: "figures" },
          el("thead", {}, el("tr", {}, ...columns.map((column) => el("th", { scope: "col" }, column)))),
          el("tbody", {}, ...rows.map((row) => el("tr", {}, ...columns.map((column) => el("td", {}, textOf(row[column])))))))),
      el("p", { class: "buttons" },
        offset > 0 && el("a", { class: "button", href: `#${to({ offset: Math.max(0, offset - rowsOnPage) })}` }, t("table.before")),
        next && el("a", { class: "button", href: `#${to({ offset: next })}` }, t("table.next")))],
  };
}

const textOf = (value) => (value === null || value === undefined ? "NULL" : typeof value === "object" ? JSON.stringify(value) : String(value));
