// Customers nearby: all places together, or one of them.
import { el } from "../shared/dom.js";
import { showBy } from "../shared/filter.js";
import { read } from "../shared/read.js";
import { t } from "../shared/text.js";
import { go } from "../shared/view.js";
import { keep } from "./draft.js";
import { chosen, nearList, noPlace } from "./near.js";

export async function nearby({ query, signal }) {
  const { places } = await read("/v1/places");
  const place = query.get("place") ?? "";
  const select = el("select", { id: "place", change: () => showBy(`/nearby${select.value ? `?place=${select.value}` : ""}`) },
    el("option", { value: "" }, t("place.all")),
    ...places.map((one) => el("option", { value: one.place, selected: one.place === place }, one.name)));
  return {
    title: t("near"),
    body: places.length === 0 ? noPlace() : [
      el("p", {}, t("near.lead")),
      places.length > 1 && el("div", { class: "field" }, el("label", { for: "place" }, t("place")), select),
      nearList({ place, signal, pick: (one) => {
        keep({ to: chosen(one) });
        go("/");
      } }),
    ],
  };
}
