// Dead letters: deliveries that were given up, to be sent again or discarded.
import { el } from "../shared/dom.js";
import { growingList, pagesOf } from "../shared/growing.js";
import { read } from "../shared/read.js";
import { list, row } from "../shared/rows.js";
import { api } from "../shared/session.js";
import { confirm } from "../shared/sheet.js";
import { exactly, t } from "../shared/text.js";
import { attempt, go, tell } from "../shared/view.js";

export async function letters() {
  const { parts } = await growingList(pagesOf("deliveries", "/v1/dead-letters?limit=50", "before"), (found) =>
    list(t("way./letters"), found.map((one) => row({
      id: `letter-${one.delivery}`, what: one.reason ?? t("letter.no-reason"), href: `#/letters/${one.delivery}`,
      detail: [t(`endpoint.${one.type}`), t("attempts", { n: one.attempts }), exactly(one.finished ?? one.created)].join(" · "),
    })), t("letters.empty")));
  return { title: t("way./letters"), body: parts };
}

export async function letter({ params }) {
  const { delivery: one, title, text, link } = await read(`/v1/dead-letters/${params.delivery}`);
  const problem = el("p", { class: "problem", role: "alert" });
  const back = (words) => {
    tell(words);
    go("/letters");
  };
  const replay = el("button", { type: "button", class: "primary", click: () => attempt(replay, problem, async () => {
    await api.insist("POST", `/v1/dead-letters/${one.delivery}/replay`);
    back(t("letter.replayed"));
  }) }, t("letter.replay"));
  const discard = el("button", { type: "button", class: "danger", click: () => attempt(discard, problem, async () => {
    if (!(await confirm(t("letter.discard"), t("letter.discard.what"), t("letter.discard")))) return;
    await api.insist("DELETE", `/v1/dead-letters/${one.delivery}`);
    back(t("letter.discarded"));
  }) }, t("letter.discard"));
  const facts = [
    [t("reason"), one.reason ?? t("letter.no-reason")], [t("letter.to"), t(`endpoint.${one.type}`)], [t("letter.account"), one.account],
    [t("letter.title"), title], text && [t("letter.text"), text], link && [t("letter.link"), link],
    [t("attempts.name"), one.attempts], [t("letter.created"), exactly(one.created)], one.finished && [t("letter.finished"), exactly(one.finished)],
  ].filter(Boolean);
  return {
    title: t("letter"), back: "/letters",
    body: [
      el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
      problem, el("p", { class: "buttons stretch" }, discard, one.state === "dead" && replay)],
  };
}
