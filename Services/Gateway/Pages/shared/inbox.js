// The inbox: what was sent to this account. Opening a notice marks it as read.
import { el } from "./dom.js";
import { read } from "./read.js";
import { list, row } from "./rows.js";
import { api } from "./session.js";
import { clockOf, dayOf, t } from "./text.js";
import { attempt, go } from "./view.js";

const mark = (notice) => api.insist("POST", `/v1/notices/${notice.notice}/reading`);

/** Goes where a notice leads, and whether it leads anywhere. Reminders have no link: their day is an app of its own. */
function follow({ kind, link }, { replace = false } = {}) {
  if (kind === "reminder") location[replace ? "replace" : "assign"]("/routines");
  else if (link) go(link, { replace });
  return kind === "reminder" || Boolean(link);
}

/** Reads a notice and goes where it leads. */
async function open(notice) {
  if (!notice.read) await mark(notice);
  follow(notice);
}

export async function inbox({ query }) {
  const asked = query.get("open");
  if (asked) {
    const notice = await read(`/v1/notices/${asked}`);
    await mark(notice);
    if (follow(notice, { replace: true })) return { title: t("inbox"), body: [] };
  }
  let page = await read("/v1/notices?limit=50");
  let { notices } = page;
  const shown = el("div", { class: "column" });
  const problem = el("p", { class: "problem", role: "alert" });
  const draw = () => {
    shown.replaceChildren(list(t("inbox"), notices.map((one) => row({
      id: `notice-${one.number}`, what: one.title, mark: one.read ? null : t("new"),
      detail: [one.text, `${dayOf(one.time)}, ${clockOf(one.time)}`].filter(Boolean).join(" · "),
      press: ({ currentTarget }) => attempt(currentTarget, problem, async () => {
        await open(one);
        one.read = one.time;
        draw();
      }),
    })), t("inbox.empty")));
    more.hidden = !page.next;
  };
  const more = el("button", { type: "button", click: () => attempt(more, problem, async () => {
    page = await read(`/v1/notices?limit=50&before=${page.next}`);
    notices = [...notices, ...page.notices];
    draw();
  }) }, t("more"));
  draw();
  return { title: t("inbox"), back: "/", body: [shown, problem, el("p", { class: "buttons" }, more)] };
}
