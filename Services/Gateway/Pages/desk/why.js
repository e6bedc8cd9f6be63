// Why a customer did or did not get an offer: each rule with its verdict.
import { el } from "../shared/dom.js";
import { form } from "../shared/form.js";
import { millionths, within } from "../shared/position.js";
import { read } from "../shared/read.js";
import { t } from "../shared/text.js";

export function why({ query }) {
  const shown = el("div", { class: "column", "aria-live": "polite" });
  const id = (name, value = "") => ({
    name, label: t(`why.${name}`), required: true, pattern: "[0-9a-f]{32}", rule: t("why.rule"), value, autocomplete: "off", autocapitalize: "none" });
  return {
    title: t("way./why"),
    body: [
      el("p", {}, t("why.lead")),
      form({
        id: "why", action: t("why.ask"),
        fields: [
          id("offer", query.get("offer") ?? ""), id("customer"),
          { name: "latitude", label: t("latitude"), hint: t("why.place"), check: within(90), autocomplete: "off" },
          { name: "longitude", label: t("longitude"), check: within(180), autocomplete: "off" },
        ],
        submit: async ({ offer, customer, latitude, longitude }) => {
          const at = latitude && longitude ? `&latitude=${millionths(latitude)}&longitude=${millionths(longitude)}` : "";
          const found = await read(`/v1/offers/${offer}/explanation?customer=${customer}${at}`);
          shown.replaceChildren(
            el("p", { class: `note ${found.shown ? "" : "refused"}` }, t(found.shown ? "why.shown" : "why.hidden"), " ", t(found.sent ? "why.sent" : "why.unsent")),
            el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("way./why") },
              el("table", { class: "figures" },
                el("thead", {}, el("tr", {}, ...["which", "wanted", "found", "verdict"].map((one) => el("th", { scope: "col" }, t(`why.${one}`))))),
                el("tbody", {}, ...found.verdicts.map((one) => el("tr", { class: one.passes ? null : "fails" },
                  el("th", { scope: "row" }, t(`rule.${one.rule}`)), el("td", {}, one.wanted), el("td", {}, one.found),
                  el("td", {}, t(one.passes ? "why.passes" : "why.fails"))))))));
        },
      }),
      shown],
  };
}
