/** Suggestions under the input they belong to, from a list or proposed by the bot. */
import { h } from "./dom.js";

/** Suggestions for `input` in `list`; `choose(item)` is called with the one taken. */
export class Listbox {
  #input;
  #list;
  #choose;
  #items = [];
  #active = 0;

  constructor(input, list, choose) {
    this.#input = input;
    this.#list = list;
    this.#choose = choose;
    // The mouse takes a suggestion without taking the focus from the input.
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", ({ target }) => {
      const option = target.closest("[role=option]");
      if (option) this.#choose(this.#items[[...list.children].indexOf(option)]);
    });
  }

  get isOpen() {
    return !this.#list.hidden;
  }

  /** The suggestion that Enter would take. */
  get active() {
    return this.#items[this.#active];
  }

  /** Offers `items`, each drawn by `draw(item)`, which gives children; none closes the list. */
  show(items, draw) {
    this.#items = items;
    const options = items.map((item, index) =>
      h("li", { id: `${this.#list.id}-${index}`, role: "option", class: "option" }, draw(item)),
    );
    this.#list.replaceChildren(...options);
    this.#list.hidden = !items.length;
    this.#input.setAttribute("aria-expanded", String(this.isOpen));
    this.#activate(0);
  }

  hide() {
    this.show([], () => []);
  }

  /** Handles a key of the input; whether it was one for the list. */
  key(event) {
    if (!this.isOpen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#activate((this.#active + step + this.#items.length) % this.#items.length);
    else if (takes(event)) this.#choose(this.active);
    else if (event.key === "Escape") this.hide();
    else return false;
    event.preventDefault();
    return true;
  }

  #activate(index) {
    this.#active = index;
    [...this.#list.children].forEach((option, at) => {
      option.setAttribute("aria-selected", String(at === index));
    });
    const option = this.#list.children[index];
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.#input.setAttribute("aria-activedescendant", option.id);
    else this.#input.removeAttribute("aria-activedescendant");
  }
}

function takes({ key, shiftKey }) {
  return key === "Enter" || (key === "Tab" && !shiftKey);
}

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
