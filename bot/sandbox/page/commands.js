/**
 * The registered commands as a person types them: subcommands apart, in the person's language, and as
 * one line of text, `/tictactoe level:easy size:4`.
 */
import { say } from "./words.js";

const CHAT_INPUT = 1;
const ON_PERSON = 2;
const ON_MESSAGE = 3;
const SUBCOMMAND = 1;
const SUBCOMMAND_GROUP = 2;
/** Where a command may be used, as Discord numbers the contexts, and who may have added it. */
const IN_GUILD = 0;
const BY_GUILD = 0;
const BY_USER = 1;
const ADMINISTRATOR = 1n << 3n;

/**
 * Every command that `me` can type in a channel:
 * `{path, title, description, options}`, `path` as registered, `title` as the person reads it.
 */
export function typeableCommands(commands, me, channel) {
  return commands
    .filter((command) => (command.type ?? CHAT_INPUT) === CHAT_INPUT)
    .filter((command) => isOffered(command, me, channel))
    .flatMap((command) => flatten(command, me.locale, [], []));
}

/** Every command, as above, that `me` can choose in the menu of a person. */
export function commandsOnPeople(commands, me, channel) {
  return inMenu(ON_PERSON, commands, me, channel);
}

/** Every command, as above, that `me` can choose in the menu of a message. */
export function commandsOnMessages(commands, me, channel) {
  return inMenu(ON_MESSAGE, commands, me, channel);
}

function inMenu(type, commands, me, channel) {
  return commands
    .filter((command) => command.type === type && isOffered(command, me, channel))
    .flatMap((command) => flatten(command, me.locale, [], []));
}

/** What a person reads for the command registered as `path`. */
export function commandTitle(path, { commands, me }) {
  const all = commands.flatMap((command) => flatten(command, me.locale, [], []));
  return all.find((command) => command.path === path)?.title ?? path;
}

/** Those that `typed` (without the slash) may mean; names that begin with it come first. */
export function matching(commands, typed) {
  const wanted = typed.trim().toLowerCase();
  const begins = ({ path, title }) => path.startsWith(wanted) || title.startsWith(wanted);
  const contains = ({ path, title }) => path.includes(wanted) || title.includes(wanted);
  const rest = commands.filter((command) => !begins(command) && contains(command));
  return [...commands.filter(begins), ...rest];
}

/** In a channel that the bot is not `inside`, only to those who have added it themselves. */
function isOffered(command, me, { context, inside }) {
  const types = command.integration_types;
  const added = (inside && types.includes(BY_GUILD)) || (me.has_app && types.includes(BY_USER));
  if (!added) return false;
  if (context === IN_GUILD && !mayUse(command, me)) return false;
  return !command.contexts || command.contexts.includes(context);
}

/** A command that asks for no permission in particular, "0", is for administrators. */
function mayUse({ default_member_permissions: needed }, { permissions }) {
  if (needed === null || needed === undefined) return true;
  const all = BigInt(needed) || ADMINISTRATOR;
  return (BigInt(permissions) & all) === all;
}

function flatten(node, locale, path, title) {
  const names = [...path, node.name];
  const titles = [...title, localized(node, "name", locale)];
  const options = node.options ?? [];
  const inner = options.filter(({ type }) => [SUBCOMMAND, SUBCOMMAND_GROUP].includes(type));
  const isNested = path.length === 0 || node.type === SUBCOMMAND_GROUP;
  if (isNested && inner.length) {
    return inner.flatMap((child) => flatten(child, locale, names, titles));
  }
  return [
    {
      path: names.join(" "),
      title: titles.join(" "),
      description: localized(node, "description", locale),
      options: options.map((option) => readOption(option, locale)),
    },
  ];
}

function readOption(option, locale) {
  return {
    ...option,
    title: localized(option, "name", locale),
    description: localized(option, "description", locale),
    choices: option.choices?.map((choice) => ({
      value: choice.value,
      name: localized(choice, "name", locale),
    })),
  };
}

function localized(thing, key, locale) {
  return thing[`${key}_localizations`]?.[locale] ?? thing[`${key}_localized`] ?? thing[key];
}

/** What was typed for an option is none of its values; `message` says so. */
class Unfit extends Error {
  constructor(key, option, values = {}) {
    super(say(key, { ...values, option: option.title }));
  }
}

export const STRING = 3;
export const INTEGER = 4;
export const BOOLEAN = 5;
export const USER = 6;
export const CHANNEL = 7;

/**
 * The command that `line` names and what follows it, or null; the longest name wins. `named` says
 * whether the name is finished, by a space.
 */
export function commandOf(line, commands) {
  const text = line.trimStart();
  const names = (command) => [command.title, command.path].map((name) => `/${name}`);
  const found = commands
    .flatMap((command) => names(command).map((name) => ({ command, name })))
    .filter(({ name }) => text === name || text.startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (!found) return null;
  const { command, name } = found;
  return { command, rest: text.slice(name.length), named: text !== name };
}

/** The text behind each option's name, and what stands before the first. */
export function readTexts(rest, command) {
  const byName = new Map(command.options.map((option) => [option.name, option]));
  for (const option of command.options) byName.set(option.title, option);
  const marks = [...rest.matchAll(/(?<=^|\s)(\S+?):/g)].filter(([, name]) => byName.has(name));
  const texts = new Map();
  marks.forEach((mark, index) => {
    const end = marks[index + 1]?.index ?? rest.length;
    texts.set(byName.get(mark[1]).name, rest.slice(mark.index + mark[0].length, end).trim());
  });
  return { texts, stray: rest.slice(0, marks[0]?.index ?? rest.length).trim() };
}

/** The line that names this command with these texts. */
export function writeLine(command, texts) {
  const filled = command.options.filter(({ name }) => texts.get(name));
  const words = filled.map(({ name, title }) => `${title}:${texts.get(name)}`);
  return [`/${command.title}`, ...words].join(" ") + " ";
}

/**
 * The values of `texts` by option. `chosen` gives the value behind the text of a proposal.
 *
 * Raises `Unfit` for the first text that fits no value of its option.
 */
export function readValues(command, texts, world, chosen) {
  const values = {};
  for (const option of command.options) {
    const text = texts.get(option.name) ?? "";
    if (text) values[option.name] = chosen(option.name, text) ?? readValue(option, text, world);
    else if (option.required) throw new Unfit("refused.required", option);
  }
  return values;
}

/** The value of one option; raises `Unfit`. */
export function readValue(option, text, world) {
  if (option.choices?.length) return choiceValue(option, text);
  switch (option.type) {
    case STRING:
      return text;
    case INTEGER:
      if (!/^[-+]?\d+$/.test(text)) throw new Unfit("refused.whole_number", option);
      return Number(text);
    case BOOLEAN:
      return truth(option, text);
    case USER:
      return idOf(option, text.replace(/^@/, ""), world.users);
    case CHANNEL:
      return idOf(option, text.replace(/^#/, ""), world.channels);
    default:
      throw new Unfit("refused.option", option);
  }
}

function choiceValue(option, text) {
  const wanted = text.toLowerCase();
  const found =
    option.choices.find(({ name }) => name.toLowerCase() === wanted) ??
    option.choices.find(({ value }) => String(value).toLowerCase() === wanted);
  if (found) return found.value;
  const choices = option.choices.map(({ name }) => name).join(", ");
  throw new Unfit("refused.not_a_choice", option, { choices });
}

function truth(option, text) {
  const word = text.toLowerCase();
  if (["true", "yes", "on", say("yes").toLowerCase()].includes(word)) return true;
  if (["false", "no", "off", say("no").toLowerCase()].includes(word)) return false;
  throw new Unfit("refused.yes_or_no", option);
}

function idOf(option, text, things) {
  const id = /^<[@#]!?(\d+)>$/.exec(text)?.[1] ?? text;
  const wanted = text.toLowerCase();
  const bearsName = ({ name }) => name.toLowerCase() === wanted;
  const found = things.find((each) => each.id === id) ?? things.find(bearsName);
  if (!found) throw new Unfit("refused.unknown_name", option, { text });
  return found.id;
}
