// The app on the device: its service worker, and notifications while it is closed.
import { newID, pause } from "./api.js";
import { refusalOf } from "./explain.js";
import { forGood } from "./keep.js";

/** How long a worker that is being installed is waited for. */
const readyMilliseconds = 5000;

/** How long a log-out waits for the server to forget an endpoint. */
const restMilliseconds = 3000;

let app = "";
const name = (account) => `billfold.push.${app}.${account}`;

/** The endpoint that this app registered, true while nobody is logged in, false once it is switched off. All apps had one key before. */
export const ownEndpoint = (account) => forGood.get(name(account)) ?? forGood.get(`billfold.push.${account}`);

/**
 * Registers the worker of an app such as `/wallet`. `opened(path)` is called when a notification leads to a view, `ended()`
 * when the browser's subscription has ended.
 */
export async function install(path, opened, ended) {
  app = path;
  if (!navigator.serviceWorker) return null;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.open) opened(data.open);
    if (data.subscribe) ended();
  });
  try {
    return await navigator.serviceWorker.register("/worker.js", { scope: path, updateViaCache: "none" });
  } catch {
    // Without a worker the page works as long as there is a network.
    return null;
  }
}

/** Whether this browser can show notifications of an app that is closed: `on`, `off`, `denied` or `missing`. */
export async function pushState(account) {
  if (!navigator.serviceWorker || !("PushManager" in window) || !("Notification" in window)) return "missing";
  if (Notification.permission === "denied") return "denied";
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = await worker?.pushManager.getSubscription();
  return subscription && ownEndpoint(account) ? "on" : "off";
}

/** Asks for permission and registers this browser for an account. Returns the new state. */
export async function pushOn(api, account) {
  if ((await Notification.requestPermission()) !== "granted") return pushState(account);
  await subscribe(api, account);
  return pushState(account);
}

/** Ends the notifications of this browser. */
export async function pushOff(api, account) {
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  const endpoint = ownEndpoint(account);
  forGood.set(name(account), false);
  if (typeof endpoint === "string") await api.insist("DELETE", `/v1/endpoints/${endpoint}`);
  return pushState(account);
}

/**
 * Ends the notifications of all apps of this browser before a log-out: whoever uses it next sees nothing of the account. The wish
 * stays, for the next log-in.
 */
export async function pushRest(api, account) {
  for (const name of forGood.names("billfold.push.").filter((one) => one.endsWith(account))) {
    const endpoint = forGood.get(name);
    if (typeof endpoint !== "string") continue;
    forGood.set(name, true);
    const worker = await navigator.serviceWorker.getRegistration(name.slice("billfold.push.".length, -account.length - 1));
    await (await worker?.pushManager.getSubscription())?.unsubscribe();
    await api.call("DELETE", `/v1/endpoints/${endpoint}`, undefined, { signal: AbortSignal.timeout(restMilliseconds) });
  }
}

/** Registers again where notifications were switched on, because push services change their addresses and end subscriptions. */
export async function pushAgain(api, account) {
  const state = await pushState(account);
  const isLost = state === "off" && Notification.permission === "granted" && forGood.get(name(account));
  if (state === "on" || isLost) await subscribe(api, account);
}

async function subscribe(api, account) {
  // One that could not be installed is never ready.
  const worker = await Promise.race([navigator.serviceWorker.ready, pause(readyMilliseconds)]);
  if (!worker) throw refusalOf("device.push");
  const { publicKey } = (await api.insist("GET", "/v1/push-key")).body;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }).catch(() => {
    throw refusalOf("device.push");
  });
  const { endpoint, keys } = subscription.toJSON();
  const { body } = await api.insist(
    "POST", "/v1/endpoints", { type: 3, subscription: { endpoint, keys } }, { key: newID() });
  forGood.set(name(account), body.endpoint.endpoint);
}
