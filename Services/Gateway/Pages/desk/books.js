// The books: sums by kind of account, whether they add up to zero, the head of the chain, and the check of it all.
import { el, say } from "../shared/dom.js";
import { money } from "../shared/money.js";
import { read } from "../shared/read.js";
import { api } from "../shared/session.js";
import { exactly, t } from "../shared/text.js";
import { attempt, tell } from "../shared/view.js";

export async function books({ signal }) {
  const shown = el("div", { class: "column" });
  const problem = el("p", { class: "problem", role: "alert" });
  const progress = el("p", { class: "detail", role: "status" });
  const wrong = el("ul", { class: "list" });
  const draw = async () => shown.replaceChildren(...sheet(await read("/v1/books")));

  const check = el("button", { type: "button", class: "primary", id: "check", click: () => attempt(check, problem, async () => {
    wrong.replaceChildren();
    let [after, checked, problems] = [undefined, 0, []];
    do {
      const { body } = await api.insist("POST", "/v1/books/checks", after === undefined ? {} : { after });
      checked += body.checked;
      problems = [...problems, ...body.problems];
      after = body.next;
      say(progress, t("books.checked", { n: checked }));
    } while (after !== undefined && after !== null && !signal.aborted);
    if (signal.aborted) return;
    wrong.replaceChildren(...problems.map((one) => el("li", { class: "problem" }, one)));
    tell(t(problems.length ? "books.wrong" : "books.right", { n: problems.length }));
    await draw();
  }) }, t("books.check"));

  await draw();
  return { title: t("way./books"), body: [shown, problem, progress, wrong, el("p", { class: "buttons" }, check), el("p", { class: "detail" }, t("books.hint"))] };
}

function sheet(ledger) {
  const isEven = ledger.total.amount === 0;
  const last = ledger.verified;
  return [
    el("p", { class: `note ${isEven ? "" : "refused"}`, id: "sum" }, t(isEven ? "books.even" : "books.uneven", { sum: money(ledger.total) })),
    el("p", { class: `note ${last && last.problems > 0 ? "refused" : last ? "" : "waiting"}`, id: "last-check" }, last
      ? t(last.problems > 0 ? "books.last.wrong" : "books.last.right", { time: exactly(last.time), n: last.checked, problems: last.problems })
      : t("books.last.none")),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("books.kind") },
      el("table", { class: "figures few" },
        el("thead", {}, el("tr", {}, ...["kind", "count", "balance"].map((name) => el("th", { scope: "col" }, t(`books.${name}`))))),
        el("tbody", {}, ...ledger.accounts.map((sum) => el("tr", {},
          el("th", { scope: "row" }, t(`books.kind.${sum.kind}`)), el("td", {}, String(sum.count)), el("td", {}, money(sum.balance))))))),
    el("dl", { class: "facts" }, ...[
      [t("books.held"), money(ledger.held)], [t("books.entries"), String(ledger.entries)], [t("books.sequence"), String(ledger.sequence)],
      [t("books.head"), el("span", { class: "typed" }, ledger.head)], ledger.chain && [t("books.chain"), el("span", { class: "typed" }, ledger.chain)],
    ].filter(Boolean).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
  ];
}
