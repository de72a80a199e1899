/** A list of suggestions under the keys of the input it belongs to. */
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
