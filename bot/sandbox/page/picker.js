/** The choices of a select menu, opened over the page. */
import { h } from "./dom.js";
import { emojiFace, withEmoji } from "./emoji.js";
import { isMirrored, say } from "./words.js";

const GAP_PX = 4;
const WIDTH_PX = 300;

/**
 * Opens the choices at `anchor` and resolves with the chosen values, or with null when the reader
 * leaves without choosing. One choice settles it; where several are allowed, Done does.
 */
export function pick(anchor, choices, bounds) {
  return new Promise((resolve) => {
    new Picker(choices, bounds, resolve).open(anchor);
  });
}

class Picker {
  #bounds;
  #resolve;
  #chosen;
  #options;
  #done = h("button", { type: "button", class: "button primary" }, say("done"));
  #dialog;

  constructor(choices, bounds, resolve) {
    this.#bounds = bounds;
    this.#resolve = resolve;
    this.#chosen = new Set(choices.filter((choice) => choice.default).map(({ value }) => value));
    this.#options = choices.map(optionElement);
    this.#dialog = this.#makeDialog();
    this.#mark();
  }

  open(anchor) {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    place(this.#dialog, anchor);
    const chosen = this.#options.find((option) => this.#chosen.has(option.dataset.value));
    (chosen ?? this.#options[0])?.focus();
  }

  get #isSingle() {
    return this.#bounds.min === 1 && this.#bounds.max === 1;
  }

  #makeDialog() {
    const { label, min, max } = this.#bounds;
    const several = this.#isSingle ? null : "true";
    const listbox = { role: "listbox", "aria-label": label, "aria-multiselectable": several };
    const nothing = h("p", { class: "hint" }, say("nothing_to_choose"));
    const foot = h("div", { class: "picker-foot" }, h("span", {}, hint(min, max)), this.#done);
    this.#done.addEventListener("click", () => this.#finish());
    return h(
      "dialog",
      {
        class: "picker",
        "aria-label": label,
        onkeydown: (event) => this.#onKey(event),
        onclick: (event) => this.#onClick(event),
        oncancel: () => this.#close(null),
      },
      h("ul", listbox, this.#options),
      this.#options.length ? null : nothing,
      several ? foot : null,
    );
  }

  #onClick({ target }) {
    const option = target.closest("[role=option]");
    if (option) this.#choose(option);
    else if (target === this.#dialog) this.#close(null);
  }

  #onKey(event) {
    const focused = this.#options.indexOf(document.activeElement);
    const goal = goalOf(event.key, focused, this.#options);
    const takes = focused >= 0 && ["Enter", " "].includes(event.key);
    if (goal) goal.focus();
    else if (takes) this.#choose(this.#options[focused]);
    else return;
    event.preventDefault();
  }

  #choose({ dataset: { value } }) {
    if (this.#isSingle) this.#chosen = new Set([value]);
    else if (this.#chosen.has(value)) this.#chosen.delete(value);
    else if (this.#chosen.size < this.#bounds.max) this.#chosen.add(value);
    this.#mark();
    if (this.#isSingle) this.#finish();
  }

  #mark() {
    for (const option of this.#options) {
      option.setAttribute("aria-selected", String(this.#chosen.has(option.dataset.value)));
    }
    this.#done.setAttribute("aria-disabled", String(this.#chosen.size < this.#bounds.min));
  }

  #finish() {
    if (this.#chosen.size >= this.#bounds.min) this.#close([...this.#chosen]);
  }

  #close(values) {
    this.#dialog.close();
    this.#dialog.remove();
    this.#resolve(values);
  }
}

function optionElement({ value, label, description, emoji }) {
  return h(
    "li",
    { role: "option", tabindex: "-1", class: "option", dataset: { value } },
    emoji ? emojiFace(emoji) : null,
    h(
      "span",
      { class: "option-text", dir: "auto" },
      h("span", { class: "option-label" }, withEmoji(label)),
      description ? h("span", { class: "hint" }, withEmoji(description)) : null,
    ),
  );
}

/** The option that a key leads to: by arrows, to the ends, or by its first letter. */
function goalOf(key, at, options) {
  const last = options.length - 1;
  const index = {
    ArrowDown: Math.min(at + 1, last),
    ArrowUp: Math.max(at - 1, 0),
    Home: 0,
    End: last,
  }[key];
  if (index !== undefined) return options[index];
  if (key.length !== 1 || key === " ") return undefined;
  const onwards = [...options.slice(at + 1), ...options.slice(0, at + 1)];
  const begins = (option) => option.textContent.trim().toLowerCase().startsWith(key.toLowerCase());
  return onwards.find(begins);
}

function hint(min, max) {
  if (min === max) return say("choose", { min });
  return min ? say("choose.between", { min, max }) : say("choose.up_to", { max });
}

/** Below the menu, or above it where there is more room. */
function place(dialog, anchor) {
  const box = anchor.getBoundingClientRect();
  const below = innerHeight - box.bottom;
  const width = Math.min(Math.max(box.width, WIDTH_PX), innerWidth - 2 * GAP_PX);
  const start = isMirrored() ? box.right - width : box.left;
  const left = Math.max(GAP_PX, Math.min(start, innerWidth - width - GAP_PX));
  const { style } = dialog;
  style.width = `${width}px`;
  style.left = `${left}px`;
  style.maxHeight = `${Math.max(below, box.top) - 3 * GAP_PX}px`;
  if (below >= box.top) style.top = `${box.bottom + GAP_PX}px`;
  else style.bottom = `${innerHeight - box.top + GAP_PX}px`;
}
