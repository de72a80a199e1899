/** The components of a modal: labels around text inputs. */
import { h } from "./dom.js";
import { requiredMark } from "./fields.js";

const PARAGRAPH = 2;

/** One component of a modal with everything inside it. */
export function questionElement({ component, label, description }) {
  const id = `question-${component.custom_id}`;
  const hint = description ? h("p", { class: "hint", id: `${id}-hint` }, description) : null;
  const attributes = {
    id,
    required: component.required,
    "aria-describedby": hint?.id,
    dataset: { customId: component.custom_id },
  };
  const mark = component.required ? requiredMark() : null;
  const name = h("label", { for: id }, label, mark);
  return h("div", { class: "question" }, name, hint, textInput(component, attributes));
}

/** What has been filled in, by custom id. */
export function readAnswers(form) {
  const fields = [...form.querySelectorAll("[data-custom-id]")];
  return Object.fromEntries(fields.map((field) => [field.dataset.customId, field.value]));
}

function textInput(component, attributes) {
  const { min_length: minlength, max_length: maxlength, placeholder, value } = component;
  const all = { ...attributes, minlength, maxlength, placeholder, dir: "auto" };
  if (component.style === PARAGRAPH) return h("textarea", { ...all, rows: "4" }, value ?? "");
  return h("input", { ...all, type: "text", value });
}
