/** The first screen of a channel: where one is, as whom, and what to press. */
import { typeableCommands } from "./commands.js";
import { button, h } from "./dom.js";
import { channelTitle } from "./sidebar.js";
import { listed, say } from "./words.js";

/** Why there is no command to press. */
function whyNone({ inside }, { bot, me }) {
  if (inside || me.has_app) return say("welcome.starting");
  return say("welcome.not_here", bot);
}

/** What stands in a channel without messages. */
export function welcomeElement(channel, world) {
  const commands = typeableCommands(world.commands, world.me, channel);
  const first = new Map();
  for (const each of commands) {
    const name = each.path.split(" ")[0];
    if (!first.has(name)) first.set(name, each);
  }
  const offers = [...first.values()].map(({ path, title, description }) =>
    h(
      "li",
      {},
      button("offer", { command: path }, h("span", { class: "command" }, `/${title}`)),
      h("span", { class: "hint" }, description),
    ),
  );
  const others = world.people.filter(({ id }) => id !== world.me.id).map(({ name }) => name);
  const playing = { me: world.me.name, others: listed(others) };
  return h(
    "section",
    { class: "welcome" },
    h("h3", {}, say("welcome.title", { channel: channelTitle(channel, world) })),
    h("p", {}, say("welcome.about"), " ", h("b", {}, say("welcome.begin"))),
    offers.length ? h("ul", {}, offers) : h("p", { class: "hint" }, whyNone(channel, world)),
    h(
      "p",
      { class: "hint" },
      say("welcome.people", playing),
    ),
  );
}
