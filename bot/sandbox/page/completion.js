/** Proposals of the bot while an option is typed. */
import { h } from "./dom.js";
import { Listbox } from "./listbox.js";

const PAUSE_MS = 200;

/** Asks `propose(signal)` after each pause in typing and offers its choices under the input. */
export class Completion {
  #input;
  #list;
  #propose;
  #timer = null;
  #abort = null;
  #values = new Map();

  constructor(input, row, propose) {
    this.#input = input;
    this.#propose = propose;
    const id = `${input.id}-choices`;
    const list = h("ul", { role: "listbox", id, class: "choices", hidden: true });
    row.append(list);
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-controls", id);
    input.setAttribute("aria-autocomplete", "list");
    this.#list = new Listbox(input, list, (choice) => this.#take(choice));
    input.addEventListener("focus", () => this.#ask(0));
    input.addEventListener("input", ({ isTrusted }) => isTrusted && this.#ask(PAUSE_MS));
    input.addEventListener("blur", () => this.#stop());
    input.addEventListener("keydown", (event) => this.#list.key(event) && event.stopPropagation());
  }

  /** The value of the proposal with this name, or undefined when the text is the player's own. */
  valueOf(text) {
    return this.#values.get(text);
  }

  #ask(pause) {
    this.#stop();
    this.#timer = setTimeout(() => this.#fetch(), pause);
  }

  async #fetch() {
    this.#abort = new AbortController();
    try {
      const choices = await this.#propose(this.#abort.signal);
      for (const { name, value } of choices) this.#values.set(name, value);
      this.#list.show(choices, ({ name }) => [name]);
    } catch {
      // Without proposals the player types on; a refusal is shown when the command is sent.
    }
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#list.hide();
  }

  #take({ name }) {
    this.#stop();
    this.#input.value = name;
    this.#input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
