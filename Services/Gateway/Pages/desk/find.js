// Looking things up: an account by its username, a charge by its number, and the ways to the other look-ups.
import { el, say } from "../shared/dom.js";
import { form } from "../shared/form.js";
import { growingList, pagesOf } from "../shared/growing.js";
import { money } from "../shared/money.js";
import { readIf } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { dateOf, exactly, language, t } from "../shared/text.js";
import { go } from "../shared/view.js";

const others = ["/why", "/letters", "/tables"];

export function find() {
  return {
    title: t("way./find"), wide: true,
    body: [
      el("div", { class: "columns" },
        el("section", { class: "column" }, el("h2", {}, t("find.account")), form({
          id: "find-account", action: t("find.do"),
          fields: [{ name: "username", label: t("find.username"), required: true, maxlength: "64", autocapitalize: "none", autocomplete: "off" }],
          submit: async ({ username }) => go(`/accounts?${new URLSearchParams({ username: username.trim() })}`),
        })),
        el("section", { class: "column" }, el("h2", {}, t("find.charge")), form({
          id: "find-charge", action: t("find.do"),
          fields: [{
            name: "charge", label: t("find.number"), required: true, pattern: "\\s*[0-9a-f]{32}\\s*", rule: t("why.rule"),
            hint: t("find.number.hint"), autocapitalize: "none", autocomplete: "off" }],
          submit: async ({ charge }) => go(`/charges/${charge.trim()}`),
        }))),
      list(t("find.others"), others.map((way) => row({ what: t(`way.${way}`), detail: t(`way.${way}.what`), href: `#${way}` })), "")],
  };
}

const facts = (pairs) => el("dl", { class: "facts" }, ...pairs.filter((one) => one && one[1] !== undefined && one[1] !== null && one[1] !== "")
  .flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));

export async function account({ query }) {
  const username = query.get("username") ?? "";
  const found = await readIf(`/v1/accounts?${new URLSearchParams({ username })}`);
  if (!found) return { title: username, back: "/find", body: [el("p", { class: "empty" }, t("find.nobody"))] };
  const { profile } = found;
  const isHolder = found.role !== "administrator";
  const charges = isHolder && await growingList(
    pagesOf("charges", `/v1/accounts/${found.account}/charges?limit=20`, "before"), (rows) =>
      list(t("find.charges"), rows.map((one) => row({
        id: `charge-${one.charge}`, what: found.role === "merchant" ? one.customerName ?? one.customer : one.merchantName,
        mark: t(`state.${one.state}`), detail: exactly(one.decided ?? one.requested), sum: one.amount, href: `#/charges/${one.charge}`,
      })), t("find.charges.empty")));
  return {
    title: found.name, back: "/find", wide: true,
    body: el("div", { class: "columns" },
      el("div", { class: "column" }, facts([
        [t("find.username"), found.username], [t("find.role"), t(`role.${found.role}`)],
        found.status && [t("status"), t(`status.${found.status}`)], found.balance && [t("find.balance"), money(found.balance)],
        [t("person"), [profile.firstName, profile.lastName].filter(Boolean).join(" ")], [t("find.email"), profile.email],
        [t("find.birthdate"), profile.birthdate && dateOf(`${profile.birthdate}T00:00`)], [t("business"), profile.businessName], [t("address"), profile.address],
        [t("categories"), (profile.productTypes ?? []).map((one) => t(`category.${one}`)).join(", ")], [t("id"), el("span", { class: "typed" }, found.account)],
      ])),
      charges && el("section", { class: "column" }, el("h2", {}, t("find.charges")), ...charges.parts)),
  };
}

const milliseconds = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export async function charge({ params }) {
  const found = await readIf(`/v1/charges/${params.charge}/trace`);
  if (!found) return { title: t("find.charge"), back: "/find", body: [el("p", { class: "empty" }, t("find.no-charge"))] };
  const { charge: one, steps, missing } = found;
  const took = (step) => (step.microseconds === undefined || step.microseconds === null ? "" : `${milliseconds.format(step.microseconds / 1000)} ms`);
  const result = (step) => [step.fault, step.entry && t("trace.entry", { n: step.entry })].filter(Boolean).join(" · ");
  const note = el("p", { class: "note waiting" });
  if (missing.length) say(note, t("trace.missing", { services: missing.join(", ") }));
  return {
    title: t("trace.title", { amount: money(one.amount), merchant: one.merchantName }), back: "/find", wide: true,
    body: [
      facts([
        [t("trace.state"), t(`state.${one.state}`)], [t("trace.amount"), money(one.amount)], [t("trace.memo"), one.memo],
        [t("trace.merchant"), one.merchantName], [t("trace.customer"), one.customerName ?? one.customer],
        [t("trace.requested"), exactly(one.requested)], one.decided && [t("trace.decided"), exactly(one.decided)],
        one.entry && [t("trace.ledger"), t("trace.entry", { n: one.entry })],
        one.refunded.amount > 0 && [t("trace.refunded"), money(one.refunded)], one.discount && [t("trace.discount"), money(one.discount)],
        [t("id"), el("span", { class: "typed" }, one.charge)]]),
      el("h2", {}, t("trace")), missing.length > 0 && note,
      steps.length === 0
        ? el("p", { class: "empty" }, t("trace.empty"))
        : el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("trace") },
          el("table", { class: "figures", id: "trace" },
            el("thead", {}, el("tr", {}, ...["time", "service", "what", "kind", "took", "result"].map((name) => el("th", { scope: "col" }, t(`trace.${name}`))))),
            el("tbody", {}, ...steps.map((step) => el("tr", { class: step.fault ? "fails" : null },
              el("td", {}, exactly(step.time)), el("td", {}, step.service), el("th", { scope: "row" }, step.name),
              el("td", {}, t(`trace.${step.kind}`)), el("td", {}, took(step)), el("td", {}, result(step)))))))],
  };
}
