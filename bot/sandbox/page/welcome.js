/** The first screen of a channel: where one is, as whom, and what to press. */
import { typeableCommands } from "./commands.js";
import { button, h } from "./dom.js";
import { channelTitle } from "./sidebar.js";
import { listed, say } from "./words.js";

/** Why there is no command to press. */
function whyNone({ inside }, { bot, me }) {
  if (inside || me.has_app) return say("The bot is starting…");
  return say("{name} isn't here. Add it to your account in the sidebar to use it anyway.", bot);
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
    h("h3", {}, say("Welcome to {channel}", { channel: channelTitle(channel, world) })),
    h("p", {}, say("This is a Discord on your own machine."), " ", h("b", {}, say("Press a command to begin:"))),
    offers.length ? h("ul", {}, offers) : h("p", { class: "hint" }, whyNone(channel, world)),
    h(
      "p",
      { class: "hint" },
      say("You are {me}. To play against {others}, switch in the sidebar or open a second tab.", playing),
    ),
  );
}
