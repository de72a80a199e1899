/** The questions that a bot asks in a window of its own: labels around fields of several kinds. */
import { h } from "./dom.js";
import { requiredMark } from "./fields.js";
import { say } from "./words.js";

/**
 * Opens the modal; `send(fields)` submits what was filled in, and a refusal is shown in the window,
 * which stays open with everything in it.
 */
export function openModal({ title, components }, send) {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const cancel = h("button", { type: "button", class: "button secondary" }, say("cancel"));
  const submit = h("button", { type: "submit", class: "button primary" }, say("submit"));
  const form = h(
    "form",
    { autocomplete: "off" },
    h("h2", { dir: "auto" }, title),
    components.map(questionElement),
    problem,
    h("div", { class: "modal-foot" }, cancel, submit),
  );
  const dialog = h("dialog", { class: "modal", "aria-label": title, dataset: { modal: "" } }, form);
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    problem.hidden = true;
    try {
      await send(await readAnswers(form));
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
    submit.disabled = false;
  });
  document.body.append(dialog);
  dialog.showModal();
}

const SELECT = 3;
const FILE_UPLOAD = 19;
const RADIO_GROUP = 21;
const CHECKBOX_GROUP = 22;
const PARAGRAPH = 2;

/** One component of a modal with everything inside it. */
function questionElement({ component, label, description }) {
  const id = `question-${component.custom_id}`;
  const hint = description ? h("p", { class: "hint", id: `${id}-hint`, dir: "auto" }, description) : null;
  const mark = component.required ? requiredMark() : null;
  const about = {
    "aria-describedby": hint?.id,
    dataset: { customId: component.custom_id, kind: component.type },
  };
  if ([RADIO_GROUP, CHECKBOX_GROUP].includes(component.type)) {
    const name = h("legend", { dir: "auto" }, label, mark);
    const lines = component.options.map((option) => choiceElement(option, component, id));
    return h("fieldset", { class: "question", ...about }, name, hint, lines);
  }
  const name = h("label", { for: id, dir: "auto" }, label, mark);
  const field = fieldElement(component, { id, required: component.required, ...about });
  return h("div", { class: "question" }, name, hint, field);
}

/** A radio button or a checkbox in front of its words. */
function choiceElement(option, component, name) {
  const radio = component.type === RADIO_GROUP;
  const box = h("input", {
    type: radio ? "radio" : "checkbox",
    name,
    value: option.value,
    checked: option.default,
    required: radio && component.required,
  });
  const hint = option.description ? h("span", { class: "hint" }, option.description) : null;
  const words = h("span", { dir: "auto" }, option.label, hint);
  return h("label", { class: "choice" }, box, words);
}

function fieldElement(component, attributes) {
  switch (component.type) {
    case SELECT: {
      const options = component.options.map(({ value, label, default: selected }) =>
        h("option", { value, selected }, label),
      );
      const chosen = component.options.some((option) => option.default);
      const blank = chosen ? null : h("option", { value: "" }, component.placeholder ?? "—");
      return h("select", attributes, blank, options);
    }
    case FILE_UPLOAD:
      return h("input", { ...attributes, type: "file", multiple: component.max_values > 1 });
    default:
      return textInput(component, attributes);
  }
}

/** What has been filled in, by custom id: a text, a list of what was chosen, or of files. */
async function readAnswers(form) {
  const answers = {};
  for (const field of form.querySelectorAll("[data-custom-id]")) {
    answers[field.dataset.customId] = await readAnswer(field);
  }
  return answers;
}

async function readAnswer(field) {
  switch (Number(field.dataset.kind)) {
    case RADIO_GROUP:
    case CHECKBOX_GROUP:
      return [...field.querySelectorAll("input:checked")].map(({ value }) => value);
    case FILE_UPLOAD:
      return Promise.all([...field.files].map(readFile));
    default:
      return field.value;
  }
}

/** A file as JSON takes it: its name, and its bytes in base 64. */
function readFile(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      resolve({ name: file.name, data: reader.result.slice(reader.result.indexOf(",") + 1) });
    });
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

function textInput(component, attributes) {
  const { min_length: minlength, max_length: maxlength, placeholder, value } = component;
  const all = { ...attributes, minlength, maxlength, placeholder, dir: "auto" };
  if (component.style === PARAGRAPH) return h("textarea", { ...all, rows: "4" }, value ?? "");
  return h("input", { ...all, type: "text", value });
}
