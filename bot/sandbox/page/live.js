/**
 * The connection over which news arrive. After every (re)connect the world is loaded anew, and the
 * news that came in meanwhile are applied on top in their order, so nothing is lost or doubled.
 */
import { fetchWorld } from "./api.js";

const NEWS = ["message", "message_delete", "commands", "me", "bot", "interaction", "modal"];
const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 4000;

/**
 * Events: `snapshot` (detail: the world), `news` (detail: `{name, data}`), `link` (detail: whether
 * the sandbox can be reached).
 */
export class Live extends EventTarget {
  #as = null;
  #source = null;
  #abort = null;
  #retry = null;
  #wait = FIRST_WAIT_MS;

  /** The id of the person who is followed, or null. */
  get as() {
    return this.#as;
  }

  /** Follows the world as `as` sees it and forgets the person followed before. */
  follow(as) {
    this.#as = as;
    this.#wait = FIRST_WAIT_MS;
    this.#connect();
  }

  /** Tries at once instead of after the wait, when there is reason to hope. */
  hurry() {
    if (this.#retry !== null) this.#connect();
  }

  #connect() {
    this.#disconnect();
    const source = new EventSource(`/sandbox/events?as=${encodeURIComponent(this.#as)}`);
    const abort = new AbortController();
    this.#source = source;
    this.#abort = abort;
    let waiting = [];
    source.addEventListener("hello", async () => {
      try {
        const world = await fetchWorld(this.#as, { signal: abort.signal });
        this.#wait = FIRST_WAIT_MS;
        this.#tell("link", true);
        this.#tell("snapshot", world);
        for (const news of waiting) this.#tell("news", news);
        waiting = null;
      } catch {
        if (!abort.signal.aborted) this.#lost();
      }
    });
    for (const name of NEWS) {
      source.addEventListener(name, ({ data }) => {
        const news = { name, data: JSON.parse(data) };
        if (waiting) waiting.push(news);
        else this.#tell("news", news);
      });
    }
    source.addEventListener("error", () => this.#lost());
  }

  #lost() {
    this.#disconnect();
    this.#tell("link", false);
    this.#retry = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  #disconnect() {
    clearTimeout(this.#retry);
    this.#retry = null;
    this.#source?.close();
    this.#abort?.abort();
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
