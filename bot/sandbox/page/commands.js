/** The registered commands as a person types them: subcommands apart, in the person's language. */

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
