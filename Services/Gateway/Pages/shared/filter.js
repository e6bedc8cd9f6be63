// Filters of a view.
import { refresh } from "./app.js";

/** Shows a view anew by other terms, in the place of those before: the field that they were chosen in keeps the focus. */
export function showBy(path) {
  if (location.hash === `#${path}`) return;
  history.replaceState(history.state, "", `#${path}`);
  refresh();
}
