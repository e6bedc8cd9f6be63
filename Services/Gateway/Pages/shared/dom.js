// Makes elements. Text only ever becomes text: nothing that comes from elsewhere is read as HTML.

/** An element; attributes that are null or false are left out, functions are listeners of the event of their name. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const byID = (id) => document.getElementById(id);

/** Sets a text only where it differs: what is the same is not announced again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
