// The app of the day: says which view stands where.
import { refresh, startApp } from "../shared/app.js";
import { session } from "../shared/session.js";
import { addTexts } from "../shared/text.js";
import { here } from "../shared/view.js";
import words from "./words.js";
import { keepSession, keptSession, settle, showColour } from "./data.js";
import { entrance } from "./entrance.js";
import { icon } from "./icons.js";
import { changeRoutine, manager, newRoutine } from "./manager.js";
import { profile } from "./profile.js";
import { newSchedule, schedule, schedules } from "./schedule.js";
import { today } from "./today.js";

addTexts(words);
showColour();

const icons = { "/": "today", "/routines": "routines", "/schedule": "schedule", "/profile": "profile" };

// A tab leads to its view as it is at first, also from within that view.
document.addEventListener("click", ({ target }) => {
  const way = target.closest?.("#ways a");
  if (way && way.getAttribute("href") === (location.hash || "#/")) refresh();
});

addEventListener("online", () => session && settle().then(() => here() === "/" && refresh()));

await startApp({
  path: "/routines", role: "customer",
  ways: Object.keys(icons),
  sign: (path) => icon(icons[path]),
  tools: () => [],
  kept: keptSession,
  routes: {
    ...entrance,
    "/": today,
    "/routines": manager, "/routines/new": newRoutine, "/routines/{routine}": changeRoutine,
    "/schedule": schedules, "/schedule/new": newSchedule, "/schedule/{date}": schedule,
    "/profile": profile,
  },
  living: /^\/$/,
});
if (session) {
  keepSession();
  settle();
}
