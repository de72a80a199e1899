/**
 * Who looks at what stands in the address, as in `/#as=Ann&channel=games`: a reload or a second tab
 * keeps its own person, and a link to a place can be copied.
 */

/** What the address names; null where it names nothing. */
export function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  return { as: words.get("as"), channel: words.get("channel") };
}

/** Puts person and channel into the address without a new entry for the Back button. */
export function writeAddress({ as, channel }) {
  const words = new URLSearchParams({ as, channel });
  history.replaceState(null, "", `#${words}`);
}

/** The name a channel has in the address; every person has one channel alone with the bot. */
export function channelWord(channel) {
  return channel.kind === "dm" && channel.inside ? "dm" : channel.name;
}

/** The one of `things` (people, channels) that `word` names by name or id, or null. */
export function named(things, word, nameOf = (thing) => thing.name) {
  if (!word) return null;
  const wanted = word.toLowerCase();
  return (
    things.find((thing) => nameOf(thing).toLowerCase() === wanted) ??
    things.find((thing) => thing.id === word) ??
    null
  );
}
