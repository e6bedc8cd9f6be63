// The charge that is being typed. Its id names the act: a second tap, a reload and the back button repeat the same charge.
import { forTab } from "../shared/keep.js";
import { el } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { findOut } from "../shared/find-out.js";
import { parseAmount } from "../shared/money.js";
import { newAct, once, openActs } from "../shared/once.js";
import { api, session } from "../shared/session.js";
import { t } from "../shared/text.js";
import { go } from "../shared/view.js";

/** Of the account: another merchant may log in in this tab. */
const name = () => `billfold.till.draft.${session.account}`;

/** `{id, amount, memo, to}`: amount as typed; `to` is the chosen customer, null before. */
export const draft = () => forTab.get(name()) ?? begin();

/** Changes the draft. */
export const keep = (change) => forTab.set(name(), { ...draft(), ...change });

/** Begins another charge. */
export function begin(given = {}) {
  const next = { id: newAct(), amount: "", memo: "", to: null, ...given };
  forTab.set(name(), next);
  return next;
}

/**
 * Asks a customer for the draft's amount, or takes it with the code that the customer shows; then waits for the outcome.
 *
 * `to` is `{customer, name, place}`: `customer` is a username or an id, `place` where the customer was seen. Where the outcome is
 * unknown it is found out in `asker`, the element with all that could ask for it: what is typed there would not be what is
 * charged.
 */
export async function request({ to, code }, asker) {
  const { id, amount, memo } = draft();
  const body = { amount: parseAmount(amount).amount, ...(memo ? { memo } : {}) };
  try {
    const answer = code
      ? await once(api, session.account, id, "POST", "/v1/code-payments", { ...body, code }, { label: t("charge.by-code") })
      : await once(api, session.account, id, "POST", "/v1/charges",
        { ...body, customer: to.customer, ...(to.place ? { place: to.place } : {}) }, { label: to.name });
    show(answer.body, to?.name);
  } catch (error) {
    // Refused: another try is another act, because its amount or customer may differ.
    if (!error.isOpen) keep({ id: newAct() });
    const open = error.isOpen && !error.endsSession && openDraft(explained(error, { moves: true }));
    if (!open) throw error;
    asker.replaceChildren(open);
  }
}

function show({ charge }, name) {
  begin();
  if (name) forTab.set(`billfold.till.name.${charge}`, name);
  go(`/waiting/${charge}`);
}

/** Whom a charge is for: as auth knows the customer, or as the cashier chose. */
export const customerOf = (charge) =>
  charge.customerName ?? forTab.get(`billfold.till.name.${charge.charge}`) ?? t("customer.number", { n: charge.customer.slice(-6) });

/** Where the draft's answer was lost: what says so, and a way to find it out; null where nothing is open. */
export function openDraft(words) {
  const { id } = draft();
  const open = openActs(session.account).find((act) => act.id === id);
  return open ? findOut(open, async () => show((await once(api, session.account, id)).body), words) : null;
}

/** Goes on with the draft's charge once its outcome was found out. */
export const followDraft = (signal) => addEventListener("billfold-act", ({ detail }) => {
  if (detail.id !== draft().id) return;
  if (detail.body) return show(detail.body);
  keep({ id: newAct() });
  dispatchEvent(new HashChangeEvent("hashchange"));
}, { signal });
