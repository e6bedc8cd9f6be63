// Who pays: somebody nearby, somebody by username, or whoever shows a code.
import { amount } from "../shared/amount.js";
import { el, say } from "../shared/dom.js";
import { refusalOf } from "../shared/explain.js";
import { form } from "../shared/form.js";
import { parseAmount } from "../shared/money.js";
import { read } from "../shared/read.js";
import { canScan, scan } from "../shared/scan.js";
import { t } from "../shared/text.js";
import { attempt, go } from "../shared/view.js";
import { draft, followDraft, openDraft, request } from "./draft.js";
import { chosen, nearList, noPlace } from "./near.js";

/** Throws the refusal of a customer who is not near, and does not know this merchant. */
async function requireChargeable(customer) {
  const { refusal } = await read(`/v1/chargeable?customer=${encodeURIComponent(customer)}`);
  if (refusal) throw refusalOf(refusal);
}

export async function whom({ signal }) {
  const now = draft();
  const { amount: sum } = parseAmount(now.amount);
  if (!sum) return go("/", { replace: true }) ?? { title: t("whom") };
  followDraft(signal);
  const open = openDraft();
  if (open) return { title: t("whom"), back: "/", body: open };
  const asker = el("div", { class: "column" });
  const { places } = await read("/v1/places");
  const problem = el("p", { class: "problem", role: "alert" });
  const near = places.length === 0 ? noPlace() : nearList({
    signal, pick: (one, button) => attempt(button, problem, () => request({ to: chosen(one) }, asker), { moves: true }) });
  const byCode = form({
    id: "by-code", action: t("code.take"), moves: true,
    fields: [{ name: "code", label: t("code"), hint: t("code.take.hint"), autocomplete: "off", autocapitalize: "none",
      required: true, "data-first": true, maxlength: "512" }],
    submit: ({ code }) => request({ code: code.trim() }, asker),
  });
  const camera = (await canScan()) && el("button", { type: "button", class: "big", click: () => attempt(camera, problem, async () => {
    const code = await scan({ signal });
    if (code) await request({ code }, asker);
  }, { moves: true }) }, t("code.camera"));
  /** What one way to pay was refused for says nothing of the way that is tried next. */
  const clear = ({ target, currentTarget }) => target.closest("button")
    && [problem, ...currentTarget.querySelectorAll("form > .problem")].forEach((one) => say(one, ""));
  asker.append(
    el("p", { class: "due" }, amount(sum, { size: "large" }), now.memo && el("span", { class: "detail" }, now.memo)),
    el("div", { class: "ways-to-pay", click: clear },
      el("section", { class: "column" }, el("h2", {}, t("whom.code")), byCode, camera && el("p", { class: "buttons" }, camera)),
      el("section", { class: "column" }, el("h2", {}, t("whom.username")),
        form({
          id: "by-name", action: t("charge.send"), moves: true,
          fields: [{ name: "customer", label: t("username"), autocapitalize: "none", autocomplete: "off", required: true }],
          submit: async ({ customer }) => {
            await requireChargeable(customer);
            // The cashier may have left the view, and type another amount by now.
            if (signal.aborted) return;
            await request({ to: { customer, name: customer } }, asker);
          },
        })),
      // Nothing that is pressed stands below a list that grows.
      el("section", { class: "column seen" }, el("h2", {}, t("near")), problem, near)));
  return { title: t("whom"), back: "/", wide: true, body: asker };
}
