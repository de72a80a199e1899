/** The questions that a bot asks in a window of its own. */
import { h } from "./dom.js";
import { questionElement, readAnswers } from "./questions.js";
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
