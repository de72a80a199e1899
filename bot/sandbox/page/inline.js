/**
 * What stands inside a line of Discord's markdown: emphasis, code, spoilers, links, mentions and
 * timestamps. Text becomes a list of nodes, strings and `{type, …}` records; nothing is HTML.
 */

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
