/** The components of a modal: labels, text inputs, menus and boxes to tick. */
import { choicesOf } from "./controls.js";
import { h } from "./dom.js";
import { requiredMark } from "./fields.js";
import { textElement } from "./text.js";

const ROW = 1;
const STRING_SELECT = 3;
const TEXT_INPUT = 4;
const SELECTS = [3, 5, 6, 7, 8];
const TEXT_DISPLAY = 10;
const LABEL = 18;
const RADIO_GROUP = 21;
const GROUPS = [21, 22];
const CHECKBOX = 23;
const PARAGRAPH = 2;

/** One component of a modal with everything inside it. */
export function questionElement(component, world) {
  switch (component.type) {
    case ROW:
      return labelled(component.components[0], component.components[0].label, null, world);
    case LABEL:
      return labelled(component.component, component.label, component.description, world);
    case TEXT_DISPLAY:
      return textElement(component.content, world);
    default:
      return unknown(component);
  }
}

/** What has been filled in, by custom id: a text, a list of values, or whether a box is ticked. */
export function readAnswers(form) {
  const answers = {};
  for (const element of form.querySelectorAll("[data-custom-id]")) {
    answers[element.dataset.customId] = readAnswer(element);
  }
  return answers;
}

function readAnswer(element) {
  if (element.matches("select")) {
    return [...element.selectedOptions].map(({ value }) => value).filter(Boolean);
  }
  if (element.matches("fieldset")) {
    const ticked = [...element.querySelectorAll("input:checked")].map(({ value }) => value);
    return element.dataset.kind === "one" ? (ticked[0] ?? null) : ticked;
  }
  return element.type === "checkbox" ? element.checked : element.value;
}

function labelled(component, label, description, world) {
  const id = `question-${component.custom_id}`;
  const required = component.required ?? component.type !== CHECKBOX;
  const hint = description ? h("p", { class: "hint", id: `${id}-hint` }, description) : null;
  const input = inputElement(component, { id, required, label, hint }, world);
  const name = h("label", { for: id }, label, required ? requiredMark() : null);
  if (component.type === CHECKBOX) return h("div", { class: "question tick" }, input, name, hint);
  return h("div", { class: "question" }, name, hint, input);
}

function inputElement(component, { id, required, label, hint }, world) {
  const attributes = {
    id,
    required,
    "aria-describedby": hint?.id,
    dataset: { customId: component.custom_id },
  };
  if (component.type === TEXT_INPUT) return textInput(component, attributes);
  if (SELECTS.includes(component.type)) return menu(component, attributes, world);
  if (component.type === CHECKBOX) {
    return h("input", { ...attributes, type: "checkbox", checked: component.default });
  }
  if (GROUPS.includes(component.type)) return boxes(component, attributes, label);
  return unknown(component);
}

function unknown({ type }) {
  return h("p", { class: "unknown" }, `The sandbox cannot ask with a component of type ${type}.`);
}

function textInput(component, attributes) {
  const { min_length: minlength, max_length: maxlength, placeholder, value } = component;
  const all = { ...attributes, minlength, maxlength, placeholder, dir: "auto" };
  if (component.style === PARAGRAPH) return h("textarea", { ...all, rows: "4" }, value ?? "");
  return h("input", { ...all, type: "text", value });
}

function menu(component, attributes, world) {
  const many = (component.max_values ?? 1) > 1;
  const choices = choicesOf(component, world);
  const options = choices.map(({ value, label, selected }) =>
    h("option", { value, selected }, label),
  );
  const blank = many ? null : h("option", { value: "" }, component.placeholder || "—");
  const size = component.type === STRING_SELECT ? Math.min(options.length, 6) : 4;
  return h("select", { ...attributes, multiple: many, size: many ? size : null }, blank, options);
}

function boxes(component, { id, dataset }, label) {
  const one = component.type === RADIO_GROUP;
  const items = component.options.map(({ value, label: name, description, default: checked }) =>
    h(
      "label",
      { class: "box" },
      h("input", { type: one ? "radio" : "checkbox", name: id, value, checked }),
      h("span", {}, name, description ? h("span", { class: "hint" }, description) : null),
    ),
  );
  const kind = one ? "one" : "many";
  return h("fieldset", { id, "aria-label": label, dataset: { ...dataset, kind } }, items);
}
