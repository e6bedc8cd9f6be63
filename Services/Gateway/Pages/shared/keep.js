// What the browser keeps for a page. Storage can be forbidden or full; then things last as long as the page.

function keeper(storage) {
  const memory = new Map();
  return {
    /** The value kept under a name; null where there is none. */
    get(name) {
      try {
        return JSON.parse(storage().getItem(name)) ?? memory.get(name) ?? null;
      } catch {
        return memory.get(name) ?? null;
      }
    },
    /** The names that begin so. */
    names(prefix) {
      let stored = [];
      try {
        stored = Object.keys(storage());
      } catch {
        // Said above.
      }
      return [...new Set([...stored, ...memory.keys()])].filter((name) => name.startsWith(prefix));
    },
    /** Keeps a value; null forgets it. Returns whether it outlives the page. */
    set(name, value) {
      try {
        memory.delete(name);
        if (value === null) storage().removeItem(name);
        else storage().setItem(name, JSON.stringify(value));
        return true;
      } catch {
        if (value === null) memory.delete(name);
        else memory.set(name, value);
        return false;
      }
    },
  };
}

/** Shared by all tabs, and kept for good. */
export const forGood = keeper(() => localStorage);
/** For this tab, across reloads. */
export const forTab = keeper(() => sessionStorage);
