// A charge from its request to its end: time left and cancel, then the result over the whole screen.
import { amount } from "../shared/amount.js";
import { pause } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { minutes, money } from "../shared/money.js";
import { read } from "../shared/read.js";
import { api } from "../shared/session.js";
import { confirm } from "../shared/sheet.js";
import { t } from "../shared/text.js";
import { announce, attempt, go } from "../shared/view.js";
import { begin, customerOf } from "./draft.js";
import { play } from "./sound.js";

/** Between two reads where no notice comes: the stream may be cut, or the notice muted. */
const lookMilliseconds = 3000;

export async function waiting({ params, query, signal }) {
  const one = await read(`/v1/charges/${params.charge}`);
  signal.throwIfAborted();
  // What was paid back since is no result to be shown from two metres.
  if (one.refunded.amount > 0) return go(`/charges/${one.charge}`, { replace: true }) ?? { title: t("waiting") };
  if (one.state !== "requested") return result(one, query.has("quietly"));
  const left = el("p", { class: "left lead", role: "timer" });
  const remark = el("p", { class: "note waiting", role: "status" });
  const problem = el("p", { class: "problem", role: "alert" });
  const again = () => dispatchEvent(new HashChangeEvent("hashchange"));
  const look = async () => {
    if ((await read(`/v1/charges/${one.charge}`)).state !== "requested" && !signal.aborted) again();
  };
  /** That the customer was not notified is about a request that still waits. */
  const hear = ({ link, kind, title, text }) => link === `/charges/${one.charge}` && kind === "request"
    && say(remark, [title, text].filter(Boolean).join(". "));
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((Date.parse(one.expires) - api.now) / 1000));
    say(left, seconds ? t("waiting.left", { time: minutes(seconds) }) : t("waiting.over"));
  };
  const timer = setInterval(tick, 1000);
  tick();
  signal.addEventListener("abort", () => clearInterval(timer));
  addEventListener("billfold-notice", ({ detail }) => {
    hear(detail);
    if (detail.link === `/charges/${one.charge}`) look().catch(() => {}); // The loop below looks again.
  }, { signal });
  // It may have come before this view did.
  read("/v1/notices?limit=20").then(({ notices }) => notices.forEach(hear), () => {}); // A remark only.
  (async () => {
    while (!signal.aborted) {
      await pause(lookMilliseconds, signal);
      if (!signal.aborted && !document.hidden) await look().catch(() => {}); // Offline: the next turn looks again.
    }
  })();
  const cancel = el("button", { type: "button", class: "big", click: () => attempt(cancel, problem, async () => {
    if (!(await confirm(t("waiting.cancel"), t("waiting.cancel.what", { name: customerOf(one) }), t("waiting.cancel")))) return;
    try {
      await api.insist("POST", `/v1/charges/${one.charge}/cancellation`);
    } catch (error) {
      // It has ended otherwise meanwhile, and the view says how.
      if (error.status !== 409) throw error;
    }
    again();
  }) }, t("waiting.cancel"));
  return {
    title: t("waiting.title", { name: customerOf(one) }),
    body: el("div", { class: "column waiting-for" },
      el("p", {}, amount(one.amount, { size: "large" })), one.memo && el("p", { class: "lead" }, one.memo),
      left, remark, problem,
      el("p", { class: "buttons stretch" }, cancel,
        el("a", { class: "button big", href: "#/" }, t("waiting.next"))),
      el("p", { class: "detail" }, t("waiting.hint"))),
  };
}

/** How it ended, for eyes at two metres and for ears. */
function result(one, isQuiet) {
  const isPaid = one.state === "captured";
  if (!isQuiet) {
    play(isPaid);
    announce(`${t(`result.${one.state}`)} ${money(one.amount)}`);
  }
  const another = el("button", { type: "button", class: "big", "data-first": true, click: () => {
    begin();
    go("/", { replace: true });
  } }, t("result.next"));
  return {
    title: t(`result.${one.state}`), plain: true,
    body: el("section", { class: "result", "data-state": one.state, "aria-label": t("result") },
      el("p", { class: "sign", "aria-hidden": "true" }, isPaid ? "✓" : "✕"),
      el("p", { class: "verdict" }, t(`result.${one.state}`)),
      el("p", {}, amount(one.amount, { size: "large" })),
      el("p", { class: "lead" }, customerOf(one)),
      one.discount && el("p", {}, t("result.discount", { amount: money(one.discount) })),
      el("p", {}, t(`result.${one.state}.what`)),
      el("p", { class: "buttons" },
        isPaid && el("a", { class: "button big", href: `#/receipts/${one.charge}` }, t("receipt")), another)),
  };
}
