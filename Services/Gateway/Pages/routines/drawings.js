// The offered pictures, drawn: a page needs no font for them, and no file.

const paths = {
  toothbrush: "M3 9h11M3 9c-1 3 1 4 3 4h15M14 5v4M11 5v4M8 5v4M5 5v4",
  shower: "M4 21V6a3 3 0 0 1 6 0M7 8h8v2H7zM8 13v1M11 13v1M14 13v1M9 17v1M12 17v1M15 17v1",
  bath: "M3 12h18v3a4 4 0 0 1-4 4H7a4 4 0 0 1-4-4zM6 12V6a2 2 0 0 1 4 0M7 19v2M17 19v2",
  hands: "M7 21v-5l-3-5c1-2 3 0 4 1V4c2-1 3 0 3 1v6-8c2-1 3 0 3 1v7-6c2-1 3 0 3 1v10l-2 5M19 4c1 2 2 3 2 4a2 2 0 0 1-4 0",
  hair: "M4 6h16v4H4zM6 10v8M9 10v8M12 10v8M15 10v8M18 10v8",
  clothes: "M8 3 3 7l2 4 2-1v11h10V10l2 1 2-4-5-4a4 4 0 0 1-8 0",
  shoes: "M3 8v9h18v-2c0-3-5-2-8-7l-2 2c-3 2-6 0-8-2M3 20h18M12 11l-2 1M14 13l-2 1",
  bed: "M3 5v15M3 16h18v4M21 16v-3a4 4 0 0 0-4-4h-7v7M6 12a1.5 1.5 0 1 0 0-.01",
  breakfast: "M3 11h18c0 5-3 8-9 8s-9-3-9-8M8 21h8M9 4c-1 2 1 2 0 4M13 4c-1 2 1 2 0 4",
  lunch: "M3 17h18v2H3zM3 14h18M4 11c1-4 15-4 16 0zM7 14l2 2 3-2 3 2 2-2",
  dinner: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M2 4v6M2 10v10M22 4v16M22 4c-2 2-2 6 0 8",
  drink: "M6 8h12l-2 13H8zM6 8l6-1 2-5h3M7 13h10",
  pill: "M4 13 13 4a4.2 4.2 0 0 1 7 6l-10 9a4.2 4.2 0 0 1-6-6M9 9l6 6",
  dishes: "M4 7h16v10H4zM4 12c3-2 5 2 8 0s5 2 8 0M8 20h8",
  laundry: "M5 3h14v18H5zM12 9a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M8 14c2-2 5 2 8 0M8 6h.01M12 6h4",
  tidy: "M14 3l-4 9M6 12h9l2 9H3zM7 21v-4M11 21v-5M14 21v-4",
  dog: "M4 5c3-2 4 0 5 1h6c1-1 2-3 5-1l-2 6v5c0 4-12 4-12 0v-5zM9 12h.01M15 12h.01M11 16h2l-1 1z",
  cat: "M5 3l3 4h8l3-4v11c0 9-14 9-14 0zM9 12h.01M15 12h.01M11 15h2l-1 1zM2 14l4 1M22 14l-4 1",
  plant: "M7 14h10l-1 7H8zM12 14V8M12 9C12 4 8 3 5 3c0 4 2 7 7 6M12 11c0-4 3-6 7-6 0 4-2 7-7 6",
  book: "M12 6C9 4 6 4 3 4v14c3 0 6 0 9 2 3-2 6-2 9-2V4c-3 0-6 0-9 2M12 6v14",
  school: "M3 11l9-6 9 6M5 10v11h14V10M10 21v-6h4v6M12 5V1h4v2h-4",
  work: "M3 8h18v12H3zM9 8V5h6v3M3 13h18M12 12v3",
  sport: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 8l4 3-2 4h-4l-2-4zM12 8V3M16 11l5-1M14 15l3 5M10 15l-3 5M8 11l-5-1",
  music: "M9 18V5l11-2v13M9 8l11-2M6 16a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M17 14a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  play: "M4 8h5a2 2 0 1 1 4 0h5v4a2 2 0 1 1 0 4v4H4v-4a2 2 0 1 0 0-4z",
  rest: "M4 11a2 2 0 0 1 3 2v2h10v-2a2 2 0 0 1 3-2M6 11V7a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v4M4 11v8h16v-8M5 19v2M19 19v2",
  sun: "M12 8a5 5 0 0 1 5 5M7 13a5 5 0 0 1 5-5M3 13h2M19 13h2M12 4V2M5 6l1 1M19 6l-1 1M2 17h20M6 21h12",
  moon: "M20 14A9 9 0 1 1 10 4a7 7 0 0 0 10 10M18 3v4M16 5h4",
  bus: "M5 4h14v14H5zM5 12h14M8 15h.01M16 15h.01M7 18v3M17 18v3M2 8v3M22 8v3",
  doctor: "M6 3v5a4 4 0 0 0 8 0V3M10 12v3a5 5 0 0 0 10 0v-3M20 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
};

export const isDrawn = (name) => name in paths;

/** A picture for eyes alone: its word stands beside it. */
export function drawing(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "picture drawn");
  svg.setAttribute("aria-hidden", "true");
  svg.dataset.picture = name;
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}
