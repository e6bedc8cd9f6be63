// The inbox: what was sent to this account. Opening a notice marks it as read.
import { growingList, pagesOf } from "./growing.js";
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
  const notices = await growingList(pagesOf("notices", "/v1/notices?limit=50", "before"), (rows) =>
    list(t("inbox"), rows.map((one) => row({
      id: `notice-${one.number}`, what: one.title, mark: one.read ? null : t("new"),
      detail: [one.text, `${dayOf(one.time)}, ${clockOf(one.time)}`].filter(Boolean).join(" · "),
      press: ({ currentTarget }) => attempt(currentTarget, notices.problem, async () => {
        await open(one);
        one.read = one.time;
        notices.draw();
      }),
    })), t("inbox.empty")));
  return { title: t("inbox"), back: "/", body: notices.parts };
}
