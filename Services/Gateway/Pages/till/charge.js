// The till's first view: the keypad, for an amount that somebody is to pay.
import { refresh } from "../shared/app.js";
import { el } from "../shared/dom.js";
import { form } from "../shared/form.js";
import { keypad } from "../shared/keypad.js";
import { parseAmount } from "../shared/money.js";
import { read } from "../shared/read.js";
import { language, t } from "../shared/text.js";
import { go } from "../shared/view.js";
import { approval } from "./approval.js";
import { draft, followDraft, keep, openDraft, request } from "./draft.js";

export async function charge({ signal }) {
  const account = await read("/v1/settings/account");
  const title = t("way./");
  if (account.status !== "approved") {
    // An administrator's decision comes as a notice.
    addEventListener("billfold-notice", refresh, { signal });
    return { title, body: notApproved(account) };
  }
  followDraft(signal);
  const open = openDraft();
  if (open) return { title, body: open };
  const { amount, memo, to } = draft();
  const typing = form({
    id: "charge", action: t(to ? "charge.ask" : "charge.next", { name: to?.name }), moves: true,
    fields: [
      { name: "amount", label: t("amount"), class: "amount", inputmode: "decimal", autocomplete: "off", "data-first": true,
        value: amount, required: true, missing: t("amount.blank"), check: (value) => {
          const { problem } = parseAmount(value);
          return problem ? t(`amount.${problem}`) : "";
        } },
      { name: "memo", label: t("memo"), maxlength: "200", value: memo, autocomplete: "off" },
    ],
    submit: async (values) => {
      keep({ amount: values.amount, memo: values.memo });
      if (to) await request({ to }, asker);
      else go("/whom");
    },
  });
  const field = typing.querySelector("[name=amount]");
  typing.addEventListener("input", () => keep({ amount: field.value, memo: typing.querySelector("[name=memo]").value }));
  const asker = el("div", { class: "till-keys" },
    el("div", { class: "column" },
      to && el("p", { class: "chosen" }, el("span", {}, t("charge.to", { name: to.name })),
        el("button", { type: "button", class: "quiet", click: () => {
          keep({ to: null });
          dispatchEvent(new HashChangeEvent("hashchange"));
        } }, t("charge.other"))),
      typing),
    keypad(field.id, { point: language === "de" ? "," : ".", max: 10 }));
  return { title, wide: true, plain: true, body: asker };
}

/** Nobody can be charged before an administrator has said so. */
const notApproved = (account) => el("div", { class: "column" },
  approval(account),
  el("p", {}, t("approval.meanwhile")),
  el("p", { class: "buttons" }, el("a", { class: "button", href: "#/settings/places" }, t("settings.places"))));
