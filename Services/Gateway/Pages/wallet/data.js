// What the wallet reads from the set, in the form that views need.
import { pagesOf } from "../shared/growing.js";
import { allRows, read } from "../shared/read.js";
import { distance } from "../shared/text.js";

/** All cards, oldest first. */
export const cards = async () => (await read("/v1/cards")).cards;

/** Where an act whose answer had been lost is found. */
export const foundAt = ({ charge }) => (charge ? `/receipts/${charge}?new` : "/activities");

/** Charges that wait for an answer, oldest first: the first one expires first. */
export const pending = async () => (await allRows("charges", "/v1/charges?state=requested", "before")).reverse();

/** Where a list is to be searched: nothing without a position. */
export const near = (at) => (at ? `&latitude=${at.latitude}&longitude=${at.longitude}` : "");

/** A page of merchants' places nearby, nearest first, as `pagesOf` reads it; empty without a position. */
export async function nearby(skip) {
  try {
    return await nearbyPages(skip);
  } catch (error) {
    if (error.code !== "location.position_unknown" && error.code !== "location.sharing_off") throw error;
    return { rows: [] };
  }
}

const nearbyPages = pagesOf("merchants", "/v1/merchants/nearby?limit=100", "skip");

/** What the merchant of a place nearby is called. The place's name stands for it while the server cannot tell. */
export const ownerOf = (place) => place.merchantName ?? place.name;

/** What a place nearby says below its merchant's name: its own name where that differs, and how far it is. */
export const whereOf = (place) =>
  [place.name === ownerOf(place) ? null : place.name, distance(place.distanceMetres)].filter(Boolean).join(" · ");

/** All subscriptions: a customer has at most 10,000. */
export const subscriptions = () => allRows("subscriptions", "/v1/subscriptions", "after");

/**
 * A merchant's name as the server knows it, undefined where it knows none. What a link calls the merchant is only searched
 * for: a link may name anybody.
 */
export async function merchantName(id, called) {
  const isIt = ({ merchant }) => merchant === id;
  const here = (await nearby()).rows.find(isIt);
  if (here?.merchantName || !called) return here?.merchantName;
  return (await read(`/v1/deals/search?limit=100&merchant=${encodeURIComponent(called)}`)).merchants.find(isIt)?.name;
}

/** What a coupon takes off an amount, in cents: half up, at least one, and less than all. */
export function discountOf(discount, cents) {
  if (!discount || cents <= 1) return 0;
  const off = discount.amount ? discount.amount.amount : Math.floor((cents * discount.percent + 50) / 100);
  return Math.min(Math.max(1, off), cents - 1);
}
