/** The components of a modal: texts, and labels around text inputs and menus. */
import { h } from "./dom.js";
import { requiredMark } from "./fields.js";
import { textElement } from "./text.js";

const TEXT_INPUT = 4;
const TEXT_DISPLAY = 10;
const PARAGRAPH = 2;

/** One component of a modal with everything inside it. */
export function questionElement(question, world) {
  if (question.type === TEXT_DISPLAY) return textElement(question.content, world);
  const { component, label, description } = question;
  const id = `question-${component.custom_id}`;
  const hint = description ? h("p", { class: "hint", id: `${id}-hint` }, description) : null;
  const attributes = {
    id,
    required: component.required,
    "aria-describedby": hint?.id,
    dataset: { customId: component.custom_id },
  };
  const input = component.type === TEXT_INPUT ? textInput : menu;
  const mark = component.required ? requiredMark() : null;
  const name = h("label", { for: id }, label, mark);
  return h("div", { class: "question" }, name, hint, input(component, attributes));
}

/** What has been filled in, by custom id: a text, or a list of values. */
export function readAnswers(form) {
  const fields = [...form.querySelectorAll("[data-custom-id]")];
  return Object.fromEntries(fields.map((field) => [field.dataset.customId, readAnswer(field)]));
}

function readAnswer(field) {
  if (!field.matches("select")) return field.value;
  return [...field.selectedOptions].map(({ value }) => value).filter(Boolean);
}

function textInput(component, attributes) {
  const { min_length: minlength, max_length: maxlength, placeholder, value } = component;
  const all = { ...attributes, minlength, maxlength, placeholder, dir: "auto" };
  if (component.style === PARAGRAPH) return h("textarea", { ...all, rows: "4" }, value ?? "");
  return h("input", { ...all, type: "text", value });
}

function menu(component, attributes) {
  const many = component.max_values > 1;
  const options = component.options.map(({ value, label, default: selected }) =>
    h("option", { value, selected }, label),
  );
  const blank = many ? null : h("option", { value: "" }, component.placeholder || "—");
  const size = many ? Math.min(options.length, 6) : null;
  return h("select", { ...attributes, multiple: many, size }, blank, options);
}
