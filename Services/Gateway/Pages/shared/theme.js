// Light or dark, and how large: as the system has it, or as was chosen. Runs before anything is drawn, so that nothing
// flashes.
(() => {
  const key = "billfold.theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;

  // Storage can be forbidden; then the choice lasts as long as the page.
  const stored = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return root.dataset.theme ?? null;
    }
  };
  const store = (theme) => {
    try {
      if (theme) localStorage.setItem(key, theme);
      else localStorage.removeItem(key);
    } catch {
      // Said above.
    }
  };

  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);

  function show(theme) {
    if (theme === "dark" || theme === "light") root.dataset.theme = theme;
    else delete root.dataset.theme;
    for (const button of document.querySelectorAll("[data-theme-switch]")) {
      button.setAttribute("aria-pressed", String(isDark()));
    }
  }

  try {
    root.dataset.size = JSON.parse(localStorage.getItem("billfold.size")) ?? "normal";
  } catch {
    root.dataset.size = "normal";
  }

  /** For modules: the chosen theme, null where the system decides; and a way to choose one. */
  window.billfoldTheme = {
    chosen: stored,
    choose(theme) {
      store(theme);
      show(theme);
    },
  };

  show(stored());
  system.addEventListener("change", () => show(stored()));
  document.addEventListener("DOMContentLoaded", () => show(stored()));
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-switch]")) return;
    const wanted = isDark() ? "light" : "dark";
    // What the system has anyway is not kept: the page then goes on following it.
    const kept = (wanted === "dark") === system.matches ? null : wanted;
    store(kept);
    show(kept);
  });
})();
