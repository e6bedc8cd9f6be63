// What a shop shows: Home, History, About; and the list of shops.
import { el } from "../shared/dom.js";
import { growingList, pagesOf } from "../shared/growing.js";
import { read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { aboutParts, dress, homeParts, logoOf, timeline } from "../shared/shop.js";
import { t } from "../shared/text.js";

/** Whose pages these are; empty on the list of all. */
export const merchant = location.pathname.split("/")[2] ?? "";

let shown = null;

/** What the page is called: the shop's name as soon as it is known. */
export const name = () => shown?.page.name ?? "Billfold";

/** The merchant's page as it is now, in its colours, with its logo in the head. */
export async function shop() {
  shown = await read(`/v1/shops/${merchant}`);
  dress(document.documentElement, shown);
  document.querySelector(".wordmark").replaceChildren(logoOf(shown));
  return shown;
}

/** One view of the page; the way to all shops where the address names none. */
const view = (title, parts) => async () => {
  try {
    return { title: t(title), body: parts(await shop()) };
  } catch (error) {
    if (error.status !== 404 && error.code !== "bus.malformed") throw error;
    return {
      title: t("page.missing"),
      body: [
        el("p", { class: "problem", role: "alert" }, t("fault.storefront.page_not_found")),
        el("p", { class: "buttons" }, el("a", { class: "button primary", href: "/shops" }, t("shops.all")))],
    };
  }
};

export const home = view("way./", homeParts);
export const history = view("way./history", timeline);
export const about = view("way./about", aboutParts);

export async function shops() {
  const { parts } = await growingList(pagesOf("pages", "/v1/shops?limit=100", "skip"), (pages) =>
    list(t("shops"), pages.map((one) => row({ what: one.name, href: `/shops/${one.merchant}` })), t("shops.empty")));
  return { title: t("shops"), body: parts };
}
