/// The page's only script: shows the figures at the pointer's place below the plot, where without it the browser shows
/// them as a tip. Allowed by its digest, so that nothing else can run in the page.
package enum PageScript {
    package static let text = """

        for (const area of document.querySelectorAll("svg.area")) {
          const output = area.closest("figure").querySelector("output");
          const show = (event) => {
            const strip = event.target.closest(".hit");
            if (!strip) return;
            const tip = strip.querySelector("title");
            if (tip) {
              strip.dataset.words = tip.textContent;
              tip.remove();
            }
            output.textContent = strip.dataset.words;
          };
          area.addEventListener("pointermove", show);
          area.addEventListener("pointerdown", show);
          area.addEventListener("pointerleave", (event) => {
            if (event.pointerType === "mouse") output.textContent = "";
          });
        }

        """

    /// SHA-256 of `text`, as a Content-Security-Policy names it.
    package static let hash = "sha256-s/GDsB3nJ+QbWz0Kydi1t+GlD6XI/GqW5Fv70JmK78c="
}
