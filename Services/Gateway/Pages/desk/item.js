// One item with all that was submitted, and the decision on it.
import "../shared/map.js";
import { pause } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { form } from "../shared/form.js";
import { differences, preview, targetFacts } from "../shared/offer.js";
import { degrees, fenceMetres, radiusMetres } from "../shared/position.js";
import { deliberate } from "../shared/press.js";
import { read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { dateOf, exactly, t } from "../shared/text.js";
import { decide } from "./decisions.js";
import { merchantOf } from "./waiting.js";

const table = (facts) => el("dl", { class: "facts" }, ...facts.filter(Boolean)
  .flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));

/** All that a merchant says of itself. */
const merchantFacts = ({ username, name, profile = {}, status, registered, reason, merchant }) => table([
  [t("status"), t(`status.${status}`)], reason && [t("reason"), reason],
  [t("name"), name], [t("username"), username],
  profile.businessName && [t("business"), profile.businessName], profile.address && [t("address"), profile.address],
  profile.email && [t("email"), profile.email],
  (profile.firstName || profile.lastName) && [t("person"), [profile.firstName, profile.lastName].filter(Boolean).join(" ")],
  profile.birthdate && [t("birthdate"), dateOf(`${profile.birthdate}T00:00`)], profile.student && [t("student.is"), t("yes")],
  profile.productTypes?.length && [t("categories"), profile.productTypes.map(categoryOf).join(", ")],
  registered && [t("registered"), exactly(registered)], [t("id"), merchant],
]);

/** Accounts from before the list have words of their own. */
const categoryOf = (type) => (t(`category.${type}`) === `category.${type}` ? type : t(`category.${type}`));

/** How long an item waits for the merchant's places. */
const placesMilliseconds = 1000;

/** Shows the merchant's places as a list and on a map, with the place of an offer. The rest of an item is there before. */
async function showPlaces(shown, merchant, target) {
  try {
    const { places } = await read(`/v1/merchants/${merchant}/places`);
    const map = el("place-map");
    const points = [...places.map((one) => ({ ...one, around: fenceMetres })), ...(target ? [target] : [])];
    shown.replaceChildren(
      list(t("places"), places.map((one) => row({
        what: one.name, detail: `${degrees(one.latitude)}, ${degrees(one.longitude)}` })), t("places.none")),
      ...(points.length ? [map] : []));
    map.show({ places: points });
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    shown.replaceChildren(el("p", { class: "problem", role: "alert" }, explained(error)));
  }
}

/** A merchant with its places, which are waited for a moment: on a phone what comes later moves the decision below. */
export async function merchantDetails(one, target) {
  const shown = el("div", { class: "column places" }, el("p", { class: "empty" }, t("loading")));
  await Promise.race([showPlaces(shown, one.merchant, target), pause(placesMilliseconds)]);
  return el("div", { class: "column" }, merchantFacts(one), el("section", {}, el("h3", {}, t("places")), shown));
}

/** Where an offer counts, as a point of a map; nothing where it counts everywhere. */
const targetOf = ({ title, targetLat, targetLon, radiusMetres: around = radiusMetres }) => targetLat !== undefined
  && { name: title, latitude: targetLat, longitude: targetLon, marked: true, around };

/** What is new since the revision that was approved last; nothing where none was. */
function changes({ terms, lastApproved }) {
  if (!lastApproved) return false;
  const found = differences(lastApproved.terms, terms);
  return el("section", { id: "changes" },
    el("h3", {}, t(found.length ? "changes" : "changes.none", { n: lastApproved.revision })),
    found.length > 0 && el("dl", { class: "changes" }, ...found.map(({ name, before = "–", after = "–" }) => el("div", {},
      el("dt", {}, name),
      el("dd", {}, el("span", { class: "detail" }, t("changes.before")), " ", el("del", {}, String(before))),
      el("dd", {}, el("span", { class: "detail" }, t("changes.after")), " ", el("ins", {}, String(after)))))));
}

/** An item's details. */
export async function details(item) {
  if (item.merchant) return merchantDetails(item.merchant);
  const { offer, merchant, terms } = item.offer;
  const [owner, audience] = await Promise.all([merchantOf(merchant), read(`/v1/offers/${offer}/audience`)]);
  return el("div", { class: "column" },
    changes(item.offer),
    preview({ kind: item.kind, merchantName: owner?.name ?? merchant, ...terms, expires: terms.expDate }),
    table([...targetFacts(item.offer), item.offer.revision > 1 && [t("revision"), item.offer.revision]]),
    el("section", {}, el("h3", {}, t("audience")),
      el("p", {}, t("audience.n", { n: audience.audience, subscribed: audience.subscribed })),
      audience.excluded.length > 0 && list(t("audience"), audience.excluded.map((one) => row({
        what: t(`rule.${one.rule}`), detail: t("audience.without", { n: one.customers }) })), "")),
    el("p", { class: "buttons" }, el("a", { class: "button", href: `#/why?offer=${offer}` }, t("why.link"))),
    el("section", {}, el("h3", {}, t("kind.merchant")), owner ? await merchantDetails(owner, targetOf(terms)) : el("p", {}, merchant)));
}

/** Approve, or reject with a reason; `done` is called once it was decided. */
export function decision(item, done) {
  const after = (approves, reason) => {
    decide(item, approves, reason);
    done();
  };
  // The next item comes up where this one was.
  return deliberate(el("div", { class: "column" },
    item.merchant?.status !== "approved" && el("button", {
      type: "button", class: "primary big", id: "approve", "aria-keyshortcuts": "a", click: () => after(true) },
      t("approve"), " ", el("kbd", { "aria-hidden": "true" }, "A")),
    item.merchant?.status !== "rejected" && form({
      id: "reject", action: t("reject"),
      fields: [{
        name: "reason", label: t("reason"), hint: t("reason.hint"), maxlength: "250", required: !item.merchant, autocomplete: "off",
        "aria-keyshortcuts": "r" }],
      submit: ({ reason }) => after(false, reason.trim()),
    })));
}
