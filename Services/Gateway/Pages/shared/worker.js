// The service worker of every app: its scope says which. Keeps the app's files for offline, shows pushes, opens the
// right view. Answers of the API are never kept: money is shown as the server knows it, or not at all.

const app = new URL(self.registration.scope).pathname;
const folder = `/pages${app.replace(/\/$/, "")}/`;
const store = `billfold${app}`;

/** The app's page and files, those of all pages, and the map. */
async function keepAll() {
  const { files } = await (await fetch("/pages/files.json", { cache: "no-cache" })).json();
  const wanted = Object.keys(files).filter((path) =>
    [folder, "/pages/shared/", "/pages/leaflet/"].some((start) => path.startsWith(start)));
  const cache = await caches.open(store);
  await cache.addAll([app, ...wanted].map((path) => new Request(path, { cache: "no-cache" })));
}

addEventListener("install", (event) => event.waitUntil(keepAll().then(() => self.skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** How long a kept file waits for a newer one, and for how long none does after one has waited in vain. */
const patienceMilliseconds = 3000;
const silentMilliseconds = 30_000;
let silentUntil = 0;

/** The newest file if the network has it by then, the kept one otherwise. */
async function file(request, name) {
  const cache = await caches.open(store);
  const kept = await cache.match(name);
  if (kept && Date.now() < silentUntil) return kept;
  let isThere = false;
  const newest = fetch(request).then(async (answer) => {
    isThere = true;
    if (answer.ok) await cache.put(name, answer.clone());
    // A proxy whose gateway is away answers for it.
    return kept && answer.status >= 500 ? kept : answer;
  });
  if (!kept) return newest;
  const late = new Promise((resolve) => setTimeout(resolve, patienceMilliseconds)).then(() => {
    if (!isThere) silentUntil = Date.now() + silentMilliseconds;
    return kept;
  });
  return Promise.race([newest, late]).catch(() => kept);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const isPage = url.pathname === app || url.pathname.startsWith(`${app}/`);
  if (request.mode === "navigate" && isPage) event.respondWith(file(request, app));
  else if (url.pathname.startsWith("/pages/")) event.respondWith(file(request, url.pathname));
});

addEventListener("push", (event) => {
  const { title = "Billfold", body = "", tag, link } = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(title, {
    body, tag, data: { link }, icon: "/pages/shared/icon.svg", badge: "/pages/shared/icon.svg",
  }));
});

/** The app and the view that a push is about. The day's app has no views for links; what has none is found in the wallet's inbox. */
function placeOf({ data, tag }) {
  const link = data?.link;
  if (app === "/routines" && link) return ["/wallet", link];
  if (app === "/wallet" && !link) return [app, `/inbox?open=${tag}`];
  return [app, link ?? "/"];
}

/** Opens a view in its app's window if there is one. */
async function open([owner, path]) {
  const [window] = (await self.clients.matchAll({ type: "window", includeUncontrolled: true }))
    .filter((client) => new URL(client.url).pathname === owner);
  if (!window) return self.clients.openWindow(`${owner}#${path}`);
  window.postMessage({ open: path });
  return window.focus();
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(placeOf(event.notification)));
});

/** The page registers the new subscription, because only a page has the session. */
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(
  self.clients.matchAll({ type: "window" }).then((all) => all.forEach((one) => one.postMessage({ subscribe: true })))));
