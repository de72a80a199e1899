/** The options of a command as labelled fields, required ones first. */
import { BOOLEAN, CHANNEL, INTEGER, STRING, USER } from "./commands.js";
import { h } from "./dom.js";
import { Completion } from "./listbox.js";
import { say } from "./words.js";

const NOTHING = "—";

/**
 * The fields of one command. Each holds a text as `commands.js` reads it, so the fields and the line
 * show the same.
 */
export class Fields {
  #fields;
  #completions = new Map();
  element;

  /** `onChange(name, text)` is told what is filled in; `propose(name, signal)` asks the bot. */
  constructor(command, world, { onChange, propose }) {
    const rank = ({ required }) => (required ? 0 : 1);
    const ordered = [...command.options].sort((a, b) => rank(a) - rank(b));
    this.#fields = new Map(ordered.map((option) => [option.name, inputElement(option, world)]));
    this.element = h(
      "div",
      { class: "fields-grid" },
      ordered.map((option) => this.#row(option, propose)),
    );
    this.element.addEventListener("input", ({ target }) => {
      onChange(target.dataset.option, target.value.trim());
    });
  }

  /** Shows what the line says, except in the field that is being typed in. */
  show(texts) {
    for (const [name, input] of this.#fields) {
      if (input !== document.activeElement) setText(input, texts.get(name) ?? "");
    }
  }

  /** The value behind the text of a proposal that the bot made, or undefined. */
  chosen(name, text) {
    return this.#completions.get(name)?.valueOf(text);
  }

  /** The first required field that is still empty, or null. */
  firstMissing() {
    return [...this.#fields.values()].find((input) => input.required && !input.value) ?? null;
  }

  #row(option, propose) {
    const input = this.#fields.get(option.name);
    const row = h(
      "div",
      { class: "field-row", dataset: { field: option.name } },
      h("label", { for: input.id }, option.title, option.required ? requiredMark() : null),
      input,
      h("p", { class: "hint", id: `${input.id}-hint` }, option.description),
    );
    if (option.autocomplete) {
      const completion = new Completion(input, row, (signal) => propose(option.name, signal));
      this.#completions.set(option.name, completion);
    }
    return row;
  }
}

function inputElement(option, world) {
  const common = {
    id: `option-${option.name}`,
    required: option.required,
    "aria-describedby": `option-${option.name}-hint`,
    dataset: { option: option.name },
  };
  const choices = choicesOf(option, world);
  if (choices) {
    const blank = h("option", { value: "" }, NOTHING);
    const options = choices.map(({ text, label }) => h("option", { value: text }, label));
    return h("select", common, blank, options);
  }
  return h("input", { ...common, ...limits(option) });
}

function limits(option) {
  const { min_value: min, max_value: max } = option;
  switch (option.type) {
    case INTEGER:
      return { type: "number", step: "1", min, max, placeholder: range(min, max) };
    case STRING:
      return { type: "text", minlength: option.min_length, maxlength: option.max_length };
    default:
      return { type: "text" };
  }
}

/** What stands behind the label of a question that has to be answered. */
export function requiredMark() {
  return h("span", { class: "required" }, " ", say("required"));
}

/** What a field chooses from as `{text, label}`, or null when it is typed. */
function choicesOf(option, world) {
  if (option.autocomplete) return null;
  const written = (mark) => ({ name }) => ({ text: `${mark}${name}`, label: name });
  if (option.choices?.length) return option.choices.map(written(""));
  switch (option.type) {
    case BOOLEAN:
      return [say("yes"), say("no")].map((label) => ({ text: label.toLowerCase(), label }));
    case USER:
      return world.users.map(written("@"));
    case CHANNEL:
      return world.channels.filter(({ kind }) => kind !== "dm").map(written("#"));
    default:
      return null;
  }
}

/** A select takes a text in any case and without its mark, as the line may have it. */
function setText(input, text) {
  if (input instanceof HTMLSelectElement) {
    const wanted = text.toLowerCase();
    const forms = ({ value }) => [value, value.replace(/^[@#]/, "")];
    const fits = (option) => forms(option).some((form) => form.toLowerCase() === wanted);
    input.value = [...input.options].find(fits)?.value ?? "";
  } else if (input.type !== "number" || /^-?\d*$/.test(text)) input.value = text;
}

function range(min, max) {
  if (min === undefined && max === undefined) return null;
  return say("between", { min: min ?? "…", max: max ?? "…" });
}
