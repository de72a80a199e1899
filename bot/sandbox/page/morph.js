/**
 * Changing what is shown into what should be shown, node by node. Elements that stay keep their
 * identity, and with it the keyboard focus, an opened spoiler and a loaded picture.
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
