// What the wallet reads from the set, in the form that views need.
import { read, readIf } from "../shared/read.js";

/** All cards, oldest first. */
export const cards = async () => (await read("/v1/cards")).cards;

/** Charges that wait for an answer, oldest first: the first one expires first. */
export async function pending() {
  const found = [];
  let next;
  do {
    const page = await read(`/v1/charges?state=requested&limit=100${next ? `&before=${next}` : ""}`);
    found.push(...page.charges);
    next = page.next;
  } while (next);
  return found.reverse();
}

/** The position that the set has, `{latitude, longitude, time}`; null without one. */
export const position = () => readIf("/v1/location");

/** Whether the position is shared. */
export const sharing = async () => (await read("/v1/settings/location")).sharing;

/** Where a list is to be searched: nothing without a position. */
export const near = (at) => (at ? `&latitude=${at.latitude}&longitude=${at.longitude}` : "");

/** Merchants' places nearby, nearest first; empty without a position. */
export async function nearby() {
  try {
    return (await read("/v1/merchants/nearby?limit=100")).merchants;
  } catch (error) {
    if (error.code !== "location.position_unknown" && error.code !== "location.sharing_off") throw error;
    return [];
  }
}

/**
 * A merchant's name as the server knows it, undefined where it knows none. What a link calls the merchant is only searched
 * for: a link may name anybody.
 */
export async function merchantName(id, called) {
  const isIt = ({ merchant }) => merchant === id;
  const here = (await nearby()).find(isIt);
  if (here || !called) return here?.name;
  return (await read(`/v1/deals/search?limit=100&merchant=${encodeURIComponent(called)}`)).merchants.find(isIt)?.name;
}

/** What a coupon takes off an amount, in cents: half up, at least one, and less than all. */
export function discountOf(discount, cents) {
  if (!discount || cents <= 1) return 0;
  const off = discount.amount ? discount.amount.amount : Math.floor((cents * discount.percent + 50) / 100);
  return Math.min(Math.max(1, off), cents - 1);
}
