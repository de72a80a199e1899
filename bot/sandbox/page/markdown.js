/**
 * Discord's markdown by lines: headings, small print, quotes, lists and blocks of code. A text
 * becomes a list of blocks; what stands inside a line is `inline.js`.
 */
import { parseInline } from "./inline.js";

const FENCE = /```(?:([\w+#.-]+)\n)?\n*([\s\S]+?)\n*```\n?/g;
const ITEM = /^( *)([-*]|\d{1,9}\.) +(.*)$/;

/** The blocks of a text, first to last. */
export function parseBlocks(text) {
  const blocks = [];
  let end = 0;
  for (const fence of text.matchAll(FENCE)) {
    blocks.push(...parseLines(text.slice(end, fence.index).replace(/\n$/, "")));
    blocks.push({ type: "code", language: fence[1] ?? "", text: fence[2] });
    end = fence.index + fence[0].length;
  }
  return [...blocks, ...parseLines(text.slice(end))];
}

function parseLines(text) {
  if (!text) return [];
  const lines = text.split("\n");
  const blocks = [];
  while (lines.length) blocks.push(takeBlock(lines));
  return blocks;
}

/** Takes the lines of the first block off the front of `lines`. */
function takeBlock(lines) {
  const heading = /^(#{1,3}) +(\S.*)$/.exec(lines[0]);
  if (heading) {
    lines.shift();
    return { type: "heading", level: heading[1].length, children: parseInline(heading[2]) };
  }
  const small = /^-# +(\S.*)$/.exec(lines[0]);
  if (small) {
    lines.shift();
    return { type: "small", children: parseInline(small[1]) };
  }
  if (lines[0].startsWith(">>> ")) {
    const quoted = lines.splice(0).join("\n").slice(4);
    return { type: "quote", blocks: parseLines(quoted) };
  }
  if (lines[0].startsWith("> ")) {
    const quoted = takeWhile(lines, (line) => line.startsWith("> ") && !line.startsWith(">>> "));
    return { type: "quote", blocks: paragraphs(quoted.map((line) => line.slice(2))) };
  }
  if (ITEM.test(lines[0])) return takeList(lines, indent(lines[0]));
  return { type: "text", children: parseInline(takeWhile(lines, isPlain).join("\n")) };
}

/** Quotes do not nest: what is quoted has every other kind of block. */
function paragraphs(lines) {
  const blocks = [];
  while (lines.length) {
    if (lines[0].startsWith("> ")) blocks.push({ type: "text", children: [lines.shift()] });
    else blocks.push(takeBlock(lines));
  }
  return blocks;
}

function takeList(lines, depth) {
  const ordered = isNumbered(lines[0]);
  const list = { type: "list", ordered, start: ordered ? parseInt(lines[0], 10) : 1, items: [] };
  while (lines.length && ITEM.test(lines[0]) && indent(lines[0]) >= depth) {
    const deeper = indent(lines[0]) > depth + 1 && list.items.length > 0;
    if (!deeper && isNumbered(lines[0]) !== ordered) break;
    if (deeper) {
      list.items.at(-1).lists.push(takeList(lines, indent(lines[0])));
    } else {
      list.items.push({ children: parseInline(ITEM.exec(lines.shift())[3]), lists: [] });
    }
  }
  return list;
}

function isNumbered(line) {
  return /^ *\d/.test(line);
}

function takeWhile(lines, belongs) {
  let count = 1;
  while (count < lines.length && belongs(lines[count])) count += 1;
  return lines.splice(0, count);
}

function isPlain(line) {
  return !/^(#{1,3} +\S|-# +\S|>>> |> )/.test(line) && !ITEM.test(line);
}

function indent(line) {
  return ITEM.exec(line)[1].length;
}
