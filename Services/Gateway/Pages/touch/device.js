// One device of the gateway: sends its touches in order, each once, and hears what it shows.
import { backOff, newID, pause } from "../shared/api.js";
import { EventStream } from "../shared/stream.js";

/** More than a card has digits. Whoever has touched so often without an answer waits for one. */
const waitingMax = 32;

const notKnown = "Not known whether your touch was carried out: look at the balance and at your recent payments.";
const cancelling = "Not known yet whether your touch was carried out. It is cancelled as soon as the server answers.";
const cancelled = "Your touch was cancelled. Nothing was done.";
const arrived = "Your touch had arrived.";

/**
 * Events:
 * - `display`: there is another one, in `display`
 * - `waiting`: the touches that wait have changed, in `waiting`; the first is under way
 * - `connection`: the stream's state has changed, in `connection`
 * - `told` `{words, isError}`: what became of a touch, where the display does not tell
 * - `ended` `{session, words}`: the device, or with it the session, is over
 */
export class Device extends EventTarget {
  #api;
  #path;
  #stream;
  /** Of the display: the newer of two has the greater one. */
  #version = 0;
  #isWorking = false;
  #hurry = new AbortController();

  /** `display` may be missing: then it is read. */
  constructor(api, { device, display = null }, isDemo) {
    super();
    this.isDemo = isDemo;
    this.#api = api;
    this.#path = `/v1/devices/${device}`;
    this.display = display;
    this.isOver = false;
    this.waiting = [];
    this.connection = "connecting";
    this.#stream = new EventStream(api, `${this.#path}/events`, {
      heard: (event) => this.#hear(event),
      changed: (state) => this.#setConnection(state),
      refused: (problem) => this.#fail(problem, null),
    });
    if (!display) this.look();
  }

  // MARK: Inputs

  touch(x, y) {
    return this.#send({ path: "touch", body: { x, y }, aimedAt: this.display?.screen });
  }
  menu(slot) {
    return this.#send({ path: `menu/${slot}`, body: {} });
  }
  topLeft() {
    return this.#send({ path: "top-left", body: {}, aimedAt: this.display?.screen });
  }
  topRight() {
    return this.#send({ path: "top-right", body: {}, aimedAt: this.display?.screen });
  }

  /** False when nothing can be sent now: see `isOver`, `waiting`. */
  #send(input) {
    if (this.isOver || !this.display || this.waiting.length >= waitingMax) return false;
    const touch = { ...input, touchId: newID(), tries: 0, since: Date.now(), cancel: new AbortController() };
    this.#setWaiting([...this.waiting, touch]);
    this.#work();
    return true;
  }

  /** Sends nothing of what waits any more. The first one may have arrived: it is cancelled. */
  giveUp() {
    const [first] = this.waiting;
    if (!first) return;
    this.#setWaiting([first]);
    first.cancel.abort();
  }

  /** The network may be back: tries at once what waits for its next try. */
  wake() {
    this.#hurry.abort();
    this.#stream.wake();
  }

  async #work() {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      while (this.waiting.length > 0) {
        const [input] = this.waiting;
        // What was aimed at a screen that has gone would hit something else: it is not sent.
        if (!input.aimedAt || input.aimedAt === this.display?.screen) await this.#deliver(input);
        this.#setWaiting(this.waiting.slice(1));
      }
    } finally {
      this.#isWorking = false;
    }
  }

  /** Sends one input, under its id, until there is an answer for good. */
  async #deliver(input) {
    const { body, touchId, cancel } = input;
    for (;;) {
      try {
        const answer = await this.#api.call("POST", `${this.#path}/${input.path}`, { ...body, touchId }, {
          signal: cancel.signal,
        });
        return this.#show(answer.body, answer.headers.get("Display-Version"));
      } catch (error) {
        if (cancel.signal.aborted) {
          if (!this.isOver) this.#cancel(input);
          return undefined;
        }
        if (error.isPassing === undefined) throw error;
        if (!error.isPassing) return this.#fail(error, input);
        input.tries += 1;
        input.trouble = error.words;
        // Refused as too much has certainly not been carried out; of all else nobody knows.
        input.isOpen ||= error.status !== 429;
        this.#setWaiting([...this.waiting]);
        await this.#rest(input.tries, error, cancel.signal);
      }
    }
  }

  /** Has the server cancel a touch that was given up: it has arrived before, or never will be carried out. Other touches go on meanwhile. */
  async #cancel(input) {
    this.#tell("told", { words: cancelling, isError: true });
    for (let tries = 1; !this.isOver; tries += 1) {
      try {
        const answer = await this.#api.call("POST", `${this.#path}/cancel`, { touchId: input.touchId });
        this.#show(answer.body, answer.headers.get("Display-Version"));
        const hasArrived = answer.headers.get("Touch-Effect") === "repeated";
        return this.#tell("told", hasArrived
          ? { words: sentences(arrived, this.display.error ?? this.display.notice), isError: Boolean(this.display.error) }
          : { words: cancelled, isError: false });
      } catch (error) {
        if (error.isPassing === undefined) throw error;
        if (!error.isPassing) return this.#fail(error, { ...input, isOpen: true });
        await this.#rest(tries, error);
      }
    }
  }

  /** Waits before the next try; `wake` ends it, and so do `signals`. */
  #rest(tries, { retryAfterSeconds }, ...signals) {
    if (this.#hurry.signal.aborted) this.#hurry = new AbortController();
    const wait = Math.max(backOff(tries), 1000 * retryAfterSeconds);
    return pause(wait, AbortSignal.any([this.#hurry.signal, ...signals]));
  }

  // MARK: What is shown

  /** Reads what is shown now. */
  look() {
    return this.#read("GET", "display");
  }

  /** Has the device look at everything again; a pay code is replaced by a new one. */
  refresh() {
    return this.#read("POST", "refresh");
  }

  async #read(method, what) {
    try {
      const answer = await this.#api.call(method, `${this.#path}/${what}`);
      this.#show(answer.body, answer.headers.get("Display-Version"));
    } catch (error) {
      // The stream brings it as soon as there is a connection.
      if (error.isPassing === false) this.#fail(error, null);
      else if (error.isPassing === undefined) throw error;
    }
  }

  /** An SVG of the code that is shown; null when there is none any more, or no connection. */
  async barCode() {
    try {
      return (await this.#api.insist("GET", `${this.#path}/barcode`, undefined, { accept: "image/svg+xml" })).body;
    } catch (error) {
      if (error.isPassing === undefined) throw error;
      return null;
    }
  }

  /** Two connections bring displays: an older one never replaces a newer one. */
  #show(display, version) {
    if (this.isOver) return;
    if (Number(version) < this.#version) return;
    this.#version = Number(version);
    this.display = display;
    this.#tell("display");
  }

  #hear({ event, id, data }) {
    if (event === "display") this.#show(JSON.parse(data), id);
    // Of a touch that is under way nobody will tell any more.
    if (event === "closed") this.#end(["The app was closed.", this.waiting.length > 0 && notKnown]);
  }

  // MARK: Ends

  /** `problem` stays however often one asks. */
  #fail(problem, input) {
    const outcome = input && (input.isOpen ? notKnown : "Nothing was paid.");
    if (problem.endsSession) {
      this.#end(["Your session has ended. Log in again.", input?.isOpen && notKnown], { session: true });
    } else if (problem.endsDevice) {
      this.#end(["The app has started anew.", outcome]);
    } else {
      this.#tell("told", { words: sentences(problem.words, outcome), isError: true });
      this.look();
    }
  }

  #end(words, { session = false } = {}) {
    if (this.isOver) return;
    this.stop();
    this.#tell("ended", { session, words: sentences(...words) });
  }

  /** Sends and hears nothing more. */
  stop() {
    this.isOver = true;
    for (const input of this.waiting) input.cancel.abort();
    this.waiting = [];
    this.#stream.close();
  }

  #setWaiting(waiting) {
    this.waiting = waiting;
    this.#tell("waiting");
  }

  #setConnection(state) {
    if (state === this.connection) return;
    this.connection = state;
    if (state === "live") this.#hurry.abort();
    this.#tell("connection");
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

const sentences = (...parts) => parts.filter(Boolean).join(" ");
