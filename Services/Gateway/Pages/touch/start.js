// The start view: a demo, logging in, a new account.
import { API, newID } from "../shared/api.js";
import { byID } from "../shared/dom.js";

/** Calls `opened(api, answer)` once there is a device. */
export function prepareStart(opened) {
  for (const button of document.querySelectorAll("[data-profile]")) {
    button.addEventListener("click", () => attempt(byID("demo-problem"), button, async () => {
      const api = new API();
      const answer = await openDevice(api, button.dataset.profile);
      api.token = answer.token;
      opened(api, answer);
    }));
  }

  onSubmit(byID("log-in"), async ({ username, password }) => {
    const api = new API();
    await logIn(api, username, password);
    opened(api, await openDevice(api, "account"));
  });

  // One key for each account that somebody wants: a repeat after a lost answer finds the account that it made.
  const keys = new Map();
  onSubmit(byID("sign-up"), async ({ pin, student, ...fields }) => {
    const api = new API();
    const { username, password } = fields;
    const body = { ...fields, student: student !== undefined };
    const wanted = JSON.stringify(body);
    if (!keys.has(wanted)) keys.set(wanted, newID());
    await api.insist("POST", "/v1/customers", body, { key: keys.get(wanted) });
    await logIn(api, username, password);
    await api.insist("PUT", "/v1/pin", { password, pin });
    opened(api, await openDevice(api, "account"));
  });
}

export async function openDevice(api, profile, tries = 4) {
  return (await api.insist("POST", "/v1/devices", { profile }, { key: newID(), tries })).body;
}

async function logIn(api, username, password) {
  api.token = (await api.insist("POST", "/v1/sessions", { username, password, role: "customer" })).body.token;
}

function onSubmit(form, act) {
  const problem = form.querySelector(".problem");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wrong = [...form.elements].find((field) => field.willValidate && !field.validity.valid);
    for (const field of form.elements) field.removeAttribute("aria-invalid");
    if (wrong) {
      wrong.setAttribute("aria-invalid", "true");
      problem.textContent = wrong.dataset.rule;
      wrong.focus();
      return;
    }
    attempt(problem, form.querySelector("button"), async () => {
      await act(Object.fromEntries(new FormData(form)));
      form.reset();
    });
  });
}

/** Does something that takes a while: says so at once, and says why when it fails. */
async function attempt(problem, button, act) {
  if (button.getAttribute("aria-busy")) return;
  problem.textContent = "";
  button.setAttribute("aria-busy", "true");
  try {
    await act();
  } catch (error) {
    if (error.isPassing === undefined) throw error;
    problem.textContent = error.words;
  } finally {
    button.removeAttribute("aria-busy");
  }
}
