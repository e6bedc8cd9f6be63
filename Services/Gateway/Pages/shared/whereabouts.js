// Where the customer is: shared or not, from the device, from the map, or typed.
import { el, say } from "./dom.js";
import { form } from "./form.js";
import { degrees, fromDevice, millionths, within } from "./position.js";
import { put, read, readIf } from "./read.js";
import { api } from "./session.js";
import { confirm, sheet } from "./sheet.js";
import { clockOf, t } from "./text.js";
import { attempt } from "./view.js";

/** The position that the set has, `{latitude, longitude, time}`; null without one. */
export const position = () => readIf("/v1/location");

/** Whether the position is shared. */
export const sharing = async () => (await read("/v1/settings/location")).sharing;

/** Whether the position is shared, or is to be from now on: merchants then see the customer. */
export const agreed = async () => (await sharing()) || confirm(t("sharing"), t("sharing.what"), t("sharing.begin"));

/** Stores a position of a customer who has agreed. */
export async function storePosition({ latitude, longitude }) {
  await put("/v1/settings/location", { sharing: true });
  await put("/v1/location", { latitude, longitude });
}

/** The line that says where the customer is, with the ways to change it; `changed` is called afterwards. */
export function whereabouts(at, changed) {
  const problem = el("p", { class: "problem", role: "alert" });
  const device = el("button", { type: "button", click: () => attempt(device, problem, async () => {
    if (!(await agreed())) return;
    await storePosition(await fromDevice());
    await changed();
  }) }, t("position.device"));
  const typed = el("button", { type: "button", click: () => attempt(typed, problem, async () => {
    if (!(await agreed())) return;
    const given = await sheet(t("position.type"), (close) => form({
      id: "position", action: t("save"),
      fields: [
        { name: "latitude", label: t("latitude"), required: true, check: within(90),
          value: at ? degrees(at.latitude) : "" },
        { name: "longitude", label: t("longitude"), required: true, check: within(180),
          value: at ? degrees(at.longitude) : "" },
      ],
      submit: async ({ latitude, longitude }) => {
        await storePosition({ latitude: millionths(latitude), longitude: millionths(longitude) });
        close(true);
      },
    }));
    if (given) await changed();
  }) }, t("position.type"));
  const forget = at && el("button", { type: "button", class: "quiet", click: () => attempt(forget, problem, async () => {
    if (!(await confirm(t("position.forget"), t("position.forget.what"), t("position.forget")))) return;
    await api.insist("DELETE", "/v1/location");
    await changed();
  }) }, t("position.forget"));
  const words = el("p", { id: "whereabouts" });
  say(words, at
    ? t("position.at", { latitude: degrees(at.latitude), longitude: degrees(at.longitude), time: clockOf(at.time) })
    : t("location.none"));
  return el("section", { class: "whereabouts", "aria-label": t("location") },
    words, el("p", { class: "buttons" }, device, typed, forget), problem);
}
