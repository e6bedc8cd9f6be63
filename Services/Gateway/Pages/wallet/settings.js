// Settings: one list, and a view for each.
import { goodbye } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { refusalOf } from "../shared/explain.js";
import { form } from "../shared/form.js";
import { money } from "../shared/money.js";
import { keyFor } from "../shared/once.js";
import { degrees } from "../shared/position.js";
import { ownEndpoint } from "../shared/push.js";
import { put, read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { api, session } from "../shared/session.js";
import {
  below, customerAccountView, defined, inTurn, lookView, noticeSettings, noticesToggle, passwordView, pushSwitch, saved, sessionsView, toggle,
} from "../shared/settings.js";
import { confirm } from "../shared/sheet.js";
import { exactly, t } from "../shared/text.js";
import { attempt, go, tell } from "../shared/view.js";
import { position, sharing, whereabouts } from "../shared/whereabouts.js";
import { cards, subscriptions } from "./data.js";
import { moneyForm } from "./money-form.js";

const parts = ["account", "password", "pin", "cards", "location", "requests", "offers", "notices", "stars", "sessions", "look"];

export async function settings() {
  const account = await read("/v1/settings/account");
  return {
    title: t("settings"), back: "/",
    body: [
      el("p", { class: "lead" }, account.username),
      el("ul", { class: "list" }, ...parts.map((part) => row({
        what: t(`settings.${part}`), detail: t(`settings.${part}.what`), href: `#/settings/${part}` }))),
      el("p", { class: "buttons" }, el("button", { type: "button", click: goodbye }, t("log-out"))),
    ],
  };
}

const pinField = (name, label, more = {}) => ({
  name, label, type: "password", inputmode: "numeric", autocomplete: "off", maxlength: "4", pattern: "\\d{4}", rule: t("pin.rule"), ...more,
});

const pin = () => below("pin", form({
  id: "change-pin", action: t("save"),
  fields: [
    pinField("pin", t("pin.new"), { required: true }),
    pinField("currentPin", t("pin.old"), { hint: t("pin.old.hint") }),
    { name: "password", label: t("password"), type: "password", autocomplete: "current-password", required: true },
  ],
  submit: async ({ pin, currentPin, password }) => {
    await put("/v1/pin", { pin, password, ...(currentPin ? { currentPin } : {}) });
    saved();
  },
}));

// MARK: Cards

async function cardList() {
  const [all, payments] = await Promise.all([cards(), read("/v1/settings/payments")]);
  return below("cards", [
    list(t("settings.cards"), all.map((one) => row({
      what: t("card", one), sum: one.balance, mark: one.isDefault ? t("card.default") : null,
      detail: t("card.available.n", { amount: money(one.available) }), href: `#/settings/cards/${one.card}`,
    })), t("card.none")),
    el("p", { class: "buttons" }, el("a", { class: "button primary", href: "#/settings/cards/new" }, t("card.add"))),
    toggle("payments", t("payments.enabled"), payments.enabled, (enabled) => put("/v1/settings/payments", { enabled }),
      t("payments.enabled.what")),
  ]);
}

async function oneCard({ params, signal }) {
  const card = await read(`/v1/cards/${params.card}`);
  const problem = el("p", { class: "problem", role: "alert" });
  const choose = el("button", { type: "button", click: () => attempt(choose, problem, async () => {
    await put("/v1/cards/default", { card: card.card });
    saved("/settings/cards");
  }) }, t("card.choose"));
  return {
    title: t("card", card), back: "/settings/cards",
    body: [
      el("p", { class: "lead" }, `${t("balance")} ${money(card.balance)}`),
      !card.isDefault && el("p", { class: "buttons" }, choose), problem,
      el("h2", {}, t("card.reload")),
      moneyForm({
        name: `/reload/${card.card}`, label: () => t("entry.reload"), hasMemo: false, action: t("card.reload"), signal,
        request: (_, { amount }) => ({ path: `/v1/cards/${card.card}/reloads`, body: { amount } }),
        done: ({ amount }) => {
          tell(t("card.reloaded", { amount: money(amount) }));
          go("/", { replace: true });
        },
      }),
    ],
  };
}

const newCard = () => ({
  title: t("card.add"), back: "/settings/cards",
  body: [
    el("p", {}, t("card.add.lead")),
    form({
      id: "add-card", action: t("card.add"),
      fields: [
        { name: "number", label: t("card.number"), inputmode: "numeric", autocomplete: "cc-number", pattern: "(\\d ?){16}", rule: t("card.number.rule"), required: true, maxlength: "19" },
        { name: "code", label: t("card.code"), inputmode: "numeric", autocomplete: "off", pattern: "\\d{8}", rule: t("card.code.rule"), required: true, maxlength: "8" },
      ],
      submit: async ({ number, code }) => {
        const card = { number: number.replaceAll(" ", ""), code };
        await api.insist("POST", "/v1/cards", card, { key: keyFor(card) });
        tell(t("card.added"));
        go("/", { replace: true });
      },
    }),
  ],
});

// MARK: Place, offers, notices

async function place({ signal }) {
  const [at, isShared] = await Promise.all([position(), sharing()]);
  const again = () => signal.aborted || dispatchEvent(new HashChangeEvent("hashchange"));
  return below("location", [
    toggle("sharing", t("sharing"), isShared, async (on) => {
      await put("/v1/settings/location", { sharing: on });
      if (!on) again();
    }, t("sharing.what")),
    whereabouts(at, again),
    at && el("dl", { class: "facts" },
      el("dt", {}, t("latitude")), el("dd", {}, degrees(at.latitude)), el("dt", {}, t("longitude")), el("dd", {}, degrees(at.longitude))),
  ]);
}

/** Who may request money from somebody who is elsewhere. */
async function requests() {
  const now = await read("/v1/settings/charges");
  return below("requests", [
    el("p", {}, t("requests.lead")),
    toggle("requests-everyone", t("requests.everyone"), now.everyone, (everyone) => put("/v1/settings/charges", { everyone }),
      t("requests.everyone.what")),
    el("h2", {}, t("requests.allowed")),
    list(t("requests.allowed"), now.merchants.map((one) => row({
      what: one.name ?? t("merchant"), href: `#/merchants/${one.merchant}?name=${encodeURIComponent(one.name ?? t("merchant"))}`,
    })), t("requests.allowed.empty")),
  ]);
}

async function offers() {
  const [now, subscribed] = await Promise.all([read("/v1/settings/offers"), subscriptions()]);
  const save = inTurn(now, (all) => put("/v1/settings/offers", writable(all)));
  const problem = el("p", { class: "problem", role: "alert" });
  const perDay = el("select", { id: "per-day", change: async () => {
    const wanted = Number(perDay.value);
    await attempt(perDay, problem, () => save(() => ({ perDay: wanted })));
    perDay.value = now.perDay;
  } },
    ...[...new Set([0, 1, 3, 5, 10, 20, now.perDay])].sort((a, b) => a - b)
      .map((n) => el("option", { value: n, selected: n === now.perDay }, t("per-day.n", { n }))));
  return below("offers", [
    toggle("offers-on", t("offers.enabled"), now.enabled, (enabled) => save(() => ({ enabled }))),
    toggle("ads-on", t("offers.ads"), now.ads, (ads) => save(() => ({ ads }))),
    toggle("coupons-on", t("offers.coupons"), now.coupons, (coupons) => save(() => ({ coupons }))),
    el("div", { class: "field" }, el("label", { for: "per-day" }, t("per-day")), perDay), problem,
    el("h2", {}, t("subscriptions")),
    list(t("subscriptions"), subscribed.map((one) => row({
      what: one.name, detail: ["ads", "coupons"].filter((kind) => one.subscription[kind]).map((kind) => t(`subscribe.${kind}`)).join(", "),
      href: `#/merchants/${one.merchant}?name=${encodeURIComponent(one.name)}`,
    })), t("subscriptions.empty")),
  ]);
}

/** What may be written again of what was read. */
const writable = ({ enabled, ads, coupons, muted, perDay }) => defined({ enabled, ads, coupons, muted, perDay });

const kinds = ["request", "closing", "refund", "transfer", "order", "offer", "reminder", "message"];
const clock = (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const minutesOf = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

async function notices() {
  const { now, save } = await noticeSettings();
  return below("notices", [
    await pushSwitch(),
    await endpointList(),
    noticesToggle({ now, save }),
    el("section", {}, el("h2", {}, t("notices.kinds")), ...kinds.map((kind) => toggle(
      `kind-${kind}`, t(`kind.${kind}`), !(now.muted ?? []).includes(kind), (on) => save(({ muted = [] }) => ({
        muted: on ? muted.filter((one) => one !== kind) : [...muted, kind] }))))),
    el("section", {}, el("h2", {}, t("quiet")), el("p", { class: "detail" }, t("quiet.what")), quietForm(now, save)),
  ]);
}

/** Other devices that are pushed to. This browser has its switch above. */
async function endpointList() {
  const own = ownEndpoint(session.account);
  const others = (await read("/v1/endpoints")).endpoints.filter(({ endpoint }) => endpoint !== own);
  const problem = el("p", { class: "problem", role: "alert" });
  const remove = (one) => ({ currentTarget: button }) => attempt(button, problem, async () => {
    if (!(await confirm(t("endpoint.remove"), t("endpoint.remove.what"), t("endpoint.remove")))) return;
    await api.insist("DELETE", `/v1/endpoints/${one.endpoint}`);
    tell(t("endpoint.removed"));
    dispatchEvent(new HashChangeEvent("hashchange"));
  });
  return el("section", {}, el("h2", {}, t("endpoints")),
    list(t("endpoints"), others.map((one) => row({
      id: `endpoint-${one.endpoint}`, what: t(`endpoint.${one.type}`), detail: t("session.since", { time: exactly(one.created) }),
      aside: t("remove"), press: remove(one),
    })), t("endpoints.empty")), problem);
}

/** The time zone of this device, by its IANA name. */
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = (chosen) => [...new Set([chosen, zoneHere(), "UTC", ...Intl.supportedValuesOf("timeZone")].filter(Boolean))].sort();

const quietForm = (now, save) => form({
  id: "quiet", action: t("save"),
  fields: [
    { name: "from", label: t("quiet.from"), type: "time", value: now.quiet ? clock(now.quiet.from) : "" },
    { name: "until", label: t("quiet.until"), type: "time", value: now.quiet ? clock(now.quiet.until) : "" },
    { name: "zone", label: t("quiet.zone"), type: "select", hint: t("quiet.zone.what"),
      value: now.quiet?.zone ?? zoneHere(), options: zones(now.quiet?.zone).map((zone) => [zone, zone.replaceAll("_", " ")]) },
  ],
  submit: async ({ from, until, zone }) => {
    // Both empty erase the quiet hours; one alone is a mistake.
    const wrong = !from ? "from" : !until || until === from ? "until" : "";
    if ((from || until) && wrong) {
      throw refusalOf("page.quiet", `'${wrong}' ${t("quiet.rule")}`);
    }
    await save(() => ({ quiet: from ? { from: minutesOf(from), until: minutesOf(until), zone } : null }));
    tell(t("saved"));
  },
});

async function stars() {
  const now = await read("/v1/stars");
  return below("stars", [
    el("p", { class: "lead" }, t("stars.n", { n: now.stars })),
    toggle("stars-on", t("stars.join"), now.joined, async (joined) => {
      const isMeant = joined || now.stars === 0
        || await confirm(t("stars.leave"), t("stars.leave.what", { n: now.stars }), t("stars.leave"));
      if (isMeant) await put("/v1/stars", { joined });
      if (isMeant && !joined) dispatchEvent(new HashChangeEvent("hashchange"));
      return isMeant;
    }, t("stars.what")),
    list(t("settings.stars"), now.merchants.map((one) => row({ what: one.name, detail: t("stars.n", { n: one.stars }),
      href: `#/merchants/${one.merchant}?name=${encodeURIComponent(one.name)}` })), t("stars.empty")),
  ]);
}

/** Views by path, below `/settings`. */
export const settingsViews = {
  "/settings/account": customerAccountView, "/settings/password": passwordView, "/settings/pin": pin,
  "/settings/cards": cardList, "/settings/cards/new": newCard, "/settings/cards/{card}": oneCard,
  "/settings/location": place, "/settings/requests": requests, "/settings/offers": offers, "/settings/notices": notices, "/settings/stars": stars,
  "/settings/sessions": sessionsView,
  "/settings/look": lookView,
};
