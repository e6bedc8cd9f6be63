// Forms whose wrong fields are named beside them.
import { el, say } from "./dom.js";
import { explained, wrongField } from "./explain.js";
import { t } from "./text.js";
import { announce } from "./view.js";

/** How long nothing has to be typed before the server is asked. */
const typingMilliseconds = 400;

/**
 * A form.
 *
 * `fields` are `{name, label, type, hint, required, pattern, rule, min, options, value, same, …}`: `type` as of an
 * input, or `select` (with `options` as `[value, text]`) or `check`; `rule` says what the pattern wants, `missing` what an
 * empty field wants; `same` names the field that it has to equal; `check(value, values)` returns what is wrong, or "";
 * `ask(value)` asks the server, soon after it was typed, and returns a promise of the same.
 * `submit(values)` does the work; what the server refuses is named beside its field, or above the button. `moves` says that
 * money would move.
 */
export function form({ fields, action, submit, moves = false, extra = [], id }) {
  const parts = new Map(fields.map((field) => [field.name, part(field)]));
  const problem = el("p", { class: "problem", role: "alert" });
  const button = el("button", { class: "primary" }, action);
  const element = el("form", { novalidate: true, id }, ...[...parts.values()].map((one) => one.row), ...extra, problem, button);

  const values = () => Object.fromEntries([...parts].map(([name, one]) => [name, one.value()]));

  /** Names what is wrong; returns whether all is right. What the server said while it was typed stays, and is no hindrance. */
  const isRight = () => {
    const all = values();
    let first = null;
    for (const [name, one] of parts) {
      clearTimeout(one.asks);
      const wrong = wrongness(one, all[name], all);
      if (wrong || !one.isAnswered) one.name(wrong);
      if (wrong) first ??= one;
    }
    first?.input.focus();
    return !first;
  };

  // While it is typed, not when the field is left: what disappears then would move the button under the pointer.
  for (const one of parts.values()) {
    one.input.addEventListener("input", () => {
      if (one.isNamed) one.name(wrongness(one, one.value(), values()));
      one.isAnswered = false;
      clearTimeout(one.asks);
      if (one.field.ask) one.asks = setTimeout(askFor, typingMilliseconds, one);
    });
  }
  const askFor = async (one) => {
    const value = one.value();
    if (value === "" || wrongness(one, value, values())) return;
    const wrong = await one.field.ask(value);
    // An answer behind the submission may be about what that has made.
    if (!wrong || one.value() !== value || button.getAttribute("aria-busy")) return;
    one.name(wrong);
    one.isAnswered = true;
    announce(wrong);
  };

  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-busy")) return;
    say(problem, "");
    if (!isRight()) return;
    button.setAttribute("aria-busy", "true");
    try {
      await submit(values());
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      const wrong = wrongField(error);
      const one = parts.get(wrong?.field);
      if (one) {
        one.name(wrong.rule);
        one.input.focus();
      } else {
        say(problem, explained(error, { moves }));
      }
    } finally {
      button.removeAttribute("aria-busy");
    }
  });
  return element;
}

function part(field) {
  const { name, label, type = "text", hint, options, value, required, pattern, rule, missing, check, same, min, ask, ...more } = field;
  const id = `field-${name}-${(part.count = (part.count ?? 0) + 1)}`;
  // What comes by itself must not move the fields below.
  const wrong = el("span", { class: ask ? "problem kept" : "problem", id: `${id}-problem` });
  const described = [hint && `${id}-hint`, `${id}-problem`].filter(Boolean).join(" ");
  const common = { id, name, required, "aria-describedby": described, ...more };
  const input = type === "select"
    ? el("select", common, ...options.map(([key, text]) => el("option", { value: key, selected: key === value }, text)))
    : type === "check"
      ? el("input", { ...common, type: "checkbox", checked: value })
      : el("input", { ...common, type, value, spellcheck: type === "text" ? "false" : null });
  const words = el("label", { for: id }, label);
  const detail = hint && el("span", { class: "detail", id: `${id}-hint` }, hint);
  return {
    field, input, isNamed: false, isAnswered: false,
    row: type === "check"
      ? el("div", { class: "field check" }, input, words, detail, wrong)
      : el("div", { class: "field" }, words, detail, input, wrong),
    value: () => (type === "check" ? input.checked : input.value),
    name(text) {
      this.isNamed ||= Boolean(text);
      say(wrong, text);
      if (text) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    },
  };
}

/** What is wrong with a value; empty where nothing is. */
function wrongness({ field, input }, value, all) {
  const { label, required, pattern, rule, missing, check, same, min } = field;
  if (required && (value === "" || value === false)) return missing ?? t("field.required", { label });
  if (value === "") return "";
  if (min && value.length < min) return t("field.short", { label, n: min });
  if (input.type === "email" && !input.validity.valid) return t("field.email");
  if (pattern && !new RegExp(`^(?:${pattern})$`).test(value)) return rule ?? t("field.invalid", { label });
  if (same && value !== all[same]) return t("field.same");
  return check?.(value, all) ?? "";
}
