/**
 * Emoji, each in a cell of the same width: boards line up whatever font the system has. Those that
 * boards are made of are drawn by the page itself (`emoji.svg`, one strip, in the order below), as
 * Discord draws them itself, so a machine without an emoji font shows them too.
 */
import { h } from "./dom.js";

const EMOJI = /(\p{RGI_Emoji})/v;

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
export function emojiCell(emoji) {
  const at = DRAWN.get(emoji);
  if (at === undefined) return h("span", { class: "emoji" }, emoji);
  return h(
    "span",
    { class: "emoji drawn", style: { "--at": `${at}`, "--of": `${STRIP.length}` } },
    emoji,
  );
}

/** The emoji of a button or of a choice, which is told as an object. */
export function emojiFace({ id, name }) {
  return emojiCell(id ? `:${name}:` : name);
}

/** Whether plain content is nothing but a few emoji, which Discord then draws larger. */
export function isJumbo(content) {
  const pieces = content.split(EMOJI);
  const count = (pieces.length - 1) / 2;
  const onlyEmoji = pieces.every((piece, index) => index % 2 || !piece.trim());
  return onlyEmoji && count > 0 && count <= JUMBO_LIMIT;
}

/** Whether a label has nothing to read: empty, or only the zero-width space of an empty cell. */
export function isBlank(label) {
  return !label || !label.replace(/[\s\u200B-\u200D\u2060\uFEFF]/g, "");
}
