// What waits for a decision: merchants, ads and coupons, as one list.
import { allRows, read } from "../shared/read.js";

/** Pages that are read of each list; what is behind them comes up once these are decided. */
const pagesMax = 10;

/** An item: `{id, subject, kind, title, since, merchant}` or `{…, offer}`. All revisions of an offer are one subject. */
export const ofMerchant = (one) => ({ id: one.merchant, subject: one.merchant, kind: "merchant", title: one.name, since: one.registered, merchant: one });
const ofOffer = (one) => ({ id: `${one.offer}-${one.revision}`, subject: one.offer, kind: one.kind, title: one.terms.title, since: one.submitted, offer: one });

/** Everything that waits, oldest first. */
export async function everything() {
  const [merchants, offers] = await Promise.all([
    allRows("merchants", "/v1/merchants?status=pending", "after", pagesMax),
    allRows("offers", "/v1/offers/pending", "before", pagesMax)]);
  return [...merchants.map(ofMerchant), ...offers.map(ofOffer)].sort((a, b) => (a.since < b.since ? -1 : 1));
}

const known = new Map();

/** One merchant by id; null where there is none. The list is by id, so the one behind the id before it is meant. */
export async function merchantOf(id) {
  if (known.has(id)) return known.get(id);
  if (!/^[0-9a-f]{32}$/.test(id)) return null;
  const before = (BigInt(`0x${id}`) - 1n).toString(16).padStart(32, "0");
  const [one] = (await read(`/v1/merchants?limit=1&after=${before}`)).merchants;
  const found = one?.merchant === id ? one : null;
  known.set(id, found);
  return found;
}

/** Forgets what was known of a merchant, because it was decided on. */
export const forgetMerchant = (id) => known.delete(id);
