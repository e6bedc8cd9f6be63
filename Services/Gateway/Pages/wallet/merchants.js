// Merchants nearby, as a list and on a map; one merchant with what is on offer.
import "../shared/map.js";
import { el } from "../shared/dom.js";
import { growingList } from "../shared/growing.js";
import { nearbyMetres } from "../shared/position.js";
import { put, read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { inTurn, toggle } from "../shared/settings.js";
import { distance, t } from "../shared/text.js";
import { attempt, go } from "../shared/view.js";
import { agreed, position, storePosition, whereabouts } from "../shared/whereabouts.js";
import { merchantName, near, nearby, ownerOf, subscriptions, whereOf } from "./data.js";
import { dealRow } from "./deals.js";

const isSubscribed = ({ subscription }) => Boolean(subscription?.ads || subscription?.coupons);

export async function merchants({ signal }) {
  const map = el("place-map");
  const problem = el("p", { class: "problem", role: "alert" });
  let at;
  let deals;
  const look = async () => {
    at = await position();
    const found = await Promise.all(["coupons", "ads"].map((kind) => (at ? read(`/v1/${kind}?limit=100${near(at)}`) : { deals: [] })));
    deals = found.flatMap((one) => one.deals);
  };
  const load = async () => {
    await look();
    if (!signal.aborted) await around.load();
  };
  /** The press on the map that is not stored yet: of several the last one counts. */
  let wanted = null;
  const move = async () => {
    while (wanted) {
      const place = wanted;
      wanted = null;
      if (!(await agreed())) continue;
      await storePosition(place);
      if (!wanted) await load();
    }
  };
  const about = (one) => [whereOf(one), offersOf(deals.filter(({ merchant }) => merchant === one.merchant))].filter(Boolean).join(" · ");
  const drawMap = (places) => map.show({
    me: at && { ...at, around: nearbyMetres },
    places: places.map((one) => ({
      ...one, name: ownerOf(one), detail: about(one), marked: isSubscribed(one), press: () => go(linkTo(one).slice(1)) })),
    picked: (place) => {
      wanted = place;
      attempt(map, problem, move);
    },
  });
  await look();
  const around = await growingList(nearby, (places) => {
    drawMap(places);
    return [
      whereabouts(at, load),
      list(t("way./merchants"), places.map((one) => row({
        id: `place-${one.place}`, what: ownerOf(one), detail: about(one), mark: isSubscribed(one) ? t("subscribed") : null,
        href: linkTo(one),
      })), t(at ? "merchants.empty" : "merchants.nowhere"))];
  });
  return {
    title: t("way./merchants"), back: "/", wide: true,
    body: el("div", { class: "columns" },
      el("div", { class: "column" }, ...around.parts),
      el("div", { class: "column" }, map, problem, el("p", { class: "detail" }, t("map.hint")))),
  };
}

/** What a merchant has on offer here: one offer by its title, and how many more. */
const offersOf = ([first, ...others]) => first && (others.length ? t("offers.and", { title: first.title, n: others.length }) : first.title);

const linkTo = (one) => `#/merchants/${one.merchant}?name=${encodeURIComponent(ownerOf(one))}`;

export async function merchant({ params, query }) {
  const at = await position();
  const places = (at ? (await nearby()).rows : []).filter(({ merchant }) => merchant === params.merchant);
  const [subscribed, permissions] = await Promise.all([subscriptions(), read("/v1/settings/charges")]);
  const permitted = permissions.merchants.find(({ merchant }) => merchant === params.merchant);
  const known = subscribed.find(({ merchant }) => merchant === params.merchant);
  const name = known?.name ?? permitted?.name ?? (await merchantName(params.merchant, query.get("name"))) ?? t("merchant");
  const { deals } = await read(`/v1/deals/search?limit=100&merchant=${encodeURIComponent(name)}${near(at)}`);
  const mine = deals.filter(({ merchant }) => merchant === params.merchant);
  const current = { ads: false, coupons: false, ...known?.subscription };
  const subscription = `/v1/subscriptions/${params.merchant}`;
  const save = inTurn(current, ({ ads, coupons }) =>
    (ads || coupons ? put(subscription, { ads, coupons }) : api.insist("DELETE", subscription)));
  const choice = (kind) => toggle(`subscribe-${kind}`, t(`subscribe.${kind}`), current[kind], (on) => save(() => ({ [kind]: on })));
  return {
    title: name, back: "/merchants",
    body: [
      ...places.map((one) => el("p", { class: "detail" }, `${one.name}, ${distance(one.distanceMetres)}`)),
      el("p", { class: "buttons" }, el("a", {
        class: "button primary big", href: `#/pay/${params.merchant}?name=${encodeURIComponent(name)}` }, t("pay.here"))),
      el("section", {}, el("h2", {}, t("offers")), list(t("offers"), mine.map(dealRow), t("offers.empty"))),
      el("section", {}, el("h2", {}, t("subscribe")), choice("ads"), choice("coupons")),
      el("section", {}, el("h2", {}, t("settings.requests")),
        toggle("may-request", t("requests.one"), Boolean(permitted), (allowed) => put(`/v1/settings/charges/${params.merchant}`, { allowed }),
          t("requests.one.what"))),
    ],
  };
}
