/** The questions that a bot asks in a window of its own: labels around text inputs. */
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
      await send(readAnswers(form));
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

const PARAGRAPH = 2;

/** One component of a modal with everything inside it. */
function questionElement({ component, label, description }) {
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
function readAnswers(form) {
  const fields = [...form.querySelectorAll("[data-custom-id]")];
  return Object.fromEntries(fields.map((field) => [field.dataset.customId, field.value]));
}

function textInput(component, attributes) {
  const { min_length: minlength, max_length: maxlength, placeholder, value } = component;
  const all = { ...attributes, minlength, maxlength, placeholder, dir: "auto" };
  if (component.style === PARAGRAPH) return h("textarea", { ...all, rows: "4" }, value ?? "");
  return h("input", { ...all, type: "text", value });
}
