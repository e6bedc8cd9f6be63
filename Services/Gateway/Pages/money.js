// Money and time as people read them.

/** `$16.50`, `-$0.05`, `12.00 EUR` of integer minor units: no sum is ever a fraction here. */
export function money({ amount, currency }) {
  const cents = Math.abs(amount);
  const number = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
  const sign = amount < 0 ? "-" : "";
  return currency === "USD" ? `${sign}$${number}` : `${sign}${number} ${currency}`;
}

/** With a sign in either direction, as in a list of what came and went. */
export const signedMoney = (sum) => (sum.amount > 0 ? "+" : "") + money(sum);

export const negative = ({ amount, currency }) => ({ amount: -amount, currency });

const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });
const clock = new Intl.DateTimeFormat("en", { hour: "numeric", minute: "2-digit" });
const full = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** `Nov 21, 9:30 AM`, in the reader's zone. */
export const when = (time) => `${day.format(new Date(time))}, ${clock.format(new Date(time))}`;

/** To the second, as on a receipt. */
export const whenExactly = (time) => full.format(new Date(time));

/** `0:42`. */
export const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
