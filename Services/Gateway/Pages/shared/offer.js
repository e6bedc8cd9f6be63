// An ad or a coupon: what it is worth, how a customer sees it, whom it is for.
import { el } from "./dom.js";
import { money } from "./money.js";
import { degrees, radiusMetres } from "./position.js";
import { dateOf, exactly, t } from "./text.js";

/** What it gives, in a few words; empty where it only tells. */
export function worth({ discount, stars }) {
  const off = discount?.amount ? money(discount.amount) : discount?.percent ? `${discount.percent} %` : "";
  return [off && t("off", { what: off }), stars && t("stars.cost", { n: stars })].filter(Boolean).join(", ");
}

/** As the customer will see it. */
export const preview = ({ kind, merchantName, title, content, discount, stars, minimum, expires }) =>
  el("article", { class: "preview", "data-kind": kind },
    el("p", { class: "detail" }, merchantName), el("p", { class: "lead" }, el("strong", {}, title)),
    worth({ discount, stars }) && el("p", { class: "worth" }, worth({ discount, stars })),
    el("p", {}, content),
    el("p", { class: "detail" }, [
      minimum && t("minimum.n", { amount: money(minimum) }), expires && t("valid-until.n", { time: exactly(expires) }),
    ].filter(Boolean).join(" · ")));

/** For whom, where, when and how often, in rows. */
const rulesOf = (terms) => [
  (terms.minAge ?? terms.maxAge) !== undefined && [t("ages"), `${terms.minAge ?? 0} – ${terms.maxAge ?? "…"}`],
  terms.targetGender && [t("targetGender"), t(`gender.${terms.targetGender}`)],
  terms.student && [t("students"), t("yes")],
  terms.sendTime && [t("targetTime"), exactly(terms.sendTime)], terms.expDate && [t("expDate"), exactly(terms.expDate)],
  terms.targetLat !== undefined && [t("target"), `${degrees(terms.targetLat)}, ${degrees(terms.targetLon)} (${terms.radiusMetres ?? radiusMetres} m)`],
  terms.sendOnEntry && [t("sendOnEntry"), t("yes")],
  terms.minVisits !== undefined && [t("minVisits"), terms.minVisits], terms.maxVisits !== undefined && [t("maxVisits"), terms.maxVisits],
  terms.withinDays && [t("withinDays"), terms.withinDays],
  terms.usesPerCustomer && [t("usesPerCustomer"), terms.usesPerCustomer], terms.usesInAll && [t("usesInAll"), terms.usesInAll],
].filter(Boolean);

/** What a preview does not show, in rows. */
export const targetFacts = ({ terms, kind, submitted, decided }) => [
  [t("kind"), t(`kind.${kind}`)], ...rulesOf(terms), [t("submitted"), dateOf(submitted)], decided && [t("decided"), dateOf(decided)],
].filter(Boolean);

/** All that terms say, in rows. */
const allOf = (terms) => [
  [t("offer.title"), terms.title], [t("offer.content"), terms.content], worth(terms) && [t("worth"), worth(terms)],
  terms.minimum && [t("minimum"), money(terms.minimum)], ...rulesOf(terms),
].filter(Boolean);

/** What two revisions of terms differ in, as `{name, before, after}`; what one of them does not say is undefined there. */
export function differences(before, after) {
  const [old, now] = [before, after].map((terms) => new Map(allOf(terms)));
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }))
    .filter((one) => one.before !== one.after);
}
