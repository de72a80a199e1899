/** Playing without a mouse: where the focus goes when a board changes, arrows across a board. */

const CONTROLS = "[data-custom-id], a.button, [data-dismiss]";
/** Rows down and columns to the right. */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * Runs `change` on a message and leaves the focus where the player had it: on the same control, on
 * the one that is now in its place, or, when all are gone, on the message.
 */
export function keepFocus(message, change) {
  const focused = message.contains(document.activeElement) ? document.activeElement : null;
  const place = focused ? controls(message).indexOf(focused) : -1;
  const customId = focused?.dataset.customId;
  change();
  if (!focused || document.activeElement === focused) return;
  const now = controls(message);
  const same = now.find((control) => customId && control.dataset.customId === customId);
  (same ?? now[Math.min(place, now.length - 1)] ?? message).focus({ preventScroll: true });
}

/** Moves the focus between the controls of a message's rows; whether the key was one for that. */
export function moveByArrow(event) {
  const step = STEPS[event.key];
  const control = event.target.closest(".row > *");
  if (!step || !control) return false;
  const rows = [...control.closest(".message").querySelectorAll(".row")];
  const y = rows.indexOf(control.parentElement) + step[0];
  const x = [...control.parentElement.children].indexOf(control) + step[1];
  const goal = rows[y]?.children;
  if (!goal || x < 0) return false;
  goal[Math.min(x, goal.length - 1)].focus();
  return true;
}

function controls(message) {
  return [...message.querySelectorAll(CONTROLS)];
}
