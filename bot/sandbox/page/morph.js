/**
 * Changing what is shown into what should be shown, node by node. Elements that stay keep their
 * identity, and with it an opened spoiler and a loaded picture; the keyboard's focus stays where the
 * player had it.
 */

/** What the reader did to an element here; a new version of the message knows nothing of it. */
const READERS_OWN = new Set(["data-revealed"]);

/** `current` made equal to `wanted`; returns the element that is now in the page. */
export function morph(current, wanted) {
  if (!alike(current, wanted)) {
    current.replaceWith(wanted);
    return wanted;
  }
  if (current.nodeType === Node.TEXT_NODE) {
    if (current.data !== wanted.data) current.data = wanted.data;
    return current;
  }
  const sameText = current.textContent === wanted.textContent;
  morphAttributes(current, wanted, sameText);
  morphChildren(current, [...wanted.childNodes]);
  return current;
}

function alike(current, wanted) {
  return current.nodeType === wanted.nodeType && current.nodeName === wanted.nodeName;
}

function morphAttributes(current, wanted, sameText) {
  for (const { name } of [...current.attributes]) {
    const kept = READERS_OWN.has(name) && sameText;
    if (!wanted.hasAttribute(name) && !kept) current.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    // The Content-Security-Policy refuses the style attribute, not the object behind it.
    if (name === "style") current.style.cssText = wanted.style.cssText;
    else if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  }
}

/** The children of `current` made equal to `goals`. */
export function morphChildren(current, goals) {
  while (current.childNodes.length > goals.length) current.lastChild.remove();
  goals.forEach((goal, index) => {
    const child = current.childNodes[index];
    if (child) morph(child, goal);
    else current.append(goal);
  });
}

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
