// Server-sent events, read with `fetch`: an EventSource cannot send the token.
import { backOff, pause } from "./api.js";

/** Three of the server's heartbeats missed: the connection is dead, though nobody has said so. */
const silenceMilliseconds = 50_000;

/** As long as a timer can wait. */
const longMilliseconds = 2 ** 31 - 1;

/** Takes text in pieces, as it comes, and gives whole events: `{event, id, data}`. */
export class EventParser {
  #rest = "";
  #event = {};

  *take(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (this.#event.data !== undefined) yield { event: "message", ...this.#event };
        this.#event = {};
        continue;
      }
      const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line);
      if (field === "data" && this.#event.data !== undefined) this.#event.data += `\n${value}`;
      else if (field === "data" || field === "event" || field === "id") this.#event[field] = value;
    }
  }
}

/**
 * Reads a stream and opens it again whenever it breaks, behind the last event that had an id, until it is closed or refused
 * for good.
 *
 * `heard` gets each event, `changed` the state: `connecting`, `live`, `lost`; `refused` a problem that stays.
 */
export class EventStream {
  #closing = new AbortController();
  #waking = new AbortController();
  #resting = new AbortController();
  #last = null;

  constructor(api, path, { heard, changed, refused }) {
    this.api = api;
    this.path = path;
    this.tell = { heard, changed, refused };
    this.#run();
  }

  close() {
    this.#closing.abort();
    this.wake();
  }

  /** Ends the connection until `wake`: nobody looks. What comes meanwhile is heard then. */
  rest() {
    this.#resting.abort();
  }

  /** Ends a rest, or a wait before the next try: somebody looks, or the network is back. */
  wake() {
    if (this.#resting.signal.aborted) this.#resting = new AbortController();
    this.#waking.abort();
    this.#waking = new AbortController();
  }

  async #run() {
    this.tell.changed("connecting");
    for (let attempt = 1; !this.#closing.signal.aborted; attempt += 1) {
      if (this.#resting.signal.aborted) await pause(longMilliseconds, this.#waking.signal);
      try {
        await this.#read(() => {
          attempt = 0;
          this.tell.changed("live");
        });
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        if (error.isPassing === false) return this.tell.refused(error);
      }
      if (this.#closing.signal.aborted) return;
      if (this.#resting.signal.aborted) continue;
      this.tell.changed("lost");
      await pause(backOff(attempt + 1), this.#waking.signal);
    }
  }

  /** Until the stream ends. */
  async #read(opened) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), silenceMilliseconds);
    try {
      const response = await this.api.open("GET", this.path, undefined, {
        accept: "text/event-stream", lastEvent: this.#last, signal: AbortSignal.any([
          this.#closing.signal, this.#resting.signal, silence.signal]),
      });
      opened();
      const parser = new EventParser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silenceMilliseconds);
        for (const event of parser.take(value)) {
          this.#last = event.id ?? this.#last;
          this.tell.heard(event);
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }
}
