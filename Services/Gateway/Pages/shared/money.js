// Money and time as people read them.

/** `$16.50`, `−$0.05` with a true minus, `12.00 EUR` of integer minor units: no sum is ever a fraction here. */
export function money({ amount, currency }) {
  const cents = Math.abs(amount);
  const number = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
  const sign = amount < 0 ? "\u2212" : "";
  return currency === "USD" ? `${sign}$${number}` : `${sign}${number} ${currency}`;
}

/** With a sign in either direction, as in a list of what came and went. */
export const signedMoney = (sum) => (sum.amount > 0 ? "+" : "") + money(sum);

export const negative = ({ amount, currency }) => ({ amount: -amount, currency });

/** A sum in dollars, as all bodies of requests have it. */
export const usd = (cents) => ({ amount: cents, currency: "USD" });

/**
 * Reads what a person typed: `4.50`, `4,50`, `4`, `.5`. Returns `{amount}`, or `{problem}`: `blank`, `invalid` (not a
 * number, or more than two decimals), `zero`. The server knows the largest amount that it takes.
 */
export function parseAmount(text) {
  const typed = text.trim().replace(/^\$\s*/, "");
  if (typed === "") return { problem: "blank" };
  const match = /^(\d{0,9})(?:[.,](\d{1,2}))?$/.exec(typed);
  if (!match) return { problem: "invalid" };
  const cents = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  if (cents === 0) return { problem: "zero" };
  return { amount: usd(cents) };
}

const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });
const clock = new Intl.DateTimeFormat("en", { hour: "numeric", minute: "2-digit" });
const full = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** `Nov 21, 9:30 AM`, in the reader's zone. */
export const when = (time) => `${day.format(new Date(time))}, ${clock.format(new Date(time))}`;

/** To the second, as on a receipt. */
export const whenExactly = (time) => full.format(new Date(time));

/** `0:42`. */
export const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
