/**
 * Discord's markdown. By lines: headings, small print, quotes, lists and blocks of code; inside a line:
 * emphasis, code, spoilers, links, mentions and timestamps. A text becomes a list of blocks, whose
 * nodes are strings and `{type, …}` records; nothing is HTML.
 */

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

/** Longest marks first: `**` is tried before `*`. */
const PAIRS = [
  { mark: "**", type: "bold" },
  { mark: "__", type: "underline" },
  { mark: "~~", type: "strike" },
  { mark: "||", type: "spoiler" },
  { mark: "*", type: "italic" },
  { mark: "_", type: "italic" },
];
const URL_PATTERN = /https?:\/\/[^\s<>]*[^\s<>.,:;"'!?)\]*_|~]/y;
/** `[label](url "title")`; an address may have brackets inside, in pairs. */
const MASKED =
  /\[((?:\\.|[^\]\\\n]){1,1000})\]\(<?(https?:\/\/(?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+"[^"]*")?\)/y;
const MENTIONS = [
  { pattern: /<@!?(\d+)>/y, node: ([, id]) => ({ type: "user", id }) },
  { pattern: /<@&(\d+)>/y, node: ([, id]) => ({ type: "role", id }) },
  { pattern: /<#(\d+)>/y, node: ([, id]) => ({ type: "channel", id }) },
  {
    pattern: /<\/([^:<>\n]{1,98}):(\d+)>/y,
    node: ([, name, id]) => ({ type: "command", name, id }),
  },
  {
    pattern: /<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y,
    node: ([, unix, style = "f"]) => ({ type: "time", unix: Number(unix), style }),
  },
  { pattern: /<a?:(\w{2,32}):(\d+)>/y, node: ([, name, id]) => ({ type: "own-emoji", name, id }) },
  {
    pattern: /<(https?:\/\/[^\s<>]+)>/y,
    node: ([, url]) => ({ type: "link", url, children: [url] }),
  },
  { pattern: /@(?:everyone|here)\b/y, node: ([text]) => ({ type: "everyone", text }) },
];

/** The nodes of `text`; strings that meet are one string. */
export function parseInline(text) {
  const nodes = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const found = nodeAt(text, at);
    if (!found) {
      plain += text[at];
      at += 1;
      continue;
    }
    if (typeof found.node === "string") plain += found.node;
    else {
      if (plain) nodes.push(plain);
      plain = "";
      nodes.push(found.node);
    }
    at = found.end;
  }
  if (plain) nodes.push(plain);
  return nodes;
}

function nodeAt(text, at) {
  switch (text[at]) {
    case "\\":
      return escaped(text, at);
    case "`":
      return code(text, at);
    case "[":
      return masked(text, at);
    case "<":
    case "@":
      return mention(text, at);
    case "h":
      return link(text, at);
    default:
      return pair(text, at);
  }
}

function escaped(text, at) {
  const next = text[at + 1];
  if (next && /[^\p{L}\p{N}\s]/u.test(next)) return { node: next, end: at + 2 };
  return null;
}

function code(text, at) {
  const mark = text.startsWith("``", at) ? "``" : "`";
  const end = text.indexOf(mark, at + mark.length);
  if (end <= at + mark.length) return null;
  const inner = text.slice(at + mark.length, end);
  const padded = mark === "``" && /^ .* $/s.test(inner);
  const node = { type: "code", text: padded ? inner.slice(1, -1) : inner };
  return { node, end: end + mark.length };
}

function masked(text, at) {
  const found = match(MASKED, text, at);
  if (!found) return null;
  const [whole, label, url] = found;
  return { node: { type: "link", url, children: parseInline(label) }, end: at + whole.length };
}

function mention(text, at) {
  for (const { pattern, node } of MENTIONS) {
    const found = match(pattern, text, at);
    if (found) return { node: node(found), end: at + found[0].length };
  }
  return null;
}

function link(text, at) {
  const found = match(URL_PATTERN, text, at);
  if (!found) return null;
  return { node: { type: "link", url: found[0], children: [found[0]] }, end: at + found[0].length };
}

function pair(text, at) {
  const kind = PAIRS.find(({ mark }) => text.startsWith(mark, at));
  if (!kind || !opens(text, at, kind.mark)) return null;
  const start = at + kind.mark.length;
  const end = closing(text, start, kind.mark);
  if (end < 0) return null;
  const children = parseInline(text.slice(start, end));
  return { node: { type: kind.type, children }, end: end + kind.mark.length };
}

/** `2 * 3` and `snake_case` are no emphasis. */
function opens(text, at, mark) {
  if (mark === "*") return /\S/.test(text[at + 1] ?? " ");
  if (mark === "_") return !/\w/.test(text[at - 1] ?? " ");
  return true;
}

/** Where the mark that closes stands, or -1: not escaped, not in code, not at once. */
function closing(text, start, mark) {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "`") at = (code(text, at)?.end ?? at + 1) - 1;
    else if (text.startsWith(mark, at)) {
      const run = runLength(text, at, mark[0]);
      if (at > start && closes(text, at, mark, run)) return at + (run - mark.length) * (run > 2);
      at += run - 1;
    }
  }
  return -1;
}

/** A single `*` is not closed by half of `**`; a run of three closes both, the outer mark last. */
function closes(text, at, mark, run) {
  if (mark.length === 1 && run === 2) return false;
  if (mark === "*") return /\S/.test(text[at - 1]);
  if (mark === "_") return !/\w/.test(text[at + run] ?? " ");
  return true;
}

function runLength(text, at, character) {
  let end = at;
  while (text[end] === character) end += 1;
  return end - at;
}

function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
