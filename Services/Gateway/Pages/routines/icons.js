// The signs of this app: each means the same wherever it stands, and always stands beside its word.

const paths = {
  today: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 3",
  routines: "M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1",
  schedule: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  profile: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c1-5 4-6 8-6s7 1 8 6",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 21 21",
  add: "M12 4v16M4 12h16",
  done: "M4 13l5 5L20 6",
  error: "M5 5l14 14M19 5L5 19",
  cancel: "M10 5 3 12l7 7M3 12h18",
  next: "M14 5l7 7-7 7M21 12H3",
  change: "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4",
  earlier: "M12 20V4M5 11l7-7 7 7",
  delete: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  again: "M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  quiet: "M6 16V10a6 6 0 0 1 12 0v6l2 2H4zM10 21h4M3 3l18 18",
  appointment: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5h4",
};

/** A sign for eyes alone: the word beside it is read. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.dataset.icon = name;
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}
