// Ads and coupons: what was submitted and what became of it, the form, the preview, the push.
import { el, say } from "../shared/dom.js";
import { refusalOf } from "../shared/explain.js";
import { form } from "../shared/form.js";
import { growingList, pagesOf } from "../shared/growing.js";
import { money, parseAmount } from "../shared/money.js";
import { preview, targetFacts, worth } from "../shared/offer.js";
import { keyFor, newAct } from "../shared/once.js";
import { pointPicker, radiusMetres } from "../shared/position.js";
import { put, read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { language, t } from "../shared/text.js";
import { attempt, go, tell } from "../shared/view.js";

export async function offers() {
  const { parts } = await growingList(pagesOf("offers", "/v1/offers?limit=50", "before"), (found) =>
    list(t("way./offers"), found.map((one) => row({
      id: `offer-${one.offer}`, what: one.terms.title, mark: stateOf(one),
      detail: [t(`kind.${one.kind}`), worth(one.terms), one.reason].filter(Boolean).join(" · "), href: `#/offers/${one.offer}`,
    })), t("offers.empty")));
  return {
    title: t("way./offers"),
    body: [
      el("p", { class: "buttons stretch" },
        el("a", { class: "button primary", href: "#/offers/new/coupon" }, t("offer.new.coupon")),
        el("a", { class: "button", href: "#/offers/new/ad" }, t("offer.new.ad"))),
      ...parts],
  };
}

const stateOf = (one) => t(one.accepted === "accepted" && !one.enabled ? "offer.disabled" : `offer.${one.accepted}`);

// MARK: The form

/** `2026-11-21T09:30` in the reader's zone, as the field wants it. */
function local(time) {
  if (!time) return "";
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
/** The moment that was typed; `before` where the field still shows that, as it shows no seconds. */
const moment = (text, before) => (text === "" ? undefined : text === local(before) ? before : new Date(text).toISOString());
/** When it begins. A change that does not say keeps the time, so one whose field was emptied says now. */
const beginOf = (text, before) => moment(text, before) ?? (before && new Date(api.now).toISOString());
const whole = (text) => (text === "" ? undefined : Number(text));
const age = (name, value, check = () => "") => ({
  name, label: t(name), inputmode: "numeric", pattern: "\\d{1,3}", rule: t("number.rule"), value: value ?? "", maxlength: "3",
  check: (typed, all) => (Number(typed) > 150 ? t("age.rule") : check(typed, all)) });
const count = (name, value, hint) => ({
  name, label: t(name), inputmode: "numeric", pattern: "[1-9]\\d{0,8}", rule: t("number.rule"), value: value ?? "", hint });
const between = (name, value, least, most, check = () => "") => {
  const rule = t("number.between", { least, most: most.toLocaleString(language) });
  return {
    name, label: t(name), inputmode: "numeric", pattern: "0|[1-9]\\d*", rule, value: value ?? "", hint: t(`${name}.hint`),
    check: (typed, all) => (Number(typed) < least || Number(typed) > most ? rule : check(typed, all)) };
};
const sum = (name, value, hint) => ({
  name, label: t(name), inputmode: "decimal", hint, value: value ? money(value).slice(1) : "", check: (typed) => {
    const { problem } = parseAmount(typed);
    return problem ? t(`amount.${problem}`) : "";
  } });

const fieldsOf = (kind, terms) => [
  { name: "title", label: t("offer.title"), required: true, maxlength: "100", value: terms.title ?? "", "data-first": true },
  { name: "content", label: t("offer.content"), required: true, maxlength: "255", value: terms.content ?? "" },
  ...(kind === "coupon" ? [
    { name: "percent", label: t("percent"), inputmode: "numeric", pattern: "[1-9]\\d?", rule: t("percent.rule"),
      value: terms.discount?.percent ?? "", check: (value, { amountOff }) => (amountOff ? t("discount.one") : "") },
    sum("amountOff", terms.discount?.amount, t("amountOff.hint")), sum("minimum", terms.minimum),
    count("usesPerCustomer", terms.usesPerCustomer, t("usesPerCustomer.hint")), count("usesInAll", terms.usesInAll, t("usesInAll.hint")),
    between("stars", terms.stars, 1, 10_000),
  ] : []),
  { name: "targetTime", label: t("targetTime"), type: "datetime-local", value: local(terms.sendTime), hint: t("targetTime.hint") },
  { name: "expDate", label: t("expDate"), type: "datetime-local", value: local(terms.expDate), hint: t("expDate.hint"),
    check: (value, { targetTime }) => (new Date(value) <= Date.now() ? t("expDate.past") : targetTime && value <= targetTime ? t("expDate.rule") : "") },
  age("minAge", terms.minAge),
  age("maxAge", terms.maxAge, (typed, { minAge }) => (minAge !== "" && Number(typed) < Number(minAge) ? t("ages.rule") : "")),
  { name: "targetGender", label: t("targetGender"), type: "select", value: terms.targetGender ?? "",
    options: [["", t("gender.all")], ["F", t("gender.F")], ["M", t("gender.M")]] },
  { name: "studentTarget", label: t("studentTarget"), type: "check", value: terms.student ?? false },
  between("minVisits", terms.minVisits, 0, 10_000),
  between("maxVisits", terms.maxVisits, 0, 10_000,
    (typed, { minVisits }) => (minVisits !== "" && Number(typed) < Number(minVisits) ? t("visits.rule") : "")),
  between("withinDays", terms.withinDays, 1, 3650),
  { name: "sendOnEntry", label: t("sendOnEntry"), type: "check", value: terms.sendOnEntry ?? false },
  { name: "radiusMetres", label: t("radiusMetres"), inputmode: "numeric", pattern: "[1-9]\\d{0,4}", rule: t("number.rule"),
    value: terms.radiusMetres ?? "", hint: t("radiusMetres.hint") },
];

/** The form's values as the body of a request. */
function bodyOf(kind, values, point, terms) {
  const { amountOff, percent, minimum } = values;
  return {
    title: values.title, content: values.content, minAge: whole(values.minAge), maxAge: whole(values.maxAge),
    targetGender: values.targetGender || undefined, studentTarget: values.studentTarget, sendOnEntry: values.sendOnEntry,
    targetTime: beginOf(values.targetTime, terms.sendTime), expDate: moment(values.expDate, terms.expDate),
    targetLat: point?.latitude, targetLon: point?.longitude, radiusMetres: point ? whole(values.radiusMetres) : undefined,
    minVisits: whole(values.minVisits), maxVisits: whole(values.maxVisits), withinDays: whole(values.withinDays),
    ...(kind === "coupon" ? {
      discount: percent ? { percent: Number(percent) } : amountOff ? { amount: parseAmount(amountOff).amount } : undefined,
      minimum: minimum ? parseAmount(minimum).amount : undefined,
      usesPerCustomer: whole(values.usesPerCustomer), usesInAll: whole(values.usesInAll), stars: whole(values.stars),
    } : {}),
  };
}

/** The form beside its preview. */
async function offerForm(kind, terms, action, send) {
  const account = await read("/v1/settings/account");
  const at = terms.targetLat === undefined ? null : { latitude: terms.targetLat, longitude: terms.targetLon };
  let around = terms.radiusMetres ?? radiusMetres;
  const place = pointPicker({ label: t("target"), at, id: "target", around: () => around });
  const shown = el("div");
  const element = form({
    id: "offer", action, fields: fieldsOf(kind, terms), extra: [place.element],
    submit: async (values) => {
      const point = place.value();
      if (point === undefined) return;
      if (kind === "coupon" && !values.percent && !values.amountOff) throw refusalOf("till.discount_missing");
      await send(bodyOf(kind, values, point, terms));
    },
  });
  const draw = () => {
    const typed = Object.fromEntries(new FormData(element));
    const amountOff = parseAmount(typed.amountOff ?? "").amount;
    shown.replaceChildren(preview({
      kind, merchantName: account.name, title: typed.title || t("offer.title"), content: typed.content || t("offer.content"),
      discount: Number(typed.percent) ? { percent: Number(typed.percent) } : amountOff ? { amount: amountOff } : undefined,
      stars: Number(typed.stars), minimum: parseAmount(typed.minimum ?? "").amount, expires: moment(typed.expDate ?? ""),
    }));
  };
  element.addEventListener("input", draw);
  element.elements.radiusMetres.addEventListener("change", ({ target }) => {
    around = Number(target.value) || radiusMetres;
    place.draw();
  });
  draw();
  return el("div", { class: "columns" }, el("div", { class: "column" }, element),
    el("aside", { class: "column beside", "aria-label": t("preview") }, el("h2", {}, t("preview")), shown));
}

export async function newOffer({ params }) {
  const form = newAct();
  return {
    title: t(`offer.new.${params.kind}`), back: "/offers", wide: true,
    body: await offerForm(params.kind, {}, t("offer.submit"), async (body) => {
      // Another content is another offer, and so is the same one in a form of its own.
      const made = await api.insist("POST", "/v1/offers", { kind: params.kind, ...body }, { key: keyFor([form, body]) });
      tell(t("offer.submitted"));
      go(`/offers/${made.body.offer}`, { replace: true });
    }),
  };
}

export async function changeOffer({ params }) {
  const one = await read(`/v1/offers/${params.offer}`);
  return {
    title: t("offer.change"), back: `/offers/${one.offer}`, wide: true,
    body: await offerForm(one.kind, one.terms, t("offer.change.submit"), async (body) => {
      await put(`/v1/offers/${one.offer}`, { ...body, revision: one.revision });
      tell(t("offer.submitted"));
      go(`/offers/${one.offer}`, { replace: true });
    }),
  };
}

// MARK: One offer

/** What came of it, as names and values; an ad has no money. */
const cameOf = (one, came) => [
  [t("came.sent"), t("customers", { n: came.sent })], [t("came.seen"), t("customers", { n: came.seen })],
  ...(one.kind === "coupon" ? [
    [t("came.used"), [t("came.used.n", { n: came.used }), t("customers", { n: came.customers })].join(" · ")],
    [t("came.paid"), money(came.paid)], [t("came.discount"), money(came.discount)]] : []),
];

export async function offer({ params }) {
  const [one, audience, came, account] = await Promise.all([
    read(`/v1/offers/${params.offer}`), read(`/v1/offers/${params.offer}/audience`), read(`/v1/offers/${params.offer}/outcome`),
    read("/v1/settings/account")]);
  const problem = el("p", { class: "problem", role: "alert" });
  const outcome = el("p", { class: "note", role: "status" });
  const again = () => dispatchEvent(new HashChangeEvent("hashchange"));
  const turn = el("button", { type: "button", click: () => attempt(turn, problem, async () => {
    await api.insist("POST", `/v1/offers/${one.offer}/${one.enabled ? "disabling" : "enabling"}`);
    again();
  }) }, t(one.enabled ? "offer.disable" : "offer.enable"));
  const key = newAct();
  const push = el("button", { type: "button", class: "primary", click: () => attempt(push, problem, async () => {
    const { body } = await api.insist("POST", `/v1/offers/${one.offer}/pushes`, {}, { key });
    push.disabled = true;
    say(outcome, t("push.came", { sent: body.sent, nearby: body.nearby }));
  }) }, t("push.now"));
  const isLive = one.accepted === "accepted" && one.enabled;
  const { terms } = one;
  return {
    title: terms.title, back: "/offers", wide: true,
    body: el("div", { class: "columns" },
      el("div", { class: "column" },
        el("p", { class: `note ${{ pending: "waiting", rejected: "refused" }[one.accepted] ?? ""}` },
          stateOf(one), one.reason && `: ${one.reason}`),
        el("dl", { class: "facts" }, ...targetFacts(one).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
        el("p", { class: "buttons stretch" }, isLive && push, one.accepted === "accepted" && turn,
          el("a", { class: "button", href: `#/offers/${one.offer}/change` }, t("offer.change"))),
        !isLive && el("p", { class: "detail" }, t(one.accepted === "accepted" ? "push.not-enabled" : "push.not-yet")),
        outcome, problem),
      el("div", { class: "column" }, el("h2", {}, t("preview")),
        preview({ kind: one.kind, merchantName: account.name, ...terms, expires: terms.expDate }),
        el("section", {}, el("h2", {}, t("came")),
          el("dl", { class: "facts", id: "came" }, ...cameOf(one, came).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]))),
        el("section", {}, el("h2", {}, t("audience")),
          el("p", {}, t("audience.n", { n: audience.audience, subscribed: audience.subscribed, customers: audience.customers })),
          audience.excluded.length > 0 && list(t("audience.excluded"), audience.excluded.map((rule) => row({
            what: t(`rule.${rule.rule}`), detail: t("audience.without", { n: rule.customers }) })), "")))),
  };
}
