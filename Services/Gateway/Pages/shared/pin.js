// The PIN, where the server wants it, and acts that move money behind it.
import { el, say } from "./dom.js";
import { explained } from "./explain.js";
import { keypad } from "./keypad.js";
import { once } from "./once.js";
import { api, enterPIN, forgetPIN, hasPIN, session } from "./session.js";
import { sheet } from "./sheet.js";
import { t } from "./text.js";
import { go } from "./view.js";

/** Asks for the PIN in a sheet; resolves to whether it was entered. */
export function askPIN() {
  const typing = new AbortController();
  return sheet(t("pin.enter"), (close) => {
    const problem = el("p", { class: "problem", role: "alert" });
    const field = el("input", {
      id: "pin", class: "amount pin", type: "password", inputmode: "numeric", autocomplete: "off", maxlength: "4",
      "aria-label": t("pin"), autofocus: true, input: () => field.value.length === 4 && enter(),
    });
    // A key of the screen that was pressed, or a second click on what opened the sheet, has the focus: digits are for the PIN.
    addEventListener("keydown", ({ key }) => /^(\d|Backspace)$/.test(key) && field.focus(), { signal: typing.signal });
    let waiting = false;
    const enter = async () => {
      if (waiting) return;
      if (!/^\d{4}$/.test(field.value)) return say(problem, t("pin.rule"));
      waiting = true;
      say(problem, "");
      try {
        await enterPIN(field.value);
        close(true);
      } catch (error) {
        if (error.isPassing === undefined) throw error;
        field.value = "";
        if (error.code === "auth.pin_not_set") {
          close(false);
          go("/pin");
        }
        say(problem, explained(error));
        field.focus();
      } finally {
        waiting = false;
      }
    };
    return el("form", { submit: (event) => { event.preventDefault(); enter(); } },
      el("p", { class: "detail" }, t("pin.why")), field, problem, keypad("pin", { max: 4 }),
      el("button", { class: "unseen", tabindex: "-1" }, t("pin.continue")));
  }).then((entered) => {
    typing.abort();
    return entered === true;
  });
}

/**
 * Calls `ask` with a PIN that counts; undefined where the customer left the sheet. Without `always` the server says whether
 * it wants one, because an account may have none.
 */
export async function withPIN(ask, { always = true } = {}) {
  for (let isWanted = always; ; isWanted = true) {
    if (isWanted && !hasPIN() && !(await askPIN())) return undefined;
    try {
      return await ask();
    } catch (error) {
      if (error.code !== "auth.pin_required") throw error;
      forgetPIN();
    }
  }
}

/** An act that moves money, at most once, with the PIN: its answer's body, or undefined where the customer left. */
export const act = (id, method, path, body, label) =>
  withPIN(() => once(api, session.account, id, method, path, body, { label })).then((answer) => answer?.body);
