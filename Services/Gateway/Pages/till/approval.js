// Whether a merchant may charge customers.
import { el } from "../shared/dom.js";
import { t } from "../shared/text.js";

/** An administrator's decision about the account, with the reason that was given. */
export const approval = ({ status, reason }) =>
  el("p", { class: `note ${{ pending: "waiting", rejected: "refused" }[status] ?? ""}`, role: "status" },
    t(`approval.${status}`), reason && ` ${t("approval.reason", { reason })}`);
