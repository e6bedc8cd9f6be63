// Presses that were meant. What has just been drawn may lie where something else was pressed: a second click of two, or a key
// that is held, would press it unread.

/** How long a person takes at least to see what there is to press. */
const settleMilliseconds = 500;

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

const isOnButton = ({ target }) => target.closest("button") !== null;

/**
 * Lets no pointer press what has just been drawn for a moment, in which its buttons say that they are disabled. The keyboard
 * may: its press is for what has the focus. Returns the element.
 */
export function settling(element) {
  const buttons = [element, ...element.querySelectorAll("button")].filter((one) => one.matches("button"));
  const refuse = (event) => event.detail > 0 && isOnButton(event) && swallow(event);
  element.addEventListener("click", refuse, { capture: true });
  for (const one of buttons) one.setAttribute("aria-disabled", "true");
  setTimeout(() => {
    element.removeEventListener("click", refuse, { capture: true });
    for (const one of buttons) one.removeAttribute("aria-disabled");
  }, settleMilliseconds);
  return element;
}

/** The same, and from then on a second click of two and a key that is held press nothing either. Returns the element. */
export function deliberate(element) {
  element.addEventListener("click", (event) => event.detail > 1 && isOnButton(event) && swallow(event), { capture: true });
  element.addEventListener("keydown", (event) => event.repeat && event.key === "Enter" && swallow(event), { capture: true });
  return settling(element);
}
