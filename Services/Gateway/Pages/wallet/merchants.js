// Merchants nearby, as a list and on a map; one merchant with what is on offer.
import "../shared/map.js";
import { el } from "../shared/dom.js";
import { put, read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { toggle } from "../shared/settings.js";
import { distance, t } from "../shared/text.js";
import { attempt, go } from "../shared/view.js";
import { merchantName, near, nearby, position } from "./data.js";
import { dealRow } from "./deals.js";
import { storePosition, whereabouts } from "./place.js";

const isSubscribed = ({ subscription }) => Boolean(subscription?.ads || subscription?.coupons);

export async function merchants({ signal }) {
  const shown = el("div", { class: "column" });
  const map = el("place-map");
  const draw = async () => {
    const at = await position();
    const [places, deals] = await Promise.all([
      at ? nearby() : [], at ? read(`/v1/coupons?limit=100${near(at)}`).then((found) => found.deals) : []]);
    if (signal.aborted) return;
    const offers = (merchant) => deals.filter((deal) => deal.merchant === merchant).length;
    const about = (one) => [distance(one.distanceMetres), offers(one.merchant) ? t("offers.n", { n: offers(one.merchant) }) : null]
      .filter(Boolean).join(" · ");
    shown.replaceChildren(
      whereabouts(at, draw),
      list(t("way./merchants"), places.map((one) => row({
        id: `place-${one.place}`, what: one.name, detail: about(one), mark: isSubscribed(one) ? t("subscribed") : null,
        href: linkTo(one),
      })), t(at ? "merchants.empty" : "merchants.nowhere")));
    await map.show({
      me: at,
      places: places.map((one) => ({ ...one, detail: about(one), marked: isSubscribed(one), press: () => go(linkTo(one).slice(1)) })),
      picked: (place) => storePosition(place).then(draw, () => {}),
    });
  };
  await draw();
  const view = el("div", { class: "columns" }, shown,
    el("div", { class: "column" }, map, el("p", { class: "detail" }, t("map.hint"))));
  // The map measures itself, so it is drawn once it is in the page.
  requestAnimationFrame(draw);
  return { title: t("way./merchants"), back: "/", wide: true, body: view };
}

const linkTo = (one) => `#/merchants/${one.merchant}?name=${encodeURIComponent(one.name)}`;

export async function merchant({ params, query }) {
  const at = await position();
  const places = (at ? await nearby() : []).filter(({ merchant }) => merchant === params.merchant);
  const [{ subscriptions }, permissions] = await Promise.all([read("/v1/subscriptions?limit=100"), read("/v1/settings/charges")]);
  const permitted = permissions.merchants.find(({ merchant }) => merchant === params.merchant);
  const known = subscriptions.find(({ merchant }) => merchant === params.merchant);
  const name = known?.name ?? permitted?.name ?? (await merchantName(params.merchant, query.get("name"))) ?? t("merchant");
  const { deals } = await read(`/v1/deals/search?limit=100&merchant=${encodeURIComponent(name)}${near(at)}`);
  const mine = deals.filter(({ merchant }) => merchant === params.merchant);
  const problem = el("p", { class: "problem", role: "alert" });
  const current = { ads: false, coupons: false, ...known?.subscription };
  const choice = (kind) => {
    const save = async () => {
      current[kind] = box.checked;
      const { ads, coupons } = current;
      if (ads || coupons) await put(`/v1/subscriptions/${params.merchant}`, { ads, coupons });
      else await api.insist("DELETE", `/v1/subscriptions/${params.merchant}`);
    };
    const box = el("input", {
      type: "checkbox", id: `subscribe-${kind}`, checked: current[kind], change: () => attempt(box, problem, save) });
    return el("div", { class: "field check" }, box, el("label", { for: `subscribe-${kind}` }, t(`subscribe.${kind}`)));
  };
  return {
    title: name, back: "/merchants",
    body: [
      ...places.map((one) => el("p", { class: "detail" }, `${one.name}, ${distance(one.distanceMetres)}`)),
      el("p", { class: "buttons" }, el("a", {
        class: "button primary big", href: `#/pay/${params.merchant}?name=${encodeURIComponent(name)}` }, t("pay.here"))),
      el("section", {}, el("h2", {}, t("offers")), list(t("offers"), mine.map(dealRow), t("offers.empty"))),
      el("section", {}, el("h2", {}, t("subscribe")), choice("ads"), choice("coupons"), problem),
      el("section", {}, el("h2", {}, t("settings.requests")),
        toggle("may-request", t("requests.one"), Boolean(permitted), (allowed) => put(`/v1/settings/charges/${params.merchant}`, { allowed }),
          t("requests.one.what"))),
    ],
  };
}
