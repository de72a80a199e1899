/** What the reader does to messages: presses, choices, spoilers, links to places and commands. */
import { commandsOnMessages, commandsOnPeople } from "./commands.js";
import { choicesOf } from "./components.js";
import { part } from "./dom.js";
import { moveByArrow } from "./morph.js";
import { pick } from "./picker.js";
import { openEmoji, revealSpoiler } from "./text.js";
import { say } from "./words.js";

const ACTIVE =
  "[data-action], [data-dismiss], [data-delete], [data-go-to], [data-command], [data-show-message], [data-user-id], [data-apps]";

const PRESSING = ["Enter", " "];

/** Listens once for all messages, so that a message drawn anew needs no listeners of its own. */
export function listenForPresses(page) {
  const history = part("history");
  history.addEventListener("click", (event) => onClick(event, page));
  history.addEventListener("contextmenu", (event) => onMenu(event));
  history.addEventListener("keydown", (event) => {
    if (moveByArrow(event) || (PRESSING.includes(event.key) && opened(event.target))) {
      event.preventDefault();
    }
  });
}

function onClick(event, page) {
  const { target } = event;
  if (opened(target)) {
    event.preventDefault();
    return;
  }
  const control = target.closest(ACTIVE);
  if (!control || control.getAttribute("aria-disabled") === "true") return;
  perform(control, page).catch((error) => page.complain(error.message));
}

/** The menu of a message stands where the browser's would, but for links and chosen text. */
function onMenu(event) {
  const apps = event.target.closest(".message")?.querySelector("[data-apps]");
  if (!apps || event.target.closest("a") || String(window.getSelection())) return;
  event.preventDefault();
  apps.click();
}

/** Opens a spoiler or the name of an emoji; whether there was one. */
function opened(target) {
  return revealSpoiler(target) || openEmoji(target);
}

async function perform(control, page) {
  const { action, dismiss, delete: gone, goTo, command, showMessage, userId, apps } = control.dataset;
  if (action === "press") await press(control, page);
  else if (action === "pick") await choose(control, page);
  else if (action === "forget") page.interactions.forgetFailures();
  else if (dismiss) await page.send({ ...addressOf(control, page), type: "dismiss" });
  else if (gone) await page.send({ ...addressOf(control, page), type: "delete" });
  else if (command) page.startCommand(command);
  else if (userId) await commandPerson(control, userId, page);
  else if (apps) await commandMessage(control, apps, page);
  if (goTo) page.goTo(goTo);
  if (showMessage) reveal(showMessage);
}

async function press(control, page) {
  const body = addressOf(control, page);
  if (body) await page.send(body);
}

async function choose(control, page) {
  const body = addressOf(control, page);
  if (!body) return;
  const message = page.world.message(body.channel_id, body.message_id);
  const select = selectOf(message.components, body.custom_id);
  const { min_values: min = 1, max_values: max = 1 } = select;
  const bounds = { min, max, label: control.textContent };
  const values = await pick(control, choicesOf(select, page.world), bounds);
  if (values) await page.send({ ...body, values });
}

/** The menu of a person: the commands that the bot has for people. */
async function commandPerson(control, userId, { world, send, channelId }) {
  const commands = commandsOnPeople(world.commands, world.me, world.channel(channelId()));
  const command = await chosenOf(commands, control, say("commands.for", { name: world.userName(userId) }));
  if (command) await send({ type: "person-command", command, target_id: userId });
}

/** The menu of a message: the commands that the bot has for messages. */
async function commandMessage(control, messageId, { world, send, channelId }) {
  const commands = commandsOnMessages(world.commands, world.me, world.channel(channelId()));
  const command = await chosenOf(commands, control, say("apps"));
  if (command) await send({ type: "message-command", command, message_id: messageId });
}

async function chosenOf(commands, control, label) {
  const choices = commands.map(({ path, title }) => ({ value: path, label: title }));
  return (await pick(control, choices, { min: 1, max: 1, label }))?.[0];
}

/** What a press on this control is about, or null while the message waits for the last one. */
function addressOf(control, { interactions, world }) {
  const { messageId } = control.closest("[data-message-id]").dataset;
  const waiting = interactions.onMessage(messageId);
  if (waiting && ["sending", "pending"].includes(waiting.state)) return null;
  const channel = world.channels.find(({ id }) => world.message(id, messageId));
  return {
    type: "component",
    channel_id: channel.id,
    message_id: messageId,
    custom_id: control.dataset.customId,
  };
}

function selectOf(components, customId) {
  for (const component of components) {
    if (component.custom_id === customId) return component;
    const inside = selectOf(component.components ?? [], customId);
    if (inside) return inside;
  }
  return null;
}

function reveal(messageId) {
  const message = part("history").querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
  message?.scrollIntoView({ block: "center" });
  message?.focus({ preventScroll: true });
}
