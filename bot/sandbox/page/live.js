/**
 * The connection over which the world and its news arrive: a websocket, of which a browser allows
 * hundreds to one host. Every connection begins with the whole world, so nothing is lost or doubled.
 */
import { Source } from "./dom.js";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 4000;

/**
 * Events: `world` (detail: all of it), `news` (detail: `{name, data}`), `link` (detail: whether the
 * sandbox can be reached).
 */
export class Live extends Source {
  #as = null;
  #socket = null;
  #retry = null;
  #wait = FIRST_WAIT_MS;

  constructor() {
    super();
    // A page that is kept for the Back button must hold no connection.
    addEventListener("pagehide", () => this.#disconnect());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#connect());
  }

  /** The name of the person who is followed, or null. */
  get as() {
    return this.#as;
  }

  /** Follows the world as the person named `as` sees it, and forgets the one followed before. */
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
    const address = new URL(`/sandbox/events?as=${encodeURIComponent(this.#as)}`, location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.#socket) this.#hear(JSON.parse(data));
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#lost();
    });
  }

  #hear(news) {
    if (news.name !== "world") {
      this.tell("news", news);
      return;
    }
    this.#wait = FIRST_WAIT_MS;
    this.tell("link", true);
    this.tell("world", news.data);
  }

  #lost() {
    this.#disconnect();
    this.tell("link", false);
    this.#retry = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  #disconnect() {
    clearTimeout(this.#retry);
    this.#retry = null;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}
