// The app on the device: its service worker, and notifications while it is closed.
import { newID } from "./api.js";
import { forGood } from "./keep.js";

const name = (account) => `billfold.push.${account}`;

/** Registers the worker of an app such as `/wallet`; `opened(path)` is called when a notification leads to a view. */
export async function install(app, opened) {
  if (!navigator.serviceWorker) return null;
  navigator.serviceWorker.addEventListener("message", ({ data }) => data.open && opened(data.open));
  try {
    return await navigator.serviceWorker.register("/worker.js", { scope: app, updateViaCache: "none" });
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
  return subscription && forGood.get(name(account)) ? "on" : "off";
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
  const endpoint = forGood.get(name(account));
  forGood.set(name(account), null);
  if (endpoint) await api.insist("DELETE", `/v1/endpoints/${endpoint}`);
  return pushState(account);
}

/** At each start: registers again where notifications are on, because push services change their addresses. */
export async function pushAgain(api, account) {
  if ((await pushState(account)) === "on") await subscribe(api, account);
}

async function subscribe(api, account) {
  const worker = await navigator.serviceWorker.ready;
  const { publicKey } = (await api.insist("GET", "/v1/push-key")).body;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = subscription.toJSON();
  const { body } = await api.insist(
    "POST", "/v1/endpoints", { type: 3, subscription: { endpoint, keys } }, { key: newID() });
  forGood.set(name(account), body.endpoint.endpoint);
}
