// The merchant's own pages: what they say, their hours and history, their colours; and how customers see them.
import { el } from "../shared/dom.js";
import { explained } from "../shared/explain.js";
import { put, read, readIf } from "../shared/read.js";
import { smallPicture } from "../shared/picture.js";
import { aboutParts, clock, days, dress, homeParts, logoOf, timeline } from "../shared/shop.js";
import { api, session } from "../shared/session.js";
import { below, saved } from "../shared/settings.js";
import { confirm } from "../shared/sheet.js";
import { hasText, t } from "../shared/text.js";
import { attempt, tell } from "../shared/view.js";

const colours = ["paper", "ink", "accent"];
/** Each text with the most characters that a field takes. */
const texts = { name: 60, logo: 40, welcome: 500, about: 1000, address: 200, phone: 40, zone: 64 };
const long = ["welcome", "about"];

export async function shop({ signal }) {
  const now = (await readIf(`/v1/shops/${session.account}`))?.page ?? await suggested();
  const parts = Object.fromEntries(Object.keys(texts).map((name) => [name, textField(name, now[name] ?? "")]));
  const theme = Object.fromEntries(colours.map((name) => [name, colourField(name, now.theme[name])]));
  const hours = rows("hours", now.hours, hoursRow, { day: 1, opens: 540, closes: 1080 });
  const events = rows("events", now.events, eventRow, {});
  const made = () => ({
    ...Object.fromEntries(Object.entries(parts).map(([name, one]) => [name, valueOf(one)])),
    theme: Object.fromEntries(colours.map((name) => [name, valueOf(theme[name])])),
    hours: hours.values(), events: events.values(),
  });

  const problem = el("p", { class: "problem", role: "alert" });
  const preview = el("section", { class: "shop-preview", "aria-label": t("shop.preview") });
  const save = el("button", { type: "button", class: "primary", click: () => attempt(save, problem, async () => {
    await put("/v1/shop", made());
    saved();
  }) }, t("save"));

  const blank = (words) => {
    preview.removeAttribute("data-shop");
    preview.removeAttribute("style");
    preview.replaceChildren(words);
  };

  // What was refused last stays beside the picture until it is put right.
  let asked = 0;
  const draw = async () => {
    const number = ++asked;
    // A page that is still being written is no mistake.
    if (Object.values(parts).some((one) => !valueOf(one))) return blank(el("p", { class: "empty" }, t("shop.preview.empty")));
    try {
      const { body } = await api.insist("POST", "/v1/shop/previews", made(), { signal });
      if (number === asked) show(preview, body);
    } catch (error) {
      if (signal.aborted || number !== asked) return;
      if (error.isPassing === undefined) throw error;
      blank(el("p", { class: "note refused", role: "status" }, reason(error)));
    }
  };
  const form = el("div", { class: "column", change: draw },
    el("p", {}, t("shop.lead")), ...Object.values(parts), logoField(draw),
    el("fieldset", {}, el("legend", {}, t("shop.theme")), el("p", { class: "detail" }, t("shop.theme.what")),
      el("div", { class: "menu-row" }, ...Object.values(theme))),
    hours.element(draw), events.element(draw), problem, el("p", { class: "buttons" }, save));
  await draw();
  return below("shop", el("div", { class: "columns" }, form,
    el("div", { class: "column" }, el("h2", {}, t("shop.preview")), preview,
      el("p", { class: "buttons" }, el("a", { class: "button", href: `/shops/${session.account}` }, t("shop.look"))))), { wide: true });
}

/** What a page may begin with: what the account says already. */
async function suggested() {
  const account = await read("/v1/settings/account");
  return {
    name: account.name, logo: account.name.slice(0, 40), address: account.address ?? "",
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    theme: { paper: "#ffffff", ink: "#1c1a17", accent: "#0b6e4f" },
    hours: days.slice(0, 5).map((day) => ({ day, opens: 540, closes: 1080 })), events: [],
  };
}

/** All views but Settings, which are the customer's own, one below the other. */
function show(preview, view) {
  dress(preview, view);
  preview.replaceChildren(
    ...(view.isHidden ? [el("p", { class: "note waiting", role: "status" }, t("shop.hidden"))] : []),
    el("p", { class: "shop-logo lead" }, el("strong", {}, logoOf(view))),
    el("h3", {}, t("shop.home")), ...homeParts(view),
    el("h3", {}, t("shop.history")), timeline(view),
    el("h3", {}, t("shop.about")), ...aboutParts(view));
}

/** A refusal with the rule that it names. */
function reason(error) {
  const field = /^'(\w+)'/.exec(error.detail ?? "")?.[1];
  const label = field && hasText(`shop.${field}`) ? `${t(`shop.${field}`)}: ` : "";
  return `${label}${explained(error)}${error.detail ? ` (${error.detail})` : ""}`;
}

// MARK: Fields

const input = (label, made) => el("label", { class: "field" }, el("span", {}, label), made);
const valueOf = (label) => label.querySelector("input, textarea, select").value.trim();

const textField = (name, value) => input(t(`shop.${name}`), long.includes(name)
  ? Object.assign(el("textarea", { rows: "3", maxlength: texts[name] }), { value })
  : el("input", { value, maxlength: texts[name] }));
const colourField = (name, value) => input(t(`shop.${name}`), el("input", { type: "color", value }));

/** An image as the logo: it counts at once, and so does its removal. */
function logoField(draw) {
  const problem = el("p", { class: "problem", role: "alert" });
  const change = (button, act) => attempt(button, problem, async () => {
    await act();
    tell(t("saved"));
    await draw();
  });
  const file = el("input", {
    type: "file", accept: "image/*", hidden: true, "aria-label": t("shop.image"),
    change: (event) => {
      event.stopPropagation();
      const [one] = file.files;
      if (one) change(choose, async () => put("/v1/shop/logo", { data: await smallPicture(one, "storefront.logo_invalid") }));
      file.value = "";
    },
  });
  const choose = el("button", { type: "button", click: () => file.click() }, t("shop.image.choose"));
  const remove = el("button", { type: "button", class: "quiet", click: async () => {
    if (!(await confirm(t("shop.image.remove"), t("shop.image.remove.what"), t("shop.image.remove")))) return;
    change(remove, () => api.insist("DELETE", "/v1/shop/logo"));
  } }, t("shop.image.remove"));
  return el("fieldset", {}, el("legend", {}, t("shop.image")), el("p", { class: "detail" }, t("shop.image.what")),
    file, el("p", { class: "buttons" }, choose, remove), problem);
}

function hoursRow({ day, opens, closes }) {
  const fields = [
    input(t("shop.day"), el("select", {}, ...days.map((one) => el("option", { value: one, selected: one === day }, t(`day.${one}`))))),
    input(t("shop.opens"), el("input", { type: "time", value: clock(opens) })),
    input(t("shop.closes"), el("input", { type: "time", value: clock(closes % 1440) })),
  ];
  return { fields, value: () => ({
    day: Number(valueOf(fields[0])), opens: minutes(valueOf(fields[1])), closes: minutes(valueOf(fields[2])) || 1440 }) };
}

const minutes = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

function eventRow({ date = "", name = "", text = "" }) {
  const fields = [
    input(t("shop.event.date"), el("input", { type: "date", value: date })),
    input(t("shop.event.name"), el("input", { value: name, maxlength: "80" })),
    input(t("shop.event.text"), Object.assign(el("textarea", { rows: "2", maxlength: "600" }), { value: text })),
  ];
  return { fields, value: () => ({ date: valueOf(fields[0]), name: valueOf(fields[1]), text: valueOf(fields[2]) }) };
}

/** A list of rows that grows and shrinks; `draw` is called when it has shrunk. */
function rows(name, now, make, fresh) {
  let all = [];
  const body = el("div", { class: "column menu-rows" });
  const add = (one, draw) => {
    const row = make(one);
    const element = el("fieldset", { class: "menu-row" }, el("legend", { class: "unseen" }, t(`shop.${name}.one`)), ...row.fields,
      el("button", { type: "button", class: "quiet", click: () => {
        all = all.filter((other) => other !== row);
        element.remove();
        draw();
      } }, t("remove")));
    all.push(row);
    body.append(element);
    return element;
  };
  return {
    values: () => all.map((row) => row.value()),
    element: (draw) => {
      for (const one of now) add(one, draw);
      return el("section", {}, el("h2", {}, t(`shop.${name}`)), body, el("p", { class: "buttons" },
        el("button", { type: "button", click: () => add(fresh, draw).querySelector("input, select").focus() }, t(`shop.${name}.add`))));
    },
  };
}
