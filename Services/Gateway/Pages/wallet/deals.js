// Coupons and ads: what can be used here and now, what was used, a search, and one page for each.
import { categories } from "../shared/categories.js";
import { el } from "../shared/dom.js";
import { form } from "../shared/form.js";
import { growingList, pagesOf } from "../shared/growing.js";
import { money } from "../shared/money.js";
import { worth } from "../shared/offer.js";
import { read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { dateOf, distance, exactly, t } from "../shared/text.js";
import { position } from "../shared/whereabouts.js";
import { near } from "./data.js";

export const dealRow = (deal) => row({
  id: `deal-${deal.offer}`, what: deal.title, mark: worth(deal) || null,
  detail: [deal.merchantName, deal.distanceMetres === undefined ? null : distance(deal.distanceMetres)].filter(Boolean).join(", "),
  href: `#/deals/${deal.offer}`,
});

/** A list of deals, and how many of all it has: the server gives no further page. `rest` names the text that says so. */
const dealList = (label, { deals, total }, empty, rest) => [
  list(label, deals.map(dealRow), empty),
  total > deals.length && el("p", { class: "detail" }, t(rest, { n: deals.length, total })),
].filter(Boolean);

export async function coupons() {
  const at = await position();
  const [history, ads, here] = await Promise.all([
    read(`/v1/deals/history?limit=50${near(at)}`), read("/v1/ads?limit=20"),
    at ? read(`/v1/coupons?limit=50${near(at)}`) : { deals: [] }]);
  const nearby = new Set(here.deals.map(({ offer }) => offer));
  const usable = history.usable.filter(({ kind, offer }) => kind === "coupon" && !nearby.has(offer));
  const past = await growingList(
    (before) => (before === undefined ? { rows: history.used, next: history.next }
      : pagesOf("used", "/v1/deals/history?limit=50", "before")(before)),
    (used) => list(t("coupons.used"), used.map((one) => row({
      what: one.title, detail: `${one.merchantName}, ${dateOf(one.time)}`, sum: one.discount, href: `#/receipts/${one.charge}`,
    })), t("coupons.used.empty")));
  const found = el("div", { class: "column", "aria-live": "polite" });
  return {
    title: t("way./coupons"), back: "/", wide: true,
    body: el("div", { class: "columns" },
      el("div", { class: "column" },
        here.deals.length > 0 && el("section", {}, el("h2", {}, t("coupons.here")), dealList(t("coupons.here"), here, "", "coupons.first")),
        el("section", {}, el("h2", {}, t("coupons.usable")), list(t("coupons.usable"), usable.map(dealRow), t(nearby.size ? "coupons.elsewhere.none" : "coupons.empty"))),
        ads.deals.length > 0 && el("section", {}, el("h2", {}, t("ads")), dealList(t("ads"), ads, "", "coupons.first")),
        el("section", {}, el("h2", {}, t("coupons.used")), ...past.parts)),
      el("section", { class: "column" }, el("h2", {}, t("search")),
        form({
          id: "search-deals", action: t("search"),
          fields: [
            { name: "merchant", label: t("merchant.name"), type: "search" },
            { name: "product", label: t("category"), type: "select",
              options: [["", t("category.any")], ...categories.map((one) => [one, t(`category.${one}`)])] },
          ],
          submit: async ({ merchant, product }) => {
            const wanted = [["merchant", merchant], ["product", product]].filter(([, value]) => value);
            const terms = wanted.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("");
            const result = await read(`/v1/deals/search?limit=100${terms}${near(at)}`);
            found.replaceChildren(
              ...dealList(t("way./coupons"), result, t("search.none"), "search.first"),
              ...(result.merchants.length ? [list(t("way./merchants"), result.merchants.map((one) => row({
                what: one.name, detail: (one.productTypes ?? []).map((type) => t(`category.${type}`)).join(", "),
                href: `#/merchants/${one.merchant}?name=${encodeURIComponent(one.name)}`,
              })), "")] : []));
          },
        }), found)),
  };
}

export async function deal({ params }) {
  const at = await position();
  const { deal: one, usable, used, ended } = await read(`/v1/deals/${params.offer}?${near(at).slice(1)}`);
  const facts = [
    [t("merchant"), one.merchantName], worth(one) && [t("worth"), worth(one)],
    one.minimum && [t("minimum"), money(one.minimum)], [t("valid-until"), exactly(one.expires)],
    one.distanceMetres !== undefined && [t("distance"), distance(one.distanceMetres)],
    used > 0 && [t("used"), t("used.n", { n: used })],
  ].filter(Boolean);
  return {
    title: one.title, back: "/coupons",
    body: [
      el("p", { class: `note ${usable ? "" : "waiting"}` }, t(`deal.${usable ? one.kind : ended ?? "over"}`)),
      el("p", {}, one.content),
      el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
      el("p", { class: "buttons" },
        el("a", { class: "button primary", href: `#/merchants/${one.merchant}?name=${encodeURIComponent(one.merchantName)}` }, t("deal.merchant"))),
    ],
  };
}
