/// The page's style. Sizes in rem, so that the reader's font size rules; colours with a contrast of at least 4.5 for
/// words and 3 for lines. The lines' colours differ in lightness too, so that they are told apart without seeing red,
/// green or blue.
enum PageStyle {
    static let text = colours + layout + plots + narrow + paper

    private static let light = """
        --paper: #f7f5f0; --ink: #1c1a17; --quiet: #625c53; --line: #ddd8cd; --accent: #0b6e4f; --amber: #8a5a00;
        --refusal: #b3261e; --shade: #ebe6da;
        --blue: #2c5fe2; --orange: #e84a08; --green: #2d9266; --purple: #a06dbd; --rose: #7a1d56; --ochre: #54420c;
        --grey: #3a3733; --red: #bb3e39; --teal: #0f8296; --navy: #00009c; --pink: #e000c8; --lime: #7a8a00;
        """

    private static let dark = """
        --paper: #191715; --ink: #ece7dd; --quiet: #a9a294; --line: #38342e; --accent: #5fc9a0; --amber: #e3b35c;
        --refusal: #ff9a8d; --shade: #2c2924;
        --blue: #356ded; --orange: #ff9f5f; --green: #64fecf; --purple: #cc9ae0; --rose: #e01262; --ochre: #fad205;
        --grey: #a4a29e; --red: #f7160d; --teal: #2fb8cf; --navy: #9a70ff; --pink: #ff5cf0; --lime: #58b800;
        """

    private static let colours = """

        :root { color-scheme: light dark; \(light) }
        @media (prefers-color-scheme: dark) { :root { \(dark) } }
        @media print { :root { color-scheme: light; \(light) --paper: #fff; } }

        """

    private static let layout = """
        * { box-sizing: border-box; }
        html { font-family: system-ui, sans-serif; line-height: 1.5; background: var(--paper); color: var(--ink); }
        body { margin: 0 auto; max-width: 72rem; padding: 0 1rem 2rem; overflow-wrap: break-word; }
        h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
        h1 { font-size: 2rem; line-height: 1.2; font-weight: 600; margin-top: 1.5rem; }
        h2 { font-size: 1.25rem; font-weight: 600; margin: 3rem 0 1rem; }
        h3 { font-size: 1rem; font-weight: 600; }
        a { color: var(--accent); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        .quiet, .note, .empty { color: var(--quiet); }
        .note { font-size: .875rem; }
        header { display: flex; justify-content: space-between; align-items: baseline; padding: 1rem 0 .75rem;
          border-bottom: 2px dashed var(--accent); }
        .wordmark { font-size: 1.25rem; font-weight: 600; }
        .verdict { display: flex; gap: 1rem; align-items: center; margin: 1.5rem 0; padding: .5rem 0 .5rem 1rem;
          border-left: 4px solid var(--mood); }
        .good { --mood: var(--accent); }
        .bad { --mood: var(--refusal); }
        .unknown { --mood: var(--amber); }
        .sign { font-size: 2rem; line-height: 1; color: var(--mood); }
        .word { font-weight: 600; color: var(--mood); white-space: nowrap; }
        .headline { font-size: 1.25rem; font-weight: 600; line-height: 1.3; }
        .headline-figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr));
          gap: 1.5rem 1rem; margin: 1.5rem 0; padding: 1.5rem 0; border: solid var(--line); border-width: 1px 0; }
        .headline-figures dt { color: var(--quiet); font-size: .875rem; }
        .headline-figures dd { font-size: 2rem; line-height: 1.25; font-weight: 600; white-space: nowrap;
          font-variant-numeric: tabular-nums; }
        .headline-figures dd.note { font-size: .875rem; font-weight: 400; white-space: normal; }
        .summary { max-width: 44rem; }
        .warning { margin-top: 1rem; padding-left: 1rem; border-left: 4px solid var(--amber); }
        nav { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin-top: .5rem; }
        nav a { padding: .625rem 0; }
        .checks { list-style: none; border-top: 1px solid var(--line); margin-top: 1rem; }
        .checks > li { padding: .75rem 0; border-bottom: 1px solid var(--line); }
        .checks .word { margin-right: .5rem; }
        .findings { margin: .5rem 0 0 1.25rem; }
        h3 + .scroll { margin-top: .25rem; }
        .scroll { overflow-x: auto; margin-bottom: 2rem; }
        table { border-collapse: separate; border-spacing: 0; width: 100%; font-variant-numeric: tabular-nums; font-size: .875rem; }
        th, td { text-align: left; font-weight: 400; padding: .375rem 1rem .375rem 0;
          border-bottom: 1px solid var(--line); vertical-align: top; }
        thead th { color: var(--quiet); white-space: nowrap; }
        tbody th { position: sticky; left: 0; background: var(--paper); }
        .sum > * { font-weight: 600; }
        th:last-child, td:last-child { padding-right: 0; }
        .number { text-align: right; white-space: nowrap; }
        details { margin-bottom: 2rem; }
        summary { padding: .625rem 0; cursor: pointer; color: var(--accent); font-weight: 600; }
        .facts { display: grid; grid-template-columns: minmax(8rem, 12rem) 1fr; gap: .75rem 1rem; margin-bottom: 2rem;
          max-width: 60rem; }
        .facts dt { color: var(--quiet); }
        footer { margin-top: 3rem; padding-top: .75rem; border-top: 2px dashed var(--accent); color: var(--quiet);
          font-size: .875rem; }

        """

    private static let plots = """
        .plots { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 2rem; }
        .plot { display: grid; grid-row: span 7; grid-template-rows: subgrid; grid-template-columns: minmax(0, 1fr);
          padding-bottom: 1.5rem; break-inside: avoid; }
        .plot.wide { grid-column: 1 / -1; }
        .plot > figcaption { grid-row: 1; } .plot > .legend, .plot > .empty { grid-row: 2; }
        .plot > .axis-title { grid-row: 3; } .plot > .area { grid-row: 4; } .plot > .below { grid-row: 5; }
        .plot > .marks { grid-row: 6; } .plot > .read-out { grid-row: 7; }
        .plot figcaption p, .axis-title, .legend, .marks, .read-out { font-size: .875rem; color: var(--quiet); }
        .plot .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .125rem 1rem; margin-top: .5rem;
          align-content: start; color: var(--ink); }
        .legend li { display: flex; align-items: center; gap: .5rem; }
        .swatch { width: 1.75rem; height: .75rem; flex: none; }
        .swatch.shade { background: var(--shade); border: 1px solid var(--line); }
        .axis-title { margin-top: .5rem; }
        .axis-title.below { margin: 0; text-align: right; }
        svg.area { display: block; overflow: visible; height: 15rem; width: calc(100% - 4.5rem);
          margin: 1.75rem .5rem 1.75rem 4rem;
          touch-action: pan-y; }
        .wide svg.area { height: 18rem; }
        svg text { font-size: .875rem; fill: var(--quiet); font-variant-numeric: tabular-nums; }
        svg text.y { text-anchor: end; }
        svg text.x, svg text.mark { text-anchor: middle; }
        svg text.mark { fill: var(--ink); font-weight: 600; }
        svg line.grid { stroke: var(--line); }
        svg line.base { stroke: var(--quiet); }
        svg line.mark { stroke: var(--ink); stroke-dasharray: 3 3; }
        svg line.limit { stroke: var(--refusal); stroke-width: 1.5; stroke-dasharray: 8 4; }
        svg rect.shade { fill: var(--shade); }
        svg path, .swatch line { fill: none; stroke: var(--hue); stroke-width: 2; stroke-linejoin: round;
          stroke-linecap: round; vector-effect: non-scaling-stroke; }
        svg path.tint { fill: var(--hue); fill-opacity: .12; stroke: none; }
        .swatch line.limit { stroke: var(--refusal); }
        svg .dashed { stroke-dasharray: 7 4; }
        svg .dotted { stroke-dasharray: 1 4; }
        svg .mixed { stroke-dasharray: 9 4 1 4; }
        svg .dot { fill: var(--orange); stroke: var(--orange); stroke-width: 2; }
        svg .dot.hollow { fill: var(--paper); }
        svg rect.hit { fill: transparent; }
        svg rect.hit:hover { fill: var(--ink); fill-opacity: .14; }
        .blue { --hue: var(--blue); } .orange { --hue: var(--orange); } .green { --hue: var(--green); }
        .purple { --hue: var(--purple); } .rose { --hue: var(--rose); } .ochre { --hue: var(--ochre); }
        .grey { --hue: var(--grey); } .red { --hue: var(--red); }
        .teal { --hue: var(--teal); } .navy { --hue: var(--navy); } .pink { --hue: var(--pink); }
        .lime { --hue: var(--lime); }
        .marks { display: flex; flex-wrap: wrap; gap: 0 1.5rem; list-style: none; counter-reset: mark; }
        .marks li::before { counter-increment: mark; content: counter(mark) "  "; color: var(--ink); font-weight: 600; }
        .read-out { display: block; min-height: 1.5rem; color: var(--ink); font-variant-numeric: tabular-nums; }

        """

    private static let narrow = """
        @media (max-width: 56rem) { .plots { grid-template-columns: minmax(0, 1fr); } }
        @media (max-width: 40rem) {
          h1, .headline-figures dd { font-size: 1.25rem; }
          .headline-figures { grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); }
          .facts { grid-template-columns: 1fr; gap: 0; }
          .facts dd { margin-bottom: .75rem; }
          svg text.minor { display: none; }
        }

        """

    private static let paper = """
        @media print {
          body { max-width: none; padding: 0; }
          h1 { font-size: 1.25rem; }
          .plot svg.area { height: 11rem; }
          .plot { padding-bottom: .5rem; }
          tbody th { position: static; }
          nav, .read-out, details { display: none; }
          h3 + .scroll { margin-top: .25rem; }
        .scroll { overflow: visible; }
          tr, .checks > li, .verdict, .headline-figures { break-inside: avoid; }
          h2, h3 { break-after: avoid; }
        }

        """
}
