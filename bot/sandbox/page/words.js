/**
 * The page's own words, in the language of its person. A text is known by its English, in which
 * values stand for `{names}`; `words/` has the translations, a file a language. No text counts
 * things, so none has plural forms.
 */

/** The languages whose readers see the page mirrored: all but boards and rows of buttons. */
const FROM_RIGHT = ["ar", "he"];

let language = "en";
let translations = {};

/**
 * Words the page in `locale` from now on. `words` are the translations by their English; where
 * there are none, the page is in English.
 */
export function speak(locale, words) {
  translations = words;
  language = Object.keys(words).length ? locale : "en";
  const root = document.documentElement;
  root.lang = language;
  root.dir = FROM_RIGHT.includes(language) ? "rtl" : "ltr";
  for (const element of document.querySelectorAll("[data-say]")) {
    element.textContent = say(element.dataset.say);
  }
  for (const element of document.querySelectorAll("[data-say-label]")) {
    element.setAttribute("aria-label", say(element.dataset.sayLabel));
  }
  for (const element of document.querySelectorAll("[data-say-placeholder]")) {
    element.setAttribute("placeholder", say(element.dataset.sayPlaceholder));
  }
  for (const element of document.querySelectorAll("[data-later]")) {
    element.textContent = measured(1, element.dataset.later, { unitDisplay: "narrow", signDisplay: "always" });
  }
}

/** Whether the page is mirrored. */
export function isMirrored() {
  return FROM_RIGHT.includes(language);
}

/** The text whose English this is, with its values. */
export function say(english, values = {}) {
  return sayWith(english, values).join("");
}

/** The text as nodes, for values that may be elements. */
export function sayWith(english, values) {
  const pieces = (translations[english] ?? english).split(/\{(\w+)\}/);
  return pieces.map((piece, index) => (index % 2 ? filled(piece, values) : piece));
}

/** The items with commas, and an "and" before the last. */
export function listed(items) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(items.map(apart));
}

/** So much of a unit, `5 minutes`; `options` are those of numbers. */
export function measured(value, unit, options) {
  const style = { style: "unit", unit, maximumFractionDigits: 1, ...options };
  return new Intl.NumberFormat(withDigits(language), style).format(value);
}

/** A locale for `Intl` whose numbers are written with 0 to 9, as the bot writes them. */
export function withDigits(locale) {
  return `${locale}-u-nu-latn`;
}

function filled(name, values) {
  const value = values[name] ?? `{${name}}`;
  return value instanceof Node ? value : apart(value);
}

/** A value keeps its own direction inside of a sentence from the right. */
function apart(value) {
  return isMirrored() ? `\u2068${value}\u2069` : value;
}
