// The gateway's HTTP API: one call, its answer or why there is none, and waiting between repeats.

/** Longer than the gateway takes for any request. */
const patienceMilliseconds = 15_000;

/** After how long without an answer a page says that there is none, or shows what it has kept; the request goes on. */
export const waitedMilliseconds = 3000;

/** The gateway has answered that it does not do this. */
export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body?.detail ?? body?.title ?? `The server answered ${status}`);
    this.status = status;
    this.body = body;
    this.code = body?.code ?? "";
    this.detail = body?.detail ?? "";
    this.title = body?.title ?? this.message;
    this.retry = body?.retry ?? (status >= 500 ? "same_key" : "never");
    this.retryAfterSeconds = body?.retryAfterSeconds ?? Number(retryAfter ?? 0);
  }

  /** Whether the session that the token stood for is over. */
  get endsSession() {
    return this.status === 401 && (this.code === "auth.session_not_found" || this.code === "gateway.token_missing");
  }

  get endsDevice() {
    return this.code === "gateway.device_not_found";
  }

  /** Whether the same under the same id may still succeed. */
  get isPassing() {
    return this.retry !== "never";
  }

  /** Whether the outcome is unknown: only the same request with the same key finds it out. */
  get isOpen() {
    return this.retry === "same_key" || this.code === "gateway.key_in_flight";
  }

  /** What to tell the customer. */
  get words() {
    const wait = this.retryAfterSeconds ? ` Try again in ${this.retryAfterSeconds} s.` : "";
    return this.title.replace(/\.?$/, ".") + wait;
  }
}

/** No answer came: whether the request has arrived is not known. */
export class NoAnswer extends Error {
  retryAfterSeconds = 0;
  code = "";

  get isPassing() {
    return true;
  }

  get isOpen() {
    return true;
  }

  get words() {
    return "No connection.";
  }
}

export class API {
  #ahead = 0;

  /** With a token, or with the cookie of `role`, which has to be of `account` where one is named. */
  constructor(token = null) {
    this.token = token;
    this.role = null;
    this.account = null;
  }

  /** The server's time in milliseconds, as far as its answers tell it. */
  get now() {
    return Date.now() + this.#ahead;
  }

  /** One request, sent once. Throws `Problem`, `NoAnswer`, or the signal's reason. */
  async call(method, path, body, { key, accept = "application/json", signal, account } = {}) {
    const patience = AbortSignal.timeout(patienceMilliseconds);
    const response = await this.open(method, path, body, {
      key, accept, account, signal: signal ? AbortSignal.any([signal, patience]) : patience, given: signal ?? null,
    });
    try {
      const text = await response.text();
      const isJSON = response.headers.get("Content-Type")?.includes("json");
      return { status: response.status, headers: response.headers, body: isJSON ? JSON.parse(text) : text };
    } catch (error) {
      signal?.throwIfAborted();
      throw new NoAnswer("The answer broke off", { cause: error });
    }
  }

  /** A response of which only the head has been read. */
  async open(method, path, body, { key, accept, lastEvent, signal, given = signal, account = this.account } = {}) {
    const headers = { Accept: accept };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    else if (this.role) headers["Billfold-Role"] = this.role;
    if (!this.token && account) headers["Billfold-Account"] = account;
    if (key) headers["Idempotency-Key"] = key;
    if (lastEvent) headers["Last-Event-ID"] = lastEvent;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    try {
      response = await fetch(path, {
        method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store", credentials: this.token ? "omit" : "same-origin", redirect: "error", referrerPolicy: "no-referrer",
      });
    } catch (error) {
      given?.throwIfAborted();
      throw new NoAnswer("No answer", { cause: error });
    }
    const date = Date.parse(response.headers.get("Date"));
    // The header has whole seconds: less than two are no difference.
    if (date) this.#ahead = Math.abs(date - Date.now()) < 2000 ? 0 : date - Date.now();
    if (response.ok) return response;
    throw new Problem(response.status, await response.json().catch(() => null), response.headers.get("Retry-After"));
  }

  /** Repeats what may succeed later, with the same body and key; `tries` in all. */
  async insist(method, path, body, { tries = 4, ...options } = {}) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.call(method, path, body, options);
      } catch (error) {
        if (!error.isPassing || error.retryAfterSeconds > 2 || attempt === tries) throw error;
        await pause(backOff(attempt));
      }
    }
  }
}

/** Milliseconds before repeat number `attempt`, from 1: 250 to 8000, half of them by chance. */
export function backOff(attempt) {
  const longest = Math.min(8000, 250 * 2 ** (attempt - 1));
  return longest / 2 + (Math.random() * longest) / 2;
}

/** Ends early, without an error, when the signal says so. */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done);
  });
}

/** A UUID of version 7: it begins with the time, as ids of operations should. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  new DataView(bytes.buffer).setUint32(0, Math.floor(Date.now() / 0x10000));
  new DataView(bytes.buffer).setUint16(4, Date.now() % 0x10000);
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
