/**
 * Emoji, each in a cell of the same width: boards line up whatever font the system has. Those that
 * boards are made of are drawn by the page itself (`emoji.svg`, one strip, in the order below), as
 * Discord draws them itself, so a machine without an emoji font shows them too.
 */
import { h } from "./dom.js";
import { say } from "./words.js";

const EMOJI = /(\p{RGI_Emoji})/v;
/** An emoji of the application, as texts have it. */
const OWN = /<a?:(\w{2,32}):\d+>/g;

const STRIP = [
  "⬛", "⬜", "🟥", "🟦", "🟧", "🟨", "🟩", "🟪", "🟫",
  "⚫", "⚪", "🔴", "🔵", "🟠", "🟡", "🟢", "🟣", "🟤",
  "❌", "⭕", "⭐", "🏠", "🎲", "✅", "🔶", "🔷",
  "1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣",
  "🏆", "🤖", "🏳️", "🤝", "🔁", "⏮️", "◀️", "▶️", "⏭️", "⏳", "👤", "❎",
];
const DRAWN = new Map(STRIP.map((emoji, index) => [emoji, index]));

/** More than this many are not enlarged any more, as in Discord. */
const JUMBO_LIMIT = 30;

/** `text` as nodes: strings, and a cell for every emoji. */
export function withEmoji(text) {
  return text.split(EMOJI).map((piece, index) => (index % 2 ? emojiCell(piece) : piece));
}

/** One emoji in its cell. The character stays in it for readers, searching and copying. */
function emojiCell(emoji) {
  const at = DRAWN.get(emoji);
  if (at === undefined) return h("span", { class: "emoji" }, emoji);
  return h(
    "span",
    { class: "emoji drawn", style: { "--at": `${at}`, "--of": `${STRIP.length}` } },
    emoji,
  );
}

/**
 * An emoji of the application in a cell like all others. Where its picture is gone, its name is
 * shown, as texts have it.
 */
export function ownEmojiCell({ id, name }) {
  const words = `:${name}:`;
  const image = h("img", { src: `/emojis/${id}.png`, alt: words, title: words, draggable: "false" });
  const cell = h("span", { class: "emoji own" }, image);
  image.addEventListener("error", () => cell.replaceWith(words));
  return cell;
}

/** A text as it is read aloud: names for mentions and emoji of the application, no marks. */
export function readAloud(text, world) {
  return withNames(text)
    .replace(/<@!?(\d+)>/g, (_, id) => world.userName(id) ?? say("unknown.user"))
    .replace(/<t:\d+(?::\w)?>|https?:\S+|[\u2066-\u2069]/g, "")
    .replace(/(?<!\w)[*_~`|]{1,3}|[*_~`|]{1,3}(?!\w)|^(?:#{1,3}|-#|>) /gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Opens the name of an emoji that was pressed in a text, which Discord's clients do too. */
export function openName(cell) {
  const name = cell.querySelector("img")?.alt ?? cell.textContent;
  const words = h("p", { dir: "ltr" }, name);
  const onclick = ({ currentTarget }) => currentTarget.close();
  const onclose = ({ target }) => target.remove();
  const face = cell.cloneNode(true);
  for (const attribute of ["role", "tabindex"]) face.removeAttribute(attribute);
  const dialog = h("dialog", { class: "emoji-name", "aria-label": name, onclick, onclose }, face, words);
  document.body.append(dialog);
  dialog.showModal();
}

/** `text` for a line of mere words: emoji of the application by their names. */
export function withNames(text) {
  return text.replace(OWN, ":$1:");
}

/** The emoji of a button or of a choice, which is told as an object. */
export function emojiFace(emoji) {
  return emoji.id ? ownEmojiCell(emoji) : emojiCell(emoji.name);
}

/** Whether plain content is nothing but a few emoji, which Discord then draws larger. */
export function isJumbo(content) {
  const own = content.match(OWN)?.length ?? 0;
  const pieces = content.replace(OWN, "").split(EMOJI);
  const count = own + (pieces.length - 1) / 2;
  const onlyEmoji = pieces.every((piece, index) => index % 2 || !piece.trim());
  return onlyEmoji && count > 0 && count <= JUMBO_LIMIT;
}

/** Whether a label has nothing to read: empty, or only the zero-width space of an empty cell. */
export function isBlank(label) {
  return !label || !label.replace(/[\s\u200B-\u200D\u2060\uFEFF]/g, "");
}
