// Home: the balance first, then what waits, then the ways.
import { amount } from "../shared/amount.js";
import { goodbye } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { findOut } from "../shared/find-out.js";
import { openActs } from "../shared/once.js";
import { act } from "../shared/pin.js";
import { degrees } from "../shared/position.js";
import { readSoon } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { session } from "../shared/session.js";
import { t } from "../shared/text.js";
import { go } from "../shared/view.js";
import { cards, foundAt, pending } from "./data.js";
import { chargeRow } from "./charges.js";

export async function home({ signal }) {
  const [all, waiting, notices, at] = await Promise.all([
    cards(), pending(), readSoon("/v1/notices?limit=3&unread=true"), readSoon("/v1/location")]);
  const card = all.find((one) => one.isDefault);
  const open = openActs(session.account);
  return {
    title: t("home"), wide: true, plain: true,
    body: el("div", { class: "columns" },
      el("div", { class: "column" },
        card ? face(card) : noCard(),
        ...open.map((one) => findOut(one, () => act(one.id).then((body) => body && go(foundAt(body))))),
        waiting.length > 0 && el("section", { class: "waiting", "aria-labelledby": "waiting" },
          el("h2", { id: "waiting" }, t("waiting", { n: waiting.length })),
          list(t("charges"), waiting.slice(0, 3).map((one) => chargeRow(one, signal)), ""),
          waiting.length > 3 && el("a", { class: "button", href: "#/charges" }, t("waiting.all", { n: waiting.length }))),
        el("p", { class: "buttons" }, el("a", { class: "button primary big", href: "#/pay/code" }, t("pay.code")))),
      el("div", { class: "column" },
        !notices && el("p", { class: "note waiting" }, t("inbox.away")),
        notices?.unread > 0 && el("section", { "aria-labelledby": "unread" },
          el("h2", { id: "unread" }, t("unread", { n: notices.unread })),
          list(t("inbox"), notices.notices.map((one) => row({
            what: one.title, detail: one.text, href: `#/inbox?open=${one.notice}`,
          })), ""),
          el("a", { class: "button", href: "#/inbox" }, t("inbox.all"))),
        el("nav", { "aria-label": t("home.ways") }, el("ul", { class: "list" },
          row({ what: t("way./pay"), detail: t("way./pay.what"), href: "#/pay" }),
          row({ what: t("way./activities"), detail: t("way./activities.what"), href: "#/activities" }),
          row({
            what: t("location"), href: "#/settings/location",
            detail: at ? `${degrees(at.latitude)}, ${degrees(at.longitude)}` : t("location.none"),
          }),
          row({ what: t("way./merchants"), detail: t("way./merchants.what"), href: "#/merchants" }),
          row({ what: t("way./coupons"), detail: t("way./coupons.what"), href: "#/coupons" }),
          row({ id: "inbox", what: t("inbox"), detail: t("inbox.what"), href: "#/inbox" }),
          row({ what: t("settings"), detail: t("settings.what"), href: "#/settings" }),
          row({ id: "log-out", what: t("log-out"), press: goodbye }))))),
  };
}

/** A card, drawn once and well. */
export const face = (card) => el("section", { class: "card", "aria-label": t("card", card) },
  el("span", { class: "name", "aria-hidden": "true" }, "Billfold"),
  el("output", { class: "balance" }, amount(card.balance, { size: "large" })),
  card.available.amount !== card.balance.amount
    && el("span", { class: "held" }, t("card.available"), " ", amount(card.available)),
  el("span", { class: "digits" }, `•••• ${card.lastFour}`));

const noCard = () => el("section", { class: "card none" },
  el("p", {}, t("card.none")), el("a", { class: "button primary", href: "#/settings/cards/new" }, t("card.add")));
