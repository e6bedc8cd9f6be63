// What a shop shows: Home, History, About; and the list of shops.
import { el } from "../shared/dom.js";
import { read, rowsOf } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { aboutParts, dress, homeParts, logoOf, timeline } from "../shared/shop.js";
import { t } from "../shared/text.js";

const pageLength = 100;

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

export const home = async () => ({ title: t("way./"), body: homeParts(await shop()) });
export const history = async () => ({ title: t("way./history"), body: timeline(await shop()) });
export const about = async () => ({ title: t("way./about"), body: aboutParts(await shop()) });

export async function shops() {
  const pages = await rowsOf("pages", "/v1/shops", pageLength);
  return {
    title: t("shops"),
    body: list(t("shops"), pages.map((one) => row({ what: one.name, href: `/shops/${one.merchant}` })), t("shops.empty")),
  };
}
