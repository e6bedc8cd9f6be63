// Merchants by their status, and a decision that is taken again.
import { el } from "../shared/dom.js";
import { showBy } from "../shared/filter.js";
import { growingList, pagesOf } from "../shared/growing.js";
import { list, row } from "../shared/rows.js";
import { dateOf, t } from "../shared/text.js";
import { isOpen } from "./decisions.js";
import { decision, merchantDetails } from "./item.js";
import { undoList } from "./undo.js";
import { forgetMerchant, merchantOf, ofMerchant } from "./waiting.js";

const statuses = ["pending", "approved", "rejected"];

export async function merchants({ query }) {
  const status = query.get("status") ?? "";
  const path = `/v1/merchants?limit=50${status ? `&status=${status}` : ""}`;
  const { parts } = await growingList(pagesOf("merchants", path, "after"), (found) =>
    list(t("way./merchants"), found.map((one) => row({
      id: `merchant-${one.merchant}`, what: one.name, mark: t(`status.${one.status}`), href: `#/merchants/${one.merchant}`,
      detail: [one.username, one.registered && dateOf(one.registered)].filter(Boolean).join(" · "),
    })), t("merchants.empty")));
  const select = el("select", { id: "status", change: () => showBy(`/merchants${select.value ? `?status=${select.value}` : ""}`) },
    el("option", { value: "" }, t("status.all")),
    ...statuses.map((one) => el("option", { value: one, selected: one === status }, t(`status.${one}`))));
  return {
    title: t("way./merchants"),
    body: [el("div", { class: "field" }, el("label", { for: "status" }, t("status")), select), ...parts],
  };
}

export async function merchant({ params, signal }) {
  forgetMerchant(params.merchant);
  const one = await merchantOf(params.merchant);
  if (!one) return { title: t("kind.merchant"), back: "/merchants", body: el("p", { class: "empty" }, t("merchants.gone")) };
  const again = () => dispatchEvent(new HashChangeEvent("hashchange"));
  const isBusy = isOpen(one.merchant);
  const deciding = el("div", {}, isBusy ? "" : decision(ofMerchant(one), again));
  // Once it was sent, or undone, the view is another one.
  addEventListener("billfold-decisions", () => isBusy && !isOpen(one.merchant) && again(), { signal });
  return {
    title: one.name, back: "/merchants", wide: true,
    body: el("div", { class: "columns" }, await merchantDetails(one),
      el("section", { class: "column", "aria-label": t("decision") }, deciding, undoList({ signal, taken: () => {} }))),
  };
}
