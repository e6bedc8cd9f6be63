// A form that moves money: an amount, and the act that it makes, at most once.
import { el } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { findOut } from "../shared/find-out.js";
import { form } from "../shared/form.js";
import { keypad } from "../shared/keypad.js";
import { parseAmount } from "../shared/money.js";
import { draft, openActs } from "../shared/once.js";
import { session } from "../shared/session.js";
import { language, t } from "../shared/text.js";
import { cardSelect } from "./charges.js";
import { act } from "../shared/pin.js";

/**
 * Amount, words (unless `hasMemo` is false) and which of `all` cards, then the act. `request(values, {amount, card})`
 * returns its path and body, `label(values)` its name; `done(body)` goes on with its answer.
 *
 * An act of this form whose outcome is unknown takes the form's place: it is found out instead of being made again.
 */
export function moneyForm({ name, label, fields = [], hasMemo = true, request, done, all = [], action, signal }) {
  // Of the account: another customer may log in in this tab.
  const own = session.account + name;
  const current = draft(own);
  const card = cardSelect(all);
  const finish = (body) => {
    current.end();
    done(body);
  };
  addEventListener("billfold-act", ({ detail }) => {
    if (detail.id !== current.id) return;
    if (detail.body) return finish(detail.body);
    current.end();
    dispatchEvent(new HashChangeEvent("hashchange"));
  }, { signal });
  const place = el("div", { class: "with-keys" });
  const showOpen = (words) => {
    const open = openActs(session.account).find(({ id }) => id === current.id);
    if (open) place.replaceChildren(findOut(open, () => act(open.id).then((body) => body && finish(body)), words));
    return Boolean(open);
  };
  if (showOpen("")) return place;
  const element = form({
    action, moves: true,
    fields: [
      ...fields,
      { name: "amount", label: t("amount"), class: "amount", inputmode: "decimal", autocomplete: "off", required: true,
        check: (value) => {
          const { problem } = parseAmount(value);
          return problem ? t(`amount.${problem}`) : "";
        } },
      ...(hasMemo ? [{ name: "memo", label: t("memo"), maxlength: "200" }] : []),
    ],
    extra: all.length > 1 ? [el("div", { class: "field" }, el("label", { for: "card" }, t("pay.with")), card)] : [],
    submit: async (values) => {
      const { path, body } = request(values, { amount: parseAmount(values.amount).amount, card: card.value });
      try {
        const sent = values.memo ? { ...body, memo: values.memo } : body;
        const result = await act(current.id, "POST", path, sent, label(values));
        if (result) finish(result);
      } catch (error) {
        if (error.isOpen && !error.endsSession) return showOpen(explained(error, { moves: true }));
        if (!error.isOpen) {
          // Refused: another try is another act, because its amount may differ.
          current.end();
          current.id = draft(own).id;
        }
        throw error;
      }
    },
  });
  const field = element.querySelector("[name=amount]");
  place.append(element, keypad(field.id, { point: language === "de" ? "," : ".", max: 9 }));
  return place;
}
