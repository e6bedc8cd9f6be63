// Dialogs: a sheet from below on a phone, in the middle of a desktop.
import { el } from "./dom.js";
import { settling } from "./press.js";
import { t } from "./text.js";

/**
 * Opens a sheet and waits for its end: resolves to the value given to `close(value)`, or undefined when it was left by
 * Escape, Cancel or Back. `fill(close)` returns the elements below the title. The focus goes back to where it was.
 */
export function sheet(title, fill, { signal } = {}) {
  return new Promise((resolve) => {
    // Ends within the event that asked for it: the "close" event comes some tasks later, and a key that was pressed
    // before it would meet a button that still waits.
    const close = (result) => {
      if (!dialog.isConnected) return;
      removeEventListener("hashchange", leave);
      dialog.close();
      dialog.remove();
      resolve(result);
    };
    const dialog = el("dialog", { class: "sheet", "aria-label": title },
      el("header", { class: "sheet-top" },
        el("h2", {}, title),
        el("button", { type: "button", class: "quiet", click: () => close() }, t("cancel"))));
    dialog.append(...[fill(close)].flat().filter(Boolean));
    const leave = () => close();
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      close();
    });
    dialog.addEventListener("close", leave);
    addEventListener("hashchange", leave);
    signal?.addEventListener("abort", leave);
    document.body.append(dialog);
    // A second click on what opened the sheet falls on a key or a button of it.
    settling(dialog);
    dialog.showModal();
  });
}

/** Asks once before something that cannot be undone; resolves to whether it was confirmed. */
export async function confirm(title, words, action) {
  return (await sheet(title, (close) => [
    el("p", {}, words),
    el("p", { class: "buttons" }, el("button", { type: "button", class: "danger", click: () => close(true) }, action)),
  ])) === true;
}
