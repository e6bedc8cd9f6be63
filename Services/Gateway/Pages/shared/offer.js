// An ad or a coupon: what it is worth, how a customer sees it, whom it is for.
import { el } from "./dom.js";
import { money } from "./money.js";
import { degrees } from "./position.js";
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

/** For whom, where and when, in rows. */
export const targetFacts = ({ terms, kind, submitted, decided }) => [
  [t("kind"), t(`kind.${kind}`)],
  (terms.minAge ?? terms.maxAge) !== undefined && [t("ages"), `${terms.minAge ?? 0} – ${terms.maxAge ?? "…"}`],
  terms.targetGender && [t("targetGender"), t(`gender.${terms.targetGender}`)],
  terms.student && [t("students"), t("yes")],
  terms.sendTime && [t("targetTime"), exactly(terms.sendTime)], terms.expDate && [t("expDate"), exactly(terms.expDate)],
  terms.targetLat !== undefined && [t("target"), `${degrees(terms.targetLat)}, ${degrees(terms.targetLon)} (${terms.radiusMetres ?? 200} m)`],
  terms.sendOnEntry && [t("sendOnEntry"), t("yes")],
  terms.usesPerCustomer && [t("usesPerCustomer"), terms.usesPerCustomer], terms.usesInAll && [t("usesInAll"), terms.usesInAll],
  [t("submitted"), dateOf(submitted)], decided && [t("decided"), dateOf(decided)],
].filter(Boolean);
