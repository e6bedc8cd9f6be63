// The profile: colours, own images, notifications, look, and the way out.
import { goodbye, refresh } from "../shared/app.js";
import { choices } from "../shared/choices.js";
import { el } from "../shared/dom.js";
import { put, read } from "../shared/read.js";
import { pushSwitch } from "../shared/settings.js";
import { api } from "../shared/session.js";
import { confirm } from "../shared/sheet.js";
import { t } from "../shared/text.js";
import { attempt, tell } from "../shared/view.js";
import { signed, tile } from "./choose.js";
import { offered, ownImages, showColour } from "./data.js";
import { picture } from "./pictures.js";

export async function profile() {
  const [{ colour }, { colours }, images, push] = await Promise.all([
    read("/v1/settings/routines"), offered(), ownImages(), pushSwitch()]);
  showColour(colour);
  const problem = el("p", { class: "problem", role: "alert" });
  const tiles = colours.map((one) => tile(el("span", { class: "swatch", "data-colour": one }), t(`colour.${one}`), {
    isChosen: one === colour,
    press: (button) => attempt(button, problem, async () => {
      await put("/v1/settings/routines", { colour: one });
      showColour(one);
      for (const other of tiles) other.setAttribute("aria-pressed", String(other === button));
      tell(t("saved"));
    }),
  }));
  const remove = (image, words) => async ({ currentTarget: button }) => {
    if (!(await confirm(t("image.delete", { name: words }), t("image.delete.what"), t("delete")))) return;
    await attempt(button, problem, async () => {
      await api.insist("DELETE", `/v1/routines/images/${image}`);
      tell(t("deleted"));
      refresh();
    });
  };
  return {
    title: t("way./profile"),
    body: [
      problem,
      el("fieldset", {}, el("legend", {}, t("colour")), el("div", { class: "tiles" }, ...tiles)),
      el("section", {}, el("h2", {}, t("images")),
        images.length
          ? el("ul", { class: "list" }, ...images.map(({ image }, at) => el("li", { class: "routine" },
              el("span", { class: "labelled" }, picture(image), t("image.own.n", { n: at + 1 })),
              signed("delete", t("image.delete", { name: t("image.own.n", { n: at + 1 }) }), {
                class: "quiet", click: remove(image, t("image.own.n", { n: at + 1 })),
              }))))
          : el("p", { class: "empty" }, t("images.empty"))),
      push, el("section", {}, el("h2", {}, t("settings.look")), choices()),
      el("p", { class: "buttons" }, signed("cancel", t("log-out"), { id: "log-out", click: goodbye })),
    ],
  };
}
